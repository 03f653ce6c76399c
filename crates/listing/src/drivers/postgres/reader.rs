//! Reads PostgreSQL on sessions that statements share, and on separate ones for unindexed statements.

use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use sqlx::ConnectOptions as _;
use sqlx::postgres::{PgConnectOptions, Postgres};
use tokio::runtime::Handle;
use tokio::time::timeout;
use tokio_postgres::Config;

use super::super::abandoned::{ENDED_AFTER, TIME_TO_END};
use super::super::followed::{Followed, is_left};
use super::super::lend::{Ages, Lender, Lent, Server};
use super::super::options::ReadOptions;
use super::super::server::{bare, postgres_server};
use super::session::{Failure, Session};
use super::setup::SessionSetup;
use super::shared::{InUse, SharedSessions};
use super::stream::stream;
use super::tls::Encryption;
use crate::execute::{ExecuteError, ReadFuture, Reader, RowSink, StreamFuture};
use crate::observe::TALLY;
use crate::render::{Batch, Shape};
use crate::sql::{Dialect, Statement};
use crate::vocabulary::boxed;

/// The default number of shared sessions.
const SHARED: usize = 4;

/// Reads on its own connections.
pub(super) struct PostgresReader {
    /// For indexed statements: they are quick, and share sessions.
    indexed: Arc<SharedSessions>,
    /// For the others, each of which has its own session.
    unindexed: Arc<Lender<PostgresServer>>,
}

/// A server and the setup of its sessions.
#[derive(Clone)]
pub(super) struct PostgresServer {
    server: Followed<Postgres>,
    encryption: Encryption,
    setup: SessionSetup,
    options: ReadOptions,
}

impl Server for PostgresServer {
    type Connection = Arc<Session>;

    async fn open(&self) -> Result<Arc<Session>, ExecuteError> {
        let server = self.server.now();
        let config = config(&postgres_server(server.as_ref().clone()), &self.options);
        let opened = (config, server);
        let session = Session::open(opened, &self.encryption, &self.setup, &self.options).await?;
        Ok(Arc::new(session))
    }

    fn is_lost(&self, session: &Arc<Session>) -> bool {
        is_over(session, &self.server.now())
    }
}

impl PostgresServer {
    /// The options for new sessions.
    pub(super) fn now(&self) -> Arc<PgConnectOptions> {
        self.server.now()
    }
}

/// Whether a session is lost, or leads to another host than sessions that are opened `now`.
pub(super) fn is_over(session: &Session, now: &Arc<PgConnectOptions>) -> bool {
    session.is_lost() || is_left(&session.opened_with, now)
}

impl PostgresReader {
    /// As many sessions as `options` sets; by default 4 shared and `connections` other ones.
    pub(super) fn new(
        server: Followed<Postgres>,
        encryption: Encryption,
        setup: SessionSetup,
        connections: usize,
        options: ReadOptions,
    ) -> Self {
        let server = PostgresServer {
            server,
            encryption,
            setup,
            options: options.clone(),
        };
        let (shared, _) = options.lanes(SHARED, 1);
        let indexed = SharedSessions::new(server.clone(), shared, options.acquire_timeout);
        let unindexed = Lender::new(server, &options, connections, Ages::default());
        Self {
            indexed: Arc::new(indexed),
            unindexed: Arc::new(unindexed),
        }
    }

    /// If the session of a statement is lost, it is run once more, because it only reads.
    async fn rows(&self, statement: &Statement, shape: &Shape) -> Result<Batch, ExecuteError> {
        let lent = self.unindexed.lend(statement).await?;
        let done = match rows(lent, statement, shape).await {
            Err(Failure::Lost(_)) => {
                let lent = self.unindexed.lend_new(statement).await?;
                rows(lent, statement, shape).await
            }
            done => done,
        };
        Ok(done?)
    }

