//! Starts a private PostgreSQL server on a free port, fast because its data need not survive.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Result;

use super::{Server, certificates, data_folder};
use crate::machine::install::Packages;
use crate::machine::programs::{program_folders, version};
use crate::machine::supervise::{Supervised, free_port};
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

/// Both programs from one folder, so that their versions agree.
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
