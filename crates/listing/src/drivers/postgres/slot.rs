//! The place of one connection to PostgreSQL: which statements are on their way there, and since when.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::runtime::Handle;
use tokio::sync::Mutex;
use tokio::time::sleep;

use super::super::failure::unavailable;
use super::super::lane::Turn;
use super::session::Session;
use crate::execute::ExecuteError;
use crate::vocabulary::TALLY;

/// So many statements on one connection are a server that does not keep up: one more would only wait for its time limit.
const MOST_UNFINISHED: usize = 1_000;

/// A connection that has answered nothing for so long is held by a slow statement, and others are better off elsewhere.
const HELD_AFTER: Duration = Duration::from_millis(5);

/// A statement that nobody waits for is cancelled if it does not end by itself by then. Most do, and a cancellation is a
/// connection of its own.
const CANCELLED_AFTER: Duration = Duration::from_millis(20);

/// A connection that has answered nothing for so long is held by a statement that is slow by any measure: those that wait
/// for it are run elsewhere. By then it is known which texts are slow, so that those do not take the places of quick ones.
const STUCK_AFTER: Duration = Duration::from_millis(200);

/// A server that does not take a cancellation has other troubles.
const TIME_TO_CANCEL: Duration = Duration::from_secs(5);

/// The place of one connection.
#[derive(Default)]
pub(super) struct Slot {
    pub(super) session: Mutex<Option<Arc<Session>>>,
    queue: std::sync::Mutex<Queue>,
    /// As many as there are in the queue.
    unfinished: AtomicUsize,
    /// When the last answer came, or the first statement went; in microseconds after the program's first.
    progress: AtomicU64,
    /// Whether it ever had a connection.
    is_open: AtomicBool,
}

/// Statements that are not answered yet, in the order in which they were sent.
#[derive(Default)]
struct Queue {
    next: u64,
    entries: VecDeque<Entry>,
}

impl Queue {
    fn push(&mut self) -> u64 {
        let number = self.next;
        self.next += 1;
        self.entries.push_back(Entry {
            number,
            is_wanted: true,
        });
        number
    }

    fn position(&self, number: u64) -> Option<usize> {
        let mut entries = self.entries.iter();
        entries.position(|entry| entry.number == number)
    }
}

struct Entry {
    number: u64,
    /// Whether anybody waits for its answer.
    is_wanted: bool,
}

impl Slot {
    /// The connection, unless it has to be opened or waited for.
    pub(super) fn ready(&self) -> Option<Arc<Session>> {
        let place = self.session.try_lock().ok()?;
        let session = place.as_ref().filter(|session| !session.is_lost());
        session.cloned()
    }

    /// Counts a statement that is about to be sent.
    pub(super) fn enter(self: &Arc<Self>, turn: Turn, now: u64) -> Result<Ticket, ExecuteError> {
        let mut queue = self.queue();
        let ahead = queue.entries.len();
        if ahead >= MOST_UNFINISHED {
            return Err(unavailable("too many statements wait for their answers"));
        }
        let number = queue.push();
        if ahead == 0 {
            self.progress.store(now, Ordering::Relaxed);
        }
        self.unfinished.store(ahead + 1, Ordering::Relaxed);
        Ok(Ticket {
            slot: Arc::clone(self),
            number: AtomicU64::new(number),
            has_others_before: ahead > 0,
            is_preparing: AtomicBool::new(false),
            sent: AtomicU64::new(now),
            is_answered: false,
            turn,
        })
    }

    pub(super) fn is_open(&self) -> bool {
        self.is_open.load(Ordering::Relaxed)
    }

    /// It has a connection from now on.
    pub(super) fn opened(&self) {
        self.is_open.store(true, Ordering::Relaxed);
    }

    pub(super) fn unfinished(&self) -> usize {
        self.unfinished.load(Ordering::Relaxed)
    }

    /// Whether a slow statement is running there.
    pub(super) fn is_held(&self, now: u64) -> bool {
        self.unfinished() > 0 && self.quiet(now) > micros(HELD_AFTER)
    }

    /// Whether a statement that waits elsewhere is better off here. It is not if there is little room: it has a place already.
    pub(super) fn is_free(&self) -> bool {
        !self.is_held(now()) && self.unfinished() < MOST_UNFINISHED / 2
    }

