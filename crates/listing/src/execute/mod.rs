//! Runs statements in the right order: the page, its total, its labels and its relations.

mod count_key;
mod counted;
mod counts;
mod cursors;
mod error;

mod facets;
mod family;
mod groups;
mod known_labels;
mod labels;
mod numbers;
mod pass;
mod reader;
mod run;
mod shared;
mod snapshot;
mod statement;
mod total;

pub use counts::Counts;
pub use error::ExecuteError;
pub use reader::{NextFuture, ReadFuture, Reader, RowSink, SharedReader, StreamFuture};

pub(crate) use cursors::Cursors;
pub(crate) use facets::{FacetValue, ReadFacet};
pub(crate) use groups::{Groups, ReadGroup, groups};
pub(crate) use known_labels::Labels;
pub(crate) use numbers::Numbers;
pub(crate) use run::{NumbersAlone, RelationRows, Rows, numbers_alone, related, run, shape_of};
pub(crate) use snapshot::{RowsToCome, Snapshot, in_snapshot};
pub(crate) use total::Total;
