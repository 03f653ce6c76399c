//! Reads MariaDB and MySQL on its own connections, which are set up for reading.
//!
//! The driver is SeaORM's own, with two differences. Connections are not pinged before each statement, which would cost a round
//! trip. And prepared statements are dropped all at once: the driver sends a message for each one that it drops, and because it
//! does not set TCP_NODELAY, the next message waits for the server's delayed acknowledgement. With a full cache, where each new
//! statement replaces an old one, every request took 45 to 110 ms; with space left, 0.06 ms.

use std::sync::Arc;

use sea_orm::{DbErr, RuntimeErr};
use sqlx::mysql::{MySql, MySqlConnection, MySqlDatabaseError, MySqlPoolOptions};
use sqlx::{Connection as _, Error};

use super::super::attended::{self, Attended, AttendedReader, Failed, Outcome, Request};
use super::super::followed::Followed;
use super::super::lend::{Ages, Lender, Lent};
use super::super::options::ReadOptions;
use super::super::prepared::is_kept;
use super::super::streaming::query;
use super::connect::MysqlServer;
use super::stream::stream;
use crate::execute::{ExecuteError, RowSink};
use crate::render::{Batch, Shape};
use crate::sql::{Dialect, Statement};

/// Longer texts read the relations of a large page or contain long lists of values, and are rarely repeated. They are dropped
/// after their answer, so that no request waits for it.
const LONGEST_KEPT_TEXT: usize = 64 * 1024;

/// Reads on connections that are set up by `setup`: as many as `options` sets, by default as many as `setup` has.
pub(super) fn reader(
    server: Followed<MySql>,
    setup: MySqlPoolOptions,
    options: &ReadOptions,
) -> AttendedReader<MysqlServer> {
    let connections = usize::try_from(setup.get_max_connections()).unwrap_or(usize::MAX);
    let ages = Ages {
        most: setup.get_max_lifetime(),
        most_idle: setup.get_idle_timeout(),
    };
    let server = MysqlServer::new(server, setup, options);
    AttendedReader(Arc::new(Lender::new(server, options, connections, ages)))
}

impl Attended for MysqlServer {
    const DIALECT: Dialect = Dialect::Mysql;

    async fn run(
        mut lent: Lent<Self>,
        statement: Statement,
        shape: Shape,
        request: Request,
    ) -> Result<Batch, Failed> {
        let (lender, number) = (Arc::clone(&lent.lender), lent.connection.number);
        let opened_with = Arc::clone(&lent.connection.opened_with);
        let kill = lender.server.kill(&opened_with, number);
        let read = rows(&mut lent.connection.connection, &statement, &shape);
        match request.waits_for(read, kill).await {
            // If the statement is cancelled a moment too late, there is no next one on its connection to hit.
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

    async fn stream(lender: Arc<Lender<Self>>, sink: &mut dyn RowSink) -> Result<(), ExecuteError> {
        stream(lender, sink).await
    }

    /// Whether the server closed the connection, because it was idle for too long, was killed, or the server stopped; or whether
    /// a kill hit this statement instead of another one.
    fn is_lost(error: &Error) -> bool {
        match error {
            Error::Io(_) => true,
            Error::Database(error) => error
                .try_downcast_ref::<MySqlDatabaseError>()
                // Shutdown, a killed statement, a killed connection, and one that was idle for too long.
                .is_some_and(|error| matches!(error.number(), 1053 | 1317 | 1927 | 4031)),
            _ => false,
        }
    }

    fn execute_error(error: Error) -> ExecuteError {
        DbErr::Query(RuntimeErr::SqlxError(Arc::new(error))).into()
    }
}

/// Whether the next answer of the connection is unknown: only after an error of the server itself is it usable.
fn is_broken(error: &Error) -> bool {
    <MysqlServer as Attended>::is_lost(error) || !matches!(error, Error::Database(_))
}

/// Returns a connection, without its prepared statements if they are too many. No request waits for that.
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

async fn rows(
    connection: &mut MySqlConnection,
    statement: &Statement,
    shape: &Shape,
) -> Result<Batch, Failed> {
    let query = query::<MySql>(statement).persistent(is_kept(statement, LONGEST_KEPT_TEXT));
    attended::collect(query.fetch(connection), shape).await
}
