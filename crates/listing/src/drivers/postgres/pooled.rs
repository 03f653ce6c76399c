//! Reads PostgreSQL through a pooler such as PgBouncer, and leaves nothing in the sessions that it lends.
//!
//! The next transaction on a connection may meet another session, and another client this one. So every statement has a
//! transaction, which is told what a session of our own would be told, and no statement has a name. That takes four messages
//! there and back instead of one, which is why sessions of our own are read in another way (`reader.rs`).

use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use futures_util::TryStreamExt as _;
use sea_orm::sea_query::Values;
use sea_orm::{DbErr, RuntimeErr};
use sea_query_sqlx::SqlxValues;
use sqlx::pool::PoolConnection;
use sqlx::postgres::{PgConnectOptions, PgConnection, PgPool, PgPoolOptions};
use sqlx::{AssertSqlSafe, Connection as _, Error, Executor as _, Postgres, Row as _, raw_sql};
use tokio::sync::oneshot;
use tokio::time::timeout;

use super::super::failure::refused;
use super::super::options::ReadOptions;
use super::session::settings;
use super::setup::SessionSetup;
use crate::execute::{ExecuteError, ReadFuture, Reader};
use crate::render::{Batch, Shape};
use crate::sql::{Dialect, Statement};
use crate::vocabulary::{TALLY, boxed};

/// A statement that nobody waits for is cancelled if it does not end by itself by then. Most do.
const CANCELLED_AFTER: Duration = Duration::from_millis(20);

/// A server that does not end a statement has other troubles: the connection is given up.
const TIME_TO_CANCEL: Duration = Duration::from_secs(5);

/// Reads on connections to a pooler, one statement at a time on each.
pub(super) struct PooledReader {
    pool: PgPool,
    /// What every transaction begins with.
    begin: Arc<str>,
}

impl PooledReader {
    /// So many if nobody says how many, as SeaORM has.
    pub(super) const CONNECTIONS: u32 = 10;

    /// As many connections as `options` asks for, or else `connections`.
    pub(super) fn new(server: PgConnectOptions, connections: u32, options: &ReadOptions) -> Self {
        let asked = options.connections.map(u32::try_from);
        let connections = asked.and_then(Result::ok).unwrap_or(connections);
        // The application's sessions are the pooler's, and so is what they were told: ours are opened in the same way.
        let told = settings("SET LOCAL", &SessionSetup::alone(), options);
        Self {
            pool: PgPoolOptions::new()
                .max_connections(connections)
                .acquire_timeout(options.acquire_timeout)
                .test_before_acquire(false)
                .connect_lazy_with(server.extra_float_digits(None)),
            begin: format!("BEGIN READ ONLY; {told}; SELECT pg_backend_pid()").into(),
        }
    }

    /// A statement whose connection is lost is run once more: it only reads.
    async fn rows(&self, statement: &Statement, shape: &Shape) -> Result<Batch, ExecuteError> {
        let connection = self.pool.acquire().await.map_err(execute_error)?;
        let mut done = attended(self.task(connection, statement, shape)).await;
        if matches!(&done, Err(Failed::Driver(error)) if is_lost(error)) {
            let connection = self.living().await.map_err(execute_error)?;
            done = attended(self.task(connection, statement, shape)).await;
        }
        Ok(done?)
    }

    /// A connection that answers; those that do not are closed.
    async fn living(&self) -> Result<PoolConnection<Postgres>, Error> {
        loop {
            let mut connection = self.pool.acquire().await?;
            if connection.ping().await.is_ok() {
                return Ok(connection);
            }
            connection.close_on_drop();
        }
    }

    fn task(
        &self,
        connection: PoolConnection<Postgres>,
        statement: &Statement,
        shape: &Shape,
    ) -> Task {
        Task {
            connection,
            server: self.pool.connect_options(),
            begin: Arc::clone(&self.begin),
            statement: statement.clone(),
            shape: shape.clone(),
        }
    }
}

impl Reader for PooledReader {
    fn dialect(&self) -> Result<Dialect, ExecuteError> {
        Ok(Dialect::Postgres)
    }

    fn read<'a>(&'a self, statement: Statement, shape: &'a Shape) -> ReadFuture<'a> {
        boxed(move || async move { self.rows(&statement, shape).await })
    }
}

/// Runs a statement in a task of its own, which goes on without its request: it has to end its transaction.
async fn attended(task: Task) -> Result<Batch, Failed> {
    let (attended, left) = oneshot::channel();
    let done = tokio::spawn(task.run(left)).await;
    drop(attended);
    done.unwrap_or_else(|error| Err(Failed::Read(refused(&error.to_string()))))
}

