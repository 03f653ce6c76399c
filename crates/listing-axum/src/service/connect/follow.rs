//! Connects to the one of several hosts that accepts writes, and follows when another one takes over (b1151, b1152).

use std::sync::Arc;
use std::time::{Duration, Instant};

use sea_orm::DbErr;
use sea_orm::sqlx::pool::PoolOptions;
use sea_orm::sqlx::{ConnectOptions as _, Connection, Database, Error as SqlxError, Pool};
use tokio::sync::watch;
use tokio::time::{sleep, timeout};

use super::super::database_url::unusable;
use super::hosts::{Host, Hosts, Wanted};
use super::{UNREACHABLE, answers};

/// How often the current host is asked whether it still accepts writes. A failover of a cluster takes several seconds. This adds
/// at most one, and costs a server one short statement per second for each copy of the service.
const ASKED_EVERY: Duration = Duration::from_secs(1);

/// How long a host may take to answer. A slower one counts as unreachable if another one accepts writes.
const WAIT_FOR_HOST: Duration = Duration::from_secs(2);

/// A driver whose connections can move to another host.
pub(super) trait HostDriver: Database {
    /// The connection options of a URL with a single host.
    fn options(url: &str) -> Result<OptionsOf<Self>, SqlxError>;

    /// The same options for another host.
    fn at(options: &OptionsOf<Self>, host: &Host) -> OptionsOf<Self>;

    /// Why the host of a connection is not suitable; `None` if it is. Called before each use of the connection.
    fn refusal(
        connection: &mut Self::Connection,
        wanted: Wanted,
    ) -> impl Future<Output = Result<Option<&'static str>, SqlxError>> + Send;

    /// The same, called once a second, with checks that take longer.
    fn long_refusal(
        connection: &mut Self::Connection,
        wanted: Wanted,
    ) -> impl Future<Output = Result<Option<&'static str>, SqlxError>> + Send {
        Self::refusal(connection, wanted)
    }
}

type OptionsOf<D> = <<D as Database>::Connection as Connection>::Options;

/// The required state of a pool's host, and when its connections last moved to another host.
#[derive(Debug, Clone)]
pub(super) struct Moves {
    wanted: Wanted,
    last: Arc<watch::Sender<Option<Instant>>>,
}

impl Moves {
    pub(super) fn new(wanted: Wanted) -> Self {
        Self {
            wanted,
            last: Arc::new(watch::Sender::new(None)),
        }
    }

    /// Whether a connection of this age leads to a host that has been left since.
    fn was_after(&self, age: Duration) -> bool {
        self.last.borrow().is_some_and(|last| last.elapsed() <= age)
    }

    /// Waits until the host of a connection of this age is left.
    async fn follows(&self, age: Duration) {
        let opened = Instant::now().checked_sub(age);
        let mut moves = self.last.subscribe();
        let is_left = |last: &Option<Instant>| {
            last.zip(opened)
                .is_some_and(|(last, opened)| last >= opened)
        };
        if moves.wait_for(is_left).await.is_err() {
            std::future::pending::<()>().await;
        }
    }

    /// Whether a connection can be used. The pool's own check would only ping it, and wait as long as the system does.
    async fn is_usable<D: HostDriver>(
        &self,
        connection: &mut D::Connection,
        age: Duration,
    ) -> bool {
        if self.was_after(age) {
            return false;
        }
        let asked = timeout(WAIT_FOR_HOST, D::refusal(connection, self.wanted)).await;
        matches!(asked, Ok(Ok(None)))
    }
}

/// A pool that checks connections before they are reused and, if there are several hosts, also before each use.
pub(super) fn watched<D: HostDriver>(
    pool: PoolOptions<D>,
    moves: Option<&Moves>,
) -> PoolOptions<D> {
    let Some(moves) = moves.cloned() else {
        return pool.after_release(|connection, _| Box::pin(answers(connection.ping())));
    };
    let before = moves.clone();
    pool.test_before_acquire(false)
        .before_acquire(move |connection, meta| {
            let moves = before.clone();
            Box::pin(async move { Ok(moves.is_usable::<D>(connection, meta.age).await) })
        })
        .after_release(move |connection, meta| {
            let moves = moves.clone();
            Box::pin(async move {
                tokio::select! {
                    // A connection to a host that was left is closed at once, whatever it is still waiting for.
                    biased;
                    () = moves.follows(meta.age) => Ok(false),
                    answered = answers(connection.ping()) => answered,
                }
            })
        })
}

