//! Frozen parts of columns: what lies at a path inside a JSON column, and arrays (d149).

use super::{ColumnMeta, WhitelistFilter};
use crate::vocabulary::Kind;

/// A value inside a JSON column, or an array, as if it were a column of its own.
#[derive(Debug)]
pub(crate) struct WhitelistPart {
    /// The names that lead to it from the top of the column; empty for the column itself.
    pub(crate) path: Vec<String>,
    /// The column, with the kind that its part has. It can always be null.
    pub(crate) values: ColumnMeta,
}

impl WhitelistFilter {
    /// Whether it is asked what an array holds.
    pub(crate) fn is_of_array(&self) -> bool {
        let part = self.part.as_ref();
        part.is_some_and(|part| matches!(part.values.kind, Kind::Array(_)))
    }

    /// The names that lead to it inside a JSON column; empty for every other filter.
    pub(crate) fn path(&self) -> &[String] {
        self.part.as_ref().map_or(&[], |part| &part.path)
    }

    /// What stands in the first brackets: its key, or that of the JSON column.
    pub(crate) fn root(&self) -> &str {
        let inside: usize = self.path().iter().map(|name| name.len() + 1).sum();
        &self.key[..self.key.len() - inside]
    }

    /// What stands in its last brackets.
    pub(crate) fn last(&self) -> &str {
        self.path().last().map_or(&self.key, String::as_str)
    }
}
