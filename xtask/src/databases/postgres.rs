//! Starts a private PostgreSQL server on a free port, fast because its data need not survive.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use super::replicas::Replicated;
use super::{Server, certificates, data_folder};
use crate::machine::install::Packages;
use crate::machine::ports::free_port;
use crate::machine::programs::{program_folders, version};
use crate::machine::supervise::Supervised;
use crate::machine::temp::Folder;

pub(super) const PACKAGES: Packages = Packages {
    brings: "PostgreSQL's server programs",
    names: &["postgresql"],
    variable: Some(super::POSTGRES_URL),
};

/// Three users for tests of encryption; everybody else comes in as they are.
const ACCESS: &str = "\
hostnossl all tls_only all reject
hostssl all tls_client all cert
hostssl all tls_password all scram-sha-256
host all all 127.0.0.1/32 trust
";

pub(super) struct Programs {
    initdb: PathBuf,
    postgres: PathBuf,
}

impl Programs {
    /// Where the programs are, and not only links to some of them.
    pub(super) fn folder(&self) -> Result<PathBuf> {
        let program = self.postgres.canonicalize()?;
        let folder = program.parent().map(Path::to_path_buf);
        folder.context("PostgreSQL's program is in no folder")
    }
}

/// All programs from one folder, so that their versions agree.
pub(super) fn find() -> Option<Programs> {
    program_folders()
        .into_iter()
        .chain(debian_folders())
        .map(|folder| Programs {
            initdb: folder.join("initdb"),
            postgres: folder.join("postgres"),
        })
        .find(|programs| programs.initdb.is_file() && programs.postgres.is_file())
}

/// Debian keeps each version's programs off PATH; the newest comes first.
fn debian_folders() -> Vec<PathBuf> {
    let versions = fs::read_dir("/usr/lib/postgresql").into_iter().flatten();
    let mut versions: Vec<u32> = versions
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok())
        .collect();
    versions.sort_unstable_by(|a, b| b.cmp(a));
    versions
        .into_iter()
        .map(|version| PathBuf::from(format!("/usr/lib/postgresql/{version}/bin")))
        .collect()
}

pub(super) fn start(programs: &Programs, keep: Option<PathBuf>) -> Result<Server> {
    let folder = Folder::create_unprivileged("postgres")?;
    let data = data_folder(&folder, keep.as_deref(), |data| {
        // Not every machine has the C locale with UTF-8; plain C orders text the same way.
        create_cluster(programs, &folder, data, "C.UTF-8")
            .or_else(|_| create_cluster(programs, &folder, data, "C"))
    })?;

    let port = free_port()?;
    let mut server = Command::new(&programs.postgres);
    server.arg("-D").arg(&data);
    let settings = [
        &format!("port={port}"),
        "listen_addresses=127.0.0.1",
        "unix_socket_directories=",
        "max_connections=200",
        "fsync=off",
        "synchronous_commit=off",
        "full_page_writes=off",
        "logging_collector=off",
    ];
    server.args(settings.iter().flat_map(|setting| ["-c", setting]));
    if keep.is_some() {
        // Data that is kept is large, and a measurement should not be of the disk.
        server.args(["-c", "shared_buffers=512MB", "-c", "max_wal_size=4GB"]);
    } else {
        let tls = certificates::make(&folder)?;
        folder.write("hba.conf", ACCESS)?;
        // Compiling a statement takes seconds, and its rows are few.
        server.args(["-c", "ssl=on", "-c", "jit=off"]);
        for (setting, file) in [
            ("ssl_cert_file", tls.certificate),
            ("ssl_key_file", tls.key),
            ("ssl_ca_file", tls.authority),
            ("hba_file", folder.join("hba.conf")),
        ] {
            server
                .arg("-c")
                .arg(format!("{setting}={}", file.display()));
        }
    }

    let tls = keep.is_none().then(|| folder.path().to_path_buf());
    let options = if tls.is_some() {
        "?sslmode=disable"
    } else {
        ""
    };
    // SIGINT disconnects clients and stops; SIGTERM would wait for them to leave.
    let left_behind = state(&data);
    let process = Supervised::start(folder, "INT", &server)?;
    process.wait_until(|| is_ready(&data, &left_behind))?;
    Ok(Server {
        // Encryption is for the tests that ask for it: it only costs time here.
        url: format!("postgres://postgres@127.0.0.1:{port}/postgres{options}"),
        tls,
        description: format!("{}, private server", version(&programs.postgres)),
        _process: Some(process),
    })
}

