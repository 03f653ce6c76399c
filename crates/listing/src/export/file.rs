//! Writes a whole file: its beginning, the rows as they are read, and the labels of their values.

use std::collections::HashMap;
use std::io::Error;
use std::ops::Range;
use std::sync::Arc;

use tokio::io::{AsyncWrite, AsyncWriteExt as _};

use super::cells::{Cells, text};
use super::kept::Kept;
use super::layout::{Layout, Part};
#[cfg(feature = "xlsx")]
use super::xlsx::Sheets;
use super::{csv, ndjson};
use crate::define::Context;
use crate::envelope::{Tells, branches, put_branches};
use crate::execute::{ExecuteError, Labels, Reader, RelationRows, Snapshot, in_snapshot, related};
use crate::plan::{CheckedExport, Plan, RelationPlan};
use crate::render::Batch;
use crate::request::AskedExport;
use crate::sql::ExportStatements;
use crate::vocabulary::Format;

/// How to write a file.
pub(crate) struct How<'a> {
    pub(crate) format: Format,
    pub(crate) asked: AskedExport,
    /// The relations that are read after the rows and nested in them.
    pub(crate) nested: Vec<RelationPlan<'a>>,
    /// The most rows, if they are counted before the first one is written.
    pub(crate) most: Option<u64>,
    /// The fields with labels, and their labels.
    pub(crate) labels: Vec<(&'a str, Labels<'a>)>,
    /// Reads labels.
    pub(crate) reader: &'a dyn Reader,
    pub(crate) context: &'a Context,
}

impl<'a> How<'a> {
    /// How to write the file of a checked request.
    pub(crate) fn of(
        export: CheckedExport<'a>,
        nested: Vec<RelationPlan<'a>>,
        format: Format,
        reader: &'a dyn Reader,
        context: &'a Context,
    ) -> Self {
        let labels = export.labels.into_iter().map(|(field, filter, resolver)| {
            let labels = Labels {
                filter,
                resolver,
                known: HashMap::new(),
            };
            (field, labels)
        });
        Self {
            format,
            asked: export.asked,
            nested,
            most: export.most,
            labels: labels.collect(),
            reader,
            context,
        }
    }
}

/// Writes all rows of a plan and returns their number. Nothing is written if there are too many.
pub(crate) async fn write<W: AsyncWrite + Send + Unpin>(
    plan: &Plan<'_>,
    statements: ExportStatements,
    how: How<'_>,
    writer: W,
) -> Result<u64, ExecuteError> {
    let (fields, labels): (Vec<&str>, Vec<_>) = how.labels.into_iter().unzip();
    let nested = how.nested;
    let layout = Layout::of(plan, &fields, !nested.is_empty());
    let header = layout.header(how.asked.header);
    let (reader, shape) = (how.reader, layout.shape.clone());
    let mut file = File {
        form: match how.format {
            Format::Csv => Form::Csv(header),
            Format::Ndjson => Form::Ndjson {
                is_plain: layout.is_plain(),
            },
            #[cfg(feature = "xlsx")]
            Format::Xlsx => Form::Xlsx(Box::new(Sheets::new(header)?)),
        },
        parts: layout.parts,
        asked: how.asked,
        labels,
        reader,
        context: how.context,
        writer,
        out: Vec::new(),
        has_begun: false,
        rows: 0,
    };
    in_snapshot(reader, |snapshot| async move {
        if let Some((count, most)) = statements.count.zip(how.most) {
            snapshot.at_most(most, count).await?;
        }
        let mut rows = snapshot.rows(statements.rows, shape).await?;
        if nested.is_empty() {
            while let Some(rows) = rows.next().await {
                file.write(&rows, 0..rows.len(), &[], &[]).await?;
            }
        } else {
            let mut kept = Kept::of(rows).await?;
            while let Some(rows) = kept.next().await? {
                file.nest(&snapshot, &nested, &rows).await?;
            }
        }
        file.finish().await
    })
    .await
}

/// How many rows get their relations at once: SQLite combines at most 500 selects in one, and each row takes one.
const NESTED_AT_ONCE: usize = 200;

/// A file that is being written.
struct File<'a, W> {
    form: Form,
    parts: Vec<Part<'a>>,
    asked: AskedExport,
    labels: Vec<Labels<'a>>,
    reader: &'a dyn Reader,
    context: &'a Context,
    writer: W,
    /// The bytes to write next.
    out: Vec<u8>,
    has_begun: bool,
    rows: u64,
}

