//! Writes a whole file: what stands before the rows, the rows as they are read, and the labels of their values.

use std::collections::HashMap;
use std::future::poll_fn;
use std::io::{Error, ErrorKind};
use std::pin::Pin;
use std::sync::Arc;

use tokio::io::AsyncWrite;

use super::cells::{Cells, text};
use super::layout::{Layout, Part};
use super::{csv, ndjson};
use crate::define::Context;
use crate::execute::{self, ExecuteError, Labels, Reader, RowSink, StreamFuture};
use crate::plan::{CheckedExport, Plan};
use crate::render::Batch;
use crate::request::AskedExport;
use crate::sql::ExportStatements;
use crate::vocabulary::Format;

/// How a file is written.
pub(crate) struct How<'a> {
    pub(crate) format: Format,
    pub(crate) asked: AskedExport,
    /// The most rows, where they are counted before the first is written.
    pub(crate) most: Option<u64>,
    /// The fields with labels, each with its labels.
    pub(crate) labels: Vec<(&'a str, Labels<'a>)>,
    /// Reads labels.
    pub(crate) reader: &'a dyn Reader,
    pub(crate) context: &'a Context,
}

impl<'a> How<'a> {
    /// How the file of a checked request is written.
    pub(crate) fn of(
        export: CheckedExport<'a>,
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
            most: export.most,
            labels: labels.collect(),
            reader,
            context,
        }
    }
}

/// Writes all rows of a plan, and tells how many they were. Nothing is written if they are too many.
pub(crate) async fn write<W: AsyncWrite + Send + Unpin>(
    plan: &Plan<'_>,
    statements: ExportStatements,
    how: How<'_>,
    writer: W,
) -> Result<u64, ExecuteError> {
    let (fields, labels): (Vec<&str>, Vec<_>) = how.labels.into_iter().unzip();
    let layout = Layout::of(plan, &fields);
    let (reader, shape) = (how.reader, layout.shape.clone());
    let mut file = File {
        is_plain: layout.is_plain(),
        header: layout.header(how.asked.header),
        parts: layout.parts,
        format: how.format,
        asked: how.asked,
        labels,
        reader,
        context: how.context,
        writer,
        out: Vec::new(),
        has_begun: false,
        rows: 0,
    };
    execute::export(reader, statements, how.most, shape, &mut file).await?;
    file.finish().await.map_err(failed)?;
    Ok(file.rows)
}

/// A file that is being written.
struct File<'a, W> {
    is_plain: bool,
    header: Vec<String>,
    parts: Vec<Part<'a>>,
    format: Format,
    asked: AskedExport,
    labels: Vec<Labels<'a>>,
    reader: &'a dyn Reader,
    context: &'a Context,
    writer: W,
    /// What is written next.
    out: Vec<u8>,
    has_begun: bool,
    rows: u64,
}

impl<W: AsyncWrite + Send + Unpin> RowSink for File<'_, W> {
    fn rows<'a>(&'a mut self, _: usize, rows: Batch) -> StreamFuture<'a> {
        Box::pin(async move {
            self.find_labels(&rows).await;
            self.begin();
            for row in 0..rows.len() {
                self.row(rows.row(row));
            }
            self.rows += rows.len() as u64;
            drop(rows);
            self.write_out().await.map_err(failed)
        })
    }
}

impl<W: AsyncWrite + Send + Unpin> File<'_, W> {
    /// Before the first row, and not earlier: until then, nothing has been written that would have to be taken back.
    fn begin(&mut self) {
        if !std::mem::replace(&mut self.has_begun, true) && self.format == Format::Csv {
            csv::begin(&mut self.out, &self.asked, &self.header);
        }
    }

    fn row(&mut self, row: &[u8]) {
        let labels = &self.labels;
        let mut label = |at: usize, json: &[u8]| {
            let value = value(json);
            let known = labels.get(at).and_then(|labels| labels.known.get(&value));
            known.cloned().unwrap_or(value)
        };
        match self.format {
            Format::Csv => {
                let mut cells = Cells(row);
                let parts = &self.parts;
                csv::row(&mut self.out, &self.asked, parts, &mut cells, &mut label);
            }
            Format::Ndjson => {
                let parts = (!self.is_plain).then_some(&self.parts[..]);
                ndjson::row(&mut self.out, parts, row, &mut label);
            }
        }
    }

    /// Finds the labels of all values in these rows.
    async fn find_labels(&mut self, rows: &Batch) {
        for (at, labels) in self.labels.iter_mut().enumerate() {
            let is_it =
                |part: &Part<'_>| matches!(part, Part::Value { label, .. } if *label == Some(at));
            let Some(cell) = self.parts.iter().position(is_it) else {
                continue;
            };
            let values = (0..rows.len()).filter_map(|row| Cells(rows.row(row)).nth(cell));
            let values = values.filter(|json| *json != b"null").map(value);
            let values = values.collect();
            labels.find(values, self.reader, self.context).await;
        }
    }

    async fn finish(&mut self) -> Result<(), Error> {
        self.begin();
        self.write_out().await?;
        poll_fn(|context| Pin::new(&mut self.writer).poll_flush(context)).await
    }

    async fn write_out(&mut self) -> Result<(), Error> {
        let mut written = 0;
        while written < self.out.len() {
            let rest = &self.out[written..];
            let writer = &mut self.writer;
            match poll_fn(|context| Pin::new(&mut *writer).poll_write(context, rest)).await? {
                0 => return Err(ErrorKind::WriteZero.into()),
                more => written += more,
            }
        }
        self.out.clear();
        Ok(())
    }
}

/// A value as label resolvers know it: as in a query string.
fn value(json: &[u8]) -> String {
    let text = text(json);
    String::from_utf8_lossy(text.as_deref().unwrap_or(json)).into_owned()
}

fn failed(error: Error) -> ExecuteError {
    ExecuteError::Write(Arc::new(error))
}
