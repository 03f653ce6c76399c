//! Decides which statements are run and in which order: the page, its total, its labels and its relations.

mod count_key;
mod counts;
mod cursors;
mod error;
mod export;
mod facets;
mod family;
mod groups;
mod labels;
mod numbers;
mod reader;
mod run;
mod shared;
mod statement;
mod total;

pub use counts::Counts;
pub use error::ExecuteError;
pub use reader::{ReadFuture, Reader, RowSink, SharedReader, StreamFuture};

pub(crate) use cursors::Cursors;
pub(crate) use export::{Labels, export};
pub(crate) use facets::{FacetValue, ReadFacet};
pub(crate) use groups::{Groups, ReadGroup, groups};
pub(crate) use numbers::Numbers;
pub(crate) use run::{NumbersAlone, RelationRows, Rows, numbers_alone, run};
pub(crate) use total::Total;
