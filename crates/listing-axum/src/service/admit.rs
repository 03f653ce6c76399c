//! Answers 503 at once to requests that are more than the service can work on and keep waiting (b335).
//!
//! A layer of its own, without a box for each request: it is on every request's way.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::task::{Context, Poll, ready};
use std::time::{Duration, Instant};

use axum::extract::Request;
use axum::response::{IntoResponse, Response};
use listing::{TALLY, TallyEntered};
use pin_project_lite::pin_project;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;
use tower::{Layer, Service};

use super::HttpConfig;
use crate::http::ApiError;

/// A request that waits for longer is refused: its client has been waiting long enough to be told.
const LONGEST_WAIT: Duration = Duration::from_secs(1);

/// When requests have been waiting for so long without a break, it is not a burst that will be over soon.
const BURST: Duration = Duration::from_millis(100);

/// A request then waits no longer than this. Who is refused is told at once, and who is answered has not waited long.
const LONGEST_WAIT_IN_OVERLOAD: Duration = Duration::from_millis(20);

/// Answered however much there is to do: those who watch the service must not take "busy" for "broken".
const PROBES: [&str; 2] = ["/healthz", "/readyz"];

/// How many requests are worked on at the same time, and how many wait.
#[derive(Debug, Clone)]
pub(super) struct AdmitLayer(Arc<Gate>);

#[derive(Debug)]
struct Gate {
    places: Arc<Semaphore>,
    waiting: AtomicUsize,
    most_waiting: usize,
    /// When a request last found a free place at once, in milliseconds after the first.
    last_free: AtomicU64,
    first: Instant,
}

impl Gate {
    fn found_free(&self) {
        self.last_free.store(self.now(), Ordering::Relaxed);
    }

    /// For how long the next request may wait.
    fn longest_wait(&self) -> Duration {
        let last_free = self.last_free.load(Ordering::Relaxed);
        longest_wait(Duration::from_millis(self.now().saturating_sub(last_free)))
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

impl AdmitLayer {
    pub(super) fn of(config: &HttpConfig) -> Self {
        let places = config.max_requests.min(Semaphore::MAX_PERMITS);
        Self(Arc::new(Gate {
            places: Arc::new(Semaphore::new(places)),
            waiting: AtomicUsize::new(0),
            most_waiting: config.max_waiting_requests,
            last_free: AtomicU64::new(0),
            first: Instant::now(),
        }))
    }
}

impl<S> Layer<S> for AdmitLayer {
    type Service = Admit<S>;

    fn layer(&self, inner: S) -> Admit<S> {
        Admit {
            inner,
            gate: Arc::clone(&self.0),
        }
    }
}

/// A service for as many requests as the gate lets in.
#[derive(Debug, Clone)]
pub(super) struct Admit<S> {
    inner: S,
    gate: Arc<Gate>,
}

impl<S> Service<Request> for Admit<S>
where
    S: Service<Request, Response = Response> + Clone,
{
    type Response = Response;
    type Error = S::Error;
    type Future = Admitted<S>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.inner.poll_ready(context)
    }

    fn call(&mut self, request: Request) -> Admitted<S> {
        let is_probe = PROBES.contains(&request.uri().path());
        match Arc::clone(&self.gate.places).try_acquire_owned() {
            Ok(place) => {
                self.gate.found_free();
                Admitted::Answering {
                    answer: self.inner.call(request),
                    place: Some(place),
                }
            }
            Err(_) if is_probe => Admitted::Answering {
                answer: self.inner.call(request),
                place: None,
            },
            Err(_) => match Waiting::at(&self.gate) {
                Some(waiting) => {
                    // The one that is ready goes with the request; what takes its place is made ready again.
                    let next = self.inner.clone();
                    let ready = std::mem::replace(&mut self.inner, next);
                    Admitted::Waiting {
                        place: Box::pin(waiting.place()),
                        service: Some((ready, request)),
                    }
                }
                None => Admitted::Refused,
            },
        }
    }
}

type Place = Pin<Box<dyn Future<Output = Option<OwnedSemaphorePermit>> + Send>>;

pin_project! {
    /// A request that is answered, waits, or is refused.
    #[project = Project]
    pub(super) enum Admitted<S: Service<Request>> {
        Answering { #[pin] answer: S::Future, place: Option<OwnedSemaphorePermit> },
        Waiting { place: Place, service: Option<(S, Request)> },
        Refused,
    }
}

impl<S> Future for Admitted<S>
where
    S: Service<Request, Response = Response>,
{
    type Output = Result<Response, S::Error>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        loop {
            let next = match self.as_mut().project() {
                Project::Answering { answer, place } => {
                    let answered = ready!(answer.poll(context));
                    *place = None;
                    return Poll::Ready(answered);
                }
                Project::Refused => {
                    TALLY.requests_shed.add();
                    return Poll::Ready(Ok(ApiError::Overloaded.into_response()));
                }
                Project::Waiting { place, service } => {
                    let place = ready!(place.as_mut().poll(context));
                    match (place, service.take()) {
                        (Some(place), Some((mut service, request))) => Self::Answering {
                            answer: service.call(request),
                            place: Some(place),
                        },
                        _ => Self::Refused,
                    }
                }
            };
            self.set(next);
        }
    }
}

/// One that waits, until it is dropped.
struct Waiting {
    gate: Arc<Gate>,
    _counted: TallyEntered<'static>,
}

impl Waiting {
    fn at(gate: &Arc<Gate>) -> Option<Self> {
        let before = gate.waiting.fetch_add(1, Ordering::Relaxed);
        let waiting = Self {
            gate: Arc::clone(gate),
            _counted: TALLY.requests_waiting.enter(),
        };
        (before < gate.most_waiting).then_some(waiting)
    }

    /// A place, if there is one soon.
    async fn place(self) -> Option<OwnedSemaphorePermit> {
        let place = Arc::clone(&self.gate.places).acquire_owned();
        timeout(self.gate.longest_wait(), place).await.ok()?.ok()
    }
}

impl Drop for Waiting {
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
        let gate = AdmitLayer::of(&HttpConfig::default()).0;
        assert_eq!(gate.longest_wait(), LONGEST_WAIT);
    }
}
