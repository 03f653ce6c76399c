//! Reads a SQLite file on threads of its own, each with its connection.
//!
//! Written by hand on rusqlite because it decides speed: a request crosses to another thread once, and its rows come back
//! as JSON, all together.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Weak};
use std::thread::{self, available_parallelism};
use std::time::Instant;

use rusqlite::{Connection, ErrorCode, OpenFlags};
use sqlx::ConnectOptions as _;
use sqlx::sqlite::SqliteConnectOptions;
use tokio::sync::oneshot;

use super::super::error::ReadPoolError;
use super::super::failure::{refused, unavailable};
use super::super::lane::{Pass, SlowLane};
use super::super::options::ReadOptions;
use super::super::prepared::is_kept;
use super::row::{SqliteRow, booleans};
use super::setup::SessionSetup;
use super::value::Bound;
use crate::execute::{ExecuteError, ReadFuture, Reader};
use crate::render::{Batch, Shape};
use crate::sql::{Dialect, Statement};
use crate::vocabulary::TALLY;

/// After this many steps of SQLite's machine, a fraction of a millisecond, it is asked whether anybody still waits.
const STEPS_BETWEEN_LOOKS: i32 = 10_000;

/// Longer texts hold long lists of values and hardly come again: they would only push others out.
const LONGEST_KEPT_TEXT: usize = 16 * 1024;

/// Reads on threads that end when it is dropped.
pub(super) struct SqliteReader {
    jobs: flume::Sender<Job>,
    /// For statements that are known to be slow, which have threads of their own.
    slow_jobs: flume::Sender<Job>,
    lane: Arc<SlowLane>,
}

/// One statement to run.
struct Job {
    statement: Statement,
    shape: Shape,
    /// Nobody holds the other side once the request is given up.
    waiting: Weak<()>,
    /// Given back when it is over.
    pass: Option<Pass>,
    reply: oneshot::Sender<Result<Done, ExecuteError>>,
}

/// What became of a job.
enum Done {
    Rows(Batch),
    /// Others of its kind were slow while it waited, so that it was not run.
    NowSlow(Box<Statement>),
}

/// The file, if these options name one that a second connection can open.
///
/// A database in memory belongs to its connection, and a file system of an application's own would have to be known.
pub(super) fn file(options: &SqliteConnectOptions) -> Option<PathBuf> {
    // The options tell it in a URL only, which not every name of a file can be part of.
    let url = options.clone().filename("file").to_url_lossy();
    let special = url.query_pairs().any(|(key, value)| {
        (key == "mode" && value == "memory") || key == "immutable" || key == "vfs"
    });
    let file = options.get_filename();
    // Without a name it is a temporary file of one connection.
    (!file.as_os_str().is_empty() && !special).then(|| file.to_path_buf())
}

impl SqliteReader {
    pub(super) fn new(
        file: &Path,
        setup: &SessionSetup,
        options: &ReadOptions,
    ) -> Result<Self, ReadPoolError> {
        let threads = options
            .connections
            .unwrap_or_else(|| available_parallelism().map_or(2, |number| number.get().max(2)));
        let slow = options.slow_statements();
        let lane = Arc::new(SlowLane::new(slow));
        let (jobs, taken) = flume::unbounded();
        let (slow_jobs, slow_taken) = flume::unbounded();
        for number in 0..threads + slow {
            let is_slow = number >= threads;
            let worker = Worker {
                file: file.to_path_buf(),
                setup: setup.clone(),
                options: options.clone(),
                lane: Arc::clone(&lane),
                connection: None,
            };
            let taken = if is_slow { &slow_taken } else { &taken }.clone();
            thread::Builder::new()
                .name(format!("listing-read-{number}"))
                .spawn(move || worker.serve(&taken))
                .map_err(ReadPoolError::Thread)?;
        }
        Ok(Self {
            jobs,
            slow_jobs,
            lane,
        })
    }

    async fn rows(&self, statement: Statement, shape: &Shape) -> Result<Batch, ExecuteError> {
        let mut statement = statement;
        loop {
            match self.try_rows(statement, shape).await? {
                Done::Rows(batch) => return Ok(batch),
                // It waits for its turn among those of its kind.
                Done::NowSlow(again) => statement = *again,
            }
        }
    }

    async fn try_rows(&self, statement: Statement, shape: &Shape) -> Result<Done, ExecuteError> {
        let pass = self.lane.enter(&statement.text).await?;
        let is_slow = pass.is_some();
        let waits = Arc::new(());
        let (reply, answer) = oneshot::channel();
        let job = Job {
            statement,
            shape: shape.clone(),
            waiting: Arc::downgrade(&waits),
            pass,
            reply,
        };
        let ended = |()| unavailable("the reading threads have ended");
        let jobs = if is_slow { &self.slow_jobs } else { &self.jobs };
        jobs.send(job).map_err(|_| ended(()))?;
        answer.await.unwrap_or_else(|_| Err(ended(())))
    }
}

impl Reader for SqliteReader {
    fn dialect(&self) -> Result<Dialect, ExecuteError> {
        Ok(Dialect::Sqlite)
    }

    fn read<'a>(&'a self, statement: Statement, shape: &'a Shape) -> ReadFuture<'a> {
        Box::pin(self.rows(statement, shape))
    }
}

/// One thread and its connection, opened by the first request.
struct Worker {
    file: PathBuf,
    setup: SessionSetup,
    options: ReadOptions,
    lane: Arc<SlowLane>,
    connection: Option<Connection>,
}

