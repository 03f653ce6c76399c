//! In: an application's router. Out: the same, with what every service needs around it (d56).

use std::time::Duration;

use axum::Router;
use axum::http::StatusCode;
use axum::middleware::map_response;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::limit::RequestBodyLimitLayer;
use tower_http::normalize_path::NormalizePath;
use tower_http::request_id::{MakeRequestUuid, PropagateRequestIdLayer, SetRequestIdLayer};
use tower_http::timeout::TimeoutLayer;
use tower_http::trace::{DefaultMakeSpan, DefaultOnResponse, TraceLayer};
use tracing::Level;

use crate::{Config, error_bodies};

/// The router with a time limit, a body limit, request ids, logs, and our body for every error;
/// a path with a trailing slash is the same route. Serve it with `into_make_service`.
pub fn around(router: Router, config: &Config) -> NormalizePath<Router> {
    let id = axum::http::HeaderName::from_static("x-request-id");
    let trace = TraceLayer::new_for_http()
        .make_span_with(DefaultMakeSpan::new().level(Level::INFO))
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
        .layer(map_response(error_bodies))
        .layer(PropagateRequestIdLayer::new(id.clone()))
        .layer(trace)
        .layer(SetRequestIdLayer::new(id, MakeRequestUuid));
    NormalizePath::trim_trailing_slash(router)
}
