//! The trait of everything that can run a statement and read its rows.

use std::future::Future;
use std::pin::Pin;

use super::{Batch, ExecuteError, Shape, SharedReader};
use crate::sql::{Dialect, Statement};

/// Something that reads rows: a SeaORM connection or transaction, or a faster driver.
pub trait Reader: Sync {
    /// The dialect that it understands.
    ///
    /// # Errors
    /// When the database is none that we speak.
    fn dialect(&self) -> Result<Dialect, ExecuteError>;

    /// Runs a statement and renders its rows in that shape.
    fn read<'a>(&'a self, statement: Statement, shape: &'a Shape) -> ReadFuture<'a>;

    /// Whether requests may share what is counted through it, and where. A pool whose connections all see the same rows
    /// can say so. A transaction never may: it sees what nobody else does.
    fn shared(&self) -> Option<SharedReader> {
        None
    }
}

/// What [`Reader::read`] returns.
pub type ReadFuture<'a> = Pin<Box<dyn Future<Output = Result<Batch, ExecuteError>> + Send + 'a>>;
