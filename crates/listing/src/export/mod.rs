//! Formats the rows of an export as CSV, lines of JSON or XLSX while they are read.

mod cells;
mod csv;
mod file;
mod kept;
mod layout;
mod ndjson;
#[cfg(feature = "xlsx")]
mod spreadsheet_value;
#[cfg(feature = "xlsx")]
mod xlsx;

pub use csv::is_formula;
pub(crate) use file::{How, write};
