//! Opens connections to MariaDB and MySQL, and knows their numbers on the server.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use sea_orm::{DbErr, RuntimeErr};
use sqlx::mysql::{MySql, MySqlConnectOptions, MySqlConnection, MySqlPool, MySqlPoolOptions};
use sqlx::{AssertSqlSafe, Connection as _, Error, Executor as _};

use super::super::followed::{Followed, is_left};
use super::super::lend::Server;
use super::super::options::ReadOptions;
use super::super::server::mysql_server;
use crate::execute::ExecuteError;

/// A server and the setup of connections to it.
pub(super) struct MysqlServer {
    server: Followed<MySql>,
    /// The driver's pool, which opens connections and sets them up. The first request creates it, because a pool must be created
    /// inside a runtime.
    maker: Mutex<Option<Maker>>,
    setup: MySqlPoolOptions,
    statement_timeout: Option<Duration>,
    export_timeout: Duration,
    /// How many prepared statements a connection keeps.
    pub(super) statements: usize,
}

/// A pool and the options of its connections.
struct Maker {
    pool: MySqlPool,
    opens_with: Arc<MySqlConnectOptions>,
}

/// A connection, its options, and its number on the server, by which its statement can be cancelled.
pub(super) struct Numbered {
    pub(super) connection: MySqlConnection,
    pub(super) number: u64,
    pub(super) opened_with: Arc<MySqlConnectOptions>,
}

impl Server for MysqlServer {
    type Connection = Numbered;

    async fn open(&self) -> Result<Numbered, ExecuteError> {
        let opened = self.set_up(self.statement_timeout).await;
        opened.map_err(|error| DbErr::Query(RuntimeErr::SqlxError(Arc::new(error))).into())
    }

    fn is_lost(&self, numbered: &Numbered) -> bool {
        is_left(&numbered.opened_with, &self.server.now())
    }
}

impl MysqlServer {
    pub(super) fn new(
        server: Followed<MySql>,
        setup: MySqlPoolOptions,
        options: &ReadOptions,
    ) -> Self {
        Self {
            server,
            maker: Mutex::default(),
            // Limits the connections that are being opened at the same time; this pool keeps none.
            setup: setup
                .max_connections(10_000)
                .acquire_timeout(options.acquire_timeout)
                .test_before_acquire(false),
            statement_timeout: options.statement_timeout,
            export_timeout: options.export_timeout,
            statements: options.statements,
        }
    }

    /// A connection for an export, which has to wait for its client.
    pub(super) async fn open_for_export(&self) -> Result<Numbered, Error> {
        let mut numbered = self.set_up(Some(self.export_timeout)).await?;
        let seconds = self.export_timeout.as_secs().clamp(1, 31_536_000);
        let patience = format!("SET net_write_timeout = {seconds}");
        numbered.connection.execute(AssertSqlSafe(patience)).await?;
        Ok(numbered)
    }

    async fn set_up(&self, statement_timeout: Option<Duration>) -> Result<Numbered, Error> {
        let opened_with = self.server.now();
        let mut connection = self.bare(&opened_with).await?;
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
        Ok(Numbered {
            connection,
            number,
            opened_with,
        })
    }

    /// The most seconds that a statement may run: set by the options, by the session, or the default.
    async fn limit(
        &self,
        connection: &mut MySqlConnection,
        given: Option<Duration>,
        asked: &'static str,
    ) -> Result<f64, Error> {
        if let Some(limit) = given {
            // 0 would mean no limit, and servers accept at most a year.
            return Ok(limit.as_secs_f64().clamp(0.001, 31_536_000.0));
        }
        let (limit, unit): (f64, f64) = sqlx::query_as(asked)
            .persistent(false)
            .fetch_one(connection)
            .await?;
        let default = ReadOptions::STATEMENT_TIMEOUT.as_secs_f64();
        Ok(if limit > 0.0 { limit / unit } else { default })
    }

    /// Cancels the statement that a connection is running.
    pub(super) async fn kill(
        &self,
        opened_with: &Arc<MySqlConnectOptions>,
        number: u64,
    ) -> Result<(), Error> {
        let mut connection = self.bare(opened_with).await?;
        connection
            .execute(AssertSqlSafe(format!("KILL QUERY {number}")))
            .await?;
        connection.close().await
    }

    async fn bare(&self, options: &Arc<MySqlConnectOptions>) -> Result<MySqlConnection, Error> {
        Ok(self.maker(options).acquire().await?.detach())
    }

    fn maker(&self, options: &Arc<MySqlConnectOptions>) -> MySqlPool {
        // No code panics while holding this lock.
        let mut maker = self.maker.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(maker) = &*maker
            && !is_left(&maker.opens_with, options)
        {
            return maker.pool.clone();
        }
        let server = mysql_server(options.as_ref().clone())
            // Never full: `make_room` clears it after a statement.
            .statement_cache_capacity(self.statements.saturating_add(1));
        let pool = self.setup.clone().connect_lazy_with(server);
        *maker = Some(Maker {
            pool: pool.clone(),
            opens_with: Arc::clone(options),
        });
        pool
    }
}