    /// Another may have put a new connection there already.
    pub(super) async fn discard(&self, lost: &Arc<Session>) {
        let mut place = self.session.lock().await;
        if place
            .as_ref()
            .is_some_and(|session| Arc::ptr_eq(session, lost))
        {
            *place = None;
        }
    }

    /// Takes the connection out of its place if nobody waits for any statement on it. Nobody can send one there afterwards.
    async fn give_up(&self, session: &Arc<Session>) -> bool {
        // A statement is in the queue before it looks for its connection here.
        let mut place = self.session.lock().await;
        let mut queue = self.queue();
        if queue.entries.iter().any(|entry| entry.is_wanted) {
            return false;
        }
        queue.entries.clear();
        self.unfinished.store(0, Ordering::Relaxed);
        if place.as_ref().is_some_and(|one| Arc::ptr_eq(one, session)) {
            *place = None;
        }
        true
    }

    /// For how long there was no answer.
    fn quiet(&self, now: u64) -> u64 {
        now.saturating_sub(self.progress.load(Ordering::Relaxed))
    }

    fn queue(&self) -> MutexGuard<'_, Queue> {
        // Nothing panics while it is held.
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A statement on its way; it is over when this is dropped.
pub(super) struct Ticket {
    slot: Arc<Slot>,
    number: AtomicU64,
    has_others_before: bool,
    /// Whether it has to be prepared before it is sent.
    is_preparing: AtomicBool,
    sent: AtomicU64,
    /// Whether it is no longer in the queue.
    is_answered: bool,
    turn: Turn,
}

impl Ticket {
    /// By which right it runs.
    pub(super) fn turn(&self) -> &Turn {
        &self.turn
    }

    /// Whether others were on their way when it was sent.
    pub(super) fn has_others_before(&self) -> bool {
        self.has_others_before
    }

    /// It is sent only now: there was no connection.
    pub(super) fn send(&self) {
        self.sent.store(now(), Ordering::Relaxed);
    }

    /// It has to be prepared first, and is sent after whatever is sent meanwhile.
    pub(super) fn prepare(&self) {
        self.is_preparing.store(true, Ordering::Relaxed);
    }

    pub(super) fn is_preparing(&self) -> bool {
        self.is_preparing.load(Ordering::Relaxed)
    }

    /// It is sent only now, after others: its preparation was answered.
    pub(super) fn resend(&self) {
        self.is_preparing.store(false, Ordering::Relaxed);
        let mut queue = self.slot.queue();
        if let Some(at) = queue.position(self.number()) {
            queue.entries.remove(at);
        }
        self.number.store(queue.push(), Ordering::Relaxed);
        let unfinished = queue.entries.len();
        self.slot.unfinished.store(unfinished, Ordering::Relaxed);
        self.slot.progress.store(now(), Ordering::Relaxed);
        self.sent.store(now(), Ordering::Relaxed);
    }

    /// Whether it waits for the answer of another that does not come.
    pub(super) fn is_stuck(&self) -> bool {
        self.waits_for_another() && self.slot.quiet(now()) > micros(STUCK_AFTER)
    }

    /// Whether it waits for the answer of another, or may: its preparation may have been sent after any of them.
    pub(super) fn waits_for_another(&self) -> bool {
        let queue = self.slot.queue();
        let is_alone = queue.entries.len() == 1;
        queue
            .position(self.number())
            .is_some_and(|at| at > 0 || (self.is_preparing() && !is_alone))
    }

    /// Whether an answer to a later one has come.
    fn is_over(&self) -> bool {
        self.slot.queue().position(self.number()).is_none()
    }

    /// Its answer has come. Answers come in the order of statements: those before it that nobody waits for are over, too.
    ///
    /// Others count until they have their own answers: one that is still being prepared will be sent after this one.
    fn answered(&self, now: u64) {
        let mut queue = self.slot.queue();
        let number = self.number();
        queue
            .entries
            .retain(|entry| entry.number > number || (entry.is_wanted && entry.number < number));
        let unfinished = queue.entries.len();
        self.slot.unfinished.store(unfinished, Ordering::Relaxed);
        self.slot.progress.store(now, Ordering::Relaxed);
    }

    fn number(&self) -> u64 {
        self.number.load(Ordering::Relaxed)
    }

