//! A page of HTML, with the headers that keep it harmless (b255).

use axum::http::{HeaderName, HeaderValue, header};
use axum::response::{Html, IntoResponse, Response};

/// Only what this service itself serves; nothing inline, nothing in a frame.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
     font-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'";

/// A page: HTML with a content security policy that lets it load scripts, styles, images and data of this service alone,
/// and that lets no other page show it in a frame.
///
/// ```
/// let page = listing_axum::reply::page("<!doctype html><title>Explorer</title><script src=\"/explorer.js\"></script>");
/// assert!(page.headers()["content-security-policy"].to_str()?.contains("frame-ancestors 'none'"));
/// # Ok::<(), axum::http::header::ToStrError>(())
/// ```
pub fn page(html: impl Into<String>) -> Response {
    let mut response = Html(html.into()).into_response();
    let headers = response.headers_mut();
    for (name, value) in [
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_FRAME_OPTIONS, "DENY"),
        (header::REFERRER_POLICY, "no-referrer"),
        (
            HeaderName::from_static("cross-origin-opener-policy"),
            "same-origin",
        ),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}
