//! Runs one statement.

use std::mem;
use std::sync::Arc;
use std::time::{Instant, SystemTime};

use super::error::ExecuteError;
use super::reader::Reader;
use crate::observe::{TALLY, Watch, WatchedStatement};
use crate::render::{Batch, Shape, ShapeColumn};
use crate::sql::{Dialect, Statement};
use crate::vocabulary::{Key, Kind};

/// Runs a statement, if the database can bind all its values.
pub(super) async fn read(
    reader: &dyn Reader,
    statement: Statement,
    shape: &Shape,
) -> Result<Batch, ExecuteError> {
    begin(reader.dialect()?, &statement)?;
    let _running = TALLY.statements_running.enter();
    let Some(watch) = Watch::current() else {
        return reader.read(statement, shape).await;
    };
    let mut watched = Watched {
        sql: statement.text.clone(),
        values: watch.shown(&statement.values),
        watch,
        began: SystemTime::now(),
        clock: Instant::now(),
        is_over: false,
    };
    let batch = reader.read(statement, shape).await;
    watched.is_over = true;
    batch
}

/// Comes before any statement: checks that the database can bind its values, and counts it.
pub(super) fn begin(dialect: Dialect, statement: &Statement) -> Result<(), ExecuteError> {
    let (given, most) = (statement.values.len(), dialect.most_values());
    if given > most {
        return Err(ExecuteError::TooManyValues { given, most });
    }
    tracing::debug!(sql = statement.text, values = given, "listing statement");
    TALLY.statements.add();
    Ok(())
}

/// A running statement. It is also recorded if it is abandoned, because it may be the slow one.
struct Watched {
    watch: Arc<Watch>,
    sql: String,
    values: Option<String>,
    began: SystemTime,
    clock: Instant,
    is_over: bool,
}

impl Drop for Watched {
    fn drop(&mut self) {
        self.watch.add_statement(WatchedStatement {
            sql: mem::take(&mut self.sql),
            values: self.values.take(),
            began: self.began,
            took: self.clock.elapsed(),
            cancelled: !self.is_over,
        });
    }
}

/// Runs a statement that returns one row with one column.
pub(super) async fn read_one(
    reader: &dyn Reader,
    statement: Statement,
    kind: Kind,
) -> Result<Batch, ExecuteError> {
    let shape = Shape {
        columns: vec![ShapeColumn::key(kind)],
    };
    read(reader, statement, &shape).await
}

/// The number that a statement returns.
pub(super) async fn read_number(
    reader: &dyn Reader,
    statement: Statement,
) -> Result<u64, ExecuteError> {
    let batch = read_one(reader, statement, Kind::Integer).await?;
    Ok(match batch.keys(0).first() {
        Some(Key::Int(count)) => u64::try_from(*count).unwrap_or(0),
        Some(Key::UInt(count)) => *count,
        _ => 0,
    })
}