/// The format, and what only this format needs.
enum Form {
    /// The first line.
    Csv(Vec<String>),
    Ndjson {
        /// Whether the JSON of a row can be written as it is.
        is_plain: bool,
    },
    #[cfg(feature = "xlsx")]
    Xlsx(Box<Sheets>),
}

impl<W: AsyncWrite + Send + Unpin> File<'_, W> {
    /// Writes rows, each with its relations.
    async fn nest(
        &mut self,
        snapshot: &Snapshot,
        plans: &[RelationPlan<'_>],
        rows: &Batch,
    ) -> Result<(), ExecuteError> {
        let mut start = 0;
        while start < rows.len() {
            let some = start..rows.len().min(start + NESTED_AT_ONCE);
            start = some.end;
            let read = related(snapshot, plans, rows, some.clone()).await?;
            self.write(rows, some, plans, &read).await?;
        }
        Ok(())
    }

    /// Writes some rows with their relations.
    async fn write(
        &mut self,
        rows: &Batch,
        some: Range<usize>,
        plans: &[RelationPlan<'_>],
        read: &[RelationRows],
    ) -> Result<(), ExecuteError> {
        self.find_labels(rows, some.clone()).await?;
        self.begin();
        self.rows += some.len() as u64;
        let (labels, out) = (&self.labels, &mut self.out);
        let mut label = |at: usize, json: &[u8]| {
            let value = value(json);
            let known = labels.get(at).and_then(|labels| labels.known.get(&value));
            known.cloned().unwrap_or(value)
        };
        let branches = branches(plans, read, Tells::InRow);
        for at in some {
            let row = rows.row(at);
            match &mut self.form {
                Form::Csv(_) => {
                    let mut cells = Cells(row);
                    csv::row(out, &self.asked, &self.parts, &mut cells, &mut label);
                }
                Form::Ndjson { is_plain } => {
                    let parts = (!*is_plain).then_some(&self.parts[..]);
                    ndjson::row(out, parts, row, &mut label);
                    put_branches(out, at, &branches);
                    out.push(b'\n');
                }
                #[cfg(feature = "xlsx")]
                Form::Xlsx(sheets) => sheets.row(&self.parts, &mut Cells(row), &mut label)?,
            }
        }
        drop(branches);
        self.write_out().await
    }

    /// Called before the first row and not earlier, so that nothing has to be taken back.
    fn begin(&mut self) {
        if let Form::Csv(header) = &self.form
            && !std::mem::replace(&mut self.has_begun, true)
        {
            csv::begin(&mut self.out, &self.asked, header);
        }
    }

    /// Finds the labels of all values in these rows.
    async fn find_labels(&mut self, rows: &Batch, some: Range<usize>) -> Result<(), ExecuteError> {
        for (at, labels) in self.labels.iter_mut().enumerate() {
            let is_it =
                |part: &Part<'_>| matches!(part, Part::Value { label, .. } if *label == Some(at));
            let Some(cell) = self.parts.iter().position(is_it) else {
                continue;
            };
            let values = some.clone();
            let values = values.filter_map(|row| Cells(rows.row(row)).nth(cell));
            let values = values.filter(|json| *json != b"null").map(value);
            let values = values.collect();
            labels.find(values, self.reader, self.context).await?;
        }
        Ok(())
    }

    /// Writes the rest and returns the number of rows.
    async fn finish(mut self) -> Result<u64, ExecuteError> {
        self.begin();
        self.write_out().await?;
        #[cfg(feature = "xlsx")]
        if let Form::Xlsx(sheets) = self.form {
            sheets.write_to(&mut self.writer).await?;
        }
        self.writer.flush().await.map_err(failed)?;
        Ok(self.rows)
    }

    async fn write_out(&mut self) -> Result<(), ExecuteError> {
        let written = self.writer.write_all(&self.out).await;
        self.out.clear();
        written.map_err(failed)
    }
}

/// A value as label resolvers receive it, like in a query string.
fn value(json: &[u8]) -> String {
    let text = text(json);
    String::from_utf8_lossy(text.as_deref().unwrap_or(json)).into_owned()
}

pub(super) fn failed(error: Error) -> ExecuteError {
    ExecuteError::Write(Arc::new(error))
}
