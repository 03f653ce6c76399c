//! Keeps a server's last answer about its position, and lets others wait for the next one.

use std::pin::pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::{sleep, timeout};

use super::ask::Told;
use super::position::Position;

/// How often a server is asked while no request is waiting. A replica that fails or falls behind is noticed within this time.
/// Four small statements per second cost a server nothing measurable.
const INTERVAL: Duration = Duration::from_millis(250);

/// The pause between two questions while a request is waiting.
const PAUSE: Duration = Duration::from_millis(1);

/// How long a server may take to answer before it counts as unreachable.
pub(super) const PATIENCE: Duration = Duration::from_secs(1);

/// A server that is regularly asked for its position.
pub(super) struct Watched {
    said: RwLock<Said>,
    /// The number of the last question.
    begun: AtomicU64,
    /// Notified when a request waits for an answer.
    hurry: Notify,
    /// Notified after each answer.
    answered: Arc<Notify>,
}

#[derive(Default)]
struct Said {
    /// The number of the question.
    round: u64,
    told: Option<Told>,
}

impl Watched {
    pub(super) fn new(answered: Arc<Notify>) -> Self {
        Self {
            said: RwLock::default(),
            begun: AtomicU64::new(0),
            hurry: Notify::new(),
            answered,
        }
    }

    /// Starts a question and returns its number.
    pub(super) fn begin(&self) -> u64 {
        self.begun.fetch_add(1, Ordering::SeqCst) + 1
    }

    /// Stores the answer to a question; `None` if there was no answer.
    pub(super) fn say(&self, round: u64, told: Option<Told>) {
        // No code panics while holding this lock.
        *self.said.write().unwrap_or_else(PoisonError::into_inner) = Said { round, told };
        self.answered.notify_waiters();
    }

    /// Waits until the next question is due.
    pub(super) async fn pause(&self) {
        sleep(PAUSE).await;
        let _ = timeout(INTERVAL - PAUSE, self.hurry.notified()).await;
    }

    /// Brings the next question forward.
    pub(super) fn hurry(&self) {
        self.hurry.notify_one();
    }

    pub(super) fn told(&self) -> Option<Told> {
        self.said().told.clone()
    }

    pub(super) fn has_reached(&self, needed: &[Position]) -> bool {
        let said = self.said();
        let here = said.told.as_ref().map(|told| &told.position);
        here.is_some_and(|here| needed.iter().all(|needed| here.has_reached(needed)))
    }

    /// Whether it can ever reach these positions.
    pub(super) fn may_reach(&self, needed: &[Position]) -> bool {
        let said = self.said();
        let here = said.told.as_ref().map(|told| &told.position);
        here.is_some_and(|here| needed.iter().all(|needed| here.is_comparable(needed)))
    }

    /// Its position, requested after this call: it includes everything that was read or written there before.
    pub(super) async fn position_from_now(&self) -> Option<Position> {
        let needed = self.begun.load(Ordering::SeqCst) + 1;
        let answer = async {
            loop {
                let mut answered = pin!(self.answered.notified());
                answered.as_mut().enable();
                {
                    let said = self.said();
                    if said.round >= needed {
                        return said.told.as_ref().map(|told| told.position.clone());
                    }
                }
                self.hurry();
                answered.await;
            }
        };
        timeout(PATIENCE, answer).await.ok().flatten()
    }

    fn said(&self) -> RwLockReadGuard<'_, Said> {
        self.said.read().unwrap_or_else(PoisonError::into_inner)
    }
}
