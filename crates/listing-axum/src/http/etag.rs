//! Computes the `ETag` of a record or a list and answers clients that already have it.
//!
//! By hand, and not by the crate `headers`: its `If-Match` compares strongly, so that a tag which compression has marked as
//! weak would never match.

use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};

use axum::body::{Body, Bytes, HttpBody};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::Response;
use http_body::Frame;
use twox_hash::XxHash3_128;

/// The tag of a JSON text: it changes whenever anything that is shown changes. Every server gives the same text the same.
pub(crate) fn etag(json: &[u8]) -> String {
    tag_of("\"", json)
}

/// The weak tag of a JSON text that may be sent in several encodings.
pub(crate) fn weak_etag(json: &[u8]) -> String {
    tag_of("W/\"", json)
}

/// Digit by digit: every list has one, and the standard formatting takes longer than the hash.
fn tag_of(beginning: &str, json: &[u8]) -> String {
    let hash = XxHash3_128::oneshot(json);
    let mut tag = String::with_capacity(beginning.len() + 33);
    tag.push_str(beginning);
    let digit = |value: u8| char::from(b"0123456789abcdef"[usize::from(value)]);
    for byte in hash.to_be_bytes() {
        tag.push(digit(byte >> 4));
        tag.push(digit(byte & 0xf));
    }
    tag.push('"');
    tag
}

/// The header's value; the tag is made of digits.
pub(crate) fn header(tag: &str) -> HeaderValue {
    HeaderValue::from_str(tag).unwrap_or_else(|_| HeaderValue::from_static("\"\""))
}

/// Whether a list of tags, such as `If-Match`, names this one; `None` if the header was not sent.
/// Compression makes a tag weak, ours and that of proxies, so the mark of weakness is passed over.
pub(crate) fn names<'h>(
    sent: impl IntoIterator<Item = &'h HeaderValue>,
    tag: &str,
) -> Option<bool> {
    let mut sent = sent.into_iter().peekable();
    sent.peek()?;
    let tag = opaque(tag);
    Some(
        sent.filter_map(|value| value.to_str().ok())
            .flat_map(|value| value.split(','))
            .map(str::trim)
            .any(|one| one == "*" || opaque(one) == tag),
    )
}

fn opaque(tag: &str) -> &str {
    tag.strip_prefix("W/").unwrap_or(tag)
}

/// A cache revalidates the answer each time, and never shows it to anyone else, because its content depends on the caller.
pub(crate) fn cache_control() -> HeaderValue {
    HeaderValue::from_static("private, no-cache")
}

/// `304` for a client that already has the version with this tag.
pub(crate) fn not_modified(tag: HeaderValue) -> Response {
    let mut headers = HeaderMap::new();
    headers.insert(header::ETAG, tag);
    headers.insert(header::CACHE_CONTROL, cache_control());
    unchanged(headers)
}

/// `304` with the headers of the answer that it replaces, without those that describe a body (RFC 9110, 15.4.5).
pub(crate) fn unchanged(mut headers: HeaderMap) -> Response {
    headers.remove(header::CONTENT_TYPE);
    headers.remove(header::CONTENT_LENGTH);
    let mut response = Response::new(Body::new(Nothing));
    *response.status_mut() = StatusCode::NOT_MODIFIED;
    *response.headers_mut() = headers;
    response
}

/// No body, and no word about its length: a `Content-Length` of a 304 would be that of the 200 (RFC 9110, 8.6), and for
/// an empty body the framework writes 0.
struct Nothing;

impl HttpBody for Nothing {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        Poll::Ready(None)
    }
}
