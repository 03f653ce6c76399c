//! A page or a file of one with its tag, or 304 for a client that has it.

use axum::body::{Body, Bytes};
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::Response;

use crate::http::etag;

/// `Cache-Control` of a page: a browser asks each time whether it is still the same.
pub(super) const ASK_AGAIN: &str = "no-cache";

/// `Cache-Control` of a file whose address changes with its content, so that it never has to be requested again.
pub(super) const FOR_GOOD: &str = "public, max-age=31536000, immutable";

/// Answers a request that has these headers.
pub(super) fn tagged(
    body: impl Into<Bytes>,
    content_type: &'static str,
    cache: &'static str,
    request: &HeaderMap,
) -> Response {
    let body = body.into();
    let tag = etag::etag(&body);
    let known = etag::names(request.get_all(header::IF_NONE_MATCH), &tag) == Some(true);
    let mut response = match known {
        true => etag::unchanged(HeaderMap::new()),
        false => Response::new(Body::from(body)),
    };
    let headers = response.headers_mut();
    if !known {
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(content_type));
    }
    headers.insert(header::ETAG, etag::header(&tag));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(cache));
    let nosniff = HeaderValue::from_static("nosniff");
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, nosniff);
    response
}
