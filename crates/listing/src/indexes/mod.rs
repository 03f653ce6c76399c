//! Indexes: those that listings need, those that a database has, and those that are missing.

mod inside;
mod inspect;
mod missing;
mod texts;

pub use missing::{MissingIndex, MissingKind, missing_indexes};

pub use crate::catalogue::{IndexNames, IndexedTable, TableIndex, index_names, read_indexes};
