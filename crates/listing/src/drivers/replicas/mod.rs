//! Reads from replicas while they are close enough to the primary, and otherwise from the primary.

mod ask;
mod lag;
mod options;
mod position;
mod replica;
mod status;
mod visit;
mod watched;

use std::future::pending;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use sea_orm::DatabaseConnection;
use tokio::sync::Notify;
use tokio::task::JoinHandle;
use tokio::time::{Instant, timeout, timeout_at};

pub use self::options::ReplicaOptions;
pub use self::position::{Gtid, NoPosition, Position};
use self::replica::{How, Replica};
pub use self::status::{Out, ReplicaStatus};
pub use self::visit::Visit;
use self::watched::{PATIENCE, Watched};
use super::driver::Driver;
use super::error::ReadPoolError;
use super::options::ReadOptions;
use crate::execute::{ExecuteError, Reader, RowSink};
use crate::observe::TALLY;
use crate::render::{Batch, Shape};
use crate::sql::{Dialect, Statement};

/// The first pause between two questions of a read that waits for a replica. Most replicas are behind by about this much.
const PAUSE: Duration = Duration::from_millis(1);

/// The longest of these pauses. Each is half as long again as the one before, so that a read waits at most about half as long again
/// as it has to, and asks each replica less than twenty times within the usual time.
const LONGEST_PAUSE: Duration = Duration::from_millis(16);

/// The replicas of a pool, and the tasks that ask all servers for their positions.
pub(super) struct Replicas {
    replicas: Vec<Arc<Replica>>,
    primary: Arc<Watched>,
    /// Notified after each answer of a replica.
    answered: Arc<Notify>,
    wait: Duration,
    /// Where the search for the least busy replica starts, so that idle ones take turns.
    turn: AtomicUsize,
    tasks: Vec<JoinHandle<()>>,
}

impl Replicas {
    /// Starts watching the replicas and gives each a moment to answer. One that does not is not used until it does.
    pub(super) async fn watch(
        options: ReplicaOptions,
        primary: &Driver,
        db: Option<&DatabaseConnection>,
        reads: &ReadOptions,
    ) -> Result<Self, ReadPoolError> {
        let dialect = primary.reader.dialect()?;
        let answered = Arc::new(Notify::new());
        let mut replicas = Vec::with_capacity(options.urls.len());
        for url in options.urls {
            let name = name_of(&url, dialect)?;
            let how = How {
                dialect,
                url,
                db: db.cloned(),
                options: reads.clone(),
            };
            replicas.push(Arc::new(Replica::new(name, how, Arc::clone(&answered))));
        }
        let of_primary = Arc::new(Watched::new(Arc::default()));
        let reader = Arc::clone(&primary.reader);
        let watched = Arc::clone(&of_primary);
        let mut tasks = vec![tokio::spawn(async move {
            loop {
                let round = watched.begin();
                let told = timeout(PATIENCE, ask::primary(&*reader)).await;
                if let Ok(Err(out)) = &told {
                    tracing::debug!(reason = %out, "it is not known where the primary is");
                }
                watched.say(round, told.ok().and_then(Result::ok));
                watched.pause().await;
            }
        })];
        // Replicas are compared with the primary, so its position must be known first.
        of_primary.position_from_now().await;
        for replica in &replicas {
            let (replica, primary) = (Arc::clone(replica), Arc::clone(&of_primary));
            tasks.push(tokio::spawn(async move {
                replica.watch(&primary, options.max_lag).await;
            }));
        }
        for replica in &replicas {
            replica.watched.position_from_now().await;
        }
        Ok(Self {
            replicas,
            primary: of_primary,
            answered,
            wait: options.wait,
            turn: AtomicUsize::new(0),
            tasks,
        })
    }

    /// Reads from a replica. If that fails, reads from the primary.
    pub(super) async fn read(
        &self,
        primary: &dyn Reader,
        statement: Statement,
        shape: &Shape,
    ) -> Result<Batch, ExecuteError> {
        let visit = self.visit();
        let Some(replica) = self.place(visit.as_deref()).await else {
            TALLY.statements_primary.add();
            return primary.read(statement, shape).await;
        };
        match replica.read(statement.clone(), shape).await {
            Err(error) if is_worth_another(&error) => {
                tracing::debug!(replica = replica.name, %error, "a replica failed; the primary is read");
                replica.has_failed();
                if let Some(visit) = &visit {
                    visit.leave();
                }
                TALLY.statements_primary.add();
                primary.read(statement, shape).await
            }
            done => done,
        }
    }

