//! Starts a private MariaDB server on a free port, fast because its data need not survive.

use std::fs;
use std::io::Read;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::Result;

use super::replicas::Replicated;
use super::{Server, certificates, data_folder};
use crate::machine::install::Packages;
use crate::machine::ports::free_port;
use crate::machine::programs::{programs, version};
use crate::machine::supervise::Supervised;
use crate::machine::temp::Folder;

/// The core packages contain only the programs: no service, no user, no data folder of the system.
pub(super) const PACKAGES: Packages = Packages {
    brings: "MariaDB's server programs",
    names: &["mariadb-server-core", "mariadb-client-core"],
    variable: Some(super::MYSQL_URL),
};

const FIRST_STATEMENTS: &str = "CREATE DATABASE IF NOT EXISTS listing;\n\
         CREATE USER IF NOT EXISTS 'listing'@'127.0.0.1';\n\
         GRANT ALL ON *.* TO 'listing'@'127.0.0.1' WITH GRANT OPTION;\n\
         CREATE USER IF NOT EXISTS 'tls_client'@'127.0.0.1' REQUIRE X509;\n";

pub(super) struct Programs {
    install_db: PathBuf,
    server: PathBuf,
}

impl Programs {
    pub(super) fn server(&self) -> PathBuf {
        self.server.clone()
    }

    /// A folder of rows below this one.
    pub(super) fn rows(&self, folder: &Folder, home: &Path) -> Result<PathBuf> {
        data_folder(folder, Some(home), |data| install(self, folder, data))
    }
}

pub(super) fn find() -> Option<Programs> {
    Some(Programs {
        install_db: find_one(&["mariadb-install-db", "mysql_install_db"])?,
        // `mysqld` may be MySQL, which is another dialect.
        server: find_one(&["mariadbd", "mysqld"])
            .filter(|server| version(server).contains("MariaDB"))?,
    })
}

fn find_one(names: &[&str]) -> Option<PathBuf> {
    names.iter().flat_map(|name| programs(name)).next()
}

pub(super) fn start(programs: &Programs, keep: Option<PathBuf>) -> Result<Server> {
    let folder = Folder::create_unprivileged("mariadb")?;
    let data = data_folder(&folder, keep.as_deref(), |data| {
        install(programs, &folder, data)
    })?;

    let first_statements = folder.join("first-statements.sql");
    fs::write(&first_statements, FIRST_STATEMENTS)?;

    let port = free_port()?;
    let socket = folder.join("socket");
    let mut server = Command::new(&programs.server);
    server
        // Must come first: the machine's own settings (data folder, socket, log) are another server's.
        .arg("--no-defaults")
        .arg(option("--datadir", &data))
        .arg(option("--tmpdir", folder.path()))
        .arg(option("--socket", &socket))
        .arg(option("--pid-file", &folder.join("pid")))
        .arg(option("--init-file", &first_statements))
        .arg(format!("--port={port}"))
        .args(["--bind-address=127.0.0.1", "--skip-name-resolve"])
        .args(["--character-set-server=utf8mb4", "--max-connections=200"])
        .args([
            "--innodb-flush-log-at-trx-commit=0",
            "--innodb-doublewrite=0",
        ])
        .args(["--innodb-flush-method=nosync", "--skip-log-bin"])
        // Kernel queues for it are scarce or forbidden in containers.
        .arg("--innodb-use-native-aio=0");

    if keep.is_some() {
        // Data that is kept is large, and a measurement should not be of the disk.
        server.args(["--innodb-buffer-pool-size=1G", "--innodb-log-file-size=1G"]);
    } else {
        let tls = certificates::make(&folder)?;
        server
            .arg(option("--ssl-ca", &tls.authority))
            .arg(option("--ssl-cert", &tls.certificate))
            .arg(option("--ssl-key", &tls.key));
    }

    let tls = keep.is_none().then(|| folder.path().to_path_buf());
    let options = if tls.is_some() {
        "?ssl-mode=DISABLED"
    } else {
        ""
    };
    let process = Supervised::start(folder, "TERM", &server)?;
    process.wait_until(|| greets(&socket))?;
    Ok(Server {
        // Encryption is for the tests that ask for it: it only costs time here.
        url: format!("mysql://listing@127.0.0.1:{port}/listing{options}"),
        tls,
        description: format!("{}, private server", version(&programs.server)),
        _process: Some(process),
    })
}

