//! Frozen parts of columns: the value at a path inside a JSON column, and arrays (d149).

use sea_orm::sea_query::ColumnType;

use super::{ColumnMeta, WhitelistFilter};
use crate::vocabulary::Kind;

/// A value inside a JSON column, or an array, treated like a column.
#[derive(Debug)]
pub(crate) struct WhitelistPart {
    /// The path from the top of the column; empty for the column itself.
    pub(crate) path: Vec<String>,
    /// The column with the kind of its part. It is always nullable.
    pub(crate) values: ColumnMeta,
}

impl ColumnMeta {
    /// Whether it is a native PostgreSQL array of texts.
    pub(crate) fn holds_texts(&self) -> bool {
        let ColumnType::Array(element) = &self.column_type else {
            return false;
        };
        matches!(
            **element,
            ColumnType::Char(_) | ColumnType::String(_) | ColumnType::Text
        )
    }
}

impl WhitelistFilter {
    /// Whether it filters by the elements of an array.
    pub(crate) fn is_of_array(&self) -> bool {
        let part = self.part.as_ref();
        part.is_some_and(|part| matches!(part.values.kind, Kind::Array(_)))
    }

    /// The path inside a JSON column; empty for every other filter.
    pub(crate) fn path(&self) -> &[String] {
        self.part.as_ref().map_or(&[], |part| &part.path)
    }

    /// The name in the first brackets: its key, or that of the JSON column.
    pub(crate) fn root(&self) -> &str {
        let inside: usize = self.path().iter().map(|name| name.len() + 1).sum();
        &self.key[..self.key.len() - inside]
    }

    /// The name in its last brackets.
    pub(crate) fn last(&self) -> &str {
        self.path().last().map_or(&self.key, String::as_str)
    }
}
