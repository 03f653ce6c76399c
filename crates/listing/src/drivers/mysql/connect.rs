//! Opens connections to MariaDB and MySQL, and knows the numbers that the server gives them.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use sea_orm::{DbErr, RuntimeErr};
use sqlx::mysql::{MySqlConnectOptions, MySqlConnection, MySqlPool, MySqlPoolOptions};
use sqlx::{AssertSqlSafe, Connection as _, Error, Executor as _};

use super::super::lend::Server;
use super::super::options::ReadOptions;
use crate::execute::ExecuteError;

/// A server, and how the connections to it are set up.
pub(super) struct MysqlServer {
    server: MySqlConnectOptions,
    /// The driver's pool, which opens connections and sets them up. The first request makes it, because a pool has to be made
    /// inside a runtime.
    maker: OnceLock<MySqlPool>,
    setup: MySqlPoolOptions,
    statement_timeout: Option<Duration>,
    export_timeout: Duration,
    /// How many prepared statements a connection keeps.
    pub(super) statements: usize,
}

/// A connection and its number at the server, by which its statement can be ended.
pub(super) struct Numbered {
    pub(super) connection: MySqlConnection,
    pub(super) number: u64,
}

impl Server for MysqlServer {
    type Connection = Numbered;

    async fn open(&self) -> Result<Numbered, ExecuteError> {
        let opened = self.set_up(self.statement_timeout).await;
        opened.map_err(|error| DbErr::Query(RuntimeErr::SqlxError(Arc::new(error))).into())
    }
}

impl MysqlServer {
    pub(super) fn new(
        server: MySqlConnectOptions,
        setup: MySqlPoolOptions,
        options: &ReadOptions,
    ) -> Self {
        Self {
            // Never full: `make_room` clears it after a statement.
            server: server.statement_cache_capacity(options.statements.saturating_add(1)),
            maker: OnceLock::new(),
            // The limit on connections that are being opened at the same time; none is kept in this pool.
            setup: setup
                .max_connections(10_000)
                .acquire_timeout(options.acquire_timeout)
                .test_before_acquire(false),
            statement_timeout: options.statement_timeout,
            export_timeout: options.export_timeout,
            statements: options.statements,
        }
    }

    /// A connection for an export, which waits for its client.
    pub(super) async fn open_for_export(&self) -> Result<Numbered, Error> {
        let mut numbered = self.set_up(Some(self.export_timeout)).await?;
        let seconds = self.export_timeout.as_secs().clamp(1, 31_536_000);
        let patience = format!("SET net_write_timeout = {seconds}");
        numbered.connection.execute(AssertSqlSafe(patience)).await?;
        Ok(numbered)
    }

    async fn set_up(&self, statement_timeout: Option<Duration>) -> Result<Numbered, Error> {
        let mut connection = self.bare().await?;
        let asked = "SELECT CONNECTION_ID(), VERSION() LIKE '%MariaDB%'";
        let (number, is_mariadb): (u64, bool) = sqlx::query_as(asked)
            .persistent(false)
            .fetch_one(&mut connection)
            .await?;
        let limit = if is_mariadb {
            let limit = self
                .limit(
                    &mut connection,
                    statement_timeout,
                    "SELECT @@max_statement_time + 0e0, 1e0",
                )
                .await?;
            format!("SET max_statement_time = {limit}")
        } else {
            let limit = self
                .limit(
                    &mut connection,
                    statement_timeout,
                    "SELECT @@max_execution_time + 0e0, 1000e0",
                )
                .await?;
            format!("SET max_execution_time = {}", (limit * 1_000.0).round())
        };
        connection.execute(AssertSqlSafe(limit)).await?;
        Ok(Numbered { connection, number })
    }

    /// How many seconds a statement may run: by the options, by the session, or by default.
    async fn limit(
        &self,
        connection: &mut MySqlConnection,
        given: Option<Duration>,
        asked: &'static str,
    ) -> Result<f64, Error> {
        if let Some(limit) = given {
            // 0 would mean no limit, and servers take at most a year.
            return Ok(limit.as_secs_f64().clamp(0.001, 31_536_000.0));
        }
        let (limit, unit): (f64, f64) = sqlx::query_as(asked)
            .persistent(false)
            .fetch_one(connection)
            .await?;
        let default = ReadOptions::STATEMENT_TIMEOUT.as_secs_f64();
        Ok(if limit > 0.0 { limit / unit } else { default })
    }

    /// Ends the statement that a connection is running.
    pub(super) async fn kill(&self, number: u64) -> Result<(), Error> {
        let mut connection = self.bare().await?;
        connection
            .execute(AssertSqlSafe(format!("KILL QUERY {number}")))
            .await?;
        connection.close().await
    }

    async fn bare(&self) -> Result<MySqlConnection, Error> {
        let make = || self.setup.clone().connect_lazy_with(self.server.clone());
        Ok(self.maker.get_or_init(make).acquire().await?.detach())
    }
}
