//! Keeps statements that are known to be slow to a few at a time, so that quick ones find a free connection.
//!
//! Only texts are known, which have no values: a list whose filter no index serves is slow for most of them.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::failure::unavailable;
use super::long_running::LongRunning;
use crate::execute::ExecuteError;

/// So many wait for their turn. One more would only wait for its time limit.
const MOST_WAITING: usize = 128;

/// The statements of one pool that were slow when they ran last.
pub(super) struct SlowLane {
    known: LongRunning,
    places: Arc<Semaphore>,
    waiting: AtomicUsize,
}

/// The right to run a slow statement, until the last clone is dropped.
#[derive(Clone)]
pub(super) struct Pass {
    #[expect(dead_code, reason = "held, not read")]
    place: Arc<OwnedSemaphorePermit>,
}

impl SlowLane {
    /// A statement that runs for longer is slow. Far more than a page by index takes, also on a machine that is busy.
    pub(super) const SLOW: Duration = Duration::from_millis(100);

    pub(super) fn new(places: usize) -> Self {
        Self {
            known: LongRunning::than(Self::SLOW),
            places: Arc::new(Semaphore::new(places)),
            waiting: AtomicUsize::new(0),
        }
    }

    /// Waits for its turn, if the statement is known to be slow.
    pub(super) async fn enter(&self, text: &str) -> Result<Option<Pass>, ExecuteError> {
        if !self.is_slow(text) {
            return Ok(None);
        }
        self.enter_as_slow().await.map(Some)
    }

    /// Waits for its turn, whatever is known of the statement.
    pub(super) async fn enter_as_slow(&self) -> Result<Pass, ExecuteError> {
        let _waiting = Waiting::of(self)?;
        let place = Arc::clone(&self.places).acquire_owned().await;
        let place = place.map_err(|_| unavailable("the connections are closed"))?;
        Ok(Pass {
            place: Arc::new(place),
        })
    }

    /// Learns how long a statement ran, without the time that it waited for others.
    pub(super) fn ran(&self, text: &str, time: Duration) {
        self.known.ran(text, time);
    }

    /// Learns that a statement is slow before it is over, so that others of its kind wait for their turn at once.
    #[cfg(any(feature = "mysql", feature = "postgres"))]
    pub(super) fn runs_long(&self, text: &str) {
        self.known.ran(text, Self::SLOW + Duration::from_millis(1));
    }

    /// Learns how long a statement had run when it was given up. It might have run for much longer.
    pub(super) fn was_left(&self, text: &str, time: Duration) {
        if time > Self::SLOW {
            self.ran(text, time);
        }
    }

    pub(super) fn is_slow(&self, text: &str) -> bool {
        self.known.contains(text)
    }
}

/// One that waits for its turn, until it is dropped.
struct Waiting<'l>(&'l SlowLane);

impl<'l> Waiting<'l> {
    fn of(lane: &'l SlowLane) -> Result<Self, ExecuteError> {
        let before = lane.waiting.fetch_add(1, Ordering::Relaxed);
        let waiting = Self(lane);
        if before < MOST_WAITING {
            Ok(waiting)
        } else {
            Err(unavailable("too many slow statements wait for their turn"))
        }
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.waiting.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SLOW: Duration = SlowLane::SLOW;

    #[tokio::test]
    async fn b331_what_was_slow_waits_for_its_turn_and_what_was_quick_does_not() {
        let lane = SlowLane::new(1);
        lane.ran("quick", SLOW / 10);
        lane.ran("slow", SLOW * 2);
        assert!(lane.enter("quick").await.unwrap().is_none());
        let first = lane.enter("slow").await.unwrap();
        assert!(first.is_some());
        let waits = async |text| {
            tokio::time::timeout(Duration::ZERO, lane.enter(text))
                .await
                .is_err()
        };
        assert!(waits("slow").await);
        assert!(lane.enter("quick").await.unwrap().is_none());
        drop(first);
        assert!(lane.enter("slow").await.unwrap().is_some());
        // In between it stays what it is.
        lane.ran("slow", SLOW * 3 / 4);
        assert!(lane.is_slow("slow"));
        lane.ran("slow", SLOW / 4);
        assert!(lane.enter("slow").await.unwrap().is_none());
    }

    #[tokio::test]
    async fn b331_only_so_many_slow_statements_wait() {
        let lane = SlowLane::new(1);
        lane.ran("slow", SLOW * 2);
        let _first = lane.enter("slow").await.unwrap();
        let mut waiting = Vec::new();
        for _ in 0..MOST_WAITING {
            let mut one = Box::pin(lane.enter("slow"));
            assert!(futures_util::poll!(&mut one).is_pending());
            waiting.push(one);
        }
        let one_more = tokio::time::timeout(Duration::ZERO, lane.enter("slow")).await;
        assert!(matches!(one_more, Ok(Err(_))));
        waiting.pop();
        let mut one = Box::pin(lane.enter("slow"));
        assert!(futures_util::poll!(&mut one).is_pending());
    }
}
