//! Reads MariaDB and MySQL on connections of its own, set up for reading.
//!
//! The driver is SeaORM's own, with two differences. Connections are not pinged before each statement, which would cost a
//! round trip. And prepared statements are dropped all at once: the driver sends a message for each one that it drops, and
//! because it does not set TCP_NODELAY, the next message waits for the server's delayed acknowledgement. With a full cache,
//! where each new statement replaces an old one, every request took 45 to 110 ms; with room, 0.06 ms.

use std::sync::Arc;

use sea_orm::sea_query::Values;
use sea_orm::{DbErr, RuntimeErr};
use sea_query_sqlx::SqlxValues;
use sqlx::mysql::{MySqlConnectOptions, MySqlConnection, MySqlDatabaseError, MySqlPoolOptions};
use sqlx::{AssertSqlSafe, Connection as _, Error};

use super::super::attended::{self, Attended, Failed, Outcome, Request};
use super::super::lend::{Ages, Lender, Lent};
use super::super::options::ReadOptions;
use super::super::prepared::is_kept;
use super::connect::MysqlServer;
use super::stream::stream;
use crate::execute::{ExecuteError, ReadFuture, Reader, RowSink, StreamFuture};
use crate::render::{Batch, Shape};
use crate::sql::{Dialect, Statement};
use crate::vocabulary::boxed;

/// Longer texts read the relations of a large page or hold long lists of values, and are rarely sent twice. They are dropped
/// after their answer, so that no request waits for it.
const LONGEST_KEPT_TEXT: usize = 64 * 1024;

/// Reads on connections of its own.
pub(super) struct MysqlReader(Arc<Lender<MysqlServer>>);

impl MysqlReader {
    /// Connections that are set up by `setup`: as many as `options` asks for, by default as many as `setup` has.
    pub(super) fn new(
        server: MySqlConnectOptions,
        setup: MySqlPoolOptions,
        options: &ReadOptions,
    ) -> Self {
        let connections = usize::try_from(setup.get_max_connections()).unwrap_or(usize::MAX);
        let ages = Ages {
            most: setup.get_max_lifetime(),
            most_idle: setup.get_idle_timeout(),
        };
        let server = MysqlServer::new(server, setup, options);
        Self(Arc::new(Lender::new(server, options, connections, ages)))
    }
}

impl Attended for MysqlServer {
    async fn run(
        mut lent: Lent<Self>,
        statement: Statement,
        shape: Shape,
        request: Request,
    ) -> Result<Batch, Failed> {
        let (lender, number) = (Arc::clone(&lent.lender), lent.connection.number);
        let read = rows(&mut lent.connection.connection, &statement, &shape);
        match request.waits_for(read, lender.server.kill(number)).await {
            // If the statement is ended a moment too late, there is no next one on its connection to hit.
            Outcome::Ended | Outcome::GivenUp => Err(Failed::ENDED),
            Outcome::Done(done) => {
                match &done {
                    Ok(_) => make_room(lent),
                    Err(Failed::Driver(error)) if is_broken(error) => drop(lent),
                    Err(_) => lent.give_back(),
                }
                done
            }
        }
    }

    /// Whether the server closed the connection, because it was idle for too long, was killed, or the server stopped; or ended the
    /// statement instead of another one.
    fn is_lost(error: &Error) -> bool {
        match error {
            Error::Io(_) => true,
            Error::Database(error) => error
                .try_downcast_ref::<MySqlDatabaseError>()
                // Shutdown, an ended statement, killed, and idle for too long.
                .is_some_and(|error| matches!(error.number(), 1053 | 1317 | 1927 | 4031)),
            _ => false,
        }
    }

    fn execute_error(error: Error) -> ExecuteError {
        DbErr::Query(RuntimeErr::SqlxError(Arc::new(error))).into()
    }
}

/// Whether it is unknown what the connection will answer next: only an error of the server itself leaves it in order.
fn is_broken(error: &Error) -> bool {
    <MysqlServer as Attended>::is_lost(error) || !matches!(error, Error::Database(_))
}

/// Gives a connection back, without its prepared statements if they are too many. No request waits for that.
fn make_room(mut lent: Lent<MysqlServer>) {
    let most = lent.lender.server.statements;
    if lent.connection.connection.cached_statements_size() < most {
        return lent.give_back();
    }
    tokio::spawn(async move {
        let connection = &mut lent.connection.connection;
        if connection.clear_cached_statements().await.is_ok() {
            lent.give_back();
        }
    });
}

impl Reader for MysqlReader {
    fn dialect(&self) -> Result<Dialect, ExecuteError> {
        Ok(Dialect::Mysql)
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

async fn rows(
    connection: &mut MySqlConnection,
    statement: &Statement,
    shape: &Shape,
) -> Result<Batch, Failed> {
    let values = SqlxValues(Values(statement.values.clone()));
    let query = sqlx::query_with(AssertSqlSafe(statement.text.clone()), values)
        .persistent(is_kept(statement, LONGEST_KEPT_TEXT));
    attended::collect(query.fetch(connection), shape).await
}
