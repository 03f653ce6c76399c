//! Servers of MariaDB, of which one at a time takes writes.

use std::fs;
use std::path::PathBuf;

use sea_orm::sqlx::mysql::MySqlConnectOptions;
use sea_orm::sqlx::{AssertSqlSafe, ConnectOptions as _, Connection as _, Executor as _};
use tokio::net::TcpStream;
use tokio::time::sleep;

use crate::server::{Home, PATIENCE, Process, free_port};

/// A server of MariaDB.
#[derive(Debug)]
pub(crate) struct Mariadb {
    pub(crate) process: Process,
    pub(crate) port: u16,
    _home: Home,
}

impl Mariadb {
    /// With an empty database `shop`.
    pub(crate) async fn start() -> Self {
        let home = Home::new("mariadb");
        let at = |name: &str, file: &str| format!("--{name}={}", home.path.join(file).display());
        home.run(
            home.command(&program("mariadb-install-db"))
                .args(["--no-defaults", "--auth-root-authentication-method=normal"])
                .args(["--skip-test-db", "--skip-name-resolve"])
                .arg(at("datadir", "data")),
        );
        let first = "CREATE DATABASE shop; CREATE USER app@'127.0.0.1'; GRANT ALL ON *.* TO app@'127.0.0.1';\n";
        fs::write(home.path.join("first.sql"), first.replace("; ", ";\n")).unwrap();
        let port = free_port();
        let process = Process::start(
            home.command(&program("mariadbd"))
                .arg("--no-defaults")
                .args([at("datadir", "data"), at("socket", "socket")])
                .args([at("pid-file", "pid"), at("init-file", "first.sql")])
                .arg(format!("--port={port}"))
                .args(["--bind-address=127.0.0.1", "--skip-name-resolve"])
                .args(["--innodb-flush-method=nosync", "--skip-log-bin"])
                .arg("--innodb-use-native-aio=0"),
        );
        let server = Self {
            process,
            port,
            _home: home,
        };
        let up = async {
            while TcpStream::connect(("127.0.0.1", port)).await.is_err() || !server.answers().await
            {
                sleep(std::time::Duration::from_millis(50)).await;
            }
        };
        tokio::time::timeout(PATIENCE, up).await.unwrap();
        server
    }

    fn options(&self) -> MySqlConnectOptions {
        let options = MySqlConnectOptions::new().host("127.0.0.1").port(self.port);
        options.username("app").database("shop")
    }

    async fn answers(&self) -> bool {
        self.options().connect().await.is_ok()
    }

    /// Whether it takes writes from now on.
    pub(crate) async fn set_read_only(&self, is_read_only: bool) {
        let mut connection = self.options().connect().await.unwrap();
        let sql = format!("SET GLOBAL read_only = {}", u8::from(is_read_only));
        connection.execute(AssertSqlSafe(sql)).await.unwrap();
        connection.close().await.unwrap();
    }

    pub(crate) fn address(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }
}

fn program(name: &str) -> PathBuf {
    let folders = ["/usr/bin", "/usr/sbin", "/usr/local/bin"];
    let mut programs = folders
        .iter()
        .map(|folder| PathBuf::from(folder).join(name));
    programs
        .find(|program| program.is_file())
        .unwrap_or_else(|| PathBuf::from(name))
}