/// A suitable host and a connection to it.
pub(super) struct Chosen<D: Database> {
    index: usize,
    connection: D::Connection,
}

impl Hosts {
    /// The first suitable host.
    ///
    /// # Errors
    /// The answers of all hosts, if none is suitable.
    pub(super) async fn choose<D: HostDriver>(&self) -> Result<Chosen<D>, DbErr> {
        let first = self.each.first().ok_or_else(|| unusable("no host"))?;
        let options =
            D::options(&first.url).map_err(|_| unusable("the database URL is malformed"))?;
        self.find(&options).await
    }

    pub(super) fn chosen<D: HostDriver>(&self, chosen: &Chosen<D>) -> &Host {
        &self.each[chosen.index]
    }

    async fn find<D: HostDriver>(&self, options: &OptionsOf<D>) -> Result<Chosen<D>, DbErr> {
        let mut told = Vec::with_capacity(self.each.len());
        let mut is_passing = false;
        for (index, host) in self.each.iter().enumerate() {
            let answer =
                match timeout(WAIT_FOR_HOST, ask::<D>(D::at(options, host), self.wanted)).await {
                    Ok(Ok(Ok(connection))) => return Ok(Chosen { index, connection }),
                    Ok(Ok(Err(why))) => {
                        is_passing = true;
                        why.to_owned()
                    }
                    Ok(Err(error)) => {
                        is_passing |= super::may_pass(&error);
                        error.to_string()
                    }
                    Err(_) => {
                        is_passing = true;
                        "no answer".to_owned()
                    }
                };
            told.push(format!("{}: {answer}", host.address()));
        }
        let what = match self.wanted {
            Wanted::Any => "any host of the database",
            Wanted::ReadWrite | Wanted::Primary => "a host of the database that takes writes",
        };
        // Only errors that begin like this are retried at start-up.
        let cannot = if is_passing {
            UNREACHABLE
        } else {
            "cannot use"
        };
        Err(unusable(&format!("{cannot} {what}: {}", told.join("; "))))
    }

    /// Keeps a pool's connections at a suitable host until the pool is closed.
    pub(super) async fn follow<D: HostDriver>(
        self,
        pool: Pool<D>,
        moves: Moves,
        mut chosen: Chosen<D>,
    ) {
        let mut is_told = false;
        loop {
            tokio::select! {
                () = pool.close_event() => return,
                () = sleep(ASKED_EVERY) => {}
            }
            let asked = D::long_refusal(&mut chosen.connection, self.wanted);
            let why = match timeout(WAIT_FOR_HOST, asked).await {
                Ok(Ok(None)) => continue,
                Ok(Ok(Some(why))) => why.to_owned(),
                Ok(Err(error)) => error.to_string(),
                Err(_) => "no answer".to_owned(),
            };
            let options = pool.connect_options();
            let found = tokio::select! {
                () = pool.close_event() => return,
                found = self.find::<D>(&options) => found,
            };
            match found {
                Ok(found) => {
                    self.moved(&pool, &moves, &chosen, &found, &why);
                    chosen = found;
                    is_told = false;
                }
                // Until another host is found, connections stay where they are: the host may come back.
                Err(error) if !is_told => {
                    tracing::warn!(%error, "the database takes no writes");
                    is_told = true;
                }
                Err(_) => {}
            }
        }
    }

    /// Moves the pool to the new host. If the host was only restarted, nothing is done: its connections are found to be broken
    /// anyway.
    fn moved<D: HostDriver>(
        &self,
        pool: &Pool<D>,
        moves: &Moves,
        from: &Chosen<D>,
        to: &Chosen<D>,
        why: &str,
    ) {
        if from.index == to.index {
            return;
        }
        let (from, to) = (&self.each[from.index], &self.each[to.index]);
        pool.set_connect_options(D::at(&pool.connect_options(), to));
        moves.last.send_replace(Some(Instant::now()));
        let (from, to) = (from.address(), to.address());
        tracing::warn!("the database is at {to} from now on; {from}: {why}");
    }
}

/// Connects to a host if it is suitable; otherwise says why it is not.
async fn ask<D: HostDriver>(
    options: OptionsOf<D>,
    wanted: Wanted,
) -> Result<Result<D::Connection, &'static str>, SqlxError> {
    let mut connection = options.connect().await?;
    let refusal = D::long_refusal(&mut connection, wanted).await?;
    Ok(refusal.map_or(Ok(connection), Err))
}
