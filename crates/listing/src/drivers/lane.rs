//! Keeps statements that are known to be slow to a few at a time, so that quick ones find a free connection.
//!
//! Only texts are known, which have no values: a list whose filter no index serves is slow for most of them. Of a text that
//! nobody knows, one statement runs first: a burst of slow ones would take all connections before the first of them is over.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

use super::failure::unavailable;
use super::long_running::LongRunning;
use super::trials::{Trial, Trials};
use crate::execute::ExecuteError;

/// So many wait for their turn. One more would only wait for its time limit.
const MOST_WAITING: usize = 128;

/// How long others wait for the first statement of their text: for longer than it takes to see that it is slow, or they would all
/// run at the moment at which it is seen.
const LONGEST_TRIAL: Duration = SlowLane::SLOW.saturating_mul(3);

/// The statements of one pool that were slow when they ran last.
pub(super) struct SlowLane {
    known: LongRunning,
    trials: Trials,
    places: Arc<Semaphore>,
    waiting: AtomicUsize,
}

/// The right to run a statement, until the last clone is dropped.
#[derive(Clone)]
pub(super) enum Turn {
    /// Its text has run before, and was not slow.
    Quick,
    /// It is the first of its text.
    First(Arc<Trial>),
    /// It is one of the few slow ones.
    Slow {
        #[expect(dead_code, reason = "held, not read")]
        place: Arc<OwnedSemaphorePermit>,
    },
}

impl Turn {
    pub(super) fn is_slow(&self) -> bool {
        matches!(self, Self::Slow { .. })
    }
}

impl SlowLane {
    /// A statement that runs for longer is slow. Far more than a page by index takes, also on a machine that is busy.
    pub(super) const SLOW: Duration = Duration::from_millis(100);

    pub(super) fn new(places: usize) -> Self {
        Self {
            known: LongRunning::than(Self::SLOW),
            trials: Trials::default(),
            places: Arc::new(Semaphore::new(places)),
            waiting: AtomicUsize::new(0),
        }
    }

    /// Waits for its turn if the statement is known to be slow, and until that is known if another of its text is the first.
    pub(super) async fn enter(&self, text: &str) -> Result<Turn, ExecuteError> {
        if !self.is_slow(text) {
            match self.trials.begin(text) {
                Ok(None) => return Ok(Turn::Quick),
                Ok(Some(trial)) => return Ok(Turn::First(Arc::new(trial))),
                // One that is slow is known by then; one that is not waits for others itself.
                Err(trial) => _ = timeout(LONGEST_TRIAL, trial.over()).await,
            }
            if !self.is_slow(text) {
                return Ok(Turn::Quick);
            }
        }
        let _waiting = Waiting::of(self)?;
        let place = Arc::clone(&self.places).acquire_owned().await;
        let place = place.map_err(|_| unavailable("the connections are closed"))?;
        Ok(Turn::Slow {
            place: Arc::new(place),
        })
    }

    /// Learns how long a statement ran, without the time that it waited for others.
    ///
    /// A text that was quick until now may have met a machine that stood still: the next of it is the first once more, and only
    /// if that is slow too, so is the text.
    pub(super) fn ran(&self, text: &str, turn: &Turn, time: Duration) {
        match turn {
            Turn::Quick if time > Self::SLOW => self.trials.forget(text),
            Turn::Quick => {}
            Turn::First(_) | Turn::Slow { .. } => self.known.ran(text, time),
        }
    }

    /// Learns that a statement is slow before it is over, so that others of its text wait for their turn at once. The first
    /// one takes a place among the slow ones, if there is one.
    pub(super) fn runs_long(&self, text: &str, turn: &Turn) {
        self.ran(text, turn, Self::SLOW + Duration::from_millis(1));
        if let Turn::First(trial) = turn {
            trial.end(&self.places);
        }
    }

