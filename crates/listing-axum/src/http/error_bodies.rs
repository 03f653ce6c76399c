//! Gives our error body to errors that the framework made itself (d52).

use axum::http::{HeaderValue, header};
use axum::response::Response;

use super::status::plain;

/// Gives the framework's own errors (unknown route, method not allowed, time limit, …) the body that all errors have.
///
/// Use it as a layer: `router.layer(axum::middleware::map_response(error_bodies))`.
pub async fn error_bodies(response: Response) -> Response {
    with_error_body(response)
}

pub(crate) fn with_error_body(response: Response) -> Response {
    let status = response.status();
    let is_error = status.is_client_error() || status.is_server_error();
    let json = HeaderValue::from_static("application/json");
    if !is_error || response.headers().get(header::CONTENT_TYPE) == Some(&json) {
        return response;
    }
    let mut ours = plain(status);
    for (name, value) in response.headers() {
        // What the framework said beside its body stays, such as `Allow`.
        if name != header::CONTENT_TYPE && name != header::CONTENT_LENGTH {
            ours.headers_mut().append(name, value.clone());
        }
    }
    ours
}