    /// Runs an export on a replica. An export that has started cannot be repeated on the primary.
    pub(super) async fn stream(
        &self,
        primary: &dyn Reader,
        sink: &mut dyn RowSink,
    ) -> Result<(), ExecuteError> {
        match self.place(self.visit().as_deref()).await {
            Some(replica) => replica.stream(sink).await,
            None => primary.stream(sink).await,
        }
    }

    /// Whether the current request must not share the results of other requests.
    pub(super) fn reads_alone(&self) -> bool {
        self.visit().is_some_and(|visit| visit.is_particular())
    }

    pub(super) fn status(&self) -> Vec<ReplicaStatus> {
        let status = self.replicas.iter().map(|replica| replica.status());
        status.collect()
    }

    fn visit(&self) -> Option<Arc<Visit>> {
        Visit::current().filter(|visit| visit.is_of(self))
    }

    async fn place(&self, visit: Option<&Visit>) -> Option<Arc<Replica>> {
        match visit {
            Some(visit) => visit.place().await,
            None => self.least_busy(&[]).cloned(),
        }
    }

    /// A replica that has reached these positions, after waiting if necessary; `None` if none does in time.
    async fn reached(&self, needed: &[Position]) -> Option<Arc<Replica>> {
        let found = self.least_busy(needed);
        if found.is_some() || needed.is_empty() {
            return found.cloned();
        }
        let waited = async {
            let (mut pause, mut due) = (PAUSE, Instant::now());
            loop {
                let mut answered = pin!(self.answered.notified());
                answered.as_mut().enable();
                if let Some(found) = self.least_busy(needed) {
                    return Some(Arc::clone(found));
                }
                let mut candidates = self.inside().filter(|one| one.watched.may_reach(needed));
                let first = candidates.next()?;
                if due <= Instant::now() {
                    first.watched.hurry();
                    candidates.for_each(|one| one.watched.hurry());
                    due = Instant::now() + pause;
                    pause = (pause * 3 / 2).min(LONGEST_PAUSE);
                }
                // The answer to a question of another read is as good.
                let _ = timeout_at(due, answered).await;
            }
        };
        tokio::select! {
            waited = timeout(self.wait, waited) => waited.ok().flatten(),
            () = self.is_behind(needed) => None,
        }
    }

    /// Resolves if the primary has not reached these positions either. No server has told them then, and waiting is in vain.
    async fn is_behind(&self, needed: &[Position]) {
        match self.primary.position_from_now().await {
            Some(here) if !needed.iter().all(|needed| here.has_reached(needed)) => {}
            _ => pending().await,
        }
    }

    fn least_busy(&self, needed: &[Position]) -> Option<&Arc<Replica>> {
        let turn = self.turn.fetch_add(1, Ordering::Relaxed) % self.replicas.len().max(1);
        let (before, after) = self.replicas.split_at(turn);
        let in_turn = after.iter().chain(before).filter(|one| one.is_in());
        in_turn
            .filter(|one| needed.is_empty() || one.watched.has_reached(needed))
            .min_by_key(|one| one.load())
    }

    fn inside(&self) -> impl Iterator<Item = &Arc<Replica>> {
        self.replicas.iter().filter(|one| one.is_in())
    }
}

impl Drop for Replicas {
    fn drop(&mut self) {
        for task in &self.tasks {
            task.abort();
        }
    }
}

/// Whether a statement that failed on a replica may succeed on the primary: the replica cancelled it because of what it had to
/// replay, the connection was lost, or the table has not been replicated yet.
fn is_worth_another(error: &ExecuteError) -> bool {
    matches!(
        error.cause(),
        ExecuteError::Unavailable(_) | ExecuteError::Refused(_)
    )
}

/// The host and port of a URL, which must name one server of the same kind as the primary.
fn name_of(url: &str, dialect: Dialect) -> Result<String, ReadPoolError> {
    let (scheme, rest) = url.split_once("://").ok_or(ReadPoolError::Url)?;
    let fits = match dialect {
        Dialect::Postgres => ["postgres", "postgresql"].contains(&scheme),
        Dialect::Mysql => ["mysql", "mariadb"].contains(&scheme),
        Dialect::Sqlite => return Err(ReadPoolError::NoReplicas),
    };
    if !fits {
        return Err(ReadPoolError::OtherReplica);
    }
    let place = rest.rsplit_once('@').map_or(rest, |(_, place)| place);
    let name = place.split(['/', '?']).next().unwrap_or_default();
    if name.contains(',') {
        return Err(ReadPoolError::SeveralHosts);
    }
    Ok(name.to_owned())
}
