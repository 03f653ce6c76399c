//! One replica: its connections, whether it is used, and the task that asks it for its position.

use std::pin::pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock, PoisonError, RwLock};
use std::time::{Duration, Instant};

use sea_orm::DatabaseConnection;
use tokio::sync::Notify;
use tokio::time::timeout;

use super::super::driver::Driver;
use super::super::error::ReadPoolError;
use super::super::failure::unavailable;
use super::super::options::ReadOptions;
use super::super::{mysql, postgres};
use super::ask;
use super::lag::Lag;
use super::status::{Out, ReplicaStatus};
use super::watched::{PATIENCE, Watched};
use crate::execute::{ExecuteError, RowSink};
use crate::observe::{TallyCounter, TallyLevel};
use crate::render::{Batch, Shape};
use crate::sql::{Dialect, Statement};

/// The time limit for the first connections, which also find out what is between this program and the server.
const TIME_TO_CONNECT: Duration = Duration::from_secs(10);

/// A replica. Decisions about it use only its last answer.
pub(super) struct Replica {
    pub(super) name: String,
    how: How,
    /// Opened when it can be reached for the first time: some to read from, one to ask for its position.
    connections: OnceLock<Connections>,
    pub(super) watched: Watched,
    is_in: AtomicBool,
    out: RwLock<Option<Out>>,
    /// Notified when it stops answering, because statements that it is running may never end.
    went_away: Notify,
    running: TallyLevel,
    statements: TallyCounter,
    failed: TallyCounter,
}

/// How to open connections to a replica: like those of the application's own pool, if there is one.
pub(super) struct How {
    pub(super) dialect: Dialect,
    pub(super) url: String,
    pub(super) db: Option<DatabaseConnection>,
    pub(super) options: ReadOptions,
}

struct Connections {
    reads: Driver,
    /// A separate connection, so that it never waits for statements of requests.
    asks: Driver,
}

impl Replica {
    pub(super) fn new(name: String, how: How, answered: Arc<Notify>) -> Self {
        Self {
            name,
            how,
            connections: OnceLock::new(),
            watched: Watched::new(answered),
            is_in: AtomicBool::new(false),
            out: RwLock::new(Some(Out::Starting)),
            went_away: Notify::new(),
            running: TallyLevel::zero(),
            statements: TallyCounter::zero(),
            failed: TallyCounter::zero(),
        }
    }

    pub(super) fn is_in(&self) -> bool {
        self.is_in.load(Ordering::Relaxed)
    }

    /// How many statements of this program it is running.
    pub(super) fn load(&self) -> u64 {
        self.running.get()
    }

    pub(super) fn status(&self) -> ReplicaStatus {
        ReplicaStatus {
            name: self.name.clone(),
            out: self.out(),
            running: self.running.get(),
            statements: self.statements.get(),
            failed: self.failed.get(),
        }
    }

    /// Runs a statement, unless the replica stops answering.
    pub(super) async fn read(
        &self,
        statement: Statement,
        shape: &Shape,
    ) -> Result<Batch, ExecuteError> {
        let connections = self.connections()?;
        self.unless_away(connections.reads.reader.read(statement, shape))
            .await
    }

    /// Runs an export.
    pub(super) async fn stream(&self, sink: &mut dyn RowSink) -> Result<(), ExecuteError> {
        let connections = self.connections()?;
        self.unless_away(connections.reads.reader.stream(sink))
            .await
    }

    fn connections(&self) -> Result<&Connections, ExecuteError> {
        let made = self.connections.get();
        made.ok_or_else(|| unavailable("the replica has not answered yet"))
    }

    async fn unless_away<T>(
        &self,
        done: impl Future<Output = Result<T, ExecuteError>>,
    ) -> Result<T, ExecuteError> {
        self.statements.add();
        let _running = self.running.enter();
        let mut away = pin!(self.went_away.notified());
        away.as_mut().enable();
        tokio::select! {
            biased;
            done = done => done,
            () = away => Err(unavailable("the replica does not answer any more")),
        }
    }

    /// A statement failed here and is repeated on the primary.
    pub(super) fn has_failed(&self) {
        self.failed.add();
        self.watched.hurry();
    }

    /// Asks for its position repeatedly, as long as this future is polled.
    pub(super) async fn watch(&self, primary: &Watched, max_lag: Duration) {
        let mut lag = Lag::new(max_lag);
        loop {
            self.ask(primary, &mut lag).await;
            self.watched.pause().await;
        }
    }

    async fn ask(&self, primary: &Watched, lag: &mut Lag) {
        let round = self.watched.begin();
        let answer = async {
            let connections = in_time(TIME_TO_CONNECT, self.connect()).await?;
            in_time(PATIENCE, ask::replica(&*connections.asks.reader)).await
        };
        let answer = answer.await;
        let out = match &answer {
            Ok(told) => {
                let primary = primary.told();
                let misfit = primary.as_ref().and_then(|primary| told.misfit(primary));
                let there = primary.as_ref().map(|primary| &primary.position);
                let late = lag.judge(&told.position, there, Instant::now());
                misfit.or(late)
            }
            Err(out) => {
                lag.forget();
                Some(out.clone())
            }
        };
        self.decide(out);
        self.watched.say(round, answer.ok());
    }

    fn decide(&self, out: Option<Out>) {
        let before = self.out();
        let name = &self.name;
        let reason = |out: &Option<Out>| out.as_ref().map(Out::reason);
        if reason(&before) != reason(&out) {
            match &out {
                Some(out) => tracing::warn!(replica = name, reason = %out, "a replica is left out"),
                None => tracing::info!(replica = name, "a replica is read from"),
            }
        }
        let is_away = matches!(out, Some(Out::Away(_)));
        self.is_in.store(out.is_none(), Ordering::Relaxed);
        // No code panics while holding this lock.
        *self.out.write().unwrap_or_else(PoisonError::into_inner) = out;
        if is_away {
            self.went_away.notify_waiters();
        }
    }

    fn out(&self) -> Option<Out> {
        let out = self.out.read().unwrap_or_else(PoisonError::into_inner);
        out.clone()
    }

    async fn connect(&self) -> Result<&Connections, Out> {
        if let Some(made) = self.connections.get() {
            return Ok(made);
        }
        let away = |error: ReadPoolError| Out::Away(error.to_string());
        let one = self.how.options.clone().connections(1).unindexed(1);
        let made = Connections {
            reads: self
                .how
                .driver(self.how.options.clone())
                .await
                .map_err(away)?,
            asks: self.how.driver(one).await.map_err(away)?,
        };
        Ok(self.connections.get_or_init(|| made))
    }
}

/// An answer that is late counts as no answer.
async fn in_time<T>(
    limit: Duration,
    answer: impl Future<Output = Result<T, Out>>,
) -> Result<T, Out> {
    let answer = timeout(limit, answer).await;
    answer.unwrap_or_else(|_| {
        Err(Out::Away(format!(
            "no answer within {} ms",
            limit.as_millis()
        )))
    })
}

impl How {
    async fn driver(&self, options: ReadOptions) -> Result<Driver, ReadPoolError> {
        let (url, db) = (&self.url, self.db.as_ref());
        match self.dialect {
            Dialect::Postgres => postgres::replica(url, db, options).await,
            Dialect::Mysql => mysql::replica(url, db, options).await,
            Dialect::Sqlite => Err(ReadPoolError::Url),
        }
    }
}
