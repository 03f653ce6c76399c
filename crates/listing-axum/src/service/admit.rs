//! Limits the requests that run at the same time: others wait for their turn, and the rest are answered with 503 (b620).
//!
//! A request that finds no place waits in the order of arrival. The same rule holds at all times, so nothing has to be
//! recovered from: as soon as fewer requests arrive than can be answered, the queue empties and no request is refused.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use axum::http::Uri;
use axum::response::{IntoResponse, Response};
use listing::observe::{TallyCounter, TallyEntered, TallyLevel};
use tokio::sync::{Semaphore, SemaphorePermit};
use tokio::time::timeout;

use super::HttpConfig;
use crate::http::ApiError;

/// Requests that were refused because the service was overloaded.
pub(super) static REFUSED: TallyCounter = TallyCounter::zero();

/// Requests that wait for their turn.
pub(super) static WAITING: TallyLevel = TallyLevel::zero();

/// The interval between log lines about refused requests, in milliseconds.
const SAID_EVERY: u64 = 1_000;

/// Probes are always answered, at any load and any rate: monitoring must not mistake "busy" for "broken".
const PROBES: [&str; 2] = ["/healthz", "/readyz"];

pub(super) fn is_probe(uri: &Uri) -> bool {
    PROBES.contains(&uri.path())
}

/// Decides which requests run, wait or are refused.
#[derive(Debug)]
pub(super) struct Gate {
    requests: Queue,
    /// For requests whose body has not arrived completely.
    bodies: Queue,
    refusals: Refusals,
}

/// The right to run, until it is dropped.
pub(super) type Place<'g> = SemaphorePermit<'g>;

/// Marks the response to a request that was refused here, in its extensions.
#[derive(Debug, Clone, Copy)]
pub(super) struct Shed;

impl Gate {
    pub(super) fn of(config: &HttpConfig) -> Self {
        Self {
            requests: Queue::of(config),
            bodies: Queue::of(config),
            refusals: Refusals::new(),
        }
    }

    /// Waits for a place for the request until it is answered. Returns the response if no place is available. Probes need no
    /// place.
    pub(super) async fn enter(&self, uri: &Uri) -> Result<Option<Place<'_>>, Response> {
        if is_probe(uri) {
            return Ok(None);
        }
        match self.requests.turn().await {
            Some(place) => Ok(Some(place)),
            None => Err(self.refusals.one_more()),
        }
    }

    /// Waits for a place for a request whose body has not arrived completely, until it [enters](Self::enter). So there are never
    /// more bodies in memory than places. Returns the response if no place is available.
    pub(super) async fn enter_with_body(&self) -> Result<Place<'_>, Response> {
        let place = self.bodies.turn().await;
        place.ok_or_else(|| self.refusals.one_more())
    }
}

/// Places, and the requests that wait for one in the order of arrival.
#[derive(Debug)]
struct Queue {
    /// Serves the request that has waited longest first.
    places: Semaphore,
    waiting: AtomicUsize,
    most_waiting: usize,
    longest_wait: Duration,
}

impl Queue {
    fn of(config: &HttpConfig) -> Self {
        Self {
            places: Semaphore::new(config.max_requests.min(Semaphore::MAX_PERMITS)),
            waiting: AtomicUsize::new(0),
            most_waiting: config.max_waiting_requests,
            longest_wait: Duration::from_secs(config.queue_timeout_seconds),
        }
    }

    /// A place, possibly after a wait; `None` if too many are waiting, or if it takes too long.
    async fn turn(&self) -> Option<Place<'_>> {
        if let Ok(place) = self.places.try_acquire() {
            return Some(place);
        }
        let _waiting = Waiting::join(self)?;
        timeout(self.longest_wait, self.places.acquire())
            .await
            .ok()?
            .ok()
    }
}

/// A waiting request, until it is dropped.
struct Waiting<'q> {
    queue: &'q Queue,
    _counted: TallyEntered<'static>,
}

