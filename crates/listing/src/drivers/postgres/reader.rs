//! Reads PostgreSQL on a few connections that all requests share.
//!
//! Written by hand on tokio-postgres because it decides speed: a connection need not be lent and handed back, and while
//! one statement's rows are on their way the next statement is too.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use sqlx::ConnectOptions as _;
use sqlx::postgres::{PgConnectOptions, PgSslMode};
use tokio::runtime::Handle;
use tokio::sync::Mutex;
use tokio_postgres::Config;

use super::super::error::ReadPoolError;
use super::super::failure::unavailable;
use super::super::options::ReadOptions;
use super::session::{Failure, Session, execute_error};
use super::setup::SessionSetup;
use crate::execute::{ExecuteError, ReadFuture, Reader};
use crate::render::{Batch, Shape};
use crate::sql::{Dialect, Statement};

/// More connections read no faster on a server with a few processors: each is a process of the server.
const CONNECTIONS: usize = 4;

/// So many statements on one connection are a server that does not keep up: one more would only wait for its time limit.
const MOST_UNFINISHED: usize = 1_000;

/// Reads on connections of its own. Each is opened by the first request that needs it, and again when it is lost.
pub(super) struct PostgresReader {
    config: Config,
    options: ReadOptions,
    setup: SessionSetup,
    slots: Vec<Slot>,
    /// Where the next search for a free one begins.
    next: AtomicUsize,
}

/// The place of one connection.
#[derive(Default)]
struct Slot {
    session: Mutex<Option<Arc<Session>>>,
    /// How many statements it has not answered, whether or not somebody waits for them.
    unfinished: Arc<AtomicUsize>,
}

impl PostgresReader {
    pub(super) fn new(
        server: &PgConnectOptions,
        setup: SessionSetup,
        options: ReadOptions,
    ) -> Result<Self, ReadPoolError> {
        let connections = options.connections.unwrap_or(CONNECTIONS);
        Ok(Self {
            config: config(server, &options)?,
            slots: (0..connections).map(|_| Slot::default()).collect(),
            next: AtomicUsize::new(0),
            setup,
            options,
        })
    }

    /// A statement whose connection is lost is run once more, on the one that takes its place: the others on it may be
    /// lost too, without having noticed yet. It only reads.
    async fn rows(&self, statement: &Statement, shape: &Shape) -> Result<Batch, ExecuteError> {
        let slot = self.least_busy();
        match self.try_read(slot, statement, shape).await {
            Err(Failure::Lost(_)) => Ok(self.try_read(slot, statement, shape).await?),
            done => Ok(done?),
        }
    }

    async fn try_read(
        &self,
        slot: &Slot,
        statement: &Statement,
        shape: &Shape,
    ) -> Result<Batch, Failure> {
        let unfinished = Unfinished::on(slot).map_err(Failure::Other)?;
        let session = self.session(slot).await.map_err(Failure::Other)?;
        let running = Running(Some((&session, unfinished)));
        let done = session.read(statement, shape).await;
        if done.is_ok() {
            running.finished();
        }
        if matches!(done, Err(Failure::Lost(_))) {
            slot.discard(&session).await;
        }
        done
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
            let session = Session::open(&self.config, &self.setup, &self.options).await;
            let session = Arc::new(session.map_err(|error| execute_error(&error))?);
            *place = Some(Arc::clone(&session));
            Ok(session)
        };
        let opened = tokio::time::timeout(self.options.acquire_timeout, opened).await;
        opened.unwrap_or_else(|_| Err(unavailable("no connection for reading in time")))
    }

    /// Of several that are equally free, it is not always the same.
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
/// after it: until then others are better off elsewhere.
struct Running<'r>(Option<(&'r Arc<Session>, Unfinished)>);

impl Running<'_> {
    fn finished(mut self) {
        self.0 = None;
    }
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        // Without a runtime the connection is at its end too.
        if let (Some((session, unfinished)), Ok(runtime)) = (self.0.take(), Handle::try_current()) {
            let session = Arc::clone(session);
            runtime.spawn(async move {
                session.settle().await;
                drop(unfinished);
            });
        }
    }
}

impl Reader for PostgresReader {
    fn dialect(&self) -> Result<Dialect, ExecuteError> {
        Ok(Dialect::Postgres)
    }

    fn read<'a>(&'a self, statement: Statement, shape: &'a Shape) -> ReadFuture<'a> {
        Box::pin(async move { self.rows(&statement, shape).await })
    }
}

/// SeaORM's driver is built without TLS here too.
pub(super) fn check_tls(server: &PgConnectOptions) -> Result<(), ReadPoolError> {
    match server.get_ssl_mode() {
        PgSslMode::Disable | PgSslMode::Allow | PgSslMode::Prefer => Ok(()),
        PgSslMode::Require | PgSslMode::VerifyCa | PgSslMode::VerifyFull => {
            Err(ReadPoolError::NoTls)
        }
    }
}

/// The same server, user and database as SeaORM's connections have.
fn config(server: &PgConnectOptions, options: &ReadOptions) -> Result<Config, ReadPoolError> {
    check_tls(server)?;
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