    /// If the session of a statement is lost, it is run once more. If the cancellation of another statement hit it, it is
    /// repeated.
    async fn shared_rows(
        &self,
        statement: &Statement,
        shape: &Shape,
    ) -> Result<Batch, ExecuteError> {
        let mut is_first = true;
        loop {
            let in_use = self.indexed.take().await?;
            match shared_rows(in_use, statement, shape).await {
                Err(Failure::Cancelled(_)) => {}
                Err(Failure::Lost(_)) if is_first => is_first = false,
                done => return Ok(done?),
            }
        }
    }
}

async fn shared_rows(
    in_use: InUse,
    statement: &Statement,
    shape: &Shape,
) -> Result<Batch, Failure> {
    let done = in_use.session().read(statement, shape).await;
    match done {
        Err(Failure::Lost(_)) => in_use.lost(),
        _ => in_use.finished(),
    }
    done
}

async fn rows(
    lent: Lent<PostgresServer>,
    statement: &Statement,
    shape: &Shape,
) -> Result<Batch, Failure> {
    let session = Arc::clone(&lent.connection);
    let mut running = Running(Some(lent));
    let done = session.read(statement, shape).await;
    running.finished();
    done
}

/// A statement on its connection. If its request is gone, the statement is cancelled before the connection is used again.
struct Running(Option<Lent<PostgresServer>>);

impl Running {
    fn finished(&mut self) {
        if let Some(lent) = self.0.take() {
            lent.give_back();
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // Without a runtime, the connection is closed as well.
        if let Some(lent) = self.0.take()
            && let Ok(runtime) = Handle::try_current()
        {
            runtime.spawn(end(lent));
        }
    }
}

/// Waits for the end of an abandoned statement, and cancels it if necessary. A connection whose statement was cancelled is not
/// used again, because a cancellation hits whatever is running when it arrives.
async fn end(lent: Lent<PostgresServer>) {
    let session = Arc::clone(&lent.connection);
    let mut settled = pin!(session.settle());
    if timeout(ENDED_AFTER, &mut settled).await.is_ok() {
        return lent.give_back();
    }
    TALLY.statements_cancelled.add();
    let _ = timeout(TIME_TO_END, session.cancel_until(settled)).await;
}

impl Reader for PostgresReader {
    fn dialect(&self) -> Result<Dialect, ExecuteError> {
        Ok(Dialect::Postgres)
    }

    fn read<'a>(&'a self, statement: Statement, shape: &'a Shape) -> ReadFuture<'a> {
        boxed(move || async move {
            match statement.is_unindexed {
                true => self.rows(&statement, shape).await,
                false => self.shared_rows(&statement, shape).await,
            }
        })
    }

    fn stream<'a>(&'a self, sink: &'a mut dyn RowSink) -> StreamFuture<'a> {
        let mut server = self.unindexed.server.clone();
        server.options.statement_timeout = Some(server.options.export_timeout);
        Box::pin(stream(server, sink))
    }
}

/// The same server, user and database as SeaORM's connections.
pub(super) fn config(server: &PgConnectOptions, options: &ReadOptions) -> Config {
    let mut config = Config::new();
    config
        .user(server.get_username())
        .port(server.get_port())
        .application_name(server.get_application_name().unwrap_or("listing"))
        .connect_timeout(options.acquire_timeout)
        // Otherwise, a server that vanishes would be waited for until the system gives up, after minutes.
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
    config
}

/// The password in the options, which are only readable as a URL.
fn password(server: &PgConnectOptions) -> Option<Vec<u8>> {
    let url = bare(server).to_url_lossy();
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
        let plain = config(
            "postgres://me:p%40ss%2F%25@db.example:5433/blog?application_name=x&statement-cache-capacity=7",
        );
        assert_eq!(plain.get_user(), Some("me"));
        assert_eq!(plain.get_password(), Some(&b"p@ss/%"[..]));
        assert_eq!(plain.get_ports(), [5433]);
        assert_eq!(plain.get_dbname(), Some("blog"));
        assert_eq!(plain.get_application_name(), Some("x"));
        let socket = config("postgres://a%20b@localhost/blog?host=/run/postgresql");
        assert_eq!(socket.get_user(), Some("a b"));
        assert_eq!(
            socket.get_hosts(),
            [tokio_postgres::config::Host::Unix("/run/postgresql".into())]
        );
    }
}
