//! Keeps odd requests out of the log and out of the service (b254, b255).
//!
//! Those are long request ids, and HTTP/1.1 without `Host`.

use std::borrow::Cow;
use std::hash::{BuildHasher as _, RandomState};
use std::net::SocketAddr;

use axum::extract::{ConnectInfo, Request};
use axum::http::{HeaderValue, Version, header};
use axum::response::{IntoResponse, Response};
use uuid::fmt::Hyphenated;
use uuid::{Builder, Uuid};

use crate::http::{ApiError, REQUEST_ID};

/// The longest id that is taken from a client, in bytes.
const LONGEST_ID: usize = 128;

/// The request's id: the client's own, or a new one where it sent none, or one that is too long or not text.
pub(super) fn request_id(request: &mut Request) -> HeaderValue {
    let id = request.headers().get(REQUEST_ID);
    if let Some(id) = id.filter(|id| id.len() <= LONGEST_ID && id.to_str().is_ok()) {
        return id.clone();
    }
    let mut text = [0; Hyphenated::LENGTH];
    let text: &str = new_id().as_hyphenated().encode_lower(&mut text);
    // Digits and hyphens are a valid value.
    let id = HeaderValue::from_str(text).unwrap_or_else(|_| HeaderValue::from_static(""));
    request.headers_mut().insert(REQUEST_ID, id.clone());
    id
}

/// Random for telling requests apart, which is all that it is for: the standard library's hasher, whose keys are random and
/// new each time, takes a tenth of the time that the system needs for random bytes.
fn new_id() -> Uuid {
    let random = RandomState::new();
    let (first, second) = (random.hash_one(0), random.hash_one(1));
    let bits = (u128::from(first) << 64) | u128::from(second);
    Builder::from_random_bytes(bits.to_ne_bytes()).into_uuid()
}

/// Refuses a request over HTTP/1.1 that does not say which host it is for. One that did not come over a connection, as in
/// a test of the router, need not say it.
#[expect(clippy::result_large_err, reason = "it is the answer")]
pub(super) fn has_host(request: &Request) -> Result<(), Response> {
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

    /// Rule b254.
    #[test]
    fn what_a_client_sends_is_short_in_the_log() {
        assert_eq!(shorten("short"), "short");
        let long = "ä".repeat(30_000);
        let shown = shorten(&long);
        assert!(shown.len() < 2_100, "{}", shown.len());
        assert!(shown.ends_with("… (60000 bytes)"));
    }
}
