//! Keeps odd requests out of the log and out of the service: long request ids, and HTTP/1.1 without `Host` (b254, b255).

use std::borrow::Cow;
use std::net::SocketAddr;

use axum::body::Body;
use axum::extract::{ConnectInfo, Request};
use axum::http::{HeaderName, HeaderValue, Version, header};
use axum::response::{IntoResponse, Response};

use crate::http::ApiError;

/// The header that carries a request's id.
pub(super) const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// The longest id that is taken from a client, in bytes.
const LONGEST_ID: usize = 128;

/// The request without an id that is too long or not text; it gets one of ours.
pub(super) fn without_long_id(mut request: Request) -> Request {
    let id = request.headers().get(REQUEST_ID);
    if id.is_some_and(|id| id.len() > LONGEST_ID || id.to_str().is_err()) {
        request.headers_mut().remove(REQUEST_ID);
    }
    request
}

/// Refuses a request over HTTP/1.1 that does not say which host it is for. One that did not come over a connection, as in
/// a test of the router, need not say it.
#[expect(clippy::result_large_err, reason = "the layer takes no other")]
pub(super) fn has_host(request: &mut Request) -> Result<(), Response<Body>> {
    let is_missing = request.version() == Version::HTTP_11
        && !request.headers().contains_key(header::HOST)
        && request
            .extensions()
            .get::<ConnectInfo<SocketAddr>>()
            .is_some();
    if is_missing {
        return Err(ApiError::MissingHost.into_response());
    }
    Ok(())
}

/// A response that no browser takes for anything but what it says it is.
pub(super) fn with_no_sniffing(mut response: Response) -> Response {
    let no_sniffing = HeaderValue::from_static("nosniff");
    let headers = response.headers_mut();
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, no_sniffing);
    response
}

/// Text of a client as the log has it: not longer than anybody reads.
pub(super) fn shorten(text: &str) -> Cow<'_, str> {
    const LONGEST: usize = 2_000;
    if text.len() <= LONGEST {
        return Cow::Borrowed(text);
    }
    let end = text.floor_char_boundary(LONGEST);
    Cow::Owned(format!("{}… ({} bytes)", &text[..end], text.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn b254_what_a_client_sends_is_short_in_the_log() {
        assert_eq!(shorten("short"), "short");
        let long = "ä".repeat(30_000);
        let shown = shorten(&long);
        assert!(shown.len() < 2_100, "{}", shown.len());
        assert!(shown.ends_with("… (60000 bytes)"));
    }
}
