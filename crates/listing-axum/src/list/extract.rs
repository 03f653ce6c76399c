//! The extractor of a list request, from a query string or from a JSON body (d13).

use axum::extract::{FromRef, FromRequest, Request};
use axum::http::Method;
use listing::request::RequestError;
use listing::{Context, ListingRequest, Listings};

use crate::http::{ApiError, context_of, read_json};

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
        let context = context_of(&request);
        let asked = list_request(request, &Listings::from_ref(state), context).await?;
        Ok(Self(asked))
    }
}

/// The list request that an HTTP request is.
pub(crate) async fn list_request(
    request: Request,
    listings: &Listings,
    context: Context,
) -> Result<ListingRequest, ApiError> {
    let asked = if [Method::GET, Method::HEAD].contains(request.method()) {
        ListingRequest::from_query(listings, request.uri().query().unwrap_or_default())?
    } else {
        // In a box, for which lists without a body do not pay.
        Box::pin(by_body(request, listings, ListingRequest::from_json)).await?
    };
    Ok(asked.with_context(context))
}

/// The request for groups that an HTTP request is.
pub(crate) async fn groups_request(
    request: Request,
    listings: &Listings,
    context: Context,
) -> Result<ListingRequest, ApiError> {
    let asked = if [Method::GET, Method::HEAD].contains(request.method()) {
        let query = request.uri().query().unwrap_or_default();
        ListingRequest::groups_from_query(listings, query)?
    } else {
        by_body(request, listings, ListingRequest::groups_from_json).await?
    };
    Ok(asked.with_context(context))
}

/// The request for a file that an HTTP request is.
pub(crate) async fn export_request(
    request: Request,
    listings: &Listings,
    context: Context,
) -> Result<ListingRequest, ApiError> {
    let asked = if [Method::GET, Method::HEAD].contains(request.method()) {
        let query = request.uri().query().unwrap_or_default();
        ListingRequest::export_from_query(listings, query)?
    } else {
        by_body(request, listings, ListingRequest::export_from_json).await?
    };
    Ok(asked.with_context(context))
}

async fn by_body(
    request: Request,
    listings: &Listings,
    read: fn(&Listings, &[u8]) -> Result<ListingRequest, RequestError>,
) -> Result<ListingRequest, ApiError> {
    let uri = request.uri().clone();
    let body = read_json(request, listings.settings().bounds.body_bytes).await?;
    let asked = read(listings, &body)?;
    Ok(match uri.query() {
        Some(query) => asked.with_query(query)?,
        None => asked,
    })
}
