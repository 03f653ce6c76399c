//! Indexes: which of them listings need, which of them a database has, and what is missing.

mod catalogue;
mod inspect;
mod missing;
mod names;

pub use catalogue::index_names;
pub use missing::{MissingIndex, MissingKind, missing_indexes};
pub use names::IndexNames;
