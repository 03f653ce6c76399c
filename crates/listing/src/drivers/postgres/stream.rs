//! Gives the rows of statements in one snapshot of PostgreSQL on while they are read, from a session of their own.

use std::sync::Arc;

use futures_util::TryStreamExt as _;
use tokio_postgres::Row;

use super::super::lend::Server as _;
use super::super::streaming::{Running, give};
use super::reader::PostgresServer;
use super::row::FastRow;
use crate::execute::{ExecuteError, RowSink};
use crate::render::{Batch, Shape};
use crate::sql::Statement;

/// What the rows of all statements are read from.
pub(super) const SNAPSHOT: &str = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";

/// Runs the statements. The session is closed afterwards, however they end.
pub(super) async fn stream(
    server: PostgresServer,
    statements: Vec<(Statement, Shape)>,
    sink: &mut dyn RowSink,
) -> Result<(), ExecuteError> {
    let session = server.open().await?;
    let abandoned = Arc::clone(&session);
    let running = Running::new(async move { abandoned.cancel().await });
    session.run(SNAPSHOT).await?;
    for (at, (statement, shape)) in statements.into_iter().enumerate() {
        let (rows, wires) = session.open_rows(&statement).await?;
        let rows = rows.map_err(|error| ExecuteError::from(session.failure(&error)));
        let push = |batch: &mut Batch, row: &Row| {
            let wires = &wires;
            batch.push(&shape, &FastRow { row, wires })
        };
        give(rows, (at, &shape), sink, push).await?;
    }
    running.finished();
    Ok(())
}