impl Worker {
    /// Until nobody can send any more.
    fn serve(mut self, jobs: &flume::Receiver<Job>) {
        while let Ok(job) = jobs.recv() {
            if job.waiting.strong_count() == 0 {
                continue;
            }
            // Nobody may be there to take it.
            let _ = if job.pass.is_none() && self.lane.is_slow(&job.statement.text) {
                job.reply.send(Ok(Done::NowSlow(Box::new(job.statement))))
            } else {
                let done = self.run(&job).map(Done::Rows);
                job.reply.send(done)
            };
        }
    }

    fn run(&mut self, job: &Job) -> Result<Batch, ExecuteError> {
        let connection = match self.connection.take() {
            Some(connection) => connection,
            None => open(&self.file, &self.setup, &self.options)
                .map_err(|error| unavailable(&format!("cannot open the file: {error}")))?,
        };
        let began = Instant::now();
        let done = read(&connection, job);
        if done.is_ok() || job.waiting.strong_count() > 0 {
            self.lane.ran(&job.statement.text, began.elapsed());
        } else {
            TALLY.statements_cancelled.add();
            self.lane.was_left(&job.statement.text, began.elapsed());
        }
        // What is wrong with the file, or was, is looked at again by a new connection.
        let is_broken = matches!(&done, Err(Failed::Sqlite(error)) if is_broken(error));
        self.connection = (!is_broken).then_some(connection);
        done.map_err(ExecuteError::from)
    }
}

fn open(file: &Path, setup: &SessionSetup, options: &ReadOptions) -> rusqlite::Result<Connection> {
    // Not read-only for the system: after a crash the first connection must be able to repair the log.
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(file, flags)?;
    connection.busy_timeout(options.acquire_timeout)?;
    connection.set_prepared_statement_cache_capacity(options.statements);
    setup.apply(&connection)?;
    connection.execute_batch(
        "PRAGMA query_only = ON; \
         PRAGMA mmap_size = 268435456; \
         PRAGMA cache_size = -16384",
    )?;
    Ok(connection)
}

fn read(connection: &Connection, job: &Job) -> Result<Batch, Failed> {
    let waiting = job.waiting.clone();
    let given_up = move || waiting.strong_count() == 0;
    connection.progress_handler(STEPS_BETWEEN_LOOKS, Some(given_up))?;
    let text = &job.statement.text;
    let (mut kept, mut passing);
    let statement: &mut rusqlite::Statement<'_> = if is_kept(&job.statement, LONGEST_KEPT_TEXT) {
        kept = connection.prepare_cached(text)?;
        &mut kept
    } else {
        passing = connection.prepare(text)?;
        &mut passing
    };
    for (value, place) in job.statement.values.iter().zip(1..) {
        statement.raw_bind_parameter(place, Bound(value))?;
    }
    let booleans = booleans(statement, &job.shape);
    let mut rows = statement.raw_query();
    let mut batch = Batch::for_shape(&job.shape);
    while let Some(row) = rows.next()? {
        let row = SqliteRow {
            row,
            booleans: &booleans,
        };
        batch.push(&job.shape, &row).map_err(ExecuteError::from)?;
    }
    Ok(batch)
}

/// Why a statement gave no rows.
enum Failed {
    Sqlite(rusqlite::Error),
    Read(ExecuteError),
}

impl From<rusqlite::Error> for Failed {
    fn from(error: rusqlite::Error) -> Self {
        Self::Sqlite(error)
    }
}

impl From<ExecuteError> for Failed {
    fn from(error: ExecuteError) -> Self {
        Self::Read(error)
    }
}

impl From<Failed> for ExecuteError {
    fn from(failed: Failed) -> Self {
        match failed {
            Failed::Read(error) => error,
            Failed::Sqlite(error) => match error.sqlite_error_code() {
                Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => {
                    unavailable(&error.to_string())
                }
                _ => refused(&error.to_string()),
            },
        }
    }
}

fn is_broken(error: &rusqlite::Error) -> bool {
    matches!(
        error.sqlite_error_code(),
        Some(
            ErrorCode::SystemIoFailure
                | ErrorCode::DatabaseCorrupt
                | ErrorCode::NotADatabase
                | ErrorCode::CannotOpen
        )
    )
}

#[cfg(test)]
mod tests {
    use rusqlite::StatementStatus;
    use sea_orm::sea_query::Value;

    use super::*;

    #[test]
    fn long_lists_and_long_texts_are_not_kept() {
        let connection = Connection::open_in_memory().unwrap();
        let times_run = |values: usize, comment: usize| {
            let places = vec!["?"; values].join(",");
            let text = format!("SELECT 1 IN ({places}) /*{}*/", "x".repeat(comment));
            let waits = Arc::new(());
            let job = Job {
                statement: Statement::new(text.clone(), vec![Value::from(1); values]),
                shape: Shape::default(),
                waiting: Arc::downgrade(&waits),
                pass: None,
                reply: oneshot::channel().0,
            };
            for _ in 0..2 {
                assert!(read(&connection, &job).is_ok());
            }
            // One that was not kept is new here.
            let statement = connection.prepare_cached(&text).unwrap();
            statement.get_status(StatementStatus::Run)
        };
        assert_eq!(times_run(256, 0), 2);
        assert_eq!(times_run(257, 0), 0);
        assert_eq!(times_run(1, 16_000), 2);
        assert_eq!(times_run(1, 17_000), 0);
    }
}
