//! Reads PostgreSQL through a pooler such as PgBouncer, and leaves nothing in the sessions that it lends.
//!
//! The next transaction on a connection may get another session, and another client may get this one. So every statement has a
//! transaction with the settings that a session of our own would have, and no statement has a name. That takes four round trips
//! instead of one, which is why sessions of our own are read in another way (`reader.rs`).

use std::sync::Arc;

use sea_orm::sea_query::Values;
use sea_orm::{DbErr, RuntimeErr};
use sea_query_sqlx::SqlxValues;
use sqlx::postgres::{PgConnectOptions, PgConnection};
use sqlx::{AssertSqlSafe, Connection as _, Error, Executor as _, Row as _, raw_sql};

use super::super::attended::{self, Attended, Failed, Outcome, Request};
use super::super::lend::{Ages, Lender, Lent, Server};
use super::super::options::ReadOptions;
use super::pooled_stream::stream;
use super::session::settings;
use super::setup::SessionSetup;
use super::stream::SNAPSHOT;
use crate::execute::{ExecuteError, ReadFuture, Reader, RowSink, StreamFuture};
use crate::render::{Batch, Shape};
use crate::sql::{Dialect, Statement};
use crate::vocabulary::boxed;

/// Reads on connections to a pooler, one statement at a time on each.
pub(super) struct PooledReader(Arc<Lender<Pooler>>);

/// The pooler.
pub(super) struct Pooler {
    server: PgConnectOptions,
    /// What every transaction begins with.
    begin: String,
    /// What the transaction of an export begins with.
    pub(super) snapshot: String,
}

impl PooledReader {
    /// As many connections as `options` asks for, by default `connections`.
    pub(super) fn new(server: PgConnectOptions, connections: usize, options: &ReadOptions) -> Self {
        // The application's sessions belong to the pooler, and so do their settings: ours are opened in the same way.
        let told = settings("SET LOCAL", &SessionSetup::alone(), options);
        let mut exports = options.clone();
        exports.statement_timeout = Some(options.export_timeout);
        let of_exports = settings("SET LOCAL", &SessionSetup::alone(), &exports);
        let pooler = Pooler {
            snapshot: format!("{SNAPSHOT}; {of_exports}; SELECT pg_backend_pid()"),
            server: server.extra_float_digits(None),
            begin: format!("BEGIN READ ONLY; {told}; SELECT pg_backend_pid()"),
        };
        let lender = Lender::new(pooler, options, connections, Ages::default());
        Self(Arc::new(lender))
    }
}

impl Reader for PooledReader {
    fn dialect(&self) -> Result<Dialect, ExecuteError> {
        Ok(Dialect::Postgres)
    }

    fn read<'a>(&'a self, statement: Statement, shape: &'a Shape) -> ReadFuture<'a> {
        boxed(|| attended::read(&self.0, statement, shape))
    }

    fn stream<'a>(
        &'a self,
        statements: Vec<(Statement, Shape)>,
        sink: &'a mut dyn RowSink,
    ) -> StreamFuture<'a> {
        Box::pin(stream(Arc::clone(&self.0), statements, sink))
    }
}

impl Server for Pooler {
    type Connection = PgConnection;

    async fn open(&self) -> Result<PgConnection, ExecuteError> {
        let opened = PgConnection::connect_with(&self.server).await;
        opened.map_err(Self::execute_error)
    }
}

impl Attended for Pooler {
    async fn run(
        mut lent: Lent<Self>,
        statement: Statement,
        shape: Shape,
        request: Request,
    ) -> Result<Batch, Failed> {
        let lender = Arc::clone(&lent.lender);
        let pooler = &lender.server;
        let begin = raw_sql(AssertSqlSafe(pooler.begin.clone()));
        let process: i32 = begin.fetch_one(&mut lent.connection).await?.try_get(0)?;
        let read = rows(&mut lent.connection, &pooler.begin, &statement, &shape);
        // The session is ours until the transaction ends, which happens only after the cancellation: no other statement can be
        // hit.
        match request.waits_for(read, pooler.cancel(process)).await {
            Outcome::Ended => {
                end(lent);
                Err(Failed::ENDED)
            }
            Outcome::GivenUp => Err(Failed::ENDED),
            Outcome::Done(done) => {
                // Otherwise it is unknown what the connection would answer next.
                if !matches!(&done, Err(Failed::Driver(error)) if !matches!(error, Error::Database(_)))
                {
                    end(lent);
                }
                done
            }
        }
    }

    /// The pooler or the server ended the connection.
    fn is_lost(error: &Error) -> bool {
        matches!(error, Error::Io(_)) || code(error).is_some_and(|code| code.starts_with("57P"))
    }

    fn execute_error(error: Error) -> ExecuteError {
        // The transaction is read-only, not the server, so a later try would not write either.
        let is_write = code(&error).is_some_and(|code| code == "25006");
        let error = DbErr::Query(RuntimeErr::SqlxError(Arc::new(error)));
        if is_write {
            ExecuteError::Refused(error)
        } else {
            error.into()
        }
    }
}

impl Pooler {
    /// Ends what a process of the server is running. The protocol's own message is not used, because poolers older than
    /// PgBouncer 1.18 may deliver it when the session is another client's.
    pub(super) async fn cancel(&self, process: i32) -> Result<(), Error> {
        let mut connection = PgConnection::connect_with(&self.server).await?;
        let cancel = format!("SELECT pg_cancel_backend({process})");
        connection.execute(AssertSqlSafe(cancel)).await?;
        connection.close().await
    }
}

/// Ends the transaction. No request waits for it; the connection is given back afterwards.
fn end(mut lent: Lent<Pooler>) {
    tokio::spawn(async move {
        if lent.connection.execute("COMMIT").await.is_ok() {
            lent.give_back();
        }
    });
}

/// The rows of a statement in its transaction.
///
/// When the driver meets a type for the first time on a connection, it queries the type after it has prepared the statement,
/// and PostgreSQL then forgets a statement without a name. On the second try the type is known.
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
    attended::collect(query.fetch(connection), shape).await
}

pub(super) fn code(error: &Error) -> Option<std::borrow::Cow<'_, str>> {
    error.as_database_error()?.code()
}
