//! Indexes: which of them listings need, which of them a database has, and what is missing.

mod inspect;
mod missing;
mod texts;

pub use missing::{MissingIndex, MissingKind, missing_indexes};

pub use crate::catalogue::{IndexNames, IndexedTable, TableIndex, index_names, read_indexes};
