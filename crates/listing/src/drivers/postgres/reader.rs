//! Reads PostgreSQL on a few connections that all requests share.
//!
//! Written by hand on tokio-postgres because it decides speed: a connection need not be lent and handed back, and while
//! one statement's rows are on their way the next statement is too.

use std::future::Future;
use std::hash::{Hash as _, Hasher};
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use sqlx::ConnectOptions as _;
use sqlx::postgres::PgConnectOptions;
use tokio_postgres::Config;

use super::super::failure::unavailable;
use super::super::lane::{SlowLane, Turn};
use super::super::options::ReadOptions;
use super::super::server::bare;
use super::session::{Failure, Session, is_prepared_first};
use super::setup::SessionSetup;
use super::slot::{Running, Slot, Ticket, now};
use super::tls::Encryption;
use crate::execute::{ExecuteError, ReadFuture, Reader};
use crate::render::{Batch, Shape};
use crate::sql::{Dialect, Statement};
use crate::vocabulary::boxed;

/// More connections read no faster on a server with a few processors: each is a process of the server.
const CONNECTIONS: usize = 4;

/// The statements of one request go to the same connection, so that they are sent together, unless it has so many more to
/// answer than another.
const MOST_AHEAD: usize = 8;

/// For each connection that all share, so many are opened when slow statements hold those. A text that was quick until now may be
/// slow for some values, and several of them may come before anybody knows.
const SPARE: usize = 4;

/// How often a statement looks whether it is slow, or waits for one that is while another connection is free.
const BETWEEN_LOOKS: Duration = Duration::from_millis(50);

/// Reads on connections of its own. Each is opened by the first request that needs it, and again when it is lost.
pub(super) struct PostgresReader {
    config: Config,
    encryption: Encryption,
    options: ReadOptions,
    setup: SessionSetup,
    /// Shared by all statements that are quick, as far as anybody knows.
    shared: Vec<Arc<Slot>>,
    /// Opened when slow statements hold all of those.
    spare: Vec<Arc<Slot>>,
    /// For statements that are known to be slow, one at a time.
    slow: Vec<Arc<Slot>>,
    lane: SlowLane,
    /// Where the next search for a free one begins.
    next: AtomicUsize,
}

impl PostgresReader {
    pub(super) fn new(
        server: &PgConnectOptions,
        encryption: Encryption,
        setup: SessionSetup,
        options: ReadOptions,
    ) -> Self {
        let connections = options.connections.unwrap_or(CONNECTIONS);
        let slow = options.slow_statements();
        let slots = |number| (0..number).map(|_| Arc::default()).collect();
        Self {
            config: config(server, &options),
            encryption,
            shared: slots(connections),
            spare: slots(connections * SPARE),
            slow: slots(slow),
            lane: SlowLane::new(slow),
            next: AtomicUsize::new(0),
            setup,
            options,
        }
    }

    /// A statement whose connection is lost is run once more, on the one that takes its place: the others on it may be
    /// lost too, without having noticed yet. It only reads.
    async fn rows(&self, statement: &Statement, shape: &Shape) -> Result<Batch, ExecuteError> {
        let mut turn = self.lane.enter(&statement.text).await?;
        let mut began = now();
        let mut slot = self.choose(&turn, began);
        let mut lost = 0;
        loop {
            let ticket = slot.enter(turn.clone(), began)?;
            match self.try_read(slot, ticket, statement, shape).await {
                Err(Failure::Lost(_)) if lost < 1 => {
                    lost += 1;
                    began = now();
                }
                Err(Failure::Moved) => {
                    // Others of its kind may have been slow meanwhile.
                    if self.lane.is_slow(&statement.text) {
                        // It does not wait for itself.
                        drop(turn);
                        turn = self.lane.enter(&statement.text).await?;
                    }
                    began = now();
                    slot = self.choose(&turn, began);
                }
                done => return Ok(done?),
            }
        }
    }

