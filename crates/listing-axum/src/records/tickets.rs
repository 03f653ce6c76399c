//! `POST /api/_tickets`: an address of a file that a browser can open without a header (d118).

use axum::Json;
use axum::extract::Request;
use axum::http::header;
use axum::response::Response;
use serde::Deserialize;
use serde_json::json;

use super::handlers::Parts;
use crate::http::{ApiError, VALID, read_json, success, ticketed};

/// The request body.
#[derive(Deserialize)]
struct Asked {
    path: String,
}

/// Answers with the address that was sent, with a ticket for the caller in it.
pub(super) async fn ticket<S: Parts>(state: &S, request: Request) -> Result<Response, ApiError> {
    let listings = state.listings();
    let settings = listings.settings();
    let headers = request.headers().clone();
    let body = read_json(request, settings.bounds.body_bytes).await?;
    let malformed = |text: &str| ApiError::Malformed(text.to_owned());
    let asked: Asked = serde_json::from_slice(&body)
        .map_err(|_| malformed("Send an object with the path of an export: `{\"path\": \"/api/articles.csv?sort=id\"}`."))?;
    let address = ticketed(&asked.path, &headers, &settings.cursor_key);
    let address = address.ok_or_else(|| {
        malformed("`path` must be the path of an export with its query string, encoded as in a URL, such as `/api/articles.csv?sort=id`.")
    })?;
    let data = json!({ "path": address, "expires_in": VALID });
    let mut response = success("Ticket created.", Json(data), false);
    let no_store = axum::http::HeaderValue::from_static("no-store");
    response
        .headers_mut()
        .insert(header::CACHE_CONTROL, no_store);
    Ok(response)
}
