//! Gives the rows of statements in one snapshot of MariaDB or MySQL on while they are read, on a connection of their own.

use std::sync::Arc;

use futures_util::TryStreamExt as _;
use sea_orm::sea_query::Values;
use sea_query_sqlx::SqlxValues;
use sqlx::mysql::MySqlRow;
use sqlx::{AssertSqlSafe, Executor as _};

use super::super::attended::Attended as _;
use super::super::lend::Lender;
use super::super::streaming::{Running, give};
use super::connect::MysqlServer;
use crate::execute::{ExecuteError, RowSink};
use crate::render::{Batch, Shape};
use crate::sql::Statement;

/// What the rows of all statements are read from, and what has to be said before.
pub(super) const ISOLATION: &str = "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ";
pub(super) const SNAPSHOT: &str = "START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY";

/// Runs the statements. The connection is closed afterwards, however they end.
pub(super) async fn stream(
    lender: Arc<Lender<MysqlServer>>,
    statements: Vec<(Statement, Shape)>,
    sink: &mut dyn RowSink,
) -> Result<(), ExecuteError> {
    let failed = MysqlServer::execute_error;
    let opened = lender.server.open_for_export().await;
    let mut opened = opened.map_err(failed)?;
    let number = opened.number;
    let abandoned = Arc::clone(&lender);
    let running = Running::new(async move {
        let _ = abandoned.server.kill(number).await;
    });
    for begin in [ISOLATION, SNAPSHOT] {
        opened.connection.execute(begin).await.map_err(failed)?;
    }
    for (at, (statement, shape)) in statements.into_iter().enumerate() {
        let values = SqlxValues(Values(statement.values));
        let query = sqlx::query_with(AssertSqlSafe(statement.text), values).persistent(false);
        let rows = query.fetch(&mut opened.connection).map_err(failed);
        let push = |batch: &mut Batch, row: &MySqlRow| batch.push(&shape, row);
        give(rows, (at, &shape), sink, push).await?;
    }
    running.finished();
    Ok(())
}
