//! Passes on the rows of statements in one snapshot of a SQLite file while they are read, from a separate thread.

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

/// Some rows of a statement, or its end.
type Piece = Option<Batch>;

/// Runs the statements of the sink, until it refuses rows or this future is dropped.
pub(super) async fn stream(file: SqliteFile, sink: &mut dyn RowSink) -> Result<(), ExecuteError> {
    let (asks, asked) = channel(1);
    let (sender, receiver) = channel(1);
    let thread = spawn_blocking(move || {
        let connection = file.open_now()?;
        let done = read(&connection, &file, asked, &sender);
        if done.is_err() && sender.is_closed() {
            TALLY.statements_cancelled.add();
        }
        done
    });
    let given = give(asks, receiver, sink).await;
    let read = thread.await.map_err(|error| ended(&error))?;
    // Once the sink has refused, the thread fails only for that reason.
    given?;
    Ok(read?)
}

/// Passes on what the thread reads. It ends when there are no more statements, or when the thread has ended, which returns the
/// reason.
async fn give(
    asks: Sender<(Statement, Shape)>,
    mut pieces: Receiver<Piece>,
    sink: &mut dyn RowSink,
) -> Result<(), ExecuteError> {
    while let Some(asked) = sink.next().await {
        if asks.send(asked).await.is_err() {
            break;
        }
        loop {
            match pieces.recv().await {
                Some(Some(rows)) => sink.rows(rows).await?,
                Some(None) => break,
                // No further statement is run: otherwise these rows would be taken for all of them.
                None => return Ok(()),
            }
        }
    }
    Ok(())
}

fn read(
    connection: &Connection,
    file: &SqliteFile,
    mut asked: Receiver<(Statement, Shape)>,
    sender: &Sender<Piece>,
) -> Result<(), Failed> {
    connection.busy_timeout(file.options.acquire_timeout)?;
    let receiver = sender.clone();
    let given_up = move || receiver.is_closed();
    connection.progress_handler(STEPS_BETWEEN_LOOKS, Some(given_up))?;
    let send = |piece: Piece| {
        let sent = sender.blocking_send(piece);
        sent.map_err(|_| Failed::Read(unavailable("the rows are not taken")))
    };
    // The snapshot begins with the first statement that reads, and ends with the connection.
    connection.execute_batch("BEGIN")?;
    while let Some((statement, shape)) = asked.blocking_recv() {
        let mut prepared = connection.prepare(&statement.text)?;
        for (value, place) in statement.values.iter().zip(1..) {
            prepared.raw_bind_parameter(place, Bound(value))?;
        }
        let mut batch = Batch::for_shape(&shape);
        push_rows(&mut prepared, &shape, &mut batch, |batch| {
            match is_full(batch) {
                true => {
                    let next = batch.as_large();
                    send(Some(std::mem::replace(batch, next)))
                }
                false => Ok(()),
            }
        })?;
        if !batch.is_empty() {
            send(Some(batch))?;
        }
        send(None)?;
    }
    Ok(())
}
