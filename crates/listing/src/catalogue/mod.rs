//! The database's information about its tables: their sizes, their indexes, and what those can be used for.

mod indexed;
mod inside;
mod names;
mod read;

pub(crate) use indexed::{Directed, Finds, LargeTables, Wanted, about};
pub use indexed::{IndexedTable, TableIndex};
pub(crate) use inside::expression;
pub use names::IndexNames;
pub(crate) use read::{fill, read_sizes};
pub use read::{index_names, read_indexes};
