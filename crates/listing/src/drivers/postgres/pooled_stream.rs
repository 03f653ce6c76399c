//! Passes on the rows of statements in one snapshot while they are read through a pooler, on a separate connection.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use futures_util::TryStreamExt as _;
use sqlx::postgres::{PgConnection, PgRow, Postgres};
use sqlx::{AssertSqlSafe, Connection as _, Executor as _, Row as _, raw_sql};

use super::super::attended::Attended as _;
use super::super::failure::unavailable;
use super::super::lend::{Lender, Server as _};
use super::super::streaming::{Running, give, query};
use super::pooled::{PooledConnection, Pooler, cancel, code};
use crate::execute::{ExecuteError, RowSink};
use crate::render::{Batch, Shape};
use crate::sql::Statement;

/// The savepoint to return to when the server has forgotten a statement. The snapshot stays.
const SAVED: &str = "SAVEPOINT listing_export";
const BACK: &str = "ROLLBACK TO SAVEPOINT listing_export";

/// Runs the statements of the sink. The connection is always closed afterwards.
pub(super) async fn stream(
    lender: Arc<Lender<Pooler>>,
    sink: &mut dyn RowSink,
) -> Result<(), ExecuteError> {
    let failed = Pooler::execute_error;
    let PooledConnection {
        mut connection,
        opened_with,
    } = lender.server.open().await?;
    let begin = raw_sql(AssertSqlSafe(lender.server.snapshot.clone()));
    let begun = begin.fetch_one(&mut connection).await;
    let process: Result<i32, _> = begun.and_then(|row| row.try_get(0));
    let process = process.map_err(failed)?;
    let running = Running::new(async move {
        let _ = cancel(&opened_with, process).await;
    });
    connection.execute(SAVED).await.map_err(failed)?;
    while let Some((statement, shape)) = sink.next().await {
        if let Done::Forgotten = run(&mut connection, &statement, &shape, sink).await? {
            connection.execute(BACK).await.map_err(failed)?;
            // The types of all its columns are known now, and none of its rows was passed on.
            if let Done::Forgotten = run(&mut connection, &statement, &shape, sink).await? {
                return Err(unavailable("the pooler forgot the statement of an export"));
            }
        }
    }
    running.finished();
    // The session goes back to the pooler without a transaction.
    connection.execute("COMMIT").await.map_err(failed)?;
    connection.close().await.map_err(failed)
}

/// The outcome of a statement.
enum Done {
    Whole,
    /// The server forgot it, because it is unnamed and the driver queried the type of one of its columns first (`pooled.rs`).
    Forgotten,
}

async fn run(
    connection: &mut PgConnection,
    statement: &Statement,
    shape: &Shape,
    sink: &mut dyn RowSink,
) -> Result<Done, ExecuteError> {
    // Unnamed, because a named one would stay in the session.
    let rows = query::<Postgres>(statement)
        .persistent(false)
        .fetch(connection);
    let is_forgotten = AtomicBool::new(false);
    let rows = rows.map_err(|error| {
        if code(&error).is_some_and(|code| code == "26000") {
            is_forgotten.store(true, Ordering::Relaxed);
        }
        Pooler::execute_error(error)
    });
    let push = |batch: &mut Batch, row: &PgRow| batch.push(shape, row);
    let given = give(rows, shape, sink, push).await;
    match is_forgotten.into_inner() {
        true => Ok(Done::Forgotten),
        false => given.map(|()| Done::Whole),
    }
}
