//! Reads all rows of a plan from one snapshot, and gives them on as they come, after it is known that they are not too many.

use std::collections::HashMap;

use super::error::ExecuteError;
use super::labels::resolved;
use super::reader::{Reader, RowSink, StreamFuture};
use crate::define::{Context, LabelResolver};
use crate::observe::TALLY;
use crate::render::{Batch, Shape, ShapeColumn};
use crate::sql::{ExportStatements, Statement};
use crate::vocabulary::{Key, Kind};

/// Reads the rows; `most` is how many there may be where they are counted. Nothing reaches the sink if there are more.
pub(crate) async fn export(
    reader: &dyn Reader,
    statements: ExportStatements,
    most: Option<u64>,
    shape: Shape,
    sink: &mut dyn RowSink,
) -> Result<(), ExecuteError> {
    let most_values = reader.dialect()?.most_values();
    let mut asked = Vec::with_capacity(2);
    if let Some(count) = statements.count {
        let columns = vec![ShapeColumn::key(Kind::Integer)];
        asked.push((count, Shape { columns }));
    }
    let counted = asked.len();
    asked.push((statements.rows, shape));
    for (Statement { text, values, .. }, _) in &asked {
        let given = values.len();
        if given > most_values {
            let most = most_values;
            return Err(ExecuteError::TooManyValues { given, most });
        }
        tracing::debug!(sql = text, values = given, "listing statement");
        TALLY.statements.add();
    }
    let _running = TALLY.statements_running.enter();
    let mut counting = Counting {
        most: most.unwrap_or(u64::MAX),
        counted,
        sink,
    };
    reader.stream(asked, &mut counting).await
}

/// Holds the count against what there may be, and gives the rows on.
struct Counting<'s> {
    most: u64,
    /// The place of the statement that reads the rows.
    counted: usize,
    sink: &'s mut dyn RowSink,
}

impl RowSink for Counting<'_> {
    fn rows<'a>(&'a mut self, statement: usize, rows: Batch) -> StreamFuture<'a> {
        if statement == self.counted {
            return self.sink.rows(0, rows);
        }
        let count = match rows.keys(0).first() {
            Some(Key::Int(count)) => u64::try_from(*count).unwrap_or(0),
            Some(Key::UInt(count)) => *count,
            _ => 0,
        };
        let most = self.most;
        Box::pin(async move {
            match count > most {
                true => Err(ExecuteError::TooManyRows { most }),
                false => Ok(()),
            }
        })
    }
}

/// The labels of a field's values, of which those that were found last are kept.
pub(crate) struct Labels<'a> {
    pub(crate) filter: &'a str,
    pub(crate) resolver: &'a LabelResolver,
    pub(crate) known: HashMap<String, String>,
}

impl Labels<'_> {
    /// Flat memory: when there are more, all are forgotten.
    const MOST_KNOWN: usize = 10_000;

    /// Finds the labels of values that are not known yet. A value without a label is its own.
    pub(crate) async fn find(
        &mut self,
        mut values: Vec<String>,
        reader: &dyn Reader,
        context: &Context,
    ) {
        if self.known.len() + values.len() > Self::MOST_KNOWN {
            self.known.clear();
        }
        values.sort_unstable();
        values.dedup();
        values.retain(|value| !self.known.contains_key(value));
        let filter = (self.filter, Some(self.resolver));
        let labels = resolved(filter, &values, reader, context).await;
        let labels = labels.unwrap_or_else(|| values.clone());
        self.known.extend(values.into_iter().zip(labels));
    }
}
