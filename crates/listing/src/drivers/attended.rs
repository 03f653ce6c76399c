//! Runs statements of sqlx's drivers in tasks of their own, and has the server end those whose requests are gone.
//!
//! A statement that is dropped half-way would leave the rest of its answer to the next statement on its connection, and with a
//! pooler its transaction too. So it goes on without its request, to its end or until the server has ended it (b330).

use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use futures_util::TryStreamExt as _;
use futures_util::stream::BoxStream;
use sqlx::Error;
use tokio::sync::oneshot;
use tokio::time::timeout;

use super::failure::refused;
use super::lend::{Lender, Lent, Server};
use crate::execute::ExecuteError;
use crate::observe::TALLY;
use crate::render::{Batch, RowSource, Shape};
use crate::sql::Statement;

/// An abandoned statement is ended by the server unless it ends by itself within this time. Most do.
const ENDED_AFTER: Duration = Duration::from_millis(20);

/// How long the server may take to end a statement before the connection is given up.
const TIME_TO_END: Duration = Duration::from_secs(5);

/// A server whose statements are run in this way.
pub(super) trait Attended: Server + Sized {
    /// Runs a statement, and gives the connection back if it is in order afterwards.
    fn run(
        lent: Lent<Self>,
        statement: Statement,
        shape: Shape,
        request: Request,
    ) -> impl Future<Output = Result<Batch, Failed>> + Send;

    /// Whether an error says that the connection was ended, so that the statement can be run on another.
    fn is_lost(error: &Error) -> bool;

    fn execute_error(error: Error) -> ExecuteError;
}

/// The rows of a statement. One whose connection is lost is run once more: it only reads.
pub(super) async fn read<S: Attended>(
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

/// Tells whether the request still waits for its statement.
pub(super) struct Request(oneshot::Receiver<()>);

/// What became of a statement.
pub(super) enum Outcome {
    Done(Result<Batch, Failed>),
    /// The request was gone, and the server ended the statement.
    Ended,
    /// The request was gone, and the server did not end the statement in time.
    GivenUp,
}

impl Request {
    /// Waits for the rows of a statement; `end` has the server end it once the request is gone.
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

/// Why a statement gave no rows.
pub(super) enum Failed {
    Driver(Error),
    Read(ExecuteError),
}

impl Failed {
    /// The error of a statement that was ended. No caller sees it.
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
