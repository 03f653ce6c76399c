//! Gives the rows of statements in one snapshot on while they are read through a pooler, on a connection of their own.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use futures_util::TryStreamExt as _;
use sea_orm::sea_query::Values;
use sea_query_sqlx::SqlxValues;
use sqlx::postgres::{PgConnection, PgRow};
use sqlx::{AssertSqlSafe, Connection as _, Executor as _, Row as _, raw_sql};

use super::super::attended::Attended as _;
use super::super::lend::{Lender, Server as _};
use super::super::streaming::{Running, give};
use super::pooled::{Pooler, code};
use crate::execute::{ExecuteError, RowSink};
use crate::render::{Batch, Shape};
use crate::sql::Statement;

/// Runs the statements. The connection is closed afterwards, however they end.
pub(super) async fn stream(
    lender: Arc<Lender<Pooler>>,
    statements: Vec<(Statement, Shape)>,
    sink: &mut dyn RowSink,
) -> Result<(), ExecuteError> {
    let mut connection = lender.server.open().await?;
    match in_snapshot(&lender, &mut connection, &statements, sink).await? {
        Done::Whole => {}
        // The types of all columns are known now, and nothing but the number of rows was given on.
        Done::Forgotten => {
            let ended = connection.execute("ROLLBACK").await;
            ended.map_err(Pooler::execute_error)?;
            in_snapshot(&lender, &mut connection, &statements, sink).await?;
        }
    }
    // The session goes back to the pooler without a transaction.
    let ended = connection.execute("COMMIT").await;
    ended.map_err(Pooler::execute_error)?;
    connection.close().await.map_err(Pooler::execute_error)
}

/// What became of the statements.
enum Done {
    Whole,
    /// The server forgot a statement without a name, because the driver asked for the type of one of its columns first
    /// (`pooled.rs`).
    Forgotten,
}

async fn in_snapshot(
    lender: &Arc<Lender<Pooler>>,
    connection: &mut PgConnection,
    statements: &[(Statement, Shape)],
    sink: &mut dyn RowSink,
) -> Result<Done, ExecuteError> {
    let begin = raw_sql(AssertSqlSafe(lender.server.snapshot.clone()));
    let begun = begin.fetch_one(&mut *connection).await;
    let process: Result<i32, _> = begun.and_then(|row| row.try_get(0));
    let process = process.map_err(Pooler::execute_error)?;
    let abandoned = Arc::clone(lender);
    let running = Running::new(async move {
        let _ = abandoned.server.cancel(process).await;
    });
    for (at, (statement, shape)) in statements.iter().enumerate() {
        let values = SqlxValues(Values(statement.values.clone()));
        let query = sqlx::query_with(AssertSqlSafe(statement.text.clone()), values);
        // Without a name: it would stay in the session.
        let rows = query.persistent(false).fetch(&mut *connection);
        let is_forgotten = AtomicBool::new(false);
        let rows = rows.map_err(|error| {
            if code(&error).is_some_and(|code| code == "26000") {
                is_forgotten.store(true, Ordering::Relaxed);
            }
            Pooler::execute_error(error)
        });
        let push = |batch: &mut Batch, row: &PgRow| batch.push(shape, row);
        let given = give(rows, (at, shape), sink, push).await;
        if is_forgotten.into_inner() {
            running.finished();
            return Ok(Done::Forgotten);
        }
        given?;
    }
    running.finished();
    Ok(Done::Whole)
}