    async fn try_read(
        &self,
        slot: &Arc<Slot>,
        ticket: Ticket,
        statement: &Statement,
        shape: &Shape,
    ) -> Result<Batch, Failure> {
        let is_known_slow = ticket.turn().is_slow();
        let session = match slot.ready() {
            Some(session) => session,
            None => {
                let opened = self.session(slot).await.map_err(Failure::Other)?;
                ticket.send();
                opened
            }
        };
        let kept = session.kept(statement);
        if kept.is_none() && is_prepared_first(statement) {
            ticket.prepare();
        }
        // What has to be prepared first may be overtaken meanwhile.
        let can_move = ticket.has_others_before() || ticket.is_preparing();
        let watched = Watched {
            running: Running::new(&session, ticket),
            lane: &self.lane,
            text: &statement.text,
        };
        let done = {
            let read = pin!(session.read(statement, kept, shape, || watched.resend()));
            if is_known_slow {
                read.await
            } else {
                self.done_or_moved(&watched, read, can_move).await
            }
        };
        match done {
            Ok(batch) => {
                watched.finished();
                Ok(batch)
            }
            Err(Failure::Lost(error)) => {
                slot.discard(&session).await;
                Err(Failure::Lost(error))
            }
            failed => failed,
        }
    }

    /// A statement that waits for a slow one goes elsewhere; one that is slow is known to be so before it is over.
    async fn done_or_moved(
        &self,
        watched: &Watched<'_>,
        mut read: Pin<&mut impl Future<Output = Result<Batch, Failure>>>,
        can_move: bool,
    ) -> Result<Batch, Failure> {
        loop {
            tokio::select! {
                biased;
                done = &mut read => return done,
                () = tokio::time::sleep(BETWEEN_LOOKS) => {
                    watched.look();
                    if can_move && watched.is_stuck() && self.has_free() {
                        return Err(Failure::Moved);
                    }
                }
            }
        }
    }

    /// The slot's connection, opened if there is none. Those who come meanwhile wait for it.
    async fn session(&self, slot: &Slot) -> Result<Arc<Session>, ExecuteError> {
        // In a box: the future of every statement would be large enough for it.
        let opened = Box::pin(async {
            let mut place = slot.session.lock().await;
            if let Some(session) = place.as_ref().filter(|session| !session.is_lost()) {
                return Ok(Arc::clone(session));
            }
            let (config, encryption) = (&self.config, &self.encryption);
            let (setup, options) = (&self.setup, &self.options);
            let session = Session::open(config, encryption, setup, options).await?;
            let session = Arc::new(session);
            *place = Some(Arc::clone(&session));
            slot.opened();
            Ok(session)
        });
        let opened = tokio::time::timeout(self.options.acquire_timeout, opened).await;
        opened.unwrap_or_else(|_| Err(unavailable("no connection for reading in time")))
    }

    /// The connection with the fewest unfinished statements among those that no slow one holds.
    fn choose(&self, turn: &Turn, now: u64) -> &Arc<Slot> {
        if turn.is_slow() {
            return self.least_busy(&self.slow, now);
        }
        let own = own(&self.shared).filter(|own| !own.is_held(now));
        // With so few, none of the others has so many fewer.
        if let Some(own) = own.filter(|own| own.unfinished() <= MOST_AHEAD) {
            return own;
        }
        let shared = self.least_busy(&self.shared, now);
        if !shared.is_held(now) {
            let own = own.filter(|own| own.unfinished() <= shared.unfinished() + MOST_AHEAD);
            return own.unwrap_or(shared);
        }
        // One that is not open yet takes longer than a few statements.
        let spare = self.spare.iter().min_by_key(|slot| {
            let to_open = if slot.is_open() { 0 } else { MOST_AHEAD };
            (slot.is_held(now), slot.unfinished() + to_open)
        });
        let spare = spare.unwrap_or(shared);
        if spare.is_held(now) && shared.unfinished() <= spare.unfinished() {
            shared
        } else {
            spare
        }
    }

    fn has_free(&self) -> bool {
        let mut all = self.shared.iter().chain(&self.spare);
        all.any(|slot| slot.is_free())
    }

