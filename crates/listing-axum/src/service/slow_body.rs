//! Tells a client whose body did not arrive in time that it was the client that was slow: 408, not 504 (b337).

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};

use axum::body::{Body, HttpBody};
use axum::extract::Request;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use http_body::{Frame, SizeHint};

/// Whether a request's body is waited for; none where it has no body.
pub(super) struct BodyWatch(Option<Arc<AtomicBool>>);

impl BodyWatch {
    /// The request, with an eye on its body.
    pub(super) fn of(request: Request) -> (Request, Self) {
        // Most requests have none.
        if request.body().is_end_stream() {
            return (request, Self(None));
        }
        let waits = Arc::new(AtomicBool::new(false));
        let watched = |body| {
            Body::new(Watched {
                body,
                waits: Arc::clone(&waits),
            })
        };
        (request.map(watched), Self(Some(waits)))
    }

    /// The answer to a request whose time is over.
    pub(super) fn timed_out(&self) -> Response {
        let mut response = StatusCode::GATEWAY_TIMEOUT.into_response();
        let waits = self.0.as_ref();
        if waits.is_some_and(|waits| waits.load(Ordering::Relaxed)) {
            *response.status_mut() = StatusCode::REQUEST_TIMEOUT;
            // What is left of the body is not waited for.
            let close = HeaderValue::from_static("close");
            response.headers_mut().insert(header::CONNECTION, close);
        }
        response
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
