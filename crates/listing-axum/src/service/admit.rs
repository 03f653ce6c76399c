//! Answers 503 at once to requests that are more than the service can work on and keep waiting (b335).
//!
//! Usually many requests are worked on at the same time, and each takes as long as the processors need for all of them. Once
//! some have to be refused, more at the same time would only make those slower that are answered: a few keep the processors
//! busy, and nobody waits.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::thread::available_parallelism;
use std::time::{Duration, Instant};

use axum::http::Uri;
use axum::response::{IntoResponse, Response};
use listing::{TALLY, TallyEntered};
use tokio::sync::{Semaphore, SemaphorePermit};
use tokio::time::timeout;

use super::HttpConfig;
use super::few::{Few, LONG};
use crate::http::ApiError;

/// A request that waits for longer is refused: its client has been waiting long enough to be told.
const LONGEST_WAIT: Duration = Duration::from_secs(1);

/// Whether an overload goes on is decided so often, in milliseconds.
const DECIDED_EVERY: u64 = 1_000;

/// It goes on while one of so many requests is refused. With fewer, all could be answered if some waited.
const ONE_OF: u64 = 5;

/// How often the log says that requests are refused, in milliseconds.
const SAID_EVERY: u64 = 1_000;

/// Answered however much there is to do and however often they are sent: those who watch the service must not take "busy" for "broken".
const PROBES: [&str; 2] = ["/healthz", "/readyz"];

pub(super) fn is_probe(uri: &Uri) -> bool {
    PROBES.contains(&uri.path())
}

/// How many requests are worked on at the same time, and how many wait.
#[derive(Debug)]
pub(super) struct Gate {
    places: Semaphore,
    most_places: usize,
    /// For requests whose body is still on its way.
    bodies: Semaphore,
    /// Needed as well in overload.
    few: Few,
    waiting: AtomicUsize,
    most_waiting: usize,
    overload: Overload,
    /// How many requests were refused since the log said so, and when it may say so again.
    unsaid: AtomicU64,
    say_from: AtomicU64,
    first: Instant,
}

/// The right to be worked on, until it is dropped.
#[derive(Debug)]
pub(super) struct Place<'g> {
    gate: &'g Gate,
    #[expect(dead_code, reason = "held, not read")]
    place: SemaphorePermit<'g>,
    few: Option<SemaphorePermit<'g>>,
    begun: Instant,
    /// How many requests were worked on then.
    at_once: usize,
}

impl Place<'_> {
    /// The request has been worked on for [`LONG`]: others need not wait for it.
    pub(super) fn took_long(&mut self) {
        if let Some(place) = self.few.take() {
            self.gate.few.leave(place, LONG);
        }
    }

    /// The request was answered, not given up.
    pub(super) fn answered(mut self) {
        let took = self.begun.elapsed();
        if let Some(place) = self.few.take() {
            self.gate.few.leave(place, took);
        }
        self.gate.few.answered(took, self.at_once);
    }
}

/// In the extensions of the answer to a request that was refused here.
#[derive(Debug, Clone, Copy)]
pub(super) struct Shed;

impl Gate {
    pub(super) fn of(config: &HttpConfig) -> Self {
        let processors = available_parallelism().map_or(1, usize::from);
        let most_places = config.max_requests.min(Semaphore::MAX_PERMITS);
        Self {
            places: Semaphore::new(most_places),
            most_places,
            bodies: Semaphore::new(most_places),
            few: Few::of(processors, most_places),
            waiting: AtomicUsize::new(0),
            most_waiting: config.max_waiting_requests,
            overload: Overload::default(),
            unsaid: AtomicU64::new(0),
            say_from: AtomicU64::new(0),
            first: Instant::now(),
        }
    }

