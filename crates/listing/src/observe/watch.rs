//! Records a request stage by stage and statement by statement, for layers that measure or log it.
//!
//! Nothing is measured and nothing is kept unless a layer puts a [`Watch`] around the request: the stages look for one, and
//! that is all.

use std::fmt::Debug;
use std::future::Future;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant, SystemTime};

/// A stage of a list request, in their order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Stage {
    /// Text becomes a request.
    Request,
    /// Names are resolved and values are typed.
    Check,
    /// The plan is made.
    Plan,
    /// SQL is written.
    Sql,
    /// The database is read.
    Execute,
    /// JSON is put together.
    Envelope,
}

impl Stage {
    /// All of them, in their order.
    pub const ALL: [Self; 6] = [
        Self::Request,
        Self::Check,
        Self::Plan,
        Self::Sql,
        Self::Execute,
        Self::Envelope,
    ];

    /// Its name, as the stages are called in the code.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Request => "request",
            Self::Check => "check",
            Self::Plan => "plan",
            Self::Sql => "sql",
            Self::Execute => "execute",
            Self::Envelope => "envelope",
        }
    }
}

/// A statement that was run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WatchedStatement {
    /// Its text, without values.
    pub sql: String,
    /// Its values, where the watch keeps them.
    pub values: Option<String>,
    /// When it began.
    pub began: SystemTime,
    /// How long it took.
    pub took: Duration,
    /// Whether it was given up before it had an answer, because the client left or the time of the request was over.
    pub cancelled: bool,
}

/// The recording of one request.
///
/// ```
/// use std::sync::Arc;
/// use listing::observe::Watch;
///
/// # async fn handler() {}
/// # async fn layer() {
/// let watch = Arc::new(Watch::new());
/// Arc::clone(&watch).around(handler()).await;
/// println!("{} statements", watch.statements().len());
/// # }
/// ```
#[derive(Debug, Default)]
pub struct Watch {
    keeps_values: bool,
    /// Nanoseconds; zero for a stage that was not reached.
    stages: [AtomicU64; 6],
    statements: Mutex<Vec<WatchedStatement>>,
    ignored: AtomicU64,
    caller: OnceLock<String>,
}

tokio::task_local! {
    static CURRENT: Arc<Watch>;
}

impl Watch {
    /// How many statements are kept of one request. A request has one for the page, one for the count, one for each relation and
    /// some for labels.
    const MOST_STATEMENTS: usize = 64;

    /// Keeps the text of statements, and not their values.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Keeps the values of statements too, which are data of clients.
    #[must_use]
    pub fn with_values(mut self) -> Self {
        self.keeps_values = true;
        self
    }

    /// Runs the future and records it.
    pub async fn around<F: Future>(self: Arc<Self>, watched: F) -> F::Output {
        CURRENT.scope(self, watched).await
    }

    /// The watch around this request, if there is one.
    #[must_use]
    pub fn current() -> Option<Arc<Self>> {
        CURRENT.try_with(Arc::clone).ok()
    }

    /// How long a stage took; none if it was not reached.
    #[must_use]
    pub fn stage(&self, stage: Stage) -> Option<Duration> {
        let nanos = self.stages[stage as usize].load(Ordering::Relaxed);
        (nanos > 0).then(|| Duration::from_nanos(nanos))
    }

    /// The statements that were run for the request alone, in the order in which they ended. A count that requests share
    /// is not among them.
    pub fn statements(&self) -> Vec<WatchedStatement> {
        self.lock().clone()
    }

    /// How long the statements took together; some of them run at the same time.
    pub fn database_time(&self) -> Duration {
        self.lock().iter().map(|statement| statement.took).sum()
    }

    /// How many statements there were.
    pub fn statement_count(&self) -> usize {
        self.lock().len()
    }

    /// How many names of the request were ignored.
    pub fn ignored(&self) -> u64 {
        self.ignored.load(Ordering::Relaxed)
    }

    /// Who the caller is, as far as that is known.
    pub fn caller(&self) -> Option<&str> {
        self.caller.get().map(String::as_str)
    }

    /// Says who the caller is: the subject of a token, or whatever an application knows its users by.
    pub fn set_caller(&self, caller: &str) {
        let _ = self.caller.set(caller.chars().take(100).collect());
    }

    pub(crate) fn add_ignored(&self, names: u64) {
        self.ignored.fetch_add(names, Ordering::Relaxed);
    }

    pub(crate) fn add_stage(&self, stage: Stage, took: Duration) {
        let nanos = u64::try_from(took.as_nanos()).unwrap_or(u64::MAX).max(1);
        self.stages[stage as usize].fetch_add(nanos, Ordering::Relaxed);
    }

    pub(crate) fn add_statement(&self, statement: WatchedStatement) {
        let mut statements = self.lock();
        if statements.len() < Self::MOST_STATEMENTS {
            statements.push(statement);
        }
    }

    /// The values as text, if they are kept.
    pub(crate) fn shown(&self, values: &impl Debug) -> Option<String> {
        self.keeps_values.then(|| format!("{values:?}"))
    }

    fn lock(&self) -> MutexGuard<'_, Vec<WatchedStatement>> {
        self.statements
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

/// Measures the stages of one request, where they are watched.
pub(crate) struct StageClock {
    watch: Option<Arc<Watch>>,
    began: Option<Instant>,
}

impl StageClock {
    pub(crate) fn start() -> Self {
        let watch = Watch::current();
        let began = watch.as_ref().map(|_| Instant::now());
        Self { watch, began }
    }

    /// The stage is over, and the next one begins.
    pub(crate) fn done(&mut self, stage: Stage) {
        if let (Some(watch), Some(began)) = (&self.watch, &mut self.began) {
            let now = Instant::now();
            watch.add_stage(stage, now - *began);
            *began = now;
        }
    }

    pub(crate) fn ignored(&self, names: impl FnOnce() -> usize) {
        if let Some(watch) = &self.watch {
            watch.add_ignored(names() as u64);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rule b252.
    #[tokio::test]
    async fn nothing_is_measured_without_a_watch() {
        assert!(Watch::current().is_none());
        let mut clock = StageClock::start();
        assert!(clock.began.is_none(), "no clock is read");
        clock.done(Stage::Check);

        let watch = Arc::new(Watch::new());
        Arc::clone(&watch)
            .around(async {
                let mut clock = StageClock::start();
                clock.done(Stage::Check);
                clock.ignored(|| 3);
            })
            .await;
        assert!(watch.stage(Stage::Check).is_some());
        assert_eq!(watch.stage(Stage::Sql), None);
        assert_eq!(watch.ignored(), 3);
    }

    /// Rule b253.
    #[test]
    fn values_are_kept_only_if_that_is_said() {
        assert_eq!(Watch::new().shown(&["secret"]), None);
        let kept = Watch::new().with_values().shown(&["secret"]);
        assert_eq!(kept.as_deref(), Some("[\"secret\"]"));
    }
}
