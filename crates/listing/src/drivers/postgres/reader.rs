//! Reads PostgreSQL on a few connections that all requests share.
//!
//! Written by hand on tokio-postgres because it decides speed: a connection need not be lent and handed back, and while
//! one statement's rows are on their way the next statement is too.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

use sqlx::ConnectOptions as _;
use sqlx::postgres::{PgConnectOptions, PgSslMode};
use tokio::runtime::Handle;
use tokio::sync::Mutex;
use tokio_postgres::Config;

use super::super::error::ReadPoolError;
use super::super::failure::unavailable;
use super::super::options::ReadOptions;
use super::super::prepared::is_kept;
use super::plans::{LONG, Plans, Suspects};
use super::session::{Failure, LONGEST_KEPT_TEXT, Session, execute_error};
use crate::execute::ExecuteError;
use crate::render::{Batch, Shape};
use crate::sql::Statement;

/// More connections read no faster on a server with a few processors: each is a process of the server.
const CONNECTIONS: usize = 4;

/// So many statements on one connection are a server that does not keep up: one more would only wait for its time limit.
const MOST_UNFINISHED: usize = 1_000;

/// Reads on connections of its own. Each is opened by the first request that needs it, and again when it is lost.
pub(in crate::drivers) struct PostgresReader(Arc<Inner>);

struct Inner {
    config: Config,
    options: ReadOptions,
    kept: Slots,
    /// For statements that are planned each time; opened when there is one.
    fresh: Slots,
    suspects: Arc<Suspects>,
}

/// Connections that plan alike.
struct Slots {
    slots: Vec<Slot>,
    /// Where the next search for a free one begins.
    next: AtomicUsize,
}

/// The place of one connection.
struct Slot {
    plans: Plans,
    session: Mutex<Option<Arc<Session>>>,
    /// How many statements it has not answered, whether or not somebody waits for them.
    unfinished: Arc<AtomicUsize>,
}

impl PostgresReader {
    pub(in crate::drivers) fn new(
        server: &PgConnectOptions,
        options: ReadOptions,
    ) -> Result<Self, ReadPoolError> {
        let connections = options.connections.unwrap_or(CONNECTIONS);
        Ok(Self(Arc::new(Inner {
            config: config(server, &options)?,
            kept: Slots::new(connections, Plans::Kept),
            fresh: Slots::new(connections.div_ceil(2), Plans::Fresh),
            suspects: Arc::new(Suspects::new(options.statements)),
            options,
        })))
    }

    /// A statement whose connection is lost is run once more, on the one that takes its place: those beside it may be
    /// lost too, without having noticed yet. It only reads.
    pub(in crate::drivers) async fn read(
        &self,
        statement: &Statement,
        shape: &Shape,
    ) -> Result<Batch, ExecuteError> {
        let slot = match self.0.suspects.plans_for(&statement.text) {
            Plans::Fresh => self.0.fresh.least_busy(),
            Plans::Kept | Plans::One => self.0.kept.least_busy(),
        };
        match self.0.try_read(slot, statement, shape).await {
            Err(Failure::Lost(_)) => Ok(self.0.try_read(slot, statement, shape).await?),
            done => Ok(done?),
        }
    }
}

impl Inner {
    async fn try_read(
        self: &Arc<Self>,
        slot: &Slot,
        statement: &Statement,
        shape: &Shape,
    ) -> Result<Batch, Failure> {
        let unfinished = Unfinished::on(slot).map_err(Failure::Other)?;
        let session = self.session(slot).await.map_err(Failure::Other)?;
        let running = Running::new(self, slot, statement, &session, unfinished);
        let done = session.read(statement, shape).await;
        if done.is_ok() {
            running.finished();
        }
        if matches!(done, Err(Failure::Lost(_))) {
            slot.discard(&session).await;
        }
        done
    }

