//! A few sessions that statements share: each is sent at once, and answered after those that were sent before it.
//!
//! It is worth its code because four of them answer as many statements as sixteen connections (the figures are in b670).

use std::pin::pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::runtime::Handle;
use tokio::sync::Notify;
use tokio::time::timeout;

use super::super::abandoned::TIME_TO_END;
use super::super::failure::no_connection_in_time;
use super::super::lend::{Ages, Server as _};
use super::reader::{PostgresServer, is_over};
use super::session::Session;
use crate::execute::ExecuteError;
use crate::observe::TALLY;

/// How long a session with an abandoned statement accepts no further ones, before the statement is cancelled. The statement uses
/// an index, so it has usually ended long before.
const CANCELLED_AFTER: Duration = Duration::from_millis(100);

/// The sessions, at most `most`. They are opened when they are needed.
pub(super) struct SharedSessions {
    server: PostgresServer,
    most: usize,
    acquire_timeout: Duration,
    sessions: Mutex<Vec<Arc<Shared>>>,
    /// Held while a session is opened: one at a time.
    opening: tokio::sync::Mutex<()>,
    /// Notified when a session has settled, and accepts statements again or makes room for another.
    settled: Notify,
}

struct Shared {
    session: Arc<Session>,
    opened: Instant,
    /// Statements whose requests are waiting.
    unfinished: AtomicUsize,
    /// Statements whose requests are gone, and which may still be running. While there are any, the session accepts no others.
    abandoned: AtomicUsize,
}

/// Where to send a statement.
enum Choice {
    Session(InUse),
    /// All sessions are busy, and another one may be opened.
    Open,
    /// All sessions are settling, and no other one may be opened.
    Wait,
}

impl SharedSessions {
    pub(super) fn new(server: PostgresServer, most: usize, acquire_timeout: Duration) -> Self {
        Self {
            server,
            most,
            acquire_timeout,
            sessions: Mutex::default(),
            opening: tokio::sync::Mutex::default(),
            settled: Notify::new(),
        }
    }

    /// The session with the fewest unfinished statements, or a new one if all are busy and another may be opened.
    pub(super) async fn take(self: &Arc<Self>) -> Result<InUse, ExecuteError> {
        if let Choice::Session(session) = self.choose() {
            return Ok(session);
        }
        let taken = timeout(self.acquire_timeout, self.wait()).await;
        taken.unwrap_or_else(|_| Err(no_connection_in_time()))
    }

    async fn wait(self: &Arc<Self>) -> Result<InUse, ExecuteError> {
        loop {
            let opening = self.opening.lock().await;
            let mut settled = pin!(self.settled.notified());
            settled.as_mut().enable();
            match self.choose() {
                Choice::Session(session) => return Ok(session),
                Choice::Open => {
                    let opened = self.open().await;
                    // A busy session is better than an error.
                    return opened.or_else(|error| self.least_busy().ok_or(error));
                }
                Choice::Wait => {
                    drop(opening);
                    settled.await;
                }
            }
        }
    }

    async fn open(self: &Arc<Self>) -> Result<InUse, ExecuteError> {
        // Boxed: otherwise the future of every statement would be as large as this one.
        let session = Box::pin(self.server.open()).await?;
        let one = Arc::new(Shared {
            session,
            opened: Instant::now(),
            unfinished: AtomicUsize::new(0),
            abandoned: AtomicUsize::new(0),
        });
        self.sessions().push(Arc::clone(&one));
        Ok(self.in_use(one))
    }

    fn choose(self: &Arc<Self>) -> Choice {
        let now = self.server.now();
        let mut sessions = self.sessions();
        sessions.retain(|one| !is_over(&one.session, &now) && !one.is_old());
        let is_full = sessions.len() >= self.most;
        match least_busy(&sessions) {
            Some(least) if is_full || least.unfinished.load(Ordering::Relaxed) == 0 => {
                Choice::Session(self.in_use(least))
            }
            None if is_full => Choice::Wait,
            _ => Choice::Open,
        }
    }

    fn least_busy(self: &Arc<Self>) -> Option<InUse> {
        let least = least_busy(&self.sessions())?;
        Some(self.in_use(least))
    }

    fn in_use(self: &Arc<Self>, one: Arc<Shared>) -> InUse {
        one.unfinished.fetch_add(1, Ordering::Relaxed);
        InUse {
            one,
            since: Instant::now(),
            shared: Arc::clone(self),
            is_finished: false,
        }
    }

    /// Waits until a session has answered all statements, and cancels those that take too long. After a cancellation, the session
    /// is not used again, because it cancels whatever is running when it arrives.
    async fn settle(self: Arc<Self>, one: Arc<Shared>) {
        let mut abandoned = one.abandoned.load(Ordering::Acquire);
        while abandoned > 0 {
            let mut settled = pin!(one.session.settle());
            if timeout(CANCELLED_AFTER, &mut settled).await.is_err() {
                TALLY.statements_cancelled.add();
                let _ = timeout(TIME_TO_END, one.session.cancel_until(settled)).await;
                self.sessions().retain(|other| !Arc::ptr_eq(other, &one));
                break;
            }
            // More may have been abandoned in the meantime.
            abandoned = one.abandoned.fetch_sub(abandoned, Ordering::AcqRel) - abandoned;
        }
        self.settled.notify_waiters();
    }

    fn sessions(&self) -> MutexGuard<'_, Vec<Arc<Shared>>> {
        // No code panics while holding this lock.
        self.sessions.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The session with the fewest unfinished statements, among those that accept further ones.
fn least_busy(sessions: &[Arc<Shared>]) -> Option<Arc<Shared>> {
    let usable = sessions
        .iter()
        .filter(|one| one.abandoned.load(Ordering::Acquire) == 0);
    let least = usable.min_by_key(|one| one.unfinished.load(Ordering::Relaxed));
    least.cloned()
}

impl Shared {
    fn is_old(&self) -> bool {
        let most = Ages::default().most;
        most.is_some_and(|most| self.opened.elapsed() > most)
    }
}

/// A session in use by one statement.
pub(super) struct InUse {
    one: Arc<Shared>,
    since: Instant,
    shared: Arc<SharedSessions>,
    is_finished: bool,
}

impl InUse {
    pub(super) fn session(&self) -> &Arc<Session> {
        &self.one.session
    }

    pub(super) fn finished(mut self) {
        self.is_finished = true;
    }

    /// Marks the session as lost. Sessions that were open when the statement was sent may be lost too, and accept no more
    /// statements.
    pub(super) fn lost(self) {
        self.shared.sessions().retain(|one| one.opened > self.since);
        self.finished();
    }
}

impl Drop for InUse {
    fn drop(&mut self) {
        self.one.unfinished.fetch_sub(1, Ordering::Relaxed);
        if self.is_finished || self.one.abandoned.fetch_add(1, Ordering::AcqRel) > 0 {
            return;
        }
        // Without a runtime, the connection is closed as well.
        if let Ok(runtime) = Handle::try_current() {
            let (shared, one) = (Arc::clone(&self.shared), Arc::clone(&self.one));
            runtime.spawn(shared.settle(one));
        }
    }
}
