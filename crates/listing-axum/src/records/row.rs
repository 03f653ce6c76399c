//! A record's row, as a statement that locked or wrote the record returned it.

use listing::reply::ShownRecord;
use listing::{RecordValues, RowParts, Trashed};
use sea_orm::QueryResult;

use crate::http::ApiError;

/// A row with the parts of a record that a write needs.
pub(super) struct Row<'a> {
    parts: RowParts<'a>,
    row: QueryResult,
}

impl<'a> Row<'a> {
    pub(super) fn new(parts: RowParts<'a>, row: QueryResult) -> Self {
        Self { parts, row }
    }

    /// The values for the record's history.
    pub(super) fn recorded(&self) -> Result<Option<RecordValues>, ApiError> {
        Ok(self.parts.recorded(&self.row)?)
    }

    /// Whether the row has all of the record as it is shown.
    pub(super) fn has_shown(&self) -> bool {
        self.parts.has_shown()
    }

    /// The record as it is shown; `None` if `trashed` excludes it.
    pub(super) fn shown(&self, trashed: Trashed) -> Result<Option<ShownRecord>, ApiError> {
        Ok(self.parts.shown(&self.row, trashed)?)
    }
}
