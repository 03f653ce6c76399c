//! The trait of everything that reads rows, and what readers share.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use super::counts::Counts;
use super::error::ExecuteError;
use crate::render::{Batch, Shape};
use crate::sql::{Dialect, Statement};

/// Reads rows: a SeaORM connection or transaction, or a faster driver.
pub trait Reader: Sync {
    /// Its dialect.
    ///
    /// # Errors
    /// When this crate does not support the database.
    fn dialect(&self) -> Result<Dialect, ExecuteError>;

    /// Runs a statement and renders its rows in this shape.
    fn read<'a>(&'a self, statement: Statement, shape: &'a Shape) -> ReadFuture<'a>;

    /// Runs the statements of the sink one after another, in one snapshot of the database, and passes on their rows as they
    /// arrive. Rows are read only as fast as the sink accepts them. Dropping the future cancels the statement.
    ///
    /// A [`ReadPool`](crate::ReadPool) can do this. Other readers may refuse.
    fn stream<'a>(&'a self, sink: &'a mut dyn RowSink) -> StreamFuture<'a> {
        let _ = sink;
        Box::pin(async { Err(ExecuteError::NoStream) })
    }

    /// Whether requests may share counts through it, and where. A pool can allow this if all its connections see the same rows. A
    /// transaction never can, because it sees rows that others do not see yet.
    fn shared(&self) -> Option<SharedReader> {
        None
    }
}

/// The return type of [`Reader::read`].
pub type ReadFuture<'a> = Pin<Box<dyn Future<Output = Result<Batch, ExecuteError>> + Send + 'a>>;

/// Provides the statements of [`Reader::stream`] and receives their rows.
pub trait RowSink: Send {
    /// The next statement, called when all rows of the previous one have been received; `None` at the end.
    fn next(&mut self) -> NextFuture<'_>;

    /// Receives some rows of the statement. No more are read until the future completes.
    fn rows(&mut self, rows: Batch) -> StreamFuture<'_>;
}

/// The return type of [`RowSink::next`].
pub type NextFuture<'a> = Pin<Box<dyn Future<Output = Option<(Statement, Shape)>> + Send + 'a>>;

/// The return type of [`Reader::stream`] and [`RowSink::rows`].
pub type StreamFuture<'a> = Pin<Box<dyn Future<Output = Result<(), ExecuteError>> + Send + 'a>>;

/// A reader that outlives a request, and the counts that requests share.
#[derive(Clone)]
pub struct SharedReader {
    pub(super) reader: Arc<dyn Reader + Send + Sync>,
    pub(super) counts: Arc<Counts>,
    pub(super) is_alone: bool,
}

impl SharedReader {
    /// All requests with the same `counts` may share reads through `reader`, so they must all see the same rows.
    pub fn new(reader: Arc<dyn Reader + Send + Sync>, counts: Arc<Counts>) -> Self {
        Self {
            reader,
            counts,
            is_alone: false,
        }
    }

    /// For a request that must see newer rows than others: it runs its own exact counts, and shares only cached totals.
    #[must_use]
    pub fn alone(mut self, is_alone: bool) -> Self {
        self.is_alone = is_alone;
        self
    }
}

impl fmt::Debug for SharedReader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let counts = &self.counts;
        f.debug_struct("SharedReader")
            .field("counts", counts)
            .finish_non_exhaustive()
    }
}
