//! Starts PgBouncer in transaction mode in front of the PostgreSQL server of the tests.

use std::fs;
use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

use sea_orm::DatabaseConnection;
use sea_orm::sqlx::ConnectOptions;
use sea_orm::sqlx::postgres::PgConnectOptions;

/// A running PgBouncer, which ends when this is dropped.
pub(crate) struct PgBouncer {
    process: Child,
    folder: PathBuf,
    /// The same database as behind it.
    pub(crate) url: String,
}

impl PgBouncer {
    /// In front of the database of `db`, with so many sessions, and more lines of its configuration.
    pub(crate) fn start(db: &DatabaseConnection, sessions: u32, more: &str) -> Self {
        let server = db.get_postgres_connection_pool().connect_options();
        let folder = new_folder();
        let port = free_port();
        let configuration = folder.join("pgbouncer.ini");
        let text = format!(
            "[databases]\n* = {}\n[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = {port}\nunix_socket_dir =\n\
             auth_type = any\npool_mode = transaction\ndefault_pool_size = {sessions}\nmax_client_conn = 200\n{more}\n",
            target(&server),
        );
        fs::write(&configuration, text).unwrap();
        let mut command = Command::new(program());
        if is_root(&folder) {
            // It refuses to run as root.
            command.args(["-u", "nobody"]);
        }
        let started = command
            .arg(&configuration)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn();
        let mut process = started.expect("PgBouncer: run the tests with `cargo xtask test`");
        let mut lines = BufReader::new(process.stderr.take().unwrap()).lines();
        let mut told = Vec::new();
        let is_up = lines.by_ref().map_while(Result::ok).any(|line| {
            let is_up = line.contains("process up");
            told.push(line);
            is_up
        });
        assert!(is_up, "{}", told.join("\n"));
        // It would stop when nobody reads what it says.
        std::thread::spawn(move || lines.for_each(drop));
        let name = server.get_database().unwrap();
        Self {
            process,
            folder,
            url: format!("postgres://postgres@127.0.0.1:{port}/{name}?sslmode=disable"),
        }
    }
}

/// Lines of a configuration with which PgBouncer keeps no prepared statements. Before version 1.21 it never does.
pub(crate) fn keeps_none() -> &'static str {
    let output = Command::new(program()).arg("--version").output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let version = text.split_whitespace().nth(1).unwrap();
    let minor: u32 = version.split('.').nth(1).unwrap().parse().unwrap();
    if minor < 21 {
        ""
    } else {
        "max_prepared_statements = 0"
    }
}

impl Drop for PgBouncer {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// The server, as the configuration names it.
fn target(server: &PgConnectOptions) -> String {
    let (host, port) = (server.get_host(), server.get_port());
    let user = server.get_username();
    let target = format!("host={host} port={port} user={user}");
    match server.to_url_lossy().password() {
        Some(password) => format!("{target} password={password}"),
        None => target,
    }
}

/// The one that `LISTING_TEST_PGBOUNCER` names, or Debian's.
fn program() -> PathBuf {
    if let Some(program) = std::env::var_os("LISTING_TEST_PGBOUNCER") {
        return program.into();
    }
    // Debian keeps it where an unprivileged user's PATH does not look.
    let debian = Path::new("/usr/sbin/pgbouncer");
    if debian.exists() {
        debian.to_path_buf()
    } else {
        PathBuf::from("pgbouncer")
    }
}

fn new_folder() -> PathBuf {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let name = format!("listing-pgbouncer-{}-{number}", std::process::id());
    let folder = std::env::temp_dir().join(name);
    fs::create_dir_all(&folder).unwrap();
    fs::set_permissions(&folder, fs::Permissions::from_mode(0o755)).unwrap();
    folder
}

fn is_root(folder: &Path) -> bool {
    fs::metadata(folder).unwrap().uid() == 0
}

fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.local_addr().unwrap().port()
}
