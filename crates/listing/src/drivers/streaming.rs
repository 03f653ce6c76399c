//! Gives rows on while they are read, a few at a time, so that the memory of an export does not grow with its rows (d116).

use std::pin::pin;
use std::sync::Arc;
#[cfg(any(feature = "mysql", feature = "postgres"))]
use std::time::Duration;

use futures_util::{Stream, TryStreamExt as _};
use sea_orm::sea_query::Values;
use sea_orm::{DbErr, RuntimeErr};
use sea_query_sqlx::SqlxValues;
use sqlx::database::HasStatementCache;
use sqlx::{
    AssertSqlSafe, Connection as _, Database, Error, Executor, IntoArguments, Pool, query_with,
};
#[cfg(any(feature = "mysql", feature = "postgres"))]
use tokio::time::timeout;

use crate::execute::{ExecuteError, RowSink};
use crate::render::{Batch, DecodeError, RowSource, Shape};
use crate::sql::Statement;

/// About how many bytes of JSON are given on at once. A few such pieces are under way at the same time: one is filled, one
/// waits, one is written.
const PIECE: usize = 16 * 1024;

/// Whether it is time to give a batch on.
pub(super) fn is_full(batch: &Batch) -> bool {
    batch.size() >= PIECE
}

/// Gives the rows of a statement on; `push` adds a row to a batch.
pub(super) async fn give<R>(
    rows: impl Stream<Item = Result<R, ExecuteError>>,
    (statement, shape): (usize, &Shape),
    sink: &mut dyn RowSink,
    push: impl Fn(&mut Batch, &R) -> Result<(), DecodeError>,
) -> Result<(), ExecuteError> {
    let mut rows = pin!(rows);
    let mut batch = Batch::for_shape(shape);
    while let Some(row) = rows.try_next().await? {
        push(&mut batch, &row)?;
        if is_full(&batch) {
            let full = std::mem::replace(&mut batch, Batch::for_shape(shape));
            sink.rows(statement, full).await?;
        }
    }
    match batch.is_empty() {
        true => Ok(()),
        false => sink.rows(statement, batch).await,
    }
}

/// Runs statements in a snapshot on a connection of SeaORM's pool. `before` is sent before the snapshot begins, if anything is.
pub(super) async fn on_own_connection<DB: Database + HasStatementCache>(
    pool: &Pool<DB>,
    before: &'static str,
    begin: &'static str,
    statements: Vec<(Statement, Shape)>,
    sink: &mut dyn RowSink,
) -> Result<(), ExecuteError>
where
    DB::Row: RowSource,
    SqlxValues: IntoArguments<DB>,
    for<'c> &'c mut DB::Connection: Executor<'c, Database = DB>,
{
    let failed =
        |error: Error| ExecuteError::from(DbErr::Query(RuntimeErr::SqlxError(Arc::new(error))));
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
    for (at, (statement, shape)) in statements.into_iter().enumerate() {
        let values = SqlxValues(Values(statement.values));
        let query = query_with(AssertSqlSafe(statement.text), values).persistent(false);
        let rows = query.fetch(&mut *snapshot).map_err(failed);
        let push = |batch: &mut Batch, row: &DB::Row| batch.push(&shape, row);
        give(rows, (at, &shape), sink, push).await?;
    }
    snapshot.rollback().await.map_err(failed)
}

/// Has the server end the statement of an export that is dropped before it is finished.
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
        // Without a runtime the connection has ended too.
        if let Some(end) = self.0.take()
            && let Ok(runtime) = tokio::runtime::Handle::try_current()
        {
            crate::observe::TALLY.statements_cancelled.add();
            runtime.spawn(timeout(TIME_TO_END, end));
        }
    }
}

/// How long the server may take to end a statement.
#[cfg(any(feature = "mysql", feature = "postgres"))]
const TIME_TO_END: Duration = Duration::from_secs(5);