    /// Finds out whether a statement took long because of its plan. Nobody waits for that.
    fn look_into(self: &Arc<Self>, statement: &Statement, took: Duration) {
        // One that is prepared each time is planned each time.
        if statement.values.is_empty() || !is_kept(statement, LONGEST_KEPT_TEXT) {
            return;
        }
        // Without a runtime the connections are at their end too.
        let Ok(runtime) = Handle::try_current() else {
            return;
        };
        let Some(look) = self.suspects.begin(&statement.text, took, Instant::now()) else {
            return;
        };
        // It should not hold a pool that nobody else does.
        let (inner, statement) = (Arc::downgrade(self), statement.clone());
        runtime.spawn(async move {
            let fresh = time_with(&inner, Plans::Fresh, &statement).await;
            let one = match fresh {
                Some(fresh) if look.may_be_guilty(fresh) => {
                    time_with(&inner, Plans::One, &statement).await
                }
                _ => None,
            };
            if look.judge(one.zip(fresh)) {
                tracing::info!(
                    sql = statement.text,
                    "planned for its values each time from now on: {fresh:?} instead of {one:?}"
                );
            }
        });
    }

    /// The slot's connection, opened if there is none. Those who come meanwhile wait for it.
    async fn session(&self, slot: &Slot) -> Result<Arc<Session>, ExecuteError> {
        // Mostly it is open and nobody waits for it: then there is nothing to be patient about.
        if let Ok(place) = slot.session.try_lock()
            && let Some(session) = place.as_ref().filter(|session| !session.is_lost())
        {
            return Ok(Arc::clone(session));
        }
        let opened = async {
            let mut place = slot.session.lock().await;
            if let Some(session) = place.as_ref().filter(|session| !session.is_lost()) {
                return Ok(Arc::clone(session));
            }
            let session = Session::open(&self.config, &self.options, slot.plans).await;
            let session = Arc::new(session.map_err(|error| execute_error(&error))?);
            *place = Some(Arc::clone(&session));
            Ok(session)
        };
        let opened = tokio::time::timeout(self.options.acquire_timeout, opened).await;
        opened.unwrap_or_else(|_| Err(unavailable("no connection for reading in time")))
    }
}

/// How long a statement takes on a connection of its own, where nothing is in its way; none where it cannot be run.
async fn time_with(inner: &Weak<Inner>, plans: Plans, statement: &Statement) -> Option<Duration> {
    /// It is prepared in the first run, and what it reads is in memory after it: both count for little in a long one.
    const WORTH_ANOTHER: Duration = Duration::from_millis(100);
    let session = {
        let inner = inner.upgrade()?;
        let opened = Session::open(&inner.config, &inner.options, plans);
        let opened = tokio::time::timeout(inner.options.acquire_timeout, opened).await;
        Arc::new(opened.ok()?.ok()?)
    };
    let mut least = Duration::MAX;
    for _ in 0..2 {
        let began = Instant::now();
        match session.read(statement, &Shape::default()).await {
            // One that is ended for its length has taken long enough.
            Ok(_) | Err(Failure::Other(ExecuteError::OverTime(_))) => {}
            Err(_) => return None,
        }
        least = least.min(began.elapsed());
        if least > WORTH_ANOTHER {
            break;
        }
    }
    Some(least)
}

impl Slots {
    fn new(connections: usize, plans: Plans) -> Self {
        let slots = std::iter::repeat_with(|| Slot::new(plans));
        Self {
            slots: slots.take(connections).collect(),
            next: AtomicUsize::new(0),
        }
    }

    /// Of several that are as free as each other, it is not always the same.
    fn least_busy(&self) -> &Slot {
        let start = self.next.fetch_add(1, Ordering::Relaxed) % self.slots.len();
        let (before, after) = self.slots.split_at(start);
        let least = after.iter().chain(before).min_by_key(|slot| {
            // The first of equals.
            slot.unfinished.load(Ordering::Relaxed)
        });
        least.unwrap_or(&self.slots[0])
    }
}

impl Slot {
    fn new(plans: Plans) -> Self {
        Self {
            plans,
            session: Mutex::default(),
            unfinished: Arc::default(),
        }
    }

    /// Another may have put a new connection there already.
    async fn discard(&self, lost: &Arc<Session>) {
        let mut place = self.session.lock().await;
        if place
            .as_ref()
            .is_some_and(|session| Arc::ptr_eq(session, lost))
        {
            *place = None;
        }
    }
}

/// Counts a statement for as long as it is held.
struct Unfinished(Arc<AtomicUsize>);

