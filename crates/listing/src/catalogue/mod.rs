//! What a database says of its tables: their sizes, their indexes, and what those indexes serve.

mod indexed;
mod names;
mod read;

pub(crate) use indexed::{Directed, Finds, LargeTables, Wanted, about};
pub use indexed::{IndexedTable, TableIndex};
pub use names::IndexNames;
pub(crate) use read::{fill, read_sizes};
pub use read::{index_names, read_indexes};
