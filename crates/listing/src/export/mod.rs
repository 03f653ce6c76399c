//! The shape of a file: the rows of an export as CSV or as lines of JSON, written while they are read.

mod cells;
mod csv;
mod file;
mod layout;
mod ndjson;

pub(crate) use file::{How, write};
