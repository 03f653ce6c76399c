//! Answers 503 at once to requests that are more than the service can work on and keep waiting (b335).

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use axum::http::Uri;
use axum::response::{IntoResponse, Response};
use listing::{TALLY, TallyEntered};
use tokio::sync::{Semaphore, SemaphorePermit};
use tokio::time::timeout;

use super::HttpConfig;
use crate::http::ApiError;

/// A request that waits for longer is refused: its client has been waiting long enough to be told.
const LONGEST_WAIT: Duration = Duration::from_secs(1);

/// When requests have been waiting for so long without a break, it is not a burst that will be over soon.
const BURST: Duration = Duration::from_millis(100);

/// A request then waits no longer than this: those that are refused are told at once, and those that are answered have not
/// waited long.
const LONGEST_WAIT_IN_OVERLOAD: Duration = Duration::from_millis(20);

/// How often the log says that requests are refused, in milliseconds.
const SAID_EVERY: u64 = 1_000;

/// Answered however much there is to do: those who watch the service must not take "busy" for "broken".
const PROBES: [&str; 2] = ["/healthz", "/readyz"];

/// How many requests are worked on at the same time, and how many wait.
#[derive(Debug)]
pub(super) struct Gate {
    places: Semaphore,
    waiting: AtomicUsize,
    most_waiting: usize,
    /// When a request last found a free place at once, in milliseconds after the first.
    last_free: AtomicU64,
    /// How many requests were refused since the log said so, and when it may say so again.
    unsaid: AtomicU64,
    say_from: AtomicU64,
    first: Instant,
}

/// In the extensions of the answer to a request that was refused here.
#[derive(Debug, Clone, Copy)]
pub(super) struct Shed;

impl Gate {
    pub(super) fn of(config: &HttpConfig) -> Self {
        Self {
            places: Semaphore::new(config.max_requests.min(Semaphore::MAX_PERMITS)),
            waiting: AtomicUsize::new(0),
            most_waiting: config.max_waiting_requests,
            last_free: AtomicU64::new(0),
            unsaid: AtomicU64::new(0),
            say_from: AtomicU64::new(0),
            first: Instant::now(),
        }
    }

    /// A place for the request, which it holds until it is answered; or the answer that there is none. Probes need none.
    pub(super) async fn enter(&self, uri: &Uri) -> Result<Option<SemaphorePermit<'_>>, Response> {
        if let Ok(place) = self.places.try_acquire() {
            self.last_free.store(self.now(), Ordering::Relaxed);
            return Ok(Some(place));
        }
        if PROBES.contains(&uri.path()) {
            return Ok(None);
        }
        let place = match Waiting::at(self) {
            Some(_waiting) => timeout(self.longest_wait(), self.places.acquire()).await,
            None => return Err(self.refused()),
        };
        match place {
            Ok(Ok(place)) => Ok(Some(place)),
            _ => Err(self.refused()),
        }
    }
}

impl Gate {
    /// For how long the next request may wait.
    fn longest_wait(&self) -> Duration {
        let last_free = self.last_free.load(Ordering::Relaxed);
        longest_wait(Duration::from_millis(self.now().saturating_sub(last_free)))
    }

    fn refused(&self) -> Response {
        TALLY.requests_shed.add();
        self.unsaid.fetch_add(1, Ordering::Relaxed);
        let (now, from) = (self.now(), self.say_from.load(Ordering::Relaxed));
        let next = now + SAID_EVERY;
        let (stored, failed) = (Ordering::Relaxed, Ordering::Relaxed);
        if now >= from && (self.say_from.compare_exchange(from, next, stored, failed)).is_ok() {
            let refused = self.unsaid.swap(0, Ordering::Relaxed);
            tracing::warn!(
                refused,
                "more requests arrive than can be answered; some are refused with 503"
            );
        }
        let mut response = ApiError::Overloaded.into_response();
        response.extensions_mut().insert(Shed);
        response
    }

    fn now(&self) -> u64 {
        u64::try_from(self.first.elapsed().as_millis()).unwrap_or(u64::MAX)
    }
}

/// For how long a request may wait when there has been no free place for so long.
fn longest_wait(full_for: Duration) -> Duration {
    if full_for > BURST {
        LONGEST_WAIT_IN_OVERLOAD
    } else {
        LONGEST_WAIT
    }
}

/// One that waits, until it is dropped.
struct Waiting<'g> {
    gate: &'g Gate,
    _counted: TallyEntered<'static>,
}

impl<'g> Waiting<'g> {
    fn at(gate: &'g Gate) -> Option<Self> {
        let before = gate.waiting.fetch_add(1, Ordering::Relaxed);
        let waiting = Self {
            gate,
            _counted: TALLY.requests_waiting.enter(),
        };
        (before < gate.most_waiting).then_some(waiting)
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.gate.waiting.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn b335_in_a_burst_requests_wait_and_in_overload_they_are_refused_soon() {
        assert_eq!(longest_wait(Duration::ZERO), LONGEST_WAIT);
        assert_eq!(longest_wait(BURST), LONGEST_WAIT);
        assert_eq!(longest_wait(BURST * 2), LONGEST_WAIT_IN_OVERLOAD);
        let gate = Gate::of(&HttpConfig::default());
        assert_eq!(gate.longest_wait(), LONGEST_WAIT);
    }

    #[tokio::test]
    async fn b335_one_more_than_may_wait_is_refused_at_once() {
        let gate = Gate::of(&HttpConfig {
            max_requests: 1,
            max_waiting_requests: 1,
            ..HttpConfig::default()
        });
        let uri = Uri::from_static("/");
        let place = gate.enter(&uri).await.unwrap();
        let mut waiting = Box::pin(gate.enter(&uri));
        assert!(futures_util::poll!(&mut waiting).is_pending());
        let one_more = timeout(Duration::ZERO, gate.enter(&uri)).await;
        assert!(matches!(one_more, Ok(Err(_))));
        drop(place);
        assert!(matches!(waiting.await, Ok(Some(_))));
    }
}