    /// A place for the request, which it holds until it is answered; or the answer that there is none. Probes need none.
    pub(super) async fn enter(&self, uri: &Uri) -> Result<Option<Place<'_>>, Response> {
        if is_probe(uri) {
            return Ok(None);
        }
        let (few, place) = if self.is_overloaded() {
            let few = self.few.places().try_acquire();
            let few = few.map_err(|_| self.refused())?;
            let place = self.places.try_acquire();
            (Some(few), place.map_err(|_| self.refused())?)
        } else {
            (None, self.wait().await?)
        };
        Ok(Some(Place {
            gate: self,
            place,
            few,
            begun: Instant::now(),
            at_once: self.most_places - self.places.available_permits(),
        }))
    }

    /// A place for a request whose body is still on its way, until it has arrived; or the answer that there is none. That
    /// clients are slow does not mean that the service has much to do.
    pub(super) async fn enter_with_body(&self) -> Result<SemaphorePermit<'_>, Response> {
        match timeout(LONGEST_WAIT, self.bodies.acquire()).await {
            Ok(Ok(place)) => Ok(place),
            _ => Err(self.shed(self.now())),
        }
    }

    async fn wait(&self) -> Result<SemaphorePermit<'_>, Response> {
        if let Ok(place) = self.places.try_acquire() {
            return Ok(place);
        }
        let Some(_waiting) = Waiting::at(self) else {
            return Err(self.refused());
        };
        match timeout(LONGEST_WAIT, self.places.acquire()).await {
            Ok(Ok(place)) => Ok(place),
            _ => Err(self.refused()),
        }
    }

    fn is_overloaded(&self) -> bool {
        // Mostly it is not, and nobody looks at the clock.
        self.overload.has_begun() && self.overload.goes_on(self.now())
    }

    /// There is more to do than can be worked on.
    fn refused(&self) -> Response {
        let now = self.now();
        self.overload.refused(now);
        self.shed(now)
    }

    fn shed(&self, now: u64) -> Response {
        TALLY.requests_shed.add();
        self.unsaid.fetch_add(1, Ordering::Relaxed);
        let from = self.say_from.load(Ordering::Relaxed);
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

/// Whether there is an overload, and how many requests have been refused since that was decided last.
#[derive(Debug, Default)]
struct Overload {
    /// When it is decided again, in milliseconds after the first request; 0 where there is none.
    until: AtomicU64,
    asked: AtomicU64,
    refused: AtomicU64,
}

impl Overload {
    fn has_begun(&self) -> bool {
        self.until.load(Ordering::Relaxed) > 0
    }

    /// Whether it goes on now that one more asks.
    fn goes_on(&self, now: u64) -> bool {
        let (until, next) = (self.until.load(Ordering::Relaxed), now + DECIDED_EVERY);
        let (stored, failed) = (Ordering::Relaxed, Ordering::Relaxed);
        if now < until || (self.until.compare_exchange(until, next, stored, failed)).is_err() {
            self.asked.fetch_add(1, Ordering::Relaxed);
            return true;
        }
        let asked = self.asked.swap(0, Ordering::Relaxed);
        let refused = self.refused.swap(0, Ordering::Relaxed);
        let is_over = refused * ONE_OF < asked || now >= until + DECIDED_EVERY;
        if is_over {
            self.until.store(0, Ordering::Relaxed);
        }
        !is_over
    }

    /// It begins, if it has not.
    fn refused(&self, now: u64) {
        self.refused.fetch_add(1, Ordering::Relaxed);
        let (none, next) = (0, now + DECIDED_EVERY);
        let (stored, failed) = (Ordering::Relaxed, Ordering::Relaxed);
        let _ = self.until.compare_exchange(none, next, stored, failed);
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

    fn gate(max_requests: usize, max_waiting_requests: usize) -> Gate {
        Gate::of(&HttpConfig {
            max_requests,
            max_waiting_requests,
            ..HttpConfig::default()
        })
    }

    fn list() -> Uri {
        Uri::from_static("/api/articles")
    }

    /// A gate that has refused a request, and all that it works on at the same time now.
    async fn overloaded() -> (Gate, usize) {
        let gate = gate(1_000, 1);
        gate.refused();
        let few = gate.few.places().available_permits();
        assert!((1..1_000).contains(&few));
        (gate, few)
    }

    async fn enter(gate: &Gate, requests: usize) -> Vec<Place<'_>> {
        let mut places = Vec::new();
        for _ in 0..requests {
            places.push(gate.enter(&list()).await.unwrap().unwrap());
        }
        places
    }

    async fn is_refused_at_once(gate: &Gate) -> bool {
        let entered = timeout(Duration::ZERO, gate.enter(&list())).await;
        entered.unwrap().is_err()
    }

    #[tokio::test]
    async fn b335_in_overload_few_are_worked_on_and_others_are_refused_at_once() {
        let (gate, few) = overloaded().await;
        let mut places = enter(&gate, few).await;
        assert!(is_refused_at_once(&gate).await);
        let probe = Uri::from_static("/readyz");
        assert!(matches!(gate.enter(&probe).await, Ok(None)));
        places.pop();
        assert!(gate.enter(&list()).await.is_ok());
    }

    #[tokio::test]
    async fn b335_in_overload_requests_that_take_long_leave_their_places_to_others() {
        let (gate, few) = overloaded().await;
        let mut places = enter(&gate, few).await;
        places[0].took_long();
        enter(&gate, 1).await;
    }

    #[tokio::test]
    async fn b335_in_overload_every_answer_tells_how_many_may_be_worked_on() {
        let (gate, few) = overloaded().await;
        gate.few.answered(Duration::from_secs(1), 1);
        for _ in 0..1_000 {
            let place = enter(&gate, 1).await.pop().unwrap();
            place.answered();
        }
        assert!(gate.few.places().available_permits() > few);
    }

    #[test]
    fn b335_an_overload_is_over_when_fewer_than_one_of_five_are_refused() {
        let overload = Overload::default();
        let second = |asked: u64, refused: u64, now: u64| {
            for _ in 0..asked {
                assert!(overload.goes_on(now));
            }
            for _ in 0..refused {
                overload.refused(now);
            }
        };
        overload.refused(1);
        assert!(overload.has_begun());
        second(10, 2, DECIDED_EVERY);
        assert!(overload.goes_on(DECIDED_EVERY + 1));
        second(10, 1, DECIDED_EVERY + 2);
        assert!(!overload.goes_on(DECIDED_EVERY * 2 + 1));
        assert!(!overload.has_begun());
    }

    #[test]
    fn b335_an_overload_is_over_when_nobody_asks() {
        let overload = Overload::default();
        overload.refused(1);
        assert!(!overload.goes_on(DECIDED_EVERY * 2 + 1));
        assert!(!overload.has_begun());
    }

    #[tokio::test]
    async fn b335_one_more_than_may_wait_is_refused_at_once() {
        let (gate, uri) = (gate(1, 1), list());
        let place = gate.enter(&uri).await.unwrap();
        let mut waiting = Box::pin(gate.enter(&uri));
        assert!(futures_util::poll!(&mut waiting).is_pending());
        let one_more = timeout(Duration::ZERO, gate.enter(&uri)).await;
        assert!(matches!(one_more, Ok(Err(_))));
        drop(place);
        assert!(matches!(waiting.await, Ok(Some(_))));
    }
}
