//! Indexes: which of them listings need, which of them a database has, and what is missing.

mod catalogue;
mod inspect;
mod missing;

pub use missing::{MissingIndex, MissingKind, missing_indexes};
