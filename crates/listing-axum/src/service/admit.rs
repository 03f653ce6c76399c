//! Answers 503 at once to requests that are more than the service can work on and keep waiting (b335).
//!
//! Usually many requests are worked on at the same time, and each takes as long as the processors need for all of them. Once
//! some have to be refused, more at the same time would only make those slower that are answered: a few keep the processors busy.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::thread::available_parallelism;
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

/// In overload: those that are refused are told at once, and those that are answered have not waited long.
const LONGEST_WAIT_IN_OVERLOAD: Duration = Duration::from_millis(10);

/// For each processor, so many requests are worked on at the same time in overload.
const FEW: usize = 4;

/// The service is overloaded until no request has been refused for so long, in milliseconds.
const OVERLOAD_LASTS: u64 = 1_000;

/// A request that takes longer waits for the database, not for a processor, and is no longer one of the few.
pub(super) const LONG: Duration = Duration::from_millis(100);

/// How often the log says that requests are refused, in milliseconds.
const SAID_EVERY: u64 = 1_000;

/// Answered however much there is to do: those who watch the service must not take "busy" for "broken".
const PROBES: [&str; 2] = ["/healthz", "/readyz"];

/// How many requests are worked on at the same time, and how many wait.
#[derive(Debug)]
pub(super) struct Gate {
    places: Semaphore,
    /// Needed as well in overload.
    few: Semaphore,
    waiting: AtomicUsize,
    most_waiting: usize,
    /// When the overload is over, in milliseconds after the first request; 0 where there was none.
    overloaded_until: AtomicU64,
    /// How many requests were refused since the log said so, and when it may say so again.
    unsaid: AtomicU64,
    say_from: AtomicU64,
    first: Instant,
}

/// The right to be worked on, until it is dropped.
#[derive(Debug)]
pub(super) struct Place<'g> {
    #[expect(dead_code, reason = "held, not read")]
    place: SemaphorePermit<'g>,
    few: Option<SemaphorePermit<'g>>,
}

impl Place<'_> {
    /// The request has been worked on for [`LONG`]: others need not wait for it.
    pub(super) fn took_long(&mut self) {
        self.few = None;
    }
}

/// In the extensions of the answer to a request that was refused here.
#[derive(Debug, Clone, Copy)]
pub(super) struct Shed;

impl Gate {
    pub(super) fn of(config: &HttpConfig) -> Self {
        let processors = available_parallelism().map_or(1, usize::from);
        Self {
            places: Semaphore::new(config.max_requests.min(Semaphore::MAX_PERMITS)),
            few: Semaphore::new(FEW * processors),
            waiting: AtomicUsize::new(0),
            most_waiting: config.max_waiting_requests,
            overloaded_until: AtomicU64::new(0),
            unsaid: AtomicU64::new(0),
            say_from: AtomicU64::new(0),
            first: Instant::now(),
        }
    }

    /// A place for the request, which it holds until it is answered; or the answer that there is none. Probes need none.
    pub(super) async fn enter(&self, uri: &Uri) -> Result<Option<Place<'_>>, Response> {
        if PROBES.contains(&uri.path()) {
            return Ok(None);
        }
        let (few, longest) = if self.is_overloaded() {
            let few = self.wait(&self.few, LONGEST_WAIT_IN_OVERLOAD).await?;
            (Some(few), LONGEST_WAIT_IN_OVERLOAD)
        } else {
            (None, LONGEST_WAIT)
        };
        let place = self.wait(&self.places, longest).await?;
        Ok(Some(Place { place, few }))
    }

    async fn wait<'g>(
        &self,
        places: &'g Semaphore,
        longest: Duration,
    ) -> Result<SemaphorePermit<'g>, Response> {
        if let Ok(place) = places.try_acquire() {
            return Ok(place);
        }
        let Some(_waiting) = Waiting::at(self) else {
            return Err(self.refused());
        };
        match timeout(longest, places.acquire()).await {
            Ok(Ok(place)) => Ok(place),
            _ => Err(self.refused()),
        }
    }

    fn is_overloaded(&self) -> bool {
        // Mostly there was none, and nobody looks at the clock.
        let until = self.overloaded_until.load(Ordering::Relaxed);
        until > 0 && self.now() < until
    }

    fn refused(&self) -> Response {
        TALLY.requests_shed.add();
        self.unsaid.fetch_add(1, Ordering::Relaxed);
        let (now, from) = (self.now(), self.say_from.load(Ordering::Relaxed));
        self.overloaded_until
            .store(now + OVERLOAD_LASTS, Ordering::Relaxed);
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

    /// A gate that has refused a request, so that only a few are worked on at the same time, and how many these are.
    fn overloaded() -> (Gate, usize) {
        let gate = gate(1_000, 1);
        gate.refused();
        let few = gate.few.available_permits();
        assert_eq!(few % FEW, 0);
        (gate, few)
    }

    #[tokio::test]
    async fn b335_in_overload_few_are_worked_on_and_others_wait_for_a_moment() {
        let (gate, few) = overloaded();
        let mut places = Vec::new();
        for _ in 0..few {
            places.push(gate.enter(&list()).await.unwrap());
        }
        let begun = Instant::now();
        assert!(gate.enter(&list()).await.is_err());
        assert!((LONGEST_WAIT_IN_OVERLOAD..LONGEST_WAIT).contains(&begun.elapsed()));
        assert!(matches!(
            gate.enter(&Uri::from_static("/readyz")).await,
            Ok(None)
        ));
        let list = list();
        let mut waiting = Box::pin(gate.enter(&list));
        assert!(futures_util::poll!(&mut waiting).is_pending());
        places.pop();
        assert!(waiting.await.is_ok());
    }

    #[tokio::test]
    async fn b335_in_overload_nobody_waits_for_requests_that_take_long() {
        let (gate, few) = overloaded();
        let mut places = Vec::new();
        for _ in 0..few {
            places.push(gate.enter(&list()).await.unwrap().unwrap());
        }
        places[0].took_long();
        assert!(gate.enter(&list()).await.is_ok());
    }

    #[tokio::test]
    async fn b335_an_overload_is_over_a_second_after_the_last_refusal() {
        let (gate, few) = overloaded();
        tokio::time::sleep(Duration::from_millis(OVERLOAD_LASTS + 10)).await;
        let mut places = Vec::new();
        for _ in 0..=few {
            places.push(gate.enter(&list()).await.unwrap());
        }
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
