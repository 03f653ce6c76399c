//! Tells a client whose body did not arrive in time that it was the client that was slow: 408, not 504 (b337).

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, ready};

use axum::body::{Body, HttpBody};
use axum::extract::Request;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::Response;
use bytes::Bytes;
use http_body::{Frame, SizeHint};
use pin_project_lite::pin_project;
use tower::Service;

/// The time limit of a request, as `inner`, with a look at whether its body was waited for.
#[derive(Debug, Clone)]
pub(super) struct SlowBody<S>(S);

impl<S> SlowBody<S> {
    pub(super) fn around(inner: S) -> Self {
        Self(inner)
    }
}

impl<S> Service<Request> for SlowBody<S>
where
    S: Service<Request, Response = Response>,
{
    type Response = Response;
    type Error = S::Error;
    type Future = Answer<S::Future>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.0.poll_ready(context)
    }

    fn call(&mut self, request: Request) -> Answer<S::Future> {
        // Most requests have none.
        if request.body().is_end_stream() {
            let answer = self.0.call(request);
            return Answer {
                answer,
                waits: None,
            };
        }
        let waits = Arc::new(AtomicBool::new(false));
        let watched = |body| {
            Body::new(Watched {
                body,
                waits: Arc::clone(&waits),
            })
        };
        let answer = self.0.call(request.map(watched));
        Answer {
            answer,
            waits: Some(waits),
        }
    }
}

pin_project! {
    pub(super) struct Answer<F> {
        #[pin]
        answer: F,
        waits: Option<Arc<AtomicBool>>,
    }
}

impl<F, E> Future for Answer<F>
where
    F: Future<Output = Result<Response, E>>,
{
    type Output = Result<Response, E>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let answer = self.project();
        let mut response = ready!(answer.answer.poll(context))?;
        let waits = answer.waits.as_ref();
        if response.status() == StatusCode::GATEWAY_TIMEOUT
            && waits.is_some_and(|waits| waits.load(Ordering::Relaxed))
        {
            response = Response::new(Body::empty());
            *response.status_mut() = StatusCode::REQUEST_TIMEOUT;
            // What is left of the body is not waited for.
            let close = HeaderValue::from_static("close");
            response.headers_mut().insert(header::CONNECTION, close);
        }
        Poll::Ready(Ok(response))
    }
}

/// A body that tells whether somebody waits for its next part.
struct Watched {
    body: Body,
    waits: Arc<AtomicBool>,
}

impl HttpBody for Watched {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let polled = Pin::new(&mut self.body).poll_frame(context);
        self.waits.store(polled.is_pending(), Ordering::Relaxed);
        polled
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
