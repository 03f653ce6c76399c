//! Lends connections to MariaDB and MySQL, and knows by which numbers the server calls them.
//!
//! By hand, next to the driver's pool, which opens and sets up the connections but does not tell one from another: without
//! its number, the statement of a client that left cannot be ended.

use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use sqlx::mysql::{MySqlConnectOptions, MySqlConnection, MySqlPool, MySqlPoolOptions};
use sqlx::{AssertSqlSafe, Connection as _, Error, Executor as _};
use tokio::runtime::Handle;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

use super::super::options::ReadOptions;

/// Connections for reading, lent one at a time.
pub(super) struct Pool {
    server: MySqlConnectOptions,
    setup: MySqlPoolOptions,
    /// Opens connections and sets them up. Made by the first request: a pool wants to be made inside a runtime.
    maker: OnceLock<MySqlPool>,
    idle: Mutex<Vec<Idle>>,
    /// More than so many are not kept.
    connections: usize,
    places: Arc<Semaphore>,
    /// For statements that turn out to be slow, so that quick ones find a place (b331).
    spare: Arc<Semaphore>,
    acquire_timeout: Duration,
    statement_timeout: Option<Duration>,
}

struct Idle {
    connection: Numbered,
    since: Instant,
}

/// A connection, and by which number the server calls it.
struct Numbered {
    connection: MySqlConnection,
    number: u64,
    opened: Instant,
}

impl Pool {
    pub(super) fn new(
        server: MySqlConnectOptions,
        setup: MySqlPoolOptions,
        connections: u32,
        options: &ReadOptions,
    ) -> Self {
        let places = usize::try_from(connections).unwrap_or(usize::MAX);
        Self {
            server,
            // As many can be opened at the same time, for reading and for ending what is read.
            setup: setup
                .max_connections(connections.clamp(1, 10_000) * 2)
                .acquire_timeout(options.acquire_timeout)
                .test_before_acquire(false),
            maker: OnceLock::new(),
            idle: Mutex::default(),
            connections: places,
            places: Arc::new(Semaphore::new(places.min(Semaphore::MAX_PERMITS))),
            spare: Arc::new(Semaphore::new(places.min(Semaphore::MAX_PERMITS))),
            acquire_timeout: options.acquire_timeout,
            statement_timeout: options.statement_timeout,
        }
    }

    /// A connection that was used before, or a new one.
    pub(super) async fn acquire(self: &Arc<Self>) -> Result<Lent, Error> {
        let place = Arc::clone(&self.places).acquire_owned();
        let place = timeout(self.acquire_timeout, place).await;
        let Ok(Ok(place)) = place else {
            return Err(Error::PoolTimedOut);
        };
        let connection = match self.take_idle() {
            Some(connection) => connection,
            None => self.open().await?,
        };
        Ok(Lent {
            pool: Arc::clone(self),
            connection: Some(connection),
            place: Place(place),
        })
    }

    /// A connection that answers; those that do not are closed.
    pub(super) async fn living(self: &Arc<Self>) -> Result<Lent, Error> {
        loop {
            let mut lent = self.acquire().await?;
            if lent.answers().await {
                return Ok(lent);
            }
        }
    }

    fn take_idle(&self) -> Option<Numbered> {
        let (age, rest) = (self.setup.get_max_lifetime(), self.setup.get_idle_timeout());
        let is_over = |since: Instant, most: Option<Duration>| {
            most.is_some_and(|most| since.elapsed() > most)
        };
        let mut idle = self.idle();
        while let Some(one) = idle.pop() {
            if !is_over(one.connection.opened, age) && !is_over(one.since, rest) {
                return Some(one.connection);
            }
        }
        None
    }

    /// For the next statement. Those that were opened because others were slow are not kept.
    fn put_back(&self, connection: Numbered) {
        let mut idle = self.idle();
        if idle.len() < self.connections {
            idle.push(Idle {
                connection,
                since: Instant::now(),
            });
        } else if let Ok(runtime) = Handle::try_current() {
            runtime.spawn(connection.connection.close());
        }
    }

