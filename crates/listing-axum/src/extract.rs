//! Extracts a list request from a query string or a JSON body (d13).

use axum::extract::{FromRef, FromRequest, Request};
use axum::http::{HeaderMap, Method, header};
use bytes::Bytes;
use http_body_util::{BodyExt, LengthLimitError, Limited};
use listing::{Context, ListingRequest, Listings};

use crate::ApiError;

/// Extracts a list request: from the query string of a `GET` or `HEAD`, from the JSON body of a `QUERY` or `POST`.
///
/// The listings come from the router's state; a [`Context`] that a middleware has put into the request's extensions
/// comes with it.
#[derive(Debug, Clone)]
pub struct ListingQuery(pub ListingRequest);

impl<S> FromRequest<S> for ListingQuery
where
    Listings: FromRef<S>,
    S: Send + Sync,
{
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &S) -> Result<Self, ApiError> {
        let listings = Listings::from_ref(state);
        let context = context_of(&request);
        let asked = if [Method::GET, Method::HEAD].contains(request.method()) {
            ListingRequest::from_query(&listings, request.uri().query().unwrap_or_default())?
        } else {
            let body = read_json(request, listings.settings().bounds.body_bytes).await?;
            ListingRequest::from_json(&listings, &body)?
        };
        Ok(Self(asked.with_context(context)))
    }
}

/// What a middleware knows about who asks.
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
    let body = Limited::new(request.into_body(), limit).collect().await;
    Ok(body.map_err(|error| refused(&*error))?.to_bytes())
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
fn refused(error: &(dyn std::error::Error + 'static)) -> ApiError {
    let mut source = Some(error);
    while let Some(error) = source {
        if error.is::<LengthLimitError>() {
            return ApiError::PayloadTooLarge;
        }
        source = error.source();
    }
    ApiError::BodyUnreadable
}
