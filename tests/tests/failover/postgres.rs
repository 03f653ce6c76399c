//! A primary of PostgreSQL and a standby of it that takes over.

use std::fs;
use std::path::{Path, PathBuf};

use sea_orm::sqlx::postgres::{PgConnectOptions, PgConnection};
use sea_orm::sqlx::{ConnectOptions as _, Connection as _, Executor as _, Row as _};

use crate::server::{Home, Process, free_port, wait_until};

/// A server of PostgreSQL.
#[derive(Debug)]
pub(crate) struct Postgres {
    pub(crate) process: Process,
    pub(crate) port: u16,
    home: Home,
}

/// Every acknowledged write is on the standby too.
const SYNCHRONOUS: [&str; 2] = ["synchronous_standby_names=*", "synchronous_commit=on"];

impl Postgres {
    /// A server with an empty database.
    pub(crate) fn primary() -> Self {
        let home = Home::new("primary");
        home.run(
            home.command(&program("initdb"))
                .args(["-D", "data", "--username=postgres", "--auth=trust"])
                .args(["--encoding=UTF8", "--locale=C", "--no-sync"]),
        );
        let access = "host all all 127.0.0.1/32 trust\nhost replication all 127.0.0.1/32 trust\n";
        fs::write(home.path.join("data/pg_hba.conf"), access).unwrap();
        Self::start(home, &[])
    }

    /// A standby that has everything that the primary acknowledges from now on.
    pub(crate) async fn standby(&self) -> Self {
        let home = Home::new("standby");
        let primary = format!(
            "host=127.0.0.1 port={} user=postgres application_name=standby",
            self.port
        );
        home.run(
            home.command(&program("pg_basebackup"))
                .args([
                    "-D",
                    "data",
                    "-X",
                    "stream",
                    "-R",
                    "--checkpoint=fast",
                    "--no-sync",
                    "-d",
                ])
                .arg(primary),
        );
        let standby = Self::start(home, &[]);
        for setting in SYNCHRONOUS {
            let (name, value) = setting.split_once('=').unwrap();
            self.execute(&format!("ALTER SYSTEM SET {name} = '{value}'"))
                .await;
        }
        self.execute("SELECT pg_reload_conf()").await;
        let mut is_synchronous = false;
        while !is_synchronous {
            let asked = "SELECT count(*) > 0 FROM pg_stat_replication WHERE sync_state = 'sync'";
            is_synchronous = self.ask(asked).await;
        }
        standby
    }

    fn start(home: Home, settings: &[&str]) -> Self {
        let port = free_port();
        let port_setting = format!("port={port}");
        let settings = settings.iter().copied().chain([
            port_setting.as_str(),
            "listen_addresses=127.0.0.1",
            "unix_socket_directories=",
            "logging_collector=off",
            "fsync=off",
            "hot_standby=on",
        ]);
        let mut command = home.command(&program("postgres"));
        command.args(["-D", "data"]);
        command.args(settings.flat_map(|setting| ["-c", setting]));
        let mut process = Process::start(&mut command);
        wait_until("PostgreSQL starts", || {
            assert!(!process.has_ended(), "{}", home.log());
            let state =
                fs::read_to_string(home.path.join("data/postmaster.pid")).unwrap_or_default();
            state
                .lines()
                .nth(7)
                .is_some_and(|state| state.trim() == "ready")
        });
        Self {
            process,
            port,
            home,
        }
    }

    /// Takes over from a primary that is gone.
    pub(crate) async fn promote(&self) {
        self.execute("SELECT pg_promote(true, 60)").await;
    }

    pub(crate) async fn execute(&self, sql: &str) {
        let mut connection = self.connection("postgres").await;
        connection
            .execute(sea_orm::sqlx::AssertSqlSafe(sql))
            .await
            .unwrap();
        connection.close().await.unwrap();
    }

    async fn ask(&self, sql: &'static str) -> bool {
        let mut connection = self.connection("postgres").await;
        let row = connection.fetch_one(sql).await.unwrap();
        connection.close().await.unwrap();
        row.get(0)
    }

    async fn connection(&self, database: &str) -> PgConnection {
        let options = PgConnectOptions::new_without_pgpass();
        let options = options
            .host("127.0.0.1")
            .port(self.port)
            .username("postgres");
        options.database(database).connect().await.unwrap()
    }

    pub(crate) fn address(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }

    pub(crate) fn log(&self) -> String {
        self.home.log()
    }
}

/// The URL of a database on several servers.
pub(crate) fn url(servers: &[&Postgres]) -> String {
    let hosts: Vec<_> = servers.iter().map(|server| server.address()).collect();
    format!(
        "postgres://postgres@{}/postgres?sslmode=disable",
        hosts.join(",")
    )
}

/// Debian keeps each version's programs off PATH; the newest comes first.
fn program(name: &str) -> PathBuf {
    let versions = fs::read_dir("/usr/lib/postgresql").into_iter().flatten();
    let mut versions: Vec<u32> = versions
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok())
        .collect();
    versions.sort_unstable_by(|a, b| b.cmp(a));
    let folders = versions.iter();
    let mut programs = folders.map(|version| format!("/usr/lib/postgresql/{version}/bin/{name}"));
    let found = programs.find(|program| Path::new(program).is_file());
    found.map_or_else(|| PathBuf::from(name), PathBuf::from)
}
