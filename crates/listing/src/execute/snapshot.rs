//! Keeps a snapshot of the database open and reads one statement after another from it (d112).

use futures_util::future::try_join;
use tokio::sync::mpsc::{Receiver, Sender, channel};

use super::error::ExecuteError;
use super::reader::{NextFuture, ReadFuture, Reader, RowSink, StreamFuture};
use super::statement::{begin, read_number};
use crate::observe::{TALLY, TallyEntered};
use crate::render::{Batch, Shape};
use crate::sql::{Dialect, Statement};

/// Runs some work that reads from one snapshot. The snapshot ends with it.
pub(crate) async fn in_snapshot<T, F>(
    reader: &dyn Reader,
    work: impl FnOnce(Snapshot) -> F,
) -> Result<T, ExecuteError>
where
    F: Future<Output = Result<T, ExecuteError>>,
{
    let (asks, asked) = channel(1);
    let dialect = reader.dialect()?;
    let mut link = Link { asked, rows: None };
    // The reader comes first: if it fails, it knows the reason.
    let stream = reader.stream(&mut link);
    let ((), done) = try_join(stream, work(Snapshot { dialect, asks })).await?;
    Ok(done)
}

/// A snapshot of the database. Its statements run one after another, in the order in which they are requested.
pub(crate) struct Snapshot {
    dialect: Dialect,
    asks: Sender<Ask>,
}

struct Ask {
    statement: Statement,
    shape: Shape,
    rows: Sender<Batch>,
}

impl Snapshot {
    /// Fails if a statement counts more rows than allowed.
    pub(crate) async fn at_most(&self, most: u64, count: Statement) -> Result<(), ExecuteError> {
        match read_number(self, count).await? > most {
            true => Err(ExecuteError::TooManyRows { most }),
            false => Ok(()),
        }
    }

    /// Runs a statement and returns its rows in batches.
    pub(crate) async fn rows(
        &self,
        statement: Statement,
        shape: Shape,
    ) -> Result<RowsToCome, ExecuteError> {
        begin(self.dialect, &statement)?;
        let running = TALLY.statements_running.enter();
        let rows = self.ask(statement, shape).await;
        Ok(RowsToCome {
            rows,
            _running: running,
        })
    }

    async fn ask(&self, statement: Statement, shape: Shape) -> Receiver<Batch> {
        let (rows, to_come) = channel(1);
        let ask = Ask {
            statement,
            shape,
            rows,
        };
        // Sending only fails after the reader has failed, and the reader's error is reported.
        let _ = self.asks.send(ask).await;
        to_come
    }
}

impl Reader for Snapshot {
    fn dialect(&self) -> Result<Dialect, ExecuteError> {
        Ok(self.dialect)
    }

    fn read<'a>(&'a self, statement: Statement, shape: &'a Shape) -> ReadFuture<'a> {
        Box::pin(async move {
            let mut rows = self.ask(statement, shape.clone()).await;
            let mut all = Batch::for_shape(shape);
            while let Some(more) = rows.recv().await {
                all.append(more);
            }
            Ok(all)
        })
    }
}

/// The rows of a running statement.
pub(crate) struct RowsToCome {
    rows: Receiver<Batch>,
    _running: TallyEntered<'static>,
}

impl RowsToCome {
    /// The next batch; `None` if there are no more.
    pub(crate) async fn next(&mut self) -> Option<Batch> {
        self.rows.recv().await
    }
}

/// Passes statements to the reader, and its rows back to their callers.
struct Link {
    asked: Receiver<Ask>,
    /// The receiver of the running statement's rows.
    rows: Option<Sender<Batch>>,
}

impl RowSink for Link {
    fn next(&mut self) -> NextFuture<'_> {
        Box::pin(async {
            // The previous statement has no more rows.
            self.rows = None;
            let Ask {
                statement,
                shape,
                rows,
            } = self.asked.recv().await?;
            self.rows = Some(rows);
            Some((statement, shape))
        })
    }

    fn rows(&mut self, rows: Batch) -> StreamFuture<'_> {
        Box::pin(async {
            if let Some(taker) = &self.rows {
                // Without a receiver, the request has ended, and everything else ends with it.
                let _ = taker.send(rows).await;
            }
            Ok(())
        })
    }
}
