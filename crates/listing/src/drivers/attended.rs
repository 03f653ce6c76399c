//! Runs statements of sqlx's drivers in their own tasks, and cancels those whose requests are gone.
//!
//! If a statement were dropped half-way, the next statement on its connection would receive the rest of its answer and, with a
//! pooler, its transaction. So it continues without its request, until it ends or the server has cancelled it (b330).

use std::pin::pin;
use std::sync::Arc;

use futures_util::TryStreamExt as _;
use futures_util::stream::BoxStream;
use sqlx::Error;
use tokio::sync::oneshot;
use tokio::time::timeout;

use super::abandoned::{ENDED_AFTER, TIME_TO_END};
use super::failure::refused;
use super::lend::{Lender, Lent, Server};
use crate::execute::{ExecuteError, ReadFuture, Reader, RowSink, StreamFuture};
use crate::observe::TALLY;
use crate::render::{Batch, RowSource, Shape};
use crate::sql::{Dialect, Statement};
use crate::vocabulary::boxed;

/// A server that runs statements in this way.
pub(super) trait Attended: Server + Sized {
    const DIALECT: Dialect;

    /// Runs a statement, and returns the connection to the pool if it is still usable.
    fn run(
        lent: Lent<Self>,
        statement: Statement,
        shape: Shape,
        request: Request,
    ) -> impl Future<Output = Result<Batch, Failed>> + Send;

    /// Passes on the rows of statements in one snapshot while they are read, on a separate connection.
    fn stream(
        lender: Arc<Lender<Self>>,
        sink: &mut dyn RowSink,
    ) -> impl Future<Output = Result<(), ExecuteError>> + Send;

    /// Whether an error means that the connection was lost, so that the statement can run on another one.
    fn is_lost(error: &Error) -> bool;

    fn execute_error(error: Error) -> ExecuteError;
}

/// Reads on its own connections, with one statement at a time on each.
pub(super) struct AttendedReader<S: Server>(pub(super) Arc<Lender<S>>);

impl<S: Attended> Reader for AttendedReader<S> {
    fn dialect(&self) -> Result<Dialect, ExecuteError> {
        Ok(S::DIALECT)
    }

    fn read<'a>(&'a self, statement: Statement, shape: &'a Shape) -> ReadFuture<'a> {
        boxed(|| read(&self.0, statement, shape))
    }

    fn stream<'a>(&'a self, sink: &'a mut dyn RowSink) -> StreamFuture<'a> {
        Box::pin(S::stream(Arc::clone(&self.0), sink))
    }
}

/// The rows of a statement. If its connection is lost, it is run once more, because it only reads.
async fn read<S: Attended>(
    lender: &Arc<Lender<S>>,
    statement: Statement,
    shape: &Shape,
) -> Result<Batch, ExecuteError> {
    let lent = lender.lend(&statement).await?;
    let done = match attended(lent, statement.clone(), shape.clone()).await {
        Err(Failed::Driver(error)) if <S as Attended>::is_lost(&error) => {
            let lent = lender.lend_new(&statement).await?;
            attended(lent, statement, shape.clone()).await
        }
        done => done,
    };
    done.map_err(|failed| match failed {
        Failed::Driver(error) => S::execute_error(error),
        Failed::Read(error) => error,
    })
}

async fn attended<S: Attended>(
    lent: Lent<S>,
    statement: Statement,
    shape: Shape,
) -> Result<Batch, Failed> {
    let (waits, left) = oneshot::channel();
    let done = tokio::spawn(S::run(lent, statement, shape, Request(left))).await;
    drop::<oneshot::Sender<()>>(waits);
    done.unwrap_or_else(|error| Err(Failed::Read(refused(&error.to_string()))))
}

/// Tells whether the request is still waiting for its statement.
pub(super) struct Request(oneshot::Receiver<()>);

/// The outcome of a statement.
pub(super) enum Outcome {
    Done(Result<Batch, Failed>),
    /// The request was gone, and the server cancelled the statement.
    Ended,
    /// The request was gone, and the server did not cancel the statement in time.
    GivenUp,
}

impl Request {
    /// Waits for the rows of a statement. `end` cancels it on the server when the request is gone.
    pub(super) async fn waits_for(
        self,
        read: impl Future<Output = Result<Batch, Failed>>,
        end: impl Future<Output = Result<(), Error>>,
    ) -> Outcome {
        let mut read = pin!(read);
        tokio::select! {
            biased;
            done = &mut read => return Outcome::Done(done),
            _ = self.0 => {}
        }
        if let Ok(done) = timeout(ENDED_AFTER, &mut read).await {
            return Outcome::Done(done);
        }
        match timeout(TIME_TO_END, end).await {
            Ok(Ok(())) => TALLY.statements_cancelled.add(),
            _ => tracing::debug!("failed to cancel an abandoned statement"),
        }
        match timeout(TIME_TO_END, read).await {
            Ok(_) => Outcome::Ended,
            Err(_) => Outcome::GivenUp,
        }
    }
}

/// Reads all rows.
pub(super) async fn collect<R: RowSource>(
    mut rows: BoxStream<'_, Result<R, Error>>,
    shape: &Shape,
) -> Result<Batch, Failed> {
    let mut batch = Batch::for_shape(shape);
    while let Some(row) = rows.try_next().await? {
        batch.push(shape, &row).map_err(ExecuteError::from)?;
    }
    Ok(batch)
}

/// Why a statement returned no rows.
pub(super) enum Failed {
    Driver(Error),
    Read(ExecuteError),
}

impl Failed {
    /// The error of a cancelled statement. No caller sees it.
    pub(super) const ENDED: Self = Self::Driver(Error::PoolClosed);
}

impl From<Error> for Failed {
    fn from(error: Error) -> Self {
        Self::Driver(error)
    }
}

impl From<ExecuteError> for Failed {
    fn from(error: ExecuteError) -> Self {
        Self::Read(error)
    }
}
