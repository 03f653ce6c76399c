//! Passes on the rows of statements in one snapshot of PostgreSQL while they are read, from a separate session.

use std::sync::Arc;

use futures_util::TryStreamExt as _;
use tokio_postgres::Row;

use super::super::lend::Server as _;
use super::super::streaming::{Running, give};
use super::reader::PostgresServer;
use super::row::FastRow;
use crate::execute::{ExecuteError, RowSink};
use crate::render::Batch;

/// The transaction that all rows are read from.
pub(super) const SNAPSHOT: &str = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";

/// Runs the statements of the sink. The session is always closed afterwards.
pub(super) async fn stream(
    server: PostgresServer,
    sink: &mut dyn RowSink,
) -> Result<(), ExecuteError> {
    let session = server.open().await?;
    let abandoned = Arc::clone(&session);
    let running = Running::new(async move { abandoned.cancel().await });
    session.run(SNAPSHOT).await?;
    while let Some((statement, shape)) = sink.next().await {
        let (rows, wires) = session.open_rows(&statement).await?;
        let rows = rows.map_err(|error| ExecuteError::from(session.failure(&error)));
        let push = |batch: &mut Batch, row: &Row| {
            let wires = &wires;
            batch.push(&shape, &FastRow { row, wires })
        };
        give(rows, &shape, sink, push).await?;
    }
    running.finished();
    Ok(())
}
