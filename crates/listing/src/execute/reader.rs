//! What everything that reads rows can do, and what readers share.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use super::counts::Counts;
use super::error::ExecuteError;
use crate::render::{Batch, Shape};
use crate::sql::{Dialect, Statement};

/// Something that reads rows: a SeaORM connection or transaction, or a faster driver.
pub trait Reader: Sync {
    /// The dialect that it understands.
    ///
    /// # Errors
    /// When it is not a database that this crate supports.
    fn dialect(&self) -> Result<Dialect, ExecuteError>;

    /// Runs a statement and renders its rows in that shape.
    fn read<'a>(&'a self, statement: Statement, shape: &'a Shape) -> ReadFuture<'a>;

    /// Runs statements one after another in one snapshot of the database, and gives their rows to the sink as they come. Reading
    /// goes no faster than the sink takes rows; when the future is dropped, the statement is ended.
    ///
    /// A [`ReadPool`](crate::ReadPool) can do this. Other readers need not: they refuse.
    fn stream<'a>(
        &'a self,
        statements: Vec<(Statement, Shape)>,
        sink: &'a mut dyn RowSink,
    ) -> StreamFuture<'a> {
        let _ = (statements, sink);
        Box::pin(async { Err(ExecuteError::NoStream) })
    }

    /// Whether requests may share what is counted through it, and where. A pool whose connections all see the same rows
    /// can say so. A transaction never may: it sees rows that others do not see yet.
    fn shared(&self) -> Option<SharedReader> {
        None
    }
}

/// What [`Reader::read`] returns.
pub type ReadFuture<'a> = Pin<Box<dyn Future<Output = Result<Batch, ExecuteError>> + Send + 'a>>;

/// Takes the rows that [`Reader::stream`] reads.
pub trait RowSink: Send {
    /// Takes some rows of a statement, by its place among the statements. No more are read until the future is done.
    fn rows<'a>(&'a mut self, statement: usize, rows: Batch) -> StreamFuture<'a>;
}

/// What [`Reader::stream`] and [`RowSink::rows`] return.
pub type StreamFuture<'a> = Pin<Box<dyn Future<Output = Result<(), ExecuteError>> + Send + 'a>>;

/// A reader that outlives a request, and the counts that requests share on it.
#[derive(Clone)]
pub struct SharedReader {
    pub(super) reader: Arc<dyn Reader + Send + Sync>,
    pub(super) counts: Arc<Counts>,
}

impl SharedReader {
    /// Reads through `reader` may be shared by all requests that share `counts`, so all of them must see the same rows.
    pub fn new(reader: Arc<dyn Reader + Send + Sync>, counts: Arc<Counts>) -> Self {
        Self { reader, counts }
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
