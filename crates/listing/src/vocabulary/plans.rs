//! The ways in which a database plans the statements of a list.

/// How PostgreSQL and SQLite plan the statements of a list. MariaDB and MySQL plan every statement for its values.
///
/// A prepared statement is planned for its values five times; after that PostgreSQL keeps one plan for all values, where
/// that looks as cheap on average (`plan_cache_mode = auto`). This is what most lists want: planning takes as long as
/// reading a page. A list whose values are far from equally common wants a plan for each request: the newest rows of a
/// kind are found by walking from the newest row back if the kind is common, and only by an index on the kind if it is
/// rare. (SQLite knows how common values are after `ANALYZE`.)
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Plans {
    /// One plan for all values, on PostgreSQL where it looks as cheap.
    #[default]
    Shared,
    /// For the values of each request.
    ForEachRequest,
}
