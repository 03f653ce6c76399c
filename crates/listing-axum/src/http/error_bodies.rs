//! Gives our error body to errors that the framework made itself (d52, b142).

use axum::http::{HeaderMap, HeaderName, header};
use axum::response::Response;

use super::status::of_framework;

/// Headers that describe the replaced body. `Content-Range` does not: with 416 it contains the length of the resource.
const OF_BODY: [HeaderName; 9] = [
    header::CONTENT_DISPOSITION,
    header::CONTENT_ENCODING,
    header::CONTENT_LANGUAGE,
    header::CONTENT_LENGTH,
    header::CONTENT_LOCATION,
    header::CONTENT_TYPE,
    header::ETAG,
    header::LAST_MODIFIED,
    header::TRANSFER_ENCODING,
];

/// Gives the framework's own errors (unknown route, method not allowed, time limit, …) the body that all errors have.
///
/// The framework answers with plain text or with nothing. An error with any other content type is the application's own,
/// such as `application/problem+json`, and stays as it is.
///
/// Use it as a layer: `router.layer(axum::middleware::map_response(error_bodies))`.
pub async fn error_bodies(response: Response) -> Response {
    with_error_body(response)
}

pub(crate) fn with_error_body(response: Response) -> Response {
    let status = response.status();
    let is_error = status.is_client_error() || status.is_server_error();
    if !is_error || !is_of_framework(response.headers()) {
        return response;
    }
    let mut ours = of_framework(status);
    let (headers, said) = (ours.headers_mut(), response.headers());
    // Other headers stay, such as `Allow`, and take precedence over ours, such as `Retry-After`.
    for name in said.keys().filter(|name| !OF_BODY.contains(name)) {
        headers.remove(name);
        for value in said.get_all(name) {
            headers.append(name, value.clone());
        }
    }
    ours
}

/// Whether an error has plain text, or no body at all.
fn is_of_framework(headers: &HeaderMap) -> bool {
    let Some(content_type) = headers.get(header::CONTENT_TYPE) else {
        return true;
    };
    let content_type = content_type.to_str().unwrap_or_default();
    let essence = content_type.split(';').next().unwrap_or_default().trim();
    essence.eq_ignore_ascii_case("text/plain")
}

#[cfg(test)]
mod tests {
    use axum::body::{Body, to_bytes};
    use axum::http::{HeaderName, StatusCode, header};
    use axum::response::Response;

    use super::with_error_body;

    async fn answered(content_type: Option<&str>) -> (Option<String>, String) {
        let mut response = Response::new(Body::from("mine"));
        *response.status_mut() = StatusCode::CONFLICT;
        if let Some(content_type) = content_type {
            let content_type = content_type.parse().unwrap();
            response
                .headers_mut()
                .insert(header::CONTENT_TYPE, content_type);
        }
        let response = with_error_body(response);
        let content_type = response.headers().get(header::CONTENT_TYPE);
        let content_type = content_type.map(|value| value.to_str().unwrap().to_owned());
        let body = to_bytes(response.into_body(), 10_000).await.unwrap();
        (content_type, String::from_utf8(body.to_vec()).unwrap())
    }

    /// Rule b142.
    #[test]
    fn headers_of_an_application_come_before_ours() {
        let response = Response::builder()
            .status(StatusCode::SERVICE_UNAVAILABLE)
            .header(header::RETRY_AFTER, "120")
            .header(header::SET_COOKIE, "a=1")
            .header(header::SET_COOKIE, "b=2")
            .body(Body::from("maintenance"))
            .unwrap();
        let response = with_error_body(response);
        let all = |name| response.headers().get_all(name).iter().collect::<Vec<_>>();
        assert_eq!(all(header::RETRY_AFTER), ["120"]);
        assert_eq!(all(header::SET_COOKIE), ["a=1", "b=2"]);
    }

    /// Rule b142.
    #[test]
    fn headers_of_the_old_body_go_with_it() {
        let response = Response::builder()
            .status(StatusCode::RANGE_NOT_SATISFIABLE)
            .header(header::CONTENT_TYPE, "text/plain")
            .header(header::CONTENT_ENCODING, "gzip")
            .header(header::ETAG, "\"old\"")
            .header(header::LAST_MODIFIED, "Tue, 17 Nov 2026 10:00:00 GMT")
            .header(header::TRANSFER_ENCODING, "chunked")
            .header(header::CONTENT_RANGE, "bytes */5")
            .header(header::VARY, "accept-encoding")
            .body(Body::from("beyond its end"))
            .unwrap();
        let response = with_error_body(response);
        let mut left: Vec<_> = response.headers().keys().map(HeaderName::as_str).collect();
        left.sort_unstable();
        assert_eq!(left, ["content-range", "content-type", "vary"]);
        assert_eq!(response.headers()[header::CONTENT_TYPE], "application/json");
    }

    /// Rule b142.
    #[tokio::test]
    async fn an_applications_own_error_bodies_are_kept() {
        for own in [
            "application/json",
            "application/json; charset=utf-8",
            "application/problem+json",
            "application/vnd.api+json",
            "text/html; charset=utf-8",
        ] {
            let kept = answered(Some(own)).await;
            assert_eq!(kept, (Some(own.to_owned()), "mine".to_owned()));
        }
        for frameworks in [
            None,
            Some("text/plain"),
            Some("text/plain; charset=utf-8"),
            Some("Text/Plain;charset=utf-8"),
        ] {
            let (content_type, body) = answered(frameworks).await;
            assert_eq!(content_type.as_deref(), Some("application/json"));
            assert!(body.contains("\"code\":409"), "{body}");
        }
    }
}