    /// Of several that are equally free, it is not always the same.
    fn least_busy<'s>(&self, slots: &'s [Arc<Slot>], now: u64) -> &'s Arc<Slot> {
        let start = self.next.fetch_add(1, Ordering::Relaxed) % slots.len();
        let (before, after) = slots.split_at(start);
        let least = after.iter().chain(before).min_by_key(|slot| {
            // The first of equals.
            (slot.is_held(now), slot.unfinished())
        });
        least.unwrap_or(&slots[0])
    }
}

/// The place that a task has among these: all statements of a request are read in its task. Three that are sent in one write
/// cost the server half as much as three writes to three connections.
fn own(slots: &[Arc<Slot>]) -> Option<&Arc<Slot>> {
    let mut number = TaskNumber::default();
    tokio::task::try_id()?.hash(&mut number);
    let slots_number = u64::try_from(slots.len()).ok()?;
    let at = number.finish().checked_rem(slots_number)?;
    slots.get(usize::try_from(at).ok()?)
}

/// Tasks have numbers in the order in which they are spawned, and tell them to a hasher alone. A real hash would give some
/// connections many more tasks than others.
#[derive(Default)]
struct TaskNumber(u64);

impl Hasher for TaskNumber {
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(*byte);
        }
    }

    fn write_u64(&mut self, number: u64) {
        self.0 = number;
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

/// A statement that is running, from whose time the next of its text is known to be slow or not.
struct Watched<'w> {
    running: Running,
    lane: &'w SlowLane,
    text: &'w str,
}

impl Watched<'_> {
    fn finished(mut self) {
        let now = now();
        if let Some(ticket) = self.running.ticket() {
            let running = ticket.running(now);
            self.lane.ran(self.text, ticket.turn(), running);
        }
        self.running.finish(now);
    }

    fn resend(&self) {
        if let Some(ticket) = self.running.ticket() {
            ticket.resend();
        }
    }

    fn look(&self) {
        if let Some(ticket) = self.running.ticket()
            && !ticket.waits_for_another()
            && ticket.running(now()) > SlowLane::SLOW
        {
            self.lane.runs_long(self.text, ticket.turn());
        }
    }

    fn is_stuck(&self) -> bool {
        self.running.ticket().is_some_and(Ticket::is_stuck)
    }
}

impl Drop for Watched<'_> {
    fn drop(&mut self) {
        let ticket = self.running.ticket();
        // One that waits for another has not run at all.
        if let Some(ticket) = ticket.filter(|ticket| !ticket.waits_for_another()) {
            self.lane
                .was_left(self.text, ticket.turn(), ticket.running(now()));
        }
    }
}

impl Reader for PostgresReader {
    fn dialect(&self) -> Result<Dialect, ExecuteError> {
        Ok(Dialect::Postgres)
    }

    fn read<'a>(&'a self, statement: Statement, shape: &'a Shape) -> ReadFuture<'a> {
        boxed(move || async move { self.rows(&statement, shape).await })
    }
}

/// The same server, user and database as SeaORM's connections have.
pub(super) fn config(server: &PgConnectOptions, options: &ReadOptions) -> Config {
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
    config
}

/// The options tell their password in a URL only.
fn password(server: &PgConnectOptions) -> Option<Vec<u8>> {
    let url = bare(server).to_url_lossy();
    let with_password = format!("postgres://user:{}@host", url.password()?);
    let config: Config = with_password.parse().ok()?;
    config.get_password().map(<[u8]>::to_vec)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn b536_tasks_that_are_spawned_one_after_another_take_connections_in_turn() {
        let slots: Vec<Arc<Slot>> = (0..4).map(|_| Arc::default()).collect();
        for _ in 0..16 {
            let slots = slots.clone();
            let task = tokio::spawn(async move {
                let number: usize = tokio::task::id().to_string().parse().unwrap();
                let (own, expected) = (own(&slots).unwrap(), &slots[number % slots.len()]);
                assert!(Arc::ptr_eq(own, expected), "{number}");
            });
            task.await.unwrap();
        }
        assert!(own(&[]).is_none());
    }

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
