//! Reads a SQLite file: short statements in place, and all others on blocking threads.
//!
//! Written by hand with rusqlite because it decides the speed: all rows are returned together, as JSON.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Weak};
use std::thread::available_parallelism;

use rusqlite::Connection;
use sqlx::ConnectOptions as _;
use sqlx::sqlite::SqliteConnectOptions;
use tokio::task::{JoinError, spawn_blocking};

use super::super::failure::unavailable;
use super::super::lend::{Ages, Lender, Lent, Server};
use super::super::options::ReadOptions;
use super::connection::{Failed, open, read};
use super::in_place;
use super::setup::SessionSetup;
use super::stream::stream;
use crate::execute::{ExecuteError, ReadFuture, Reader, RowSink, StreamFuture};
use crate::observe::TALLY;
use crate::render::{Batch, Shape};
use crate::sql::{Dialect, Statement};
use crate::vocabulary::boxed;

/// How many steps SQLite's virtual machine runs, in a fraction of a millisecond, before it checks whether the request is still
/// waiting.
pub(super) const STEPS_BETWEEN_LOOKS: i32 = 10_000;

/// Reads in place and on threads.
pub(super) struct SqliteReader(Arc<Lender<SqliteFile>>);

/// A file and the setup of connections to it.
#[derive(Clone)]
pub(super) struct SqliteFile {
    file: PathBuf,
    setup: SessionSetup,
    pub(super) options: ReadOptions,
}

/// The file, if these options name one that a second connection can open.
///
/// A database in memory belongs to its connection, and a custom file system would have to be known here.
pub(super) fn file(options: &SqliteConnectOptions) -> Option<PathBuf> {
    // The options show the rest only as a URL, which not every file name can be part of.
    let url = options.clone().filename("file").to_url_lossy();
    let special = url.query_pairs().any(|(key, value)| {
        (key == "mode" && value == "memory") || key == "immutable" || key == "vfs"
    });
    let file = options.get_filename();
    // A file without a name is a temporary file of one connection.
    (!file.as_os_str().is_empty() && !special).then(|| file.to_path_buf())
}

impl SqliteFile {
    pub(super) fn new(file: &Path, setup: &SessionSetup, options: &ReadOptions) -> Self {
        Self {
            file: file.to_path_buf(),
            setup: setup.clone(),
            options: options.clone(),
        }
    }

    pub(super) fn open_now(&self) -> rusqlite::Result<Connection> {
        open(&self.file, &self.setup, &self.options)
    }
}

impl Server for SqliteFile {
    type Connection = Connection;

    /// Unindexed statements compute, and would leave no processor for the others.
    const PART: usize = 2;

    async fn open(&self) -> Result<Connection, ExecuteError> {
        let file = self.clone();
        let opened = spawn_blocking(move || file.open_now()).await;
        let opened = opened.map_err(|error| ended(&error))?;
        opened.map_err(|error| unavailable(&format!("cannot open the file: {error}")))
    }
}

impl SqliteReader {
    pub(super) fn new(file: &Path, setup: &SessionSetup, options: &ReadOptions) -> Self {
        let file = SqliteFile::new(file, setup, options);
        let processors = available_parallelism().map_or(2, |number| number.get().max(2));
        let lender = Lender::new(file, options, processors, Ages::NONE);
        Self(Arc::new(lender))
    }

    async fn rows(&self, statement: Statement, shape: &Shape) -> Result<Batch, ExecuteError> {
        if !statement.is_unindexed
            && let Some(batch) = in_place::read(&self.0, &statement, shape)
        {
            return Ok(batch);
        }
        let lent = self.0.lend(&statement).await?;
        // No other reference exists once the request is gone.
        let request = Arc::new(());
        let (waits, shape) = (Arc::downgrade(&request), shape.clone());
        let done = spawn_blocking(move || rows(lent, &statement, &shape, &waits)).await;
        done.map_err(|error| ended(&error))?
    }
}

/// The rows of a statement, or an immediate error if its request is gone.
fn rows(
    lent: Lent<SqliteFile>,
    statement: &Statement,
    shape: &Shape,
    waits: &Weak<()>,
) -> Result<Batch, ExecuteError> {
    let done = read_wanted(&lent, statement, shape, waits);
    if done.is_err() && waits.strong_count() == 0 {
        TALLY.statements_cancelled.add();
    }
    if !done.as_ref().is_err_and(Failed::is_broken) {
        lent.give_back();
    }
    Ok(done?)
}

fn read_wanted(
    lent: &Lent<SqliteFile>,
    statement: &Statement,
    shape: &Shape,
    waits: &Weak<()>,
) -> Result<Batch, Failed> {
    let connection = &lent.connection;
    connection.busy_timeout(lent.lender.server.options.acquire_timeout)?;
    let waits = waits.clone();
    let given_up = move || waits.strong_count() == 0;
    connection.progress_handler(STEPS_BETWEEN_LOOKS, Some(given_up))?;
    read(connection, statement, shape)
}

pub(super) fn ended(error: &JoinError) -> ExecuteError {
    unavailable(&format!("a reading thread has ended: {error}"))
}

impl Reader for SqliteReader {
    fn dialect(&self) -> Result<Dialect, ExecuteError> {
        Ok(Dialect::Sqlite)
    }

    fn read<'a>(&'a self, statement: Statement, shape: &'a Shape) -> ReadFuture<'a> {
        boxed(|| self.rows(statement, shape))
    }

    fn stream<'a>(&'a self, sink: &'a mut dyn RowSink) -> StreamFuture<'a> {
        Box::pin(stream(self.0.server.clone(), sink))
    }
}