/// The command of a server that writes as one in production does; its rows are in this folder.
pub(super) fn durable(programs: &Programs, folder: &Folder, port: u16) -> Result<Command> {
    let data = data_folder(folder, None, |data| {
        create_cluster(programs, folder, data, "C.UTF-8")
            .or_else(|_| create_cluster(programs, folder, data, "C"))
    })?;
    let mut server = Command::new(&programs.postgres);
    server.arg("-D").arg(&data);
    let settings = [
        &format!("port={port}"),
        "listen_addresses=127.0.0.1",
        "unix_socket_directories=",
        "max_connections=100",
        "logging_collector=off",
    ];
    server.args(settings.iter().flat_map(|setting| ["-c", setting]));
    Ok(server)
}

/// A server with two streaming replicas. A commit is written before it is answered, and so sent to the replicas at once.
pub(super) fn start_replicated(programs: &Programs) -> Result<Replicated> {
    let url = |port| format!("postgres://postgres@127.0.0.1:{port}/postgres?sslmode=disable");
    let basebackup = find_basebackup(programs)?;
    let folder = Folder::create_unprivileged("postgres-primary")?;
    let data = data_folder(&folder, None, |data| {
        create_cluster(programs, &folder, data, "C.UTF-8")
            .or_else(|_| create_cluster(programs, &folder, data, "C"))
    })?;
    let port = free_port()?;
    let mut processes = vec![start_one(programs, folder, &data, port)?];
    let mut replicas = Vec::new();
    for _ in 0..2 {
        let folder = Folder::create_unprivileged("postgres-replica")?;
        let data = folder.join("data");
        let mut copy = folder.command(&basebackup);
        copy.args(["--host=127.0.0.1", "--username=postgres", "--no-sync"])
            .args(["--wal-method=stream", "--checkpoint=fast"])
            // So that it follows the primary.
            .arg("--write-recovery-conf")
            .arg(format!("--port={port}"))
            .arg("--pgdata")
            .arg(&data);
        folder.run(&mut copy)?;
        let own = free_port()?;
        processes.insert(0, start_one(programs, folder, &data, own)?);
        replicas.push(url(own));
    }
    Ok(Replicated {
        primary: url(port),
        replicas,
        _processes: processes,
    })
}

/// The program that copies a server, of the same version where there are several.
fn find_basebackup(programs: &Programs) -> Result<PathBuf> {
    let own = fs::canonicalize(&programs.postgres);
    let own = own
        .ok()
        .and_then(|server| Some(server.parent()?.to_owned()));
    let folders = own.into_iter().chain(program_folders());
    folders
        .chain(debian_folders())
        .map(|folder| folder.join("pg_basebackup"))
        .find(|program| program.is_file())
        .context("`pg_basebackup` of PostgreSQL is not installed")
}

fn start_one(programs: &Programs, folder: Folder, data: &Path, port: u16) -> Result<Supervised> {
    let mut server = Command::new(&programs.postgres);
    server.arg("-D").arg(data);
    let settings = [
        &format!("port={port}"),
        "listen_addresses=127.0.0.1",
        "unix_socket_directories=",
        "max_connections=200",
        "fsync=off",
        "wal_keep_size=256MB",
        // Tests wait for conflicts with what a replica replays.
        "max_standby_streaming_delay=200ms",
        "jit=off",
        "logging_collector=off",
    ];
    server.args(settings.iter().flat_map(|setting| ["-c", setting]));
    let left_behind = state(data);
    let process = Supervised::start(folder, "INT", &server)?;
    process.wait_until(|| is_ready(data, &left_behind))?;
    Ok(process)
}

fn create_cluster(programs: &Programs, folder: &Folder, data: &Path, locale: &str) -> Result<()> {
    let mut initdb = folder.command(&programs.initdb);
    initdb
        .arg("-D")
        .arg(data)
        .args(["--username=postgres", "--auth=trust", "--encoding=UTF8"])
        .arg(format!("--locale={locale}"))
        .arg("--no-sync");
    folder.run(&mut initdb)
}

/// The server writes its state into the eighth line of its pid file. Unlike a connection that succeeds,
/// this cannot be another program that took the port in between. A server that was killed leaves the file behind.
fn is_ready(data: &Path, left_behind: &str) -> bool {
    let state = state(data);
    state != left_behind
        && state
            .lines()
            .nth(7)
            .is_some_and(|state| state.trim() == "ready")
}

fn state(data: &Path) -> String {
    fs::read_to_string(data.join("postmaster.pid")).unwrap_or_default()
}
