//! Reads PostgreSQL through a pooler such as PgBouncer, and leaves nothing behind in its sessions.
//!
//! The next transaction on a connection may get another session, and another client may get this one. So every statement runs in
//! a transaction with the settings that our own session would have, and statements have no names. That takes four round trips
//! instead of one, which is why our own sessions are used differently (`reader.rs`).

use std::sync::Arc;

use sea_orm::{DbErr, RuntimeErr};
use sqlx::postgres::{PgConnectOptions, PgConnection, Postgres};
use sqlx::{AssertSqlSafe, Connection as _, Error, Executor as _, Row as _, raw_sql};

use super::super::attended::{self, Attended, AttendedReader, Failed, Outcome, Request};
use super::super::followed::{Followed, is_left};
use super::super::lend::{Ages, Lender, Lent, Server};
use super::super::options::ReadOptions;
use super::super::server::postgres_server;
use super::super::streaming::query;
use super::pooled_stream::stream;
use super::session::settings;
use super::setup::SessionSetup;
use super::stream::SNAPSHOT;
use crate::execute::{ExecuteError, RowSink};
use crate::render::{Batch, Shape};
use crate::sql::{Dialect, Statement};

/// A connection and its options.
pub(super) struct PooledConnection {
    pub(super) connection: PgConnection,
    pub(super) opened_with: Arc<PgConnectOptions>,
}

/// The pooler.
pub(super) struct Pooler {
    server: Followed<Postgres>,
    /// The beginning of every transaction.
    begin: String,
    /// The beginning of an export's transaction.
    pub(super) snapshot: String,
}

/// Reads on as many connections as `options` sets, by default `connections`.
pub(super) fn reader(
    server: Followed<Postgres>,
    connections: usize,
    options: &ReadOptions,
) -> AttendedReader<Pooler> {
    // The application's sessions belong to the pooler, and so do their settings. Ours are opened in the same way.
    let told = settings("SET LOCAL", &SessionSetup::alone(), options);
    let mut exports = options.clone();
    exports.statement_timeout = Some(options.export_timeout);
    let of_exports = settings("SET LOCAL", &SessionSetup::alone(), &exports);
    let pooler = Pooler {
        snapshot: format!("{SNAPSHOT}; {of_exports}; SELECT pg_backend_pid()"),
        server,
        begin: format!("BEGIN READ ONLY; {told}; SELECT pg_backend_pid()"),
    };
    let lender = Lender::new(pooler, options, connections, Ages::default());
    AttendedReader(Arc::new(lender))
}

impl Server for Pooler {
    type Connection = PooledConnection;

    async fn open(&self) -> Result<PooledConnection, ExecuteError> {
        let opened_with = self.server.now();
        let connection = connect(&opened_with).await;
        Ok(PooledConnection {
            connection: connection.map_err(Self::execute_error)?,
            opened_with,
        })
    }

    fn is_lost(&self, connection: &PooledConnection) -> bool {
        is_left(&connection.opened_with, &self.server.now())
    }
}

async fn connect(server: &PgConnectOptions) -> Result<PgConnection, Error> {
    let server = postgres_server(server.clone()).extra_float_digits(None);
    PgConnection::connect_with(&server).await
}

impl Attended for Pooler {
    const DIALECT: Dialect = Dialect::Postgres;

    async fn run(
        mut lent: Lent<Self>,
        statement: Statement,
        shape: Shape,
        request: Request,
    ) -> Result<Batch, Failed> {
        let lender = Arc::clone(&lent.lender);
        let pooler = &lender.server;
        let begin = raw_sql(AssertSqlSafe(pooler.begin.clone()));
        let process: i32 = begin
            .fetch_one(&mut lent.connection.connection)
            .await?
            .try_get(0)?;
        let opened_with = Arc::clone(&lent.connection.opened_with);
        let cancel = cancel(&opened_with, process);
        let connection = &mut lent.connection.connection;
        let read = rows(connection, &pooler.begin, &statement, &shape);
        // The session is ours until the transaction ends, which happens only after the cancellation. It cannot hit another
        // statement.
        match request.waits_for(read, cancel).await {
            Outcome::Ended => {
                end(lent);
                Err(Failed::ENDED)
            }
            Outcome::GivenUp => Err(Failed::ENDED),
            Outcome::Done(done) => {
                // Otherwise the next answer of the connection would be unknown.
                if !matches!(&done, Err(Failed::Driver(error)) if !matches!(error, Error::Database(_)))
                {
                    end(lent);
                }
                done
            }
        }
    }

    async fn stream(lender: Arc<Lender<Self>>, sink: &mut dyn RowSink) -> Result<(), ExecuteError> {
        stream(lender, sink).await
    }

    /// The pooler or the server closed the connection.
    fn is_lost(error: &Error) -> bool {
        matches!(error, Error::Io(_)) || code(error).is_some_and(|code| code.starts_with("57P"))
    }

    fn execute_error(error: Error) -> ExecuteError {
        // The transaction is read-only, not the server, so a later attempt would not write either.
        let is_write = code(&error).is_some_and(|code| code == "25006");
        let error = DbErr::Query(RuntimeErr::SqlxError(Arc::new(error)));
        if is_write {
            ExecuteError::Refused(error)
        } else {
            error.into()
        }
    }
}

/// Cancels the statement of a server process. The protocol's own message is not used, because poolers older than PgBouncer 1.18
/// may deliver it when the session belongs to another client.
pub(super) async fn cancel(server: &PgConnectOptions, process: i32) -> Result<(), Error> {
    let mut connection = connect(server).await?;
    let cancel = format!("SELECT pg_cancel_backend({process})");
    connection.execute(AssertSqlSafe(cancel)).await?;
    connection.close().await
}

/// Ends the transaction. No request waits for it. The connection is given back afterwards.
fn end(mut lent: Lent<Pooler>) {
    tokio::spawn(async move {
        if lent.connection.connection.execute("COMMIT").await.is_ok() {
            lent.give_back();
        }
    });
}

/// Reads the rows of a statement in its transaction.
///
/// When the driver encounters a type for the first time on a connection, it queries the type after it has prepared the statement,
/// and PostgreSQL then forgets unnamed statements. The second attempt succeeds because the type is known.
async fn rows(
    connection: &mut PgConnection,
    begin: &str,
    statement: &Statement,
    shape: &Shape,
) -> Result<Batch, Failed> {
    match rows_once(connection, statement, shape).await {
        Err(Failed::Driver(error)) if code(&error).is_some_and(|code| code == "26000") => {
            // In one message, so that it runs in the same session.
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
    // Unnamed, because a named one would stay in the session.
    let query = query::<Postgres>(statement).persistent(false);
    attended::collect(query.fetch(connection), shape).await
}

pub(super) fn code(error: &Error) -> Option<std::borrow::Cow<'_, str>> {
    error.as_database_error()?.code()
}
