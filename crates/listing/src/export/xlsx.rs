//! Writes rows into a workbook (d115).
//!
//! The rows wait in a temporary file, because a workbook is an archive that begins with information known only at its end. So
//! nothing is sent until all rows have been read, and a text that is too long is refused like any other invalid request.

use std::io::{self, BufWriter, ErrorKind, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use rust_xlsxwriter::{DocProperties, ExcelDateTime, Format, Workbook, XlsxError};
use tokio::io::{AsyncWrite, AsyncWriteExt as _};
use tokio::sync::mpsc::{Sender, channel};
use tokio::task::spawn_blocking;

use super::cells::Cells;
use super::csv::is_formula;
use super::file::failed;
use super::layout::Part;
use super::spreadsheet_value::{Value, value};
use crate::execute::ExecuteError;
use crate::vocabulary::Kind;

/// The most rows that a sheet holds below its header.
const ROWS_OF_SHEET: u32 = 1_048_575;

/// The most characters that a cell holds, counted in UTF-16.
const LONGEST: usize = 32_767;

const NO_ROOM: &str = "the temporary file of a sheet cannot be written";

/// How many bytes of the archive are sent at once.
const PIECE: usize = 16 * 1024;

/// A workbook that is being written.
pub(super) struct Sheets {
    book: Workbook,
    header: Vec<String>,
    /// The number of sheets.
    sheets: usize,
    /// The number of rows in the last sheet below its header, and the most that it can hold.
    rows: u32,
    rows_of_sheet: u32,
}

impl Sheets {
    pub(super) fn new(header: Vec<String>) -> Result<Self, ExecuteError> {
        Self::of(header, ROWS_OF_SHEET)
    }

    fn of(header: Vec<String>, rows_of_sheet: u32) -> Result<Self, ExecuteError> {
        let mut sheets = Self {
            book: Workbook::new(),
            header,
            sheets: 0,
            rows: 0,
            rows_of_sheet,
        };
        // The same rows give the same bytes, whenever they are written.
        let created = ExcelDateTime::from_ymd(2000, 1, 1).map_err(not_written)?;
        let properties = DocProperties::new().set_creation_datetime(&created);
        sheets.book.set_properties(&properties);
        sheets.begin().map_err(not_written)?;
        Ok(sheets)
    }

    /// Adds a sheet. Its header stays visible while scrolling.
    fn begin(&mut self) -> Result<(), XlsxError> {
        let sheet = self.book.add_worksheet_with_constant_memory()?;
        if !self.header.is_empty() {
            sheet.set_freeze_panes(1, 0)?;
            let bold = Format::new().set_bold();
            for (column, name) in (0..).zip(&self.header) {
                sheet.write_string_with_format(0, column, name, &bold)?;
            }
        }
        self.sheets += 1;
        self.rows = 0;
        Ok(())
    }

    /// Writes a row. A text that is too long for its cell is an error, and never cut.
    pub(super) fn row(
        &mut self,
        parts: &[Part<'_>],
        cells: &mut Cells<'_>,
        label: &mut dyn FnMut(usize, &[u8]) -> String,
    ) -> Result<(), ExecuteError> {
        if self.rows == self.rows_of_sheet {
            self.begin().map_err(not_written)?;
        }
        let mut values = Vec::with_capacity(self.header.len());
        add_values(parts, cells, label, &mut values);
        let is_long = |value: &Value| match value {
            // A cheap check first: most texts are shorter even in bytes.
            Value::Text(text) => text.len() > LONGEST && text.encode_utf16().count() > LONGEST,
            _ => false,
        };
        if let Some(column) = values.iter().position(is_long) {
            return Err(too_long(parts, column, &values));
        }
        // The crate panics if its temporary file cannot be written. The workbook is given up then.
        let put = catch_unwind(AssertUnwindSafe(|| self.put(values)));
        put.unwrap_or_else(|_| Err(XlsxError::IoError(io::Error::other(NO_ROOM))))
            .map_err(not_written)
    }

    fn put(&mut self, values: Vec<Value>) -> Result<(), XlsxError> {
        let row = self.rows + u32::from(!self.header.is_empty());
        let sheet = self.book.worksheet_from_index(self.sheets - 1)?;
        for (column, value) in (0..).zip(values) {
            match value {
                Value::Empty => continue,
                Value::Boolean(value) => sheet.write_boolean(row, column, value)?,
                Value::Number(value) => sheet.write_number(row, column, value)?,
                Value::As(value, format) => {
                    let format = Format::new().set_num_format(format);
                    sheet.write_number_with_format(row, column, value, &format)?
                }
                // Otherwise it would become a formula when someone edits the cell.
                Value::Text(text) if is_formula(text.as_bytes()) => {
                    let format = Format::new().set_quote_prefix();
                    sheet.write_string_with_format(row, column, text, &format)?
                }
                Value::Text(text) => sheet.write_string(row, column, text)?,
            };
        }
        self.rows += 1;
        Ok(())
    }

    /// Writes the archive. It is compressed on a blocking thread.
    pub(super) async fn write_to(
        mut self,
        writer: &mut (impl AsyncWrite + Send + Unpin),
    ) -> Result<(), ExecuteError> {
        let (sender, mut pieces) = channel(1);
        let saved = spawn_blocking(move || {
            let mut pieces = BufWriter::with_capacity(PIECE, Pieces(sender));
            self.book.save_to_writer(&mut pieces)?;
            pieces.flush().map_err(XlsxError::IoError)
        });
        while let Some(piece) = pieces.recv().await {
            writer.write_all(&piece).await.map_err(failed)?;
        }
        let saved = saved.await;
        saved
            .map_err(|error| not_written(XlsxError::IoError(io::Error::other(error))))?
            .map_err(not_written)
    }
}

/// Sends what is written in pieces.
struct Pieces(Sender<Vec<u8>>);

impl Write for Pieces {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let sent = self.0.blocking_send(bytes.to_vec());
        sent.map_err(|_| io::Error::from(ErrorKind::BrokenPipe))?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Adds the values of a row in the order of the columns. If there is no related row, its values are empty.
fn add_values(
    parts: &[Part<'_>],
    cells: &mut Cells<'_>,
    label: &mut dyn FnMut(usize, &[u8]) -> String,
    values: &mut Vec<Value>,
) {
    for part in parts {
        let cell = cells.next().unwrap_or(b"null");
        match part {
            Part::One { parts, .. } => add_values(parts, cells, label, values),
            Part::Count { .. } => values.push(value(cell, &Kind::Integer)),
            Part::Value {
                kind, label: at, ..
            } => {
                values.push(value(cell, kind));
                if let Some(at) = at {
                    values.push(match cell {
                        b"null" => Value::Empty,
                        cell => Value::Text(label(*at, cell)),
                    });
                }
            }
        }
    }
}

/// The error for a text that is too long, with the API's names.
fn too_long(parts: &[Part<'_>], column: usize, values: &[Value]) -> ExecuteError {
    let names = super::layout::names(parts);
    let id = names.iter().position(|name| name == "id");
    let record = match id.and_then(|id| values.get(id)) {
        Some(Value::Number(id)) => id.to_string(),
        Some(Value::Text(id)) => id.clone(),
        _ => String::new(),
    };
    ExecuteError::TextTooLong {
        record,
        field: names.get(column).cloned().unwrap_or_default(),
        most: LONGEST,
    }
}

/// The workbook fails only if its temporary file fails, or if its reader is gone.
fn not_written(error: XlsxError) -> ExecuteError {
    ExecuteError::TemporaryFile(Arc::new(match error {
        XlsxError::IoError(error) => error,
        other => io::Error::other(other),
    }))
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use calamine::{Data, Reader as _, Xlsx, open_workbook_from_rs};

    use super::*;

    /// Rule d115.
    #[tokio::test]
    async fn another_sheet_begins_where_one_is_full() {
        assert_eq!(ROWS_OF_SHEET, 1_048_575);
        let parts = [Part::Value {
            name: "id",
            kind: &Kind::Integer,
            label: None,
        }];
        let mut sheets = Sheets::of(vec!["id".to_owned()], 3).unwrap();
        for id in 1..=7 {
            let row = format!("{{\"id\":{id}");
            let mut cells = Cells(row.as_bytes());
            sheets
                .row(&parts, &mut cells, &mut |_, _| String::new())
                .unwrap();
        }
        let mut file = Vec::new();
        sheets.write_to(&mut file).await.unwrap();
        let mut book: Xlsx<_> = open_workbook_from_rs(Cursor::new(file)).unwrap();
        let of_sheet = |(_, range): (String, calamine::Range<Data>)| {
            let rows = range.rows().map(|row| row[0].to_string());
            rows.collect::<Vec<_>>().join(",")
        };
        let sheets: Vec<_> = book.worksheets().into_iter().map(of_sheet).collect();
        assert_eq!(sheets, ["id,1,2,3", "id,4,5,6", "id,7"]);
    }
}