    /// How long it has been running, as far as one can tell: since it was sent, or since the last answer before it.
    pub(super) fn running(&self, now: u64) -> Duration {
        let sent = self.sent.load(Ordering::Relaxed);
        let began = sent.max(self.slot.progress.load(Ordering::Relaxed));
        Duration::from_micros(now.saturating_sub(began))
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        if self.is_answered {
            return;
        }
        let mut queue = self.slot.queue();
        if let Some(at) = queue.position(self.number()) {
            queue.entries.remove(at);
            let unfinished = queue.entries.len();
            self.slot.unfinished.store(unfinished, Ordering::Relaxed);
        }
    }
}

/// A statement on its connection. If nobody waits for its end any more, it is ended, and counted until it has.
pub(super) struct Running(Option<(Arc<Session>, Ticket)>);

impl Running {
    pub(super) fn new(session: &Arc<Session>, ticket: Ticket) -> Self {
        Self(Some((Arc::clone(session), ticket)))
    }

    pub(super) fn ticket(&self) -> Option<&Ticket> {
        self.0.as_ref().map(|(_, ticket)| ticket)
    }

    pub(super) fn finish(&mut self, now: u64) {
        if let Some((_, mut ticket)) = self.0.take() {
            ticket.answered(now);
            ticket.is_answered = true;
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let Some((session, ticket)) = self.0.take() else {
            return;
        };
        let mut queue = ticket.slot.queue();
        if let Some(at) = queue.position(ticket.number()) {
            queue.entries[at].is_wanted = false;
        }
        drop(queue);
        // Without a runtime the connection is at its end too.
        if let Ok(runtime) = Handle::try_current() {
            runtime.spawn(end(session, ticket));
        }
    }
}

/// Waits for the end of a statement that nobody waits for, and asks for it.
///
/// A cancellation hits whatever the connection is running. So the connection is given up first: nobody waits for anything on
/// it, and nobody can use it any more. The next statement in its place opens another.
async fn end(session: Arc<Session>, ticket: Ticket) {
    let mut settled = std::pin::pin!(session.settle());
    let mut is_given_up = false;
    loop {
        tokio::select! {
            biased;
            () = &mut settled => {
                ticket.answered(now());
                return;
            }
            () = sleep(CANCELLED_AFTER) => {}
        }
        if !is_given_up {
            if ticket.is_over() {
                return;
            }
            is_given_up = ticket.slot.give_up(&session).await;
            if is_given_up {
                TALLY.statements_cancelled.add();
            }
        }
        if is_given_up {
            // Until what was sent after it has ended, too.
            let _ = tokio::time::timeout(TIME_TO_CANCEL, session.cancel()).await;
        }
    }
}

/// In microseconds after the program's first look.
pub(super) fn now() -> u64 {
    static FIRST: LazyLock<Instant> = LazyLock::new(Instant::now);
    micros(FIRST.elapsed())
}

fn micros(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn b332_a_statement_whose_preparation_was_overtaken_waits_for_another() {
        let slot = Arc::new(Slot::default());
        let quick = slot.enter(Turn::Quick, now()).unwrap();
        quick.prepare();
        assert!(!quick.waits_for_another());
        // Prepared at once, and sent before the preparation of the first one is.
        let slow = slot.enter(Turn::Quick, now()).unwrap();
        slow.prepare();
        slow.resend();
        assert!(quick.waits_for_another());
        slow.answered(now());
        assert!(!quick.waits_for_another());
    }

    #[tokio::test]
    async fn b332_a_connection_is_held_after_5_ms_and_what_waits_for_it_is_stuck_after_200() {
        let slot = Arc::<Slot>::default();
        assert!(!slot.is_held(now()));
        let first = slot.enter(Turn::Quick, now()).unwrap();
        let second = slot.enter(Turn::Quick, now()).unwrap();
        assert!(second.waits_for_another() && !first.waits_for_another());
        // Whoever only waits for its turn stays.
        assert!(!second.is_stuck());
        sleep(HELD_AFTER * 2).await;
        assert!(slot.is_held(now()));
        sleep(STUCK_AFTER).await;
        assert!(second.is_stuck() && !first.is_stuck());
        let answered = now();
        first.answered(answered);
        assert!(!slot.is_held(answered) && !second.is_stuck());
    }
}
