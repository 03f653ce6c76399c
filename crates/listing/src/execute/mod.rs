//! Runs statements and gives back rows as JSON, counts and labels; the only room that holds a connection.

mod batch;
mod calendar;
mod calendar_text;
mod counts;
mod cursors;
mod decimal;
mod error;
mod family;
mod json;
mod key;
mod labels;
mod minify;
mod mysql;
mod pool;
mod postgres;
mod reader;
mod run;
mod scalar;
mod seaorm;
mod sqlite;
mod text;
mod total;

pub use batch::{Batch, Shape, ShapeColumn};
pub use counts::{Counts, SharedReader};
pub use error::ExecuteError;
pub use pool::{ReadOptions, ReadPool, ReadPoolError};
pub use reader::{ReadFuture, Reader};
pub use scalar::DecodeError;

pub(crate) use cursors::Cursors;
pub(crate) use run::{RelationRows, Rows, run};
pub(crate) use text::write_string;
pub(crate) use total::Total;
