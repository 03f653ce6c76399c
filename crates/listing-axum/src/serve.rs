//! In: an application's router. Out: the same, with what every service needs around it (d56).

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::Request;
use axum::http::{HeaderName, StatusCode};
use axum::middleware::{from_fn_with_state, map_response};
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::limit::RequestBodyLimitLayer;
use tower_http::normalize_path::NormalizePath;
use tower_http::request_id::{MakeRequestUuid, PropagateRequestIdLayer, SetRequestIdLayer};
use tower_http::timeout::TimeoutLayer;
use tower_http::trace::{DefaultOnResponse, TraceLayer};
use tracing::{Level, Span};

use crate::compress::compress;
use crate::rate_limit::{RateLimiter, rate_limit};
use crate::{Config, error_bodies};

const ID: HeaderName = HeaderName::from_static("x-request-id");

/// The router with a time limit, a body limit, a rate limit, compression, request ids, logs, and our body for every
/// error; a path with a trailing slash is the same route. Serve it with `into_make_service_with_connect_info`: the rate
/// limit is for each address, and without it everybody is one client.
pub fn around(router: Router, config: &Config) -> NormalizePath<Router> {
    let trace = TraceLayer::new_for_http()
        .make_span_with(span)
        .on_response(DefaultOnResponse::new().level(Level::INFO));
    let router = router
        .layer(RequestBodyLimitLayer::new(
            config.settings.bounds.body_bytes,
        ))
        .layer(TimeoutLayer::with_status_code(
            StatusCode::GATEWAY_TIMEOUT,
            Duration::from_secs(config.time_limit_seconds),
        ))
        .layer(CatchPanicLayer::new())
        .layer(map_response(error_bodies));
    let http = &config.http;
    let router = if http.compression {
        router.layer(from_fn_with_state(http.compression_min_bytes, compress))
    } else {
        router
    };
    let router = match RateLimiter::of(http) {
        Some(limiter) => router.layer(from_fn_with_state(Arc::new(limiter), rate_limit)),
        None => router,
    };
    let router = router
        .layer(PropagateRequestIdLayer::new(ID))
        .layer(trace)
        .layer(SetRequestIdLayer::new(ID, MakeRequestUuid));
    NormalizePath::trim_trailing_slash(router)
}

/// What every line of the log about a request begins with: a client that has only been told "our side" knows its id.
fn span(request: &Request) -> Span {
    let id = request.headers().get(ID).and_then(|id| id.to_str().ok());
    tracing::info_span!("request", method = %request.method(), uri = %request.uri(), id)
}