    /// Learns how long a statement had run when it was given up. It might have run for much longer.
    pub(super) fn was_left(&self, text: &str, turn: &Turn, time: Duration) {
        if time > Self::SLOW {
            self.ran(text, turn, time);
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
    use std::time::Instant;

    use super::*;

    const SLOW: Duration = SlowLane::SLOW;

    /// A lane with one place, which knows one slow statement.
    async fn lane() -> SlowLane {
        let lane = SlowLane::new(1);
        ran(&lane, "slow", SLOW * 2).await;
        lane
    }

    /// Runs a statement of this text, which takes so long.
    async fn ran(lane: &SlowLane, text: &str, time: Duration) {
        let turn = lane.enter(text).await.unwrap();
        lane.ran(text, &turn, time);
    }

    async fn is_slow(lane: &SlowLane, text: &str) -> bool {
        lane.enter(text).await.unwrap().is_slow()
    }

    #[tokio::test]
    async fn b331_what_was_slow_waits_for_its_turn_and_what_was_quick_does_not() {
        let lane = lane().await;
        ran(&lane, "quick", SLOW / 10).await;
        assert!(!is_slow(&lane, "quick").await);
        let first = lane.enter("slow").await.unwrap();
        assert!(first.is_slow());
        assert!(
            timeout(Duration::ZERO, lane.enter("slow")).await.is_err(),
            "there is one place"
        );
        assert!(!is_slow(&lane, "quick").await);
        drop(first);
        assert!(is_slow(&lane, "slow").await);
        // In between it stays what it is.
        ran(&lane, "slow", SLOW * 3 / 4).await;
        assert!(is_slow(&lane, "slow").await);
        ran(&lane, "slow", SLOW / 4).await;
        assert!(!is_slow(&lane, "slow").await);
    }

    #[tokio::test]
    async fn b331_only_so_many_slow_statements_wait() {
        let lane = lane().await;
        let _first = lane.enter("slow").await.unwrap();
        let mut waiting = Vec::new();
        for _ in 0..MOST_WAITING {
            let mut one = Box::pin(lane.enter("slow"));
            assert!(futures_util::poll!(&mut one).is_pending());
            waiting.push(one);
        }
        let one_more = timeout(Duration::ZERO, lane.enter("slow")).await;
        assert!(matches!(one_more, Ok(Err(_))));
        waiting.pop();
        let mut one = Box::pin(lane.enter("slow"));
        assert!(futures_util::poll!(&mut one).is_pending());
    }

    #[tokio::test]
    async fn b333_a_text_that_was_quick_is_slow_only_after_two_that_are() {
        let lane = SlowLane::new(1);
        ran(&lane, "text", SLOW / 10).await;
        let several = [(); 3].map(|()| lane.enter("text"));
        for turn in futures_util::future::join_all(several).await {
            lane.ran("text", &turn.unwrap(), SLOW * 2);
        }
        let next = lane.enter("text").await.unwrap();
        assert!(matches!(next, Turn::First(_)));
        lane.ran("text", &next, SLOW * 2);
        drop(next);
        assert!(is_slow(&lane, "text").await);
    }

    #[tokio::test]
    async fn b333_of_a_text_that_nobody_knows_one_statement_runs_first() {
        let lane = SlowLane::new(1);
        let first = lane.enter("text").await.unwrap();
        assert!(matches!(first, Turn::First(_)));
        // Another text does not wait, and others of this one do not wait for ever.
        assert!(matches!(lane.enter("other").await, Ok(Turn::First(_))));
        let begun = Instant::now();
        assert!(matches!(lane.enter("text").await, Ok(Turn::Quick)));
        assert!(
            begun.elapsed() > SLOW,
            "for long enough to see whether the first is slow"
        );
        // Nobody waits for one that is over.
        drop(first);
        let third = timeout(Duration::ZERO, lane.enter("text")).await;
        assert!(matches!(third, Ok(Ok(Turn::Quick))));
    }

    #[tokio::test]
    async fn b333_the_first_statement_that_is_slow_takes_a_place() {
        let lane = lane().await;
        let first = lane.enter("text").await.unwrap();
        let mut second = Box::pin(lane.enter("text"));
        assert!(futures_util::poll!(&mut second).is_pending());
        assert!(
            is_slow(&lane, "slow").await,
            "until then the place is for others"
        );
        lane.runs_long("text", &first);
        let mut other = Box::pin(lane.enter("slow"));
        assert!(futures_util::poll!(&mut other).is_pending());
        assert!(futures_util::poll!(&mut second).is_pending());
        drop(first);
        assert!(other.await.unwrap().is_slow());
        assert!(second.await.unwrap().is_slow());
    }
}
