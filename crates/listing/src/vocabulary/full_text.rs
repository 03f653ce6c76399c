//! The names of the columns, tables and indexes that full-text search uses in each database.

/// The basis of full-text search: created by a migration, and used by every search.
///
/// The migration knows a table and columns, the search knows an entity: both find the same names here.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FullTextNames<'n> {
    table: &'n str,
}

impl<'n> FullTextNames<'n> {
    /// The text search configuration of PostgreSQL where none is named: it knows no language.
    pub(crate) const LANGUAGE: &'static str = "simple";

    /// The generated column of PostgreSQL that holds the words of all searched columns.
    pub(crate) const VECTOR: &'static str = "search_vector";

    pub(crate) fn of(table: &'n str) -> Self {
        Self { table }
    }

    /// The index on PostgreSQL and MariaDB; the FTS5 table on SQLite.
    pub(crate) fn index(self) -> String {
        format!("{}_search", self.table)
    }

    /// The generated column of MariaDB that holds a searched column in lower case.
    pub(crate) fn lowered(self, column: &str) -> String {
        format!("search_{column}")
    }

    /// Whether the text can be the name of a configuration. It is written into statements, since a configuration that is
    /// bound would keep PostgreSQL from using the index.
    pub(crate) fn is_language(text: &str) -> bool {
        let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.');
        !text.is_empty() && text.chars().all(plain)
    }
}
