//! In: a request for a list, and its answer. Out: the answer with a tag, or 304 where the client has it already (b99).

use axum::body::{Body, HttpBody};
use axum::extract::Request;
use axum::http::{HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use http_body_util::BodyExt;

use crate::{ApiError, etag};

/// The tag is weak: the same list may be sent in several encodings. A `POST …/query` has none: it asks an address that
/// has no state of its own to compare with.
pub(crate) async fn revalidate(request: Request, next: Next) -> Response {
    if request.method() == Method::POST {
        return next.run(request).await;
    }
    let seen = request.headers().get_all(header::IF_NONE_MATCH);
    let seen: Vec<HeaderValue> = seen.iter().cloned().collect();
    let response = next.run(request).await;
    let is_whole = response.body().size_hint().exact().is_some();
    if response.status() != StatusCode::OK
        || !is_whole
        || response.headers().contains_key(header::ETAG)
    {
        return response;
    }
    let (mut parts, body) = response.into_parts();
    // The body is one buffer already: nothing is copied.
    let body = match body.collect().await {
        Ok(body) => body.to_bytes(),
        Err(error) => return ApiError::internal(error).into_response(),
    };
    let tag = format!("W/{}", etag::etag(&body));
    parts.headers.insert(header::ETAG, etag::header(&tag));
    parts
        .headers
        .entry(header::CACHE_CONTROL)
        .or_insert_with(etag::cache_control);
    if etag::names(&seen, &tag) == Some(true) {
        return etag::unchanged(parts.headers);
    }
    Response::from_parts(parts, Body::from(body))
}
