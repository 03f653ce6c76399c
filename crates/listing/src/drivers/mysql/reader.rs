//! Reads MariaDB and MySQL on a pool of its own, set up for reading.
//!
//! The driver is SeaORM's own, used in two other ways. No connection is asked whether it is alive before each statement,
//! which costs a message there and back. And prepared statements are dropped all at once: the driver tells the server of
//! each one that it drops, and because it does not set TCP_NODELAY, what it sends next waits for the server's delayed
//! acknowledgement. With a full cache, where each new statement pushes an old one out, every request took 45 to 110 ms;
//! with room, 0.06 ms.

use std::sync::{Arc, OnceLock};

use futures_util::TryStreamExt as _;
use sea_orm::sea_query::Values;
use sea_orm::{DbErr, RuntimeErr};
use sea_query_sqlx::SqlxValues;
use sqlx::mysql::{
    MySqlConnectOptions, MySqlConnection, MySqlDatabaseError, MySqlPool, MySqlPoolOptions,
};
use sqlx::pool::PoolConnection;
use sqlx::{AssertSqlSafe, Connection as _, Error};

use super::super::options::ReadOptions;
use super::super::prepared::is_kept;
use crate::execute::{ExecuteError, ReadFuture, Reader};
use crate::render::{Batch, Shape};
use crate::sql::{Dialect, Statement};

/// Reads on connections of its own.
pub(super) struct MysqlReader {
    server: MySqlConnectOptions,
    connections: MySqlPoolOptions,
    /// How many a connection keeps.
    statements: usize,
    /// Made by the first request: a pool wants to be made inside a runtime.
    pool: OnceLock<MySqlPool>,
}

/// Longer texts read the relations of a large page or hold long lists of values, and hardly come again. They are dropped
/// behind their answer, where nobody waits for it.
const LONGEST_KEPT_TEXT: usize = 64 * 1024;

impl MysqlReader {
    /// Connections that are set up by `setup`: as many as `options` asks for, or else as it has itself.
    pub(super) fn new(
        server: MySqlConnectOptions,
        setup: MySqlPoolOptions,
        options: &ReadOptions,
    ) -> Self {
        let asked = options.connections.map(u32::try_from);
        let connections = asked.and_then(Result::ok);
        let connections = connections.unwrap_or(setup.get_max_connections());
        Self {
            // Never full: that is seen to after each statement.
            server: server.statement_cache_capacity(options.statements.saturating_add(1)),
            statements: options.statements,
            connections: setup
                .max_connections(connections)
                .acquire_timeout(options.acquire_timeout)
                .test_before_acquire(false),
            pool: OnceLock::new(),
        }
    }

    fn pool(&self) -> &MySqlPool {
        let make = || {
            let connections = self.connections.clone();
            connections.connect_lazy_with(self.server.clone())
        };
        self.pool.get_or_init(make)
    }

    /// A statement whose connection is lost is run once more, on one that answers: it only reads.
    async fn rows(&self, statement: Statement, shape: &Shape) -> Result<Batch, ExecuteError> {
        let mut connection = self.pool().acquire().await.map_err(execute_error)?;
        let mut done = rows(&mut connection, &statement, shape).await;
        if matches!(&done, Err(Failed::Driver(error)) if is_lost(error)) {
            drop(connection);
            connection = self.living().await.map_err(execute_error)?;
            done = rows(&mut connection, &statement, shape).await;
        }
        if done.is_ok() && connection.cached_statements_size() >= self.statements {
            // Nobody waits for it; the connection is handed back when it is done.
            tokio::spawn(async move { connection.clear_cached_statements().await });
        }
        Ok(done?)
    }

    /// A connection that answers; those that do not are closed as they are handed back.
    async fn living(&self) -> Result<PoolConnection<sqlx::MySql>, Error> {
        loop {
            let mut connection = self.pool().acquire().await?;
            if connection.ping().await.is_ok() {
                return Ok(connection);
            }
        }
    }
}

impl Reader for MysqlReader {
    fn dialect(&self) -> Result<Dialect, ExecuteError> {
        Ok(Dialect::Mysql)
    }

    fn read<'a>(&'a self, statement: Statement, shape: &'a Shape) -> ReadFuture<'a> {
        Box::pin(self.rows(statement, shape))
    }
}

async fn rows(
    connection: &mut MySqlConnection,
    statement: &Statement,
    shape: &Shape,
) -> Result<Batch, Failed> {
    let values = SqlxValues(Values(statement.values.clone()));
    let query = sqlx::query_with(AssertSqlSafe(statement.text.clone()), values)
        .persistent(is_kept(statement, LONGEST_KEPT_TEXT));
    let mut rows = query.fetch(connection);
    let mut batch = Batch::for_shape(shape);
    while let Some(row) = rows.try_next().await? {
        batch.push(shape, &row).map_err(ExecuteError::from)?;
    }
    Ok(batch)
}

/// Why a statement gave no rows.
enum Failed {
    Driver(Error),
    Read(ExecuteError),
}

impl From<Error> for Failed {
    fn from(error: Error) -> Self {
        Self::Driver(error)
    }
}

impl From<ExecuteError> for Failed {
    fn from(error: ExecuteError) -> Self {
        Self::Read(error)
    }
}

impl From<Failed> for ExecuteError {
    fn from(failed: Failed) -> Self {
        match failed {
            Failed::Driver(error) => execute_error(error),
            Failed::Read(error) => error,
        }
    }
}

fn execute_error(error: Error) -> ExecuteError {
    DbErr::Query(RuntimeErr::SqlxError(Arc::new(error))).into()
}

/// The server closed the connection: it was idle for too long, killed, or the server stopped.
fn is_lost(error: &Error) -> bool {
    match error {
        Error::Io(_) => true,
        Error::Database(error) => error
            .try_downcast_ref::<MySqlDatabaseError>()
            // Shutdown, killed, and idle for too long.
            .is_some_and(|error| matches!(error.number(), 1053 | 1927 | 4031)),
        _ => false,
    }
}
