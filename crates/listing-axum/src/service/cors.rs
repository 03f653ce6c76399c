//! Allows requests from pages of other origins that the configuration names (b256).

use std::time::Duration;

use axum::http::{HeaderName, HeaderValue, Method, header};
use tower_http::cors::{AllowOrigin, CorsLayer};

use crate::http::{POSITION, REQUEST_ID};

const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");
const IDEMPOTENCY_REPLAYED: HeaderName = HeaderName::from_static("idempotency-replayed");
const PREFER: HeaderName = HeaderName::from_static("prefer");
const PREFERENCE_APPLIED: HeaderName = HeaderName::from_static("preference-applied");
const SERVER_TIMING: HeaderName = HeaderName::from_static("server-timing");

/// The layer for these origins, separated by commas; `None` without origins. Browser credentials (cookies) are never allowed:
/// callers send tokens, which do not need that permission.
pub(super) fn layer(origins: &str) -> Option<CorsLayer> {
    let origins = match origins.trim() {
        "" => return None,
        "*" => AllowOrigin::any(),
        named => AllowOrigin::list(
            named
                .split(',')
                .filter_map(|origin| HeaderValue::from_str(origin.trim()).ok()),
        ),
    };
    // The crate has no constant for this method.
    let query = Method::from_bytes(b"QUERY").ok();
    let methods = [
        Method::GET,
        Method::HEAD,
        Method::POST,
        Method::PUT,
        Method::PATCH,
        Method::DELETE,
    ];
    let layer = CorsLayer::new()
        .allow_origin(origins)
        .allow_methods(methods.into_iter().chain(query).collect::<Vec<_>>())
        .allow_headers([
            header::AUTHORIZATION,
            header::CONTENT_TYPE,
            header::IF_MATCH,
            header::IF_NONE_MATCH,
            IDEMPOTENCY_KEY,
            POSITION,
            PREFER,
            REQUEST_ID,
        ])
        .expose_headers([
            header::ETAG,
            IDEMPOTENCY_REPLAYED,
            header::LOCATION,
            POSITION,
            PREFERENCE_APPLIED,
            header::RETRY_AFTER,
            REQUEST_ID,
            SERVER_TIMING,
        ])
        .max_age(Duration::from_secs(600));
    Some(layer)
}

/// Whether a text is a list of origins such as `https://example.org`, without a path, or only `*`.
pub(super) fn is_origins(text: &str) -> bool {
    let text = text.trim();
    if text.is_empty() || text == "*" {
        return true;
    }
    text.split(',').all(|origin| {
        let origin = origin.trim();
        let host = ["https://", "http://"]
            .iter()
            .find_map(|scheme| origin.strip_prefix(scheme));
        host.is_some_and(|host| {
            !host.is_empty()
                && host.bytes().all(|byte| {
                    byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b':' | b'[' | b']')
                })
        })
    })
}

#[cfg(test)]
mod tests {
    use super::is_origins;

    /// Rule b256.
    #[test]
    fn origins_are_a_scheme_and_a_host() {
        for good in [
            "",
            "*",
            "https://example.org",
            "http://localhost:5173, https://a.example",
        ] {
            assert!(is_origins(good), "{good}");
        }
        for wrong in [
            "example.org",
            "https://",
            "https://example.org/",
            "https://example.org/path",
            "*, https://example.org",
            "null",
            "https://*.example.org",
        ] {
            assert!(!is_origins(wrong), "{wrong}");
        }
    }
}
