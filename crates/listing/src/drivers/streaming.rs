//! Passes on rows in small batches while they are read, so that the memory of an export does not grow with its rows (d116).

use std::pin::pin;
use std::sync::Arc;

use futures_util::{Stream, TryStreamExt as _};
use sea_orm::sea_query::Values;
use sea_orm::{DbErr, RuntimeErr};
use sea_query_sqlx::SqlxValues;
use sqlx::database::HasStatementCache;
use sqlx::query::Query;
use sqlx::{
    AssertSqlSafe, Connection as _, Database, Error, Executor, IntoArguments, Pool, query_with,
};
#[cfg(any(feature = "mysql", feature = "postgres"))]
use tokio::time::timeout;

#[cfg(any(feature = "mysql", feature = "postgres"))]
use super::abandoned::TIME_TO_END;
use crate::execute::{ExecuteError, RowSink};
use crate::render::{Batch, DecodeError, RowSource, Shape};
use crate::sql::Statement;

/// The approximate number of bytes of JSON that are passed on at once. A few such pieces are in flight at the same time: one is
/// filled, one waits, one is written.
const PIECE: usize = 32 * 1024;

/// Whether it is time to pass on a batch.
pub(super) fn is_full(batch: &Batch) -> bool {
    batch.size() >= PIECE
}

/// Passes on the rows of a statement. `push` adds a row to a batch.
pub(super) async fn give<R>(
    rows: impl Stream<Item = Result<R, ExecuteError>>,
    shape: &Shape,
    sink: &mut dyn RowSink,
    push: impl Fn(&mut Batch, &R) -> Result<(), DecodeError>,
) -> Result<(), ExecuteError> {
    let mut rows = pin!(rows);
    let mut batch = Batch::for_shape(shape);
    while let Some(row) = rows.try_next().await? {
        push(&mut batch, &row)?;
        if is_full(&batch) {
            let next = batch.as_large();
            sink.rows(std::mem::replace(&mut batch, next)).await?;
        }
    }
    match batch.is_empty() {
        true => Ok(()),
        false => sink.rows(batch).await,
    }
}

/// Runs the statements of the sink in a snapshot on a connection of SeaORM's pool. `before` is sent before the snapshot begins,
/// if it is not empty.
pub(super) async fn on_own_connection<DB: Database + HasStatementCache>(
    pool: &Pool<DB>,
    before: &'static str,
    begin: &'static str,
    sink: &mut dyn RowSink,
) -> Result<(), ExecuteError>
where
    DB::Row: RowSource,
    SqlxValues: IntoArguments<DB>,
    for<'c> &'c mut DB::Connection: Executor<'c, Database = DB>,
{
    let failed: fn(Error) -> ExecuteError =
        |error| DbErr::Query(RuntimeErr::SqlxError(Arc::new(error))).into();
    let mut connection = pool.acquire().await.map_err(failed)?;
    if !before.is_empty() {
        connection
            .execute(AssertSqlSafe(before))
            .await
            .map_err(failed)?;
    }
    // Rolled back when it is dropped.
    let mut snapshot = connection
        .begin_with(AssertSqlSafe(begin))
        .await
        .map_err(failed)?;
    give_all::<DB>(&mut snapshot, sink, failed).await?;
    snapshot.rollback().await.map_err(failed)
}

/// Passes on the rows of all statements, one after another from one connection.
pub(super) async fn give_all<DB: Database + HasStatementCache>(
    connection: &mut DB::Connection,
    sink: &mut dyn RowSink,
    failed: fn(Error) -> ExecuteError,
) -> Result<(), ExecuteError>
where
    DB::Row: RowSource,
    SqlxValues: IntoArguments<DB>,
    for<'c> &'c mut DB::Connection: Executor<'c, Database = DB>,
{
    while let Some((statement, shape)) = sink.next().await {
        let query = query::<DB>(&statement).persistent(false);
        let rows = query.fetch(&mut *connection).map_err(failed);
        let push = |batch: &mut Batch, row: &DB::Row| batch.push(&shape, row);
        give(rows, &shape, sink, push).await?;
    }
    Ok(())
}

/// The statement with its values, for sqlx.
pub(super) fn query<DB: Database>(statement: &Statement) -> Query<'static, DB, SqlxValues>
where
    SqlxValues: IntoArguments<DB>,
{
    let values = SqlxValues(Values(statement.values.clone()));
    query_with(AssertSqlSafe(statement.text.clone()), values)
}

/// Cancels the statement of an export on the server if it is dropped before it is finished.
#[cfg(any(feature = "mysql", feature = "postgres"))]
pub(super) struct Running<F: Future<Output = ()> + Send + 'static>(Option<F>);

#[cfg(any(feature = "mysql", feature = "postgres"))]
impl<F: Future<Output = ()> + Send + 'static> Running<F> {
    pub(super) fn new(end: F) -> Self {
        Self(Some(end))
    }

    pub(super) fn finished(mut self) {
        self.0 = None;
    }
}

#[cfg(any(feature = "mysql", feature = "postgres"))]
impl<F: Future<Output = ()> + Send + 'static> Drop for Running<F> {
    fn drop(&mut self) {
        // Without a runtime, the connection is closed as well.
        if let Some(end) = self.0.take()
            && let Ok(runtime) = tokio::runtime::Handle::try_current()
        {
            crate::observe::TALLY.statements_cancelled.add();
            runtime.spawn(timeout(TIME_TO_END, end));
        }
    }
}
