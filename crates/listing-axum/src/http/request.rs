//! What a handler reads from a request whatever it is about: its context and its JSON body.

use axum::body::Body;
use axum::extract::Request;
use axum::http::{HeaderMap, header};
use bytes::Bytes;
use http_body_util::{BodyExt, LengthLimitError, Limited};
use listing::Context;

use super::ApiError;

/// What a middleware has found out about the caller.
pub(crate) fn context_of(request: &Request) -> Context {
    request
        .extensions()
        .get::<Context>()
        .cloned()
        .unwrap_or_default()
}

/// The bytes of a JSON body, at most so many.
pub(crate) async fn read_json(request: Request, limit: usize) -> Result<Bytes, ApiError> {
    if !is_json(request.headers()) {
        return Err(ApiError::UnsupportedMediaType);
    }
    read_whole(request.into_body(), limit).await
}

/// The bytes of a body, at most so many.
pub(crate) async fn read_whole(body: Body, limit: usize) -> Result<Bytes, ApiError> {
    let body = Limited::new(body, limit).collect().await;
    Ok(body.map_err(|error| refused(&*error, limit))?.to_bytes())
}

/// `application/json`, or a type that is written in it.
fn is_json(headers: &HeaderMap) -> bool {
    let Some(value) = headers
        .get(header::CONTENT_TYPE)
        .and_then(|value| value.to_str().ok())
    else {
        return false;
    };
    let essence = value
        .split(';')
        .next()
        .unwrap_or_default()
        .trim()
        .to_ascii_lowercase();
    essence == "application/json"
        || (essence.starts_with("application/") && essence.ends_with("+json"))
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
