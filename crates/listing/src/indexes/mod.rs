//! Indexes: which of them listings need, which of them a database has, and what is missing.

mod catalogue;
mod inspect;
mod missing;
mod names;
mod texts;

pub use catalogue::{index_names, read_indexes};
pub use missing::{MissingIndex, MissingKind, missing_indexes};
pub use names::IndexNames;
