//! Reads a SQLite file: quick statements in place, all others on threads, each with its connection.
//!
//! Written by hand on rusqlite because it decides speed: rows come back as JSON, all together.

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock, Weak};
use std::thread::{self, available_parallelism};
use std::time::{Duration, Instant};

use rusqlite::Connection;
use sqlx::ConnectOptions as _;
use sqlx::sqlite::SqliteConnectOptions;
use tokio::sync::oneshot;
use tokio::time::timeout;

use super::super::error::ReadPoolError;
use super::super::failure::unavailable;
use super::super::lane::{SlowLane, Turn};
use super::super::options::ReadOptions;
use super::connection::{Failed, open, read};
use super::in_place::InPlace;
use super::setup::SessionSetup;
use crate::execute::{ExecuteError, ReadFuture, Reader};
use crate::render::{Batch, Shape};
use crate::sql::{Dialect, Statement};
use crate::vocabulary::{TALLY, boxed};

/// After this many steps of SQLite's machine, a fraction of a millisecond, it is asked whether anybody still waits.
const STEPS_BETWEEN_LOOKS: i32 = 10_000;

/// How often a request looks whether its statement is slow.
const BETWEEN_LOOKS: Duration = Duration::from_millis(50);

/// Reads in place, and on threads that end when it is dropped.
pub(super) struct SqliteReader {
    in_place: Arc<InPlace>,
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
    waiting: Weak<Waiting>,
    /// Given back when it is over.
    turn: Turn,
    reply: oneshot::Sender<Result<Done, ExecuteError>>,
}

/// A request that waits for its job.
#[derive(Default)]
struct Waiting {
    /// When the job was begun: before, it waits for a thread.
    begun: OnceLock<Instant>,
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
        let in_place = InPlace::new(file, setup, options, threads);
        let in_place = Arc::new(in_place);
        let (jobs, taken) = flume::unbounded();
        let (slow_jobs, slow_taken) = flume::unbounded();
        for number in 0..threads + slow {
            let is_slow = number >= threads;
            let worker = Worker {
                file: file.to_path_buf(),
                setup: setup.clone(),
                options: options.clone(),
                lane: Arc::clone(&lane),
                in_place: Arc::clone(&in_place),
                connection: None,
            };
            let taken = if is_slow { &slow_taken } else { &taken }.clone();
            thread::Builder::new()
                .name(format!("listing-read-{number}"))
                .spawn(move || worker.serve(&taken))
                .map_err(ReadPoolError::Thread)?;
        }
        Ok(Self {
            in_place,
            jobs,
            slow_jobs,
            lane,
        })
    }

    async fn rows(&self, statement: Statement, shape: &Shape) -> Result<Batch, ExecuteError> {
        if let Some(batch) = self.in_place.read(&statement, shape) {
            return Ok(batch);
        }
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
        let turn = self.lane.enter(&statement.text).await?;
        let is_slow = turn.is_slow();
        let waiting = Arc::<Waiting>::default();
        let (reply, mut answer) = oneshot::channel();
        let text = statement.text.clone();
        let job = Job {
            statement,
            shape: shape.clone(),
            waiting: Arc::downgrade(&waiting),
            turn: turn.clone(),
            reply,
        };
        let ended = |()| unavailable("the reading threads have ended");
        let jobs = if is_slow { &self.slow_jobs } else { &self.jobs };
        jobs.send(job).map_err(|_| ended(()))?;
        loop {
            if let Ok(answer) = timeout(BETWEEN_LOOKS, &mut answer).await {
                return answer.unwrap_or_else(|_| Err(ended(())));
            }
            let begun = waiting.begun.get();
            if !is_slow && begun.is_some_and(|begun| begun.elapsed() > SlowLane::SLOW) {
                self.lane.runs_long(&text, &turn);
            }
        }
    }
}

impl Reader for SqliteReader {
    fn dialect(&self) -> Result<Dialect, ExecuteError> {
        Ok(Dialect::Sqlite)
    }

    fn read<'a>(&'a self, statement: Statement, shape: &'a Shape) -> ReadFuture<'a> {
        boxed(|| self.rows(statement, shape))
    }
}

/// One thread and its connection, opened by the first request.
struct Worker {
    file: PathBuf,
    setup: SessionSetup,
    options: ReadOptions,
    lane: Arc<SlowLane>,
    in_place: Arc<InPlace>,
    connection: Option<Connection>,
}

impl Worker {
    /// Until nobody can send any more.
    fn serve(mut self, jobs: &flume::Receiver<Job>) {
        while let Ok(job) = jobs.recv() {
            let Some(waiting) = job.waiting.upgrade() else {
                continue;
            };
            // Nobody may be there to take it.
            let _ = if !job.turn.is_slow() && self.lane.is_slow(&job.statement.text) {
                job.reply.send(Ok(Done::NowSlow(Box::new(job.statement))))
            } else {
                let _ = waiting.begun.set(Instant::now());
                // Or else it would hold both sides.
                drop(waiting);
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
        let (text, began) = (&job.statement.text, Instant::now());
        let done = Self::read(&connection, job);
        if done.is_ok() || job.waiting.strong_count() > 0 {
            self.lane.ran(text, &job.turn, began.elapsed());
            self.in_place.ran(text, began.elapsed());
        } else {
            TALLY.statements_cancelled.add();
            self.lane.was_left(text, &job.turn, began.elapsed());
        }
        let is_broken = done.as_ref().err().is_some_and(Failed::is_broken);
        self.connection = (!is_broken).then_some(connection);
        done.map_err(ExecuteError::from)
    }

    fn read(connection: &Connection, job: &Job) -> Result<Batch, Failed> {
        let waiting = job.waiting.clone();
        let given_up = move || waiting.strong_count() == 0;
        connection.progress_handler(STEPS_BETWEEN_LOOKS, Some(given_up))?;
        read(connection, &job.statement, &job.shape)
    }
}