/// The command of a server that writes as one in production does; its rows are in this folder.
pub(super) fn durable(programs: &Programs, folder: &Folder, port: u16) -> Result<Command> {
    let mut server = at(programs, folder, port, "")?;
    server.arg("--skip-log-bin");
    Ok(server)
}

/// The command of a server with its rows in this folder, which runs these statements when it starts.
fn at(programs: &Programs, folder: &Folder, port: u16, then: &str) -> Result<Command> {
    let data = data_folder(folder, None, |data| install(programs, folder, data))?;
    folder.write("first-statements.sql", &format!("{FIRST_STATEMENTS}{then}"))?;
    let mut server = Command::new(&programs.server);
    server
        .arg("--no-defaults")
        .arg(option("--datadir", &data))
        .arg(option("--tmpdir", folder.path()))
        .arg(option("--socket", &folder.join("socket")))
        .arg(option("--pid-file", &folder.join("pid")))
        .arg(option("--init-file", &folder.join("first-statements.sql")))
        .arg(format!("--port={port}"))
        .args(["--bind-address=127.0.0.1", "--skip-name-resolve"])
        .args([
            "--character-set-server=utf8mb4",
            "--innodb-use-native-aio=0",
        ]);
    Ok(server)
}

/// A server with one replica, which follows it by GTIDs.
pub(super) fn start_replicated(programs: &Programs) -> Result<Replicated> {
    let url = |port| format!("mysql://listing@127.0.0.1:{port}/listing?ssl-mode=DISABLED");
    let (port, own) = (free_port()?, free_port()?);
    let primary = start_one(programs, 1, port, "")?;
    let follow = format!(
        "CHANGE MASTER TO MASTER_HOST='127.0.0.1', MASTER_PORT={port}, MASTER_USER='listing', \
         MASTER_USE_GTID=slave_pos;\nSTART SLAVE;\n"
    );
    let replica = start_one(programs, 2, own, &follow)?;
    Ok(Replicated {
        primary: url(port),
        replicas: vec![url(own)],
        _processes: vec![replica, primary],
    })
}

fn start_one(programs: &Programs, number: u32, port: u16, then: &str) -> Result<Supervised> {
    let folder = Folder::create_unprivileged("mariadb-replicated")?;
    let mut server = at(programs, &folder, port, then)?;
    server
        .args([
            "--innodb-flush-log-at-trx-commit=0",
            "--max-connections=200",
        ])
        .args(["--log-bin=log", "--binlog-format=ROW"])
        .arg(format!("--server-id={number}"));
    let socket = folder.join("socket");
    let process = Supervised::start(folder, "TERM", &server)?;
    process.wait_until(|| greets(&socket))?;
    Ok(process)
}

fn install(programs: &Programs, folder: &Folder, data: &Path) -> Result<()> {
    let mut install = folder.command(&programs.install_db);
    install
        .args(["--no-defaults", "--auth-root-authentication-method=normal"])
        .args(["--skip-test-db", "--skip-name-resolve"])
        .arg(option("--datadir", data));
    folder.run(&mut install)
}

/// The server greets a client only after its first statements have run. Its own socket is used, since
/// another program might have taken the port in between.
fn greets(socket: &Path) -> bool {
    let mut greeting = [0; 5];
    let greeted = UnixStream::connect(socket).and_then(|mut stream| {
        stream.set_read_timeout(Some(Duration::from_secs(1)))?;
        stream.read_exact(&mut greeting)
    });
    // Three bytes of length, one of sequence, then the version of the protocol; an error would have 255 there.
    greeted.is_ok() && greeting[4] == 10
}

fn option(name: &str, path: &Path) -> String {
    format!("{name}={}", path.display())
}
