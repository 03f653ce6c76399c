//! Reads the body of a request before the request takes a place among those that are worked on (b337).
//!
//! A client that sends its body slowly would otherwise hold a place, and a hundred of them all places. So it only keeps other
//! bodies waiting. No more are read, or wait for their turn, at the same time than there are places, each of them up to its
//! limit of bytes.

use std::time::Duration;

use axum::body::{Body, HttpBody as _};
use axum::extract::Request;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use tokio::time::timeout;

use super::admit::{Gate, Place};
use crate::http::{ApiError, read_whole, with_error_body};

/// How large a body may be, and how long it may take to arrive.
#[derive(Debug)]
pub(super) struct BodyLimit {
    pub(super) bytes: usize,
    pub(super) time: Duration,
}

impl BodyLimit {
    /// The request with its whole body, and what it holds until it runs, if it has one; or the answer to one whose body is too
    /// large, too slow or broken off.
    pub(super) async fn read<'g>(
        &self,
        request: Request,
        gate: &'g Gate,
    ) -> Result<(Request, Option<Place<'g>>), Response> {
        // Most requests do not have a body.
        if request.body().is_end_stream() {
            return Ok((request, None));
        }
        // Refused at once if the client says how much it is going to send.
        let least = usize::try_from(request.body().size_hint().lower());
        if least.map_or(true, |least| least > self.bytes) {
            let limit = self.bytes;
            return Err(ApiError::PayloadTooLarge { limit }.into_response());
        }
        // Boxed, so that requests without a body do not pay for it.
        Box::pin(self.read_some(request, gate)).await
    }

    async fn read_some<'g>(
        &self,
        request: Request,
        gate: &'g Gate,
    ) -> Result<(Request, Option<Place<'g>>), Response> {
        let place = gate.enter_with_body().await?;
        let (parts, body) = request.into_parts();
        match timeout(self.time, read_whole(body, self.bytes)).await {
            Ok(Ok(body)) => {
                let request = Request::from_parts(parts, Body::from(body));
                Ok((request, Some(place)))
            }
            Ok(Err(refused)) => Err(refused.into_response()),
            Err(_) => Err(too_slow()),
        }
    }
}

/// It was the client that was slow: 408, not 504.
fn too_slow() -> Response {
    let mut response = with_error_body(StatusCode::REQUEST_TIMEOUT.into_response());
    // What is left of the body is not waited for.
    let close = HeaderValue::from_static("close");
    response.headers_mut().insert(header::CONNECTION, close);
    response
}
