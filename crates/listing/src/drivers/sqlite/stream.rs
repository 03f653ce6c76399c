//! Gives the rows of statements in one snapshot of a SQLite file on while they are read, from a thread of their own.

use rusqlite::Connection;
use tokio::sync::mpsc::{Receiver, Sender, channel};
use tokio::task::spawn_blocking;

use super::super::failure::unavailable;
use super::super::streaming::is_full;
use super::connection::{Failed, push_rows};
use super::reader::{STEPS_BETWEEN_LOOKS, SqliteFile, ended};
use super::value::Bound;
use crate::execute::{ExecuteError, RowSink};
use crate::observe::TALLY;
use crate::render::{Batch, Shape};
use crate::sql::Statement;

/// Some rows of a statement, by its place among the statements.
type Piece = (usize, Batch);

/// Runs the statements until the sink refuses rows, or this future is dropped.
pub(super) async fn stream(
    file: SqliteFile,
    statements: Vec<(Statement, Shape)>,
    sink: &mut dyn RowSink,
) -> Result<(), ExecuteError> {
    let (sender, receiver) = channel(1);
    let thread = spawn_blocking(move || {
        let connection = file.open_now()?;
        let done = read(&connection, &file, &statements, &sender);
        if done.is_err() && sender.is_closed() {
            TALLY.statements_cancelled.add();
        }
        done
    });
    let given = give(receiver, sink).await;
    let read = thread.await.map_err(|error| ended(&error))?;
    // Once the sink has refused, the thread fails for no other reason.
    given?;
    Ok(read?)
}

async fn give(mut receiver: Receiver<Piece>, sink: &mut dyn RowSink) -> Result<(), ExecuteError> {
    while let Some((statement, rows)) = receiver.recv().await {
        sink.rows(statement, rows).await?;
    }
    Ok(())
}

fn read(
    connection: &Connection,
    file: &SqliteFile,
    statements: &[(Statement, Shape)],
    sender: &Sender<Piece>,
) -> Result<(), Failed> {
    connection.busy_timeout(file.options.acquire_timeout)?;
    let receiver = sender.clone();
    let given_up = move || receiver.is_closed();
    connection.progress_handler(STEPS_BETWEEN_LOOKS, Some(given_up))?;
    // The snapshot begins with the first statement that reads, and ends with the connection.
    connection.execute_batch("BEGIN")?;
    for (at, (statement, shape)) in statements.iter().enumerate() {
        let mut prepared = connection.prepare(&statement.text)?;
        for (value, place) in statement.values.iter().zip(1..) {
            prepared.raw_bind_parameter(place, Bound(value))?;
        }
        let send = |batch: Batch| {
            let sent = sender.blocking_send((at, batch));
            sent.map_err(|_| Failed::Read(unavailable("the rows are not taken")))
        };
        let mut batch = Batch::for_shape(shape);
        push_rows(&mut prepared, shape, &mut batch, |batch| {
            match is_full(batch) {
                true => send(std::mem::replace(batch, Batch::for_shape(shape))),
                false => Ok(()),
            }
        })?;
        if !batch.is_empty() {
            send(batch)?;
        }
    }
    Ok(())
}
