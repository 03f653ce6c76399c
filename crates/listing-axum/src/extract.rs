//! In: an HTTP request. Out: a list request, from its query string or from its JSON body (d13).

use axum::extract::{FromRef, FromRequest, Request};
use axum::http::{HeaderMap, Method, header};
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
        let (parts, body) = request.into_parts();
        let asked = if [Method::GET, Method::HEAD].contains(&parts.method) {
            ListingRequest::from_query(&listings, parts.uri.query().unwrap_or_default())?
        } else {
            if !is_json(&parts.headers) {
                return Err(ApiError::UnsupportedMediaType);
            }
            let body = Limited::new(body, listings.settings().bounds.body_bytes)
                .collect()
                .await;
            let body = body.map_err(|error| refused(&*error))?.to_bytes();
            ListingRequest::from_json(&listings, &body)?
        };
        let context = parts
            .extensions
            .get::<Context>()
            .cloned()
            .unwrap_or_default();
        Ok(Self(asked.with_context(context)))
    }
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
