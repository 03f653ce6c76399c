//! Reads the rows of a file in batches while it is being sent (d119).

use axum::body::BodyDataStream;
use axum::extract::Request;
use axum::http::header;
use bytes::Bytes;
use futures_util::StreamExt as _;
use listing::Settings;

use super::asked::Format;
use super::columns::{self, Column, Known};
use super::csv::{Cell, Csv};
use crate::http::ApiError;
use crate::records::body::{self, Members};

/// The most rows that are written together.
const BATCH: usize = 1_000;
/// About how many bytes of rows are written together.
const BATCH_BYTES: usize = 1024 * 1024;
/// The bytes that are parsed at once. A batch can exceed its size by the rows in them, a few hundred if they are short. The whole
/// file can arrive at once.
const PIECE: usize = 1024;

/// A row with its number, counted from 1: its members, or why it cannot be read.
pub(super) struct Row {
    pub(super) number: u64,
    pub(super) members: Result<Members, String>,
}

/// The rows of a file that is being sent.
pub(super) struct Rows<'a> {
    body: BodyDataStream,
    piece: Bytes,
    most_bytes: usize,
    bytes: usize,
    most_rows: u64,
    number: u64,
    known: &'a Known,
    text: Text,
    is_over: bool,
}

/// The parser of the file's format.
enum Text {
    Csv {
        csv: Csv,
        columns: Option<Vec<Option<Column>>>,
        keeps_formulas: bool,
    },
    /// The line that has begun, and the longest that it may become.
    Ndjson(Vec<u8>, usize),
}

impl<'a> Rows<'a> {
    /// Fails with 413 at once if the client announces more than is allowed.
    pub(super) fn new(
        request: Request,
        format: Format,
        known: &'a Known,
        settings: &Settings,
    ) -> Result<Self, ApiError> {
        let most_bytes = settings.bounds.import_bytes;
        let length = request.headers().get(header::CONTENT_LENGTH);
        let length = length.and_then(|length| length.to_str().ok()?.parse::<u64>().ok());
        if length.is_some_and(|length| usize::try_from(length).map_or(true, |it| it > most_bytes)) {
            return Err(ApiError::PayloadTooLarge { limit: most_bytes });
        }
        // A row is one record, and must not be larger than a record that is sent by itself.
        let longest = settings.bounds.body_bytes;
        Ok(Self {
            body: request.into_body().into_data_stream(),
            piece: Bytes::new(),
            most_bytes,
            bytes: 0,
            most_rows: settings.import_max_rows,
            number: 0,
            known,
            text: match format {
                Format::Csv {
                    delimiter,
                    keeps_formulas,
                } => Text::Csv {
                    csv: Csv::new(delimiter, longest),
                    columns: None,
                    keeps_formulas,
                },
                Format::Ndjson => Text::Ndjson(Vec::new(), longest),
            },
            is_over: false,
        })
    }

    /// The next rows; empty only at the end of the file.
    pub(super) async fn batch(&mut self) -> Result<Vec<Row>, ApiError> {
        let (mut rows, begun) = (Vec::new(), self.bytes);
        // A row can be larger than a batch, and so can the blank lines before it. Without a row, reading goes on.
        while !self.is_over
            && (rows.is_empty() || (rows.len() < BATCH && self.bytes - begun < BATCH_BYTES))
        {
            if self.piece.is_empty() {
                match self.body.next().await {
                    Some(Ok(piece)) => self.piece = piece,
                    Some(Err(_)) => return Err(ApiError::BodyUnreadable),
                    None => {
                        self.is_over = true;
                        self.end(&mut rows)?;
                        break;
                    }
                }
            }
            let piece = self.piece.split_to(self.piece.len().min(PIECE));
            self.bytes += piece.len();
            if self.bytes > self.most_bytes {
                let limit = self.most_bytes;
                return Err(ApiError::PayloadTooLarge { limit });
            }
            self.read(&piece, &mut rows)?;
        }
        if self.number > self.most_rows {
            let most = self.most_rows;
            return Err(ApiError::TooManyRecords { most });
        }
        Ok(rows)
    }

    fn read(&mut self, piece: &[u8], rows: &mut Vec<Row>) -> Result<(), ApiError> {
        match &mut self.text {
            Text::Csv { csv, .. } => {
                let mut records = Vec::new();
                csv.read(piece, &mut records).map_err(ApiError::Malformed)?;
                self.records(records, rows)
            }
            Text::Ndjson(..) => {
                let mut lines = piece.split_inclusive(|byte| *byte == b'\n');
                lines.try_for_each(|part| self.line(part, rows))
            }
        }
    }

    fn end(&mut self, rows: &mut Vec<Row>) -> Result<(), ApiError> {
        match &mut self.text {
            Text::Csv { csv, .. } => {
                let mut records = Vec::new();
                csv.end(&mut records).map_err(ApiError::Malformed)?;
                self.records(records, rows)?;
                match &self.text {
                    Text::Csv { columns: None, .. } => {
                        let message = "The first row must name the columns of the file.".to_owned();
                        Err(ApiError::Malformed(message))
                    }
                    _ => Ok(()),
                }
            }
            Text::Ndjson(..) => self.line(b"\n", rows),
        }
    }

    /// Adds CSV rows. The first one names the columns.
    fn records(&mut self, records: Vec<Vec<Cell>>, rows: &mut Vec<Row>) -> Result<(), ApiError> {
        let Text::Csv {
            columns,
            keeps_formulas,
            ..
        } = &mut self.text
        else {
            return Ok(());
        };
        for cells in records {
            let Some(columns) = &*columns else {
                *columns = Some(self.known.columns(&cells)?);
                continue;
            };
            // An empty line, between rows or at the end.
            let is_blank = matches!(&cells[..], [cell] if cell.text.is_empty() && !cell.quoted);
            if is_blank && columns.len() > 1 {
                continue;
            }
            self.number += 1;
            let (found, expected) = (cells.len(), columns.len());
            let members = if found == expected {
                columns::members(columns, cells, *keeps_formulas)
            } else {
                Err(format!(
                    "must have {expected} values, as the first row has, and it has {found}"
                ))
            };
            let number = self.number;
            rows.push(Row { number, members });
        }
        Ok(())
    }

    /// Adds a line of JSON if it is complete.
    fn line(&mut self, part: &[u8], rows: &mut Vec<Row>) -> Result<(), ApiError> {
        let Text::Ndjson(line, longest) = &mut self.text else {
            return Ok(());
        };
        line.extend_from_slice(part);
        let number = self.number + 1;
        if line.len() > *longest {
            let message = format!("Row {number} has more than {longest} bytes.");
            return Err(ApiError::Malformed(message));
        }
        if !line.ends_with(b"\n") {
            return Ok(());
        }
        let line = std::mem::take(line);
        if line.trim_ascii().is_empty() {
            return Ok(());
        }
        self.number = number;
        let members = match body::members_of(&line) {
            Ok(mut members) => {
                self.known.only_sent(&mut members);
                Ok(members)
            }
            Err(ApiError::Malformed(message)) => {
                let message = message.replacen("The body", &format!("Row {number}"), 1);
                return Err(ApiError::Malformed(message));
            }
            Err(error) => return Err(error),
        };
        rows.push(Row { number, members });
        Ok(())
    }
}
