//! Lets only callers with the token of `--token` read the tables.

use std::sync::Arc;

use axum::Router;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use listing_axum::{ApiError, Denied};

/// The router, for callers that send `Authorization: Bearer` with this token; others are answered with 401.
pub(super) fn protect(router: Router, token: &str) -> Router {
    let token: Arc<str> = token.into();
    router.layer(middleware::from_fn_with_state(token, check))
}

async fn check(State(token): State<Arc<str>>, request: Request, next: Next) -> Response {
    match bearer(request.headers()) {
        Some(sent) if is_same(sent, &token) => next.run(request).await,
        Some(_) => ApiError::InvalidToken.into_response(),
        None => ApiError::Denied(Denied::Unauthenticated).into_response(),
    }
}

fn bearer(headers: &HeaderMap) -> Option<&str> {
    let sent = headers.get(header::AUTHORIZATION)?.to_str().ok()?;
    let (scheme, token) = sent.split_once(' ')?;
    scheme
        .eq_ignore_ascii_case("bearer")
        .then_some(token.trim())
}

/// Compares all bytes, so that the time it takes says nothing of how many are right.
fn is_same(sent: &str, token: &str) -> bool {
    let differences = sent.bytes().zip(token.bytes());
    let differences = differences.fold(0, |all, (a, b)| all | (a ^ b));
    sent.len() == token.len() && differences == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_whole_token_is_the_token() {
        assert!(is_same("secret", "secret"));
        for other in ["", "secre", "secrets", "Secret", "terces"] {
            assert!(!is_same(other, "secret"), "{other}");
        }
    }
}
