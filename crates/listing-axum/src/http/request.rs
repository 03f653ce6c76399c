//! The parts of a request that handlers read: its context and its JSON body.

use axum::body::Body;
use axum::extract::Request;
use axum::http::{HeaderMap, HeaderName, header};
use bytes::Bytes;
use http_body_util::{BodyExt, LengthLimitError, Limited};
use listing::Context;

use super::ApiError;

/// The header that carries a request's id.
pub(crate) const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// The id of a request, in the context of a write.
#[derive(Debug, Clone)]
pub(crate) struct RequestId(pub(crate) String);

/// The same as [`context_of`], with the id of the request.
pub(crate) fn context_of_write(request: &Request) -> Context {
    let context = context_of(request);
    let id = request.headers().get(REQUEST_ID);
    match id.and_then(|id| id.to_str().ok()) {
        Some(id) => context.with(RequestId(id.to_owned())),
        None => context,
    }
}

/// The caller, as a middleware has identified it.
pub(crate) fn context_of(request: &Request) -> Context {
    request
        .extensions()
        .get::<Context>()
        .cloned()
        .unwrap_or_default()
}

/// The bytes of a JSON body of at most `limit` bytes.
pub(crate) async fn read_json(request: Request, limit: usize) -> Result<Bytes, ApiError> {
    if !is_json(request.headers()) {
        return Err(ApiError::UnsupportedMediaType);
    }
    read_whole(request.into_body(), limit).await
}

/// Whether a body is a JSON Merge Patch: other types that are written in JSON, such as JSON Patch, mean something else.
pub(crate) fn is_merge_patch(headers: &HeaderMap) -> bool {
    let essence = essence(headers);
    essence.is_some_and(|essence| {
        matches!(
            &*essence,
            "application/json" | "application/merge-patch+json"
        )
    })
}

/// The bytes of a body of at most `limit` bytes.
pub(crate) async fn read_whole(body: Body, limit: usize) -> Result<Bytes, ApiError> {
    let body = Limited::new(body, limit).collect().await;
    Ok(body.map_err(|error| refused(&*error, limit))?.to_bytes())
}

/// `application/json`, or a type that is written in it.
fn is_json(headers: &HeaderMap) -> bool {
    essence(headers).is_some_and(|essence| {
        essence == "application/json"
            || (essence.starts_with("application/") && essence.ends_with("+json"))
    })
}

/// The content type without its parameters.
fn essence(headers: &HeaderMap) -> Option<String> {
    let value = headers.get(header::CONTENT_TYPE)?.to_str().ok()?;
    let essence = value.split(';').next().unwrap_or_default();
    Some(essence.trim().to_ascii_lowercase())
}

/// Too large, or broken off by the client.
fn refused(error: &(dyn std::error::Error + 'static), limit: usize) -> ApiError {
    let mut source = Some(error);
    while let Some(error) = source {
        if error.is::<LengthLimitError>() {
            return ApiError::PayloadTooLarge { limit };
        }
        source = error.source();
    }
    ApiError::BodyUnreadable
}
