//! Writes the columns of a primary key as one member, `id`.

use super::batch::{RowSource, ShapeColumn};
use super::error::DecodeError;
use crate::vocabulary::write_part;

/// An `id` of which some columns have been written.
#[derive(Debug, Default)]
pub(super) struct ComposedId {
    is_open: bool,
}

impl ComposedId {
    /// Appends the next column.
    pub(super) fn push(
        &mut self,
        row: &impl RowSource,
        index: usize,
        column: &ShapeColumn,
        json: &mut Vec<u8>,
    ) -> Result<(), DecodeError> {
        let mut value = Vec::new();
        row.json(index, &column.kind, &mut value)?;
        json.extend_from_slice(if self.is_open { b"," } else { b",\"id\":\"" });
        self.is_open = true;
        let text = value
            .strip_prefix(b"\"")
            .and_then(|v| v.strip_suffix(b"\""));
        write_part(json, text.unwrap_or(&value));
        Ok(())
    }

    /// Ends the member, if one was begun.
    pub(super) fn finish(&mut self, json: &mut Vec<u8>) {
        if std::mem::take(&mut self.is_open) {
            json.push(b'"');
        }
    }
}
