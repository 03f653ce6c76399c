//! Finds, installs and starts PgBouncer, which tests have in front of PostgreSQL.

use std::net::TcpStream;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result};

use super::Server;
use crate::machine::install::{Packages, install};
use crate::machine::ports::free_port;
use crate::machine::programs::{programs, version};
use crate::machine::supervise::Supervised;
use crate::machine::temp::Folder;

/// Tests that have this reach PostgreSQL through it.
pub(crate) const POOLER_URL: &str = "LISTING_TEST_POSTGRES_POOLER";

const PACKAGES: Packages = Packages {
    brings: "PgBouncer",
    names: &["pgbouncer"],
    variable: None,
};

/// Installs it where it is missing. Tests of the pooler itself start it with a configuration of their own.
pub(crate) fn find_or_install() -> Result<()> {
    if find().is_some() {
        return Ok(());
    }
    install(&[&PACKAGES])
}

fn find() -> Option<PathBuf> {
    programs("pgbouncer").next()
}

/// Starts it in transaction mode in front of every database of a server, with fewer sessions than the tests have connections.
pub(crate) fn start(postgres: &Server) -> Result<Server> {
    let program = find().context("PgBouncer is not installed")?;
    let folder = Folder::create_unprivileged("pgbouncer")?;
    let (user, host) = (postgres.url.split_once("://"))
        .and_then(|(_, rest)| rest.split(['/', '?']).next()?.split_once('@'))
        .context("the server's URL has no user")?;
    let (user, password) = user.split_once(':').unwrap_or((user, ""));
    let (host, server_port) = host.split_once(':').unwrap_or((host, "5432"));
    let port = free_port()?;
    let password = match password {
        "" => String::new(),
        password => format!(" password={password}"),
    };
    folder.write(
        "pgbouncer.ini",
        &format!(
            "[databases]\n* = host={host} port={server_port} user={user}{password}\n\
             [pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = {port}\nunix_socket_dir =\nauth_type = any\n\
             pool_mode = transaction\ndefault_pool_size = 3\nserver_idle_timeout = 10\nmax_client_conn = 2000\n"
        ),
    )?;
    let mut command = Command::new(&program);
    command.arg(folder.join("pgbouncer.ini"));
    let process = Supervised::start(folder, "INT", &command)?;
    process.wait_until(|| TcpStream::connect(("127.0.0.1", port)).is_ok())?;
    Ok(Server {
        url: format!("postgres://{user}@127.0.0.1:{port}/postgres?sslmode=disable"),
        description: version(&program)
            .lines()
            .next()
            .unwrap_or_default()
            .to_owned(),
        tls: None,
        _process: Some(process),
    })
}