impl Unfinished {
    fn on(slot: &Slot) -> Result<Self, ExecuteError> {
        let before = slot.unfinished.fetch_add(1, Ordering::Relaxed);
        let counted = Self(Arc::clone(&slot.unfinished));
        if before < MOST_UNFINISHED {
            Ok(counted)
        } else {
            Err(unavailable("too many statements wait for their answers"))
        }
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// A statement on its connection. If nobody waits for its end, it is counted until the connection gets to what is sent
/// behind it: until then others are better off elsewhere.
struct Running<'r> {
    inner: &'r Arc<Inner>,
    statement: &'r Statement,
    plans: Plans,
    began: Instant,
    unfinished: Option<(&'r Arc<Session>, Unfinished)>,
}

impl<'r> Running<'r> {
    fn new(
        inner: &'r Arc<Inner>,
        slot: &Slot,
        statement: &'r Statement,
        session: &'r Arc<Session>,
        unfinished: Unfinished,
    ) -> Self {
        Self {
            inner,
            statement,
            plans: slot.plans,
            began: Instant::now(),
            unfinished: Some((session, unfinished)),
        }
    }

    fn finished(mut self) {
        self.unfinished = None;
    }
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        let took = self.began.elapsed();
        if self.plans == Plans::Kept && took > LONG {
            self.inner.look_into(self.statement, took);
        }
        // Without a runtime the connection is at its end too.
        if let (Some((session, unfinished)), Ok(runtime)) =
            (self.unfinished.take(), Handle::try_current())
        {
            let session = Arc::clone(session);
            runtime.spawn(async move {
                session.settle().await;
                drop(unfinished);
            });
        }
    }
}

/// The same server, user and database as SeaORM's connections have.
fn config(server: &PgConnectOptions, options: &ReadOptions) -> Result<Config, ReadPoolError> {
    // SeaORM's driver is built without TLS here too.
    match server.get_ssl_mode() {
        PgSslMode::Disable | PgSslMode::Allow | PgSslMode::Prefer => {}
        PgSslMode::Require | PgSslMode::VerifyCa | PgSslMode::VerifyFull => {
            return Err(ReadPoolError::NoTls);
        }
    }
    let mut config = Config::new();
    config
        .user(server.get_username())
        .port(server.get_port())
        .application_name(server.get_application_name().unwrap_or("listing"))
        .connect_timeout(options.acquire_timeout)
        // A server that vanishes without a word should not be waited for until the system gives up, after minutes.
        .keepalives_idle(Duration::from_secs(30))
        .keepalives_interval(Duration::from_secs(10))
        .keepalives_retries(3)
        .tcp_user_timeout(Duration::from_secs(30));
    match server.get_socket() {
        Some(folder) => config.host_path(folder),
        None => config.host(server.get_host()),
    };
    if let Some(database) = server.get_database() {
        config.dbname(database);
    }
    if let Some(options) = server.get_options() {
        config.options(options);
    }
    if let Some(password) = password(server) {
        config.password(password);
    }
    Ok(config)
}

/// The options tell their password in a URL only. Everything else in it is replaced: a user's name with a blank in it
/// makes no URL.
fn password(server: &PgConnectOptions) -> Option<Vec<u8>> {
    let bare = PgConnectOptions::clone(server)
        .username("user")
        .host("host")
        .database("database");
    let url = bare.to_url_lossy();
    let with_password = format!("postgres://user:{}@host", url.password()?);
    let config: Config = with_password.parse().ok()?;
    config.get_password().map(<[u8]>::to_vec)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_server_is_the_one_that_seaorm_was_given() {
        let config = |url: &str| config(&url.parse().unwrap(), &ReadOptions::new());
        let plain =
            config("postgres://me:p%40ss%2F%25@db.example:5433/blog?application_name=x&statement-cache-capacity=7")
                .unwrap();
        assert_eq!(plain.get_user(), Some("me"));
        assert_eq!(plain.get_password(), Some(&b"p@ss/%"[..]));
        assert_eq!(plain.get_ports(), [5433]);
        assert_eq!(plain.get_dbname(), Some("blog"));
        assert_eq!(plain.get_application_name(), Some("x"));
        let socket = config("postgres://a%20b@localhost/blog?host=/run/postgresql").unwrap();
        assert_eq!(socket.get_user(), Some("a b"));
        assert_eq!(
            socket.get_hosts(),
            [tokio_postgres::config::Host::Unix("/run/postgresql".into())]
        );
        for mode in ["require", "verify-ca", "verify-full"] {
            let refused = config(&format!("postgres://me:secret@host/blog?sslmode={mode}"));
            let text = refused.unwrap_err().to_string();
            assert!(text.contains("TLS") && !text.contains("secret"), "{text}");
        }
    }
}
