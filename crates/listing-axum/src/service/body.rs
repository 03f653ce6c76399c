//! Reads the body of a request before the request takes one of the places for running requests (b337).
//!
//! Otherwise, a client that sends its body slowly would hold a place, and a hundred such clients would hold all of them. This
//! way, it only delays other bodies. The number of bodies that are read or waiting at the same time is at most the number of
//! places, each limited in size.

use std::time::Duration;

use axum::body::{Body, HttpBody as _};
use axum::extract::Request;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use futures_util::StreamExt as _;
use futures_util::stream::try_unfold;
use tokio::time::timeout;

use super::admit::{Gate, Place};
use crate::http::{ApiError, read_whole, with_error_body};

/// The limits for the size of a body and for the time that it takes to arrive.
#[derive(Debug)]
pub(super) struct BodyLimit {
    pub(super) bytes: usize,
    pub(super) time: Duration,
}

impl BodyLimit {
    /// Reads the whole body. Returns the request with the place that it holds until it runs, or the response if the body is too
    /// large, too slow or incomplete.
    pub(super) async fn read<'g>(
        &self,
        request: Request,
        gate: &'g Gate,
    ) -> Result<(Request, Option<Place<'g>>), Response> {
        // Most requests do not have a body.
        if request.body().is_end_stream() {
            return Ok((request, None));
        }
        // Refused at once if the client announces too much.
        let least = usize::try_from(request.body().size_hint().lower());
        if least.map_or(true, |least| least > self.bytes) {
            let limit = self.bytes;
            return Err(ApiError::PayloadTooLarge { limit }.into_response());
        }
        // Boxed, so that requests without a body do not pay for it.
        Box::pin(self.read_some(request, gate)).await
    }

    /// Leaves the body to its handler, which reads it in pieces. Each piece may take as long as a whole body of another request.
    pub(super) fn pieces(&self, request: Request) -> Request {
        let time = self.time;
        request.map(|body| {
            Body::from_stream(try_unfold(
                body.into_data_stream(),
                move |mut body| async move {
                    match timeout(time, body.next()).await {
                        Ok(Some(Ok(piece))) => Ok(Some((piece, body))),
                        Ok(Some(Err(error))) => Err(error),
                        Ok(None) => Ok(None),
                        Err(slow) => Err(axum::Error::new(slow)),
                    }
                },
            ))
        })
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

/// The client was slow, so it is 408 and not 504.
fn too_slow() -> Response {
    let mut response = with_error_body(StatusCode::REQUEST_TIMEOUT.into_response());
    // The rest of the body is not read.
    let close = HeaderValue::from_static("close");
    response.headers_mut().insert(header::CONNECTION, close);
    response
}