    async fn open(&self) -> Result<Numbered, Error> {
        let mut connection = self.maker().acquire().await?.detach();
        let asked = "SELECT CONNECTION_ID(), VERSION() LIKE '%MariaDB%'";
        let (number, is_mariadb): (u64, bool) = sqlx::query_as(asked)
            .persistent(false)
            .fetch_one(&mut connection)
            .await?;
        let limit = if is_mariadb {
            let limit = self
                .limit(&mut connection, "SELECT @@max_statement_time + 0e0, 1e0")
                .await?;
            format!("SET max_statement_time = {limit}")
        } else {
            let limit = self
                .limit(&mut connection, "SELECT @@max_execution_time + 0e0, 1000e0")
                .await?;
            format!("SET max_execution_time = {}", (limit * 1_000.0).round())
        };
        connection.execute(AssertSqlSafe(limit)).await?;
        Ok(Numbered {
            connection,
            number,
            opened: Instant::now(),
        })
    }

    /// How many seconds a statement may run: as the options say, as the session says, or as long as anywhere.
    async fn limit(
        &self,
        connection: &mut MySqlConnection,
        asked: &'static str,
    ) -> Result<f64, Error> {
        if let Some(limit) = self.statement_timeout {
            // 0 means no limit, and no server counts longer than a year.
            return Ok(limit.as_secs_f64().clamp(0.001, 31_536_000.0));
        }
        let (limit, unit): (f64, f64) = sqlx::query_as(asked)
            .persistent(false)
            .fetch_one(connection)
            .await?;
        let default = ReadOptions::STATEMENT_TIMEOUT.as_secs_f64();
        Ok(if limit > 0.0 { limit / unit } else { default })
    }

    fn maker(&self) -> &MySqlPool {
        let make = || self.setup.clone().connect_lazy_with(self.server.clone());
        self.maker.get_or_init(make)
    }

    fn idle(&self) -> MutexGuard<'_, Vec<Idle>> {
        // Nothing panics while it is held.
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ends what a connection is running.
    pub(super) async fn kill(&self, number: u64) -> Result<(), Error> {
        let mut connection = self.maker().acquire().await?.detach();
        connection
            .execute(AssertSqlSafe(format!("KILL QUERY {number}")))
            .await?;
        connection.close().await
    }
}

/// A connection, until it is dropped: never in the middle of a statement, whose answer the next one would get.
pub(super) struct Lent {
    pool: Arc<Pool>,
    connection: Option<Numbered>,
    place: Place,
}

/// The right to a connection.
struct Place(OwnedSemaphorePermit);

impl Place {
    /// Makes room for another: this connection counts as one of the spare ones from now on, if there are any left.
    fn make_spare(&mut self, pool: &Pool) {
        if let Ok(spare) = Arc::clone(&pool.spare).try_acquire_owned() {
            self.0 = spare;
        }
    }
}

impl Lent {
    /// The connection, and its number.
    pub(super) fn connection(&mut self) -> Option<(&mut MySqlConnection, u64)> {
        let (connection, number, _) = self.parts()?;
        Some((connection, number))
    }

    /// The connection, its number, and what makes it a spare one.
    pub(super) fn parts(&mut self) -> Option<(&mut MySqlConnection, u64, impl FnOnce())> {
        let one = self.connection.as_mut()?;
        let (place, pool) = (&mut self.place, &*self.pool);
        Some((&mut one.connection, one.number, || place.make_spare(pool)))
    }

    /// Whether the connection is alive. It is closed unless it says so, also when nobody waits for that any more: the next
    /// statement on it would be given this answer (b523).
    pub(super) async fn answers(&mut self) -> bool {
        let Some(mut one) = self.connection.take() else {
            return false;
        };
        let is_alive = one.connection.ping().await.is_ok();
        if is_alive {
            self.connection = Some(one);
        }
        is_alive
    }

    /// The connection is of no use any more.
    pub(super) fn close(mut self) {
        self.connection = None;
    }
}

impl Drop for Lent {
    fn drop(&mut self) {
        if let Some(connection) = self.connection.take() {
            self.pool.put_back(connection);
        }
    }
}
