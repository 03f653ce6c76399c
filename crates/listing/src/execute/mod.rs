//! Decides which statements are run and in which order: the page, its total, its labels and its relations.

mod count_key;
mod counts;
mod cursors;
mod error;
mod family;
mod labels;
mod quiet;
mod reader;
mod run;
mod shared;
mod statement;
mod total;

pub use counts::Counts;
pub use error::ExecuteError;
pub use reader::{ReadFuture, Reader, SharedReader};

pub(crate) use cursors::Cursors;
pub(crate) use run::{RelationRows, Rows, run};
pub(crate) use total::Total;