/// A statement on its connection, with everything that it needs.
struct Task {
    connection: PoolConnection<Postgres>,
    server: Arc<PgConnectOptions>,
    begin: Arc<str>,
    statement: Statement,
    shape: Shape,
}

impl Task {
    async fn run(mut self, left: oneshot::Receiver<()>) -> Result<Batch, Failed> {
        let done = self.done_or_cancelled(left).await;
        match &done {
            Err(Failed::Driver(error)) if !matches!(error, Error::Database(_)) => {
                // Nobody knows what it would answer next.
                self.connection.close_on_drop();
            }
            _ => self.end(),
        }
        done
    }

    /// The rows; if nobody waits for them any more, their statement is ended.
    async fn done_or_cancelled(&mut self, left: oneshot::Receiver<()>) -> Result<Batch, Failed> {
        let connection: &mut PgConnection = &mut self.connection;
        let begin = raw_sql(AssertSqlSafe(self.begin.to_string()));
        let process: i32 = begin.fetch_one(&mut *connection).await?.try_get(0)?;
        let mut read = pin!(rows(connection, &self.begin, &self.statement, &self.shape));
        tokio::select! {
            biased;
            done = &mut read => return done,
            _ = left => {}
        }
        if let Ok(done) = timeout(CANCELLED_AFTER, &mut read).await {
            return done;
        }
        // The session is ours until the transaction ends, which it does only after the cancellation has: nobody else's
        // statement can be hit.
        match timeout(TIME_TO_CANCEL, cancel(&self.server, process)).await {
            Ok(Ok(())) => TALLY.statements_cancelled.add(),
            _ => tracing::debug!("failed to cancel an abandoned statement"),
        }
        let done = timeout(TIME_TO_CANCEL, &mut read).await;
        done.unwrap_or(Err(Failed::Driver(Error::PoolTimedOut)))
    }

    /// Ends the transaction. Nobody waits for it; the connection is handed back when it is done.
    fn end(mut self) {
        tokio::spawn(async move {
            if self.connection.execute("COMMIT").await.is_err() {
                self.connection.close_on_drop();
            }
        });
    }
}

/// The rows of a statement in its transaction.
///
/// When the driver meets a type for the first time on a connection, it asks about it after it has prepared the statement, and
/// PostgreSQL then forgets a statement without a name. The next time the type is known.
async fn rows(
    connection: &mut PgConnection,
    begin: &str,
    statement: &Statement,
    shape: &Shape,
) -> Result<Batch, Failed> {
    match rows_once(connection, statement, shape).await {
        Err(Failed::Driver(error)) if code(&error).is_some_and(|code| code == "26000") => {
            // In one message, so that it is the same session.
            let again = raw_sql(AssertSqlSafe(format!("ROLLBACK; {begin}")));
            again.execute(&mut *connection).await?;
            rows_once(connection, statement, shape).await
        }
        done => done,
    }
}

async fn rows_once(
    connection: &mut PgConnection,
    statement: &Statement,
    shape: &Shape,
) -> Result<Batch, Failed> {
    let values = SqlxValues(Values(statement.values.clone()));
    // Without a name: it would stay in the session.
    let query = sqlx::query_with(AssertSqlSafe(statement.text.clone()), values).persistent(false);
    let mut rows = query.fetch(connection);
    let mut batch = Batch::for_shape(shape);
    while let Some(row) = rows.try_next().await? {
        batch.push(shape, &row).map_err(ExecuteError::from)?;
    }
    Ok(batch)
}

/// Ends what a process of the server is running. Not by the protocol's own message: poolers that are older than PgBouncer
/// 1.18 may deliver that when the session is another client's.
async fn cancel(server: &PgConnectOptions, process: i32) -> Result<(), Error> {
    let mut connection = PgConnection::connect_with(server).await?;
    let cancel = format!("SELECT pg_cancel_backend({process})");
    connection.execute(AssertSqlSafe(cancel)).await?;
    connection.close().await
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
    // Not the server is read-only here but we are, and a later try would not write either.
    let is_write = code(&error).is_some_and(|code| code == "25006");
    let error = DbErr::Query(RuntimeErr::SqlxError(Arc::new(error)));
    if is_write {
        ExecuteError::Refused(error)
    } else {
        error.into()
    }
}

/// The pooler or the server ended the connection.
fn is_lost(error: &Error) -> bool {
    matches!(error, Error::Io(_)) || code(error).is_some_and(|code| code.starts_with("57P"))
}

fn code(error: &Error) -> Option<std::borrow::Cow<'_, str>> {
    error.as_database_error()?.code()
}