impl<'q> Waiting<'q> {
    /// `None` if too many are waiting.
    fn join(queue: &'q Queue) -> Option<Self> {
        let before = queue.waiting.fetch_add(1, Ordering::Relaxed);
        let waiting = Self {
            queue,
            _counted: WAITING.enter(),
        };
        (before < queue.most_waiting).then_some(waiting)
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.queue.waiting.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Counts refusals and logs them once a second. A line for each would be most of the work.
#[derive(Debug)]
struct Refusals {
    /// The number of refusals since the last line, and the earliest time of the next line.
    unsaid: AtomicU64,
    say_from: AtomicU64,
    first: Instant,
}

impl Refusals {
    fn new() -> Self {
        Self {
            unsaid: AtomicU64::new(0),
            say_from: AtomicU64::new(0),
            first: Instant::now(),
        }
    }

    /// The answer to a request that is refused.
    fn one_more(&self) -> Response {
        REFUSED.add();
        self.unsaid.fetch_add(1, Ordering::Relaxed);
        let now = u64::try_from(self.first.elapsed().as_millis()).unwrap_or(u64::MAX);
        let from = self.say_from.load(Ordering::Relaxed);
        let next = now.saturating_add(SAID_EVERY);
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
}

#[cfg(test)]
mod tests {
    use futures_util::poll;

    use super::*;

    /// A gate whose queue does not time out.
    fn gate(max_requests: usize, max_waiting_requests: usize) -> Gate {
        Gate::of(&HttpConfig {
            max_requests,
            max_waiting_requests,
            queue_timeout_seconds: 3_600,
            ..HttpConfig::default()
        })
    }

    fn list() -> Uri {
        Uri::from_static("/api/articles")
    }

    async fn is_refused_at_once(gate: &Gate) -> bool {
        let entered = timeout(Duration::ZERO, gate.enter(&list())).await;
        entered.unwrap().is_err()
    }

    /// Rule b620.
    #[tokio::test]
    async fn requests_wait_in_the_order_of_arrival_and_one_more_than_may_wait_is_refused() {
        let (gate, uri) = (gate(1, 2), list());
        let place = gate.enter(&uri).await.unwrap();
        let mut first = Box::pin(gate.enter(&uri));
        assert!(poll!(&mut first).is_pending());
        let mut second = Box::pin(gate.enter(&uri));
        assert!(poll!(&mut second).is_pending());
        let refused = REFUSED.get();
        assert!(is_refused_at_once(&gate).await);
        assert!(REFUSED.get() > refused);
        let probe = Uri::from_static("/readyz");
        assert!(matches!(gate.enter(&probe).await, Ok(None)));
        drop(place);
        // A request does not overtake those that are waiting.
        assert!(poll!(&mut second).is_pending());
        let place = first.await.unwrap();
        assert!(poll!(&mut second).is_pending());
        drop(place);
        assert!(matches!(second.await, Ok(Some(_))));
    }

    /// Rule b620.
    #[tokio::test]
    async fn after_a_refusal_as_many_run_and_wait_as_before() {
        let (gate, uri) = (gate(2, 2), list());
        for _ in 0..3 {
            let places = [gate.enter(&uri).await, gate.enter(&uri).await];
            let mut waiting = [Box::pin(gate.enter(&uri)), Box::pin(gate.enter(&uri))];
            for one in &mut waiting {
                assert!(poll!(one).is_pending());
            }
            for _ in 0..100 {
                assert!(is_refused_at_once(&gate).await);
            }
            drop(places);
            for one in waiting {
                assert!(one.await.is_ok());
            }
        }
    }

    /// Rule b620.
    #[tokio::test]
    async fn one_that_leaves_the_queue_makes_room_in_it() {
        let (gate, uri) = (gate(1, 1), list());
        let place = gate.enter(&uri).await.unwrap();
        let mut left = Box::pin(gate.enter(&uri));
        assert!(poll!(&mut left).is_pending());
        drop(left);
        let mut next = Box::pin(gate.enter(&uri));
        assert!(poll!(&mut next).is_pending());
        drop(place);
        assert!(next.await.is_ok());
    }

    /// Rule b620.
    #[tokio::test]
    async fn one_that_has_waited_for_too_long_is_refused() {
        let gate = Gate::of(&HttpConfig {
            max_requests: 1,
            queue_timeout_seconds: 0,
            ..HttpConfig::default()
        });
        let _place = gate.enter(&list()).await.unwrap();
        assert!(gate.enter(&list()).await.is_err());
        assert_eq!(gate.requests.waiting.load(Ordering::Relaxed), 0);
    }
}
