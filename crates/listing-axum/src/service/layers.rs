//! Wraps an application's router in the layers that every service needs (d56).

use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use axum::http::{HeaderName, StatusCode};
#[cfg(any(feature = "compression", feature = "rate-limit"))]
use axum::middleware::from_fn_with_state;
use axum::response::Response;
use tower::ServiceBuilder;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::limit::RequestBodyLimitLayer;
use tower_http::normalize_path::NormalizePath;
use tower_http::request_id::{MakeRequestUuid, PropagateRequestIdLayer, SetRequestIdLayer};
use tower_http::timeout::TimeoutLayer;
use tower_http::trace::{DefaultOnResponse, TraceLayer};
use tracing::{Level, Span};

use super::Config;
use crate::http::with_error_body;

const ID: HeaderName = HeaderName::from_static("x-request-id");

/// The router with a time limit, a body limit, a rate limit, compression, request ids, logs, and our body for every
/// error; a path with a trailing slash is the same route. Serve it with `into_make_service_with_connect_info`: the rate
/// limit is for each address, and without it everybody is one client.
pub fn with_defaults(router: Router, config: &Config) -> NormalizePath<Router> {
    let trace = TraceLayer::new_for_http()
        .make_span_with(span)
        .on_response(DefaultOnResponse::new().level(Level::INFO));
    #[cfg(any(feature = "compression", feature = "rate-limit"))]
    let http = &config.http;
    #[cfg(feature = "rate-limit")]
    let limit_rate = super::rate_limit::RateLimiter::of(http).map(|limiter| {
        from_fn_with_state(std::sync::Arc::new(limiter), super::rate_limit::rate_limit)
    });
    #[cfg(not(feature = "rate-limit"))]
    let limit_rate = None::<tower::layer::util::Identity>;
    #[cfg(feature = "compression")]
    let compress = {
        let least = http.compression.then_some(http.compression_min_bytes);
        least.map(|least| from_fn_with_state(least, super::compress::compress))
    };
    #[cfg(not(feature = "compression"))]
    let compress = None::<tower::layer::util::Identity>;
    // The first is the outermost. All are one layer: every `Router::layer` is one more box, and each request clones the
    // boxes below each box.
    let layers = ServiceBuilder::new()
        .layer(SetRequestIdLayer::new(ID, MakeRequestUuid))
        .layer(trace)
        .layer(PropagateRequestIdLayer::new(ID))
        .option_layer(limit_rate)
        .option_layer(compress)
        .map_response(|response: Response<_>| with_error_body(response.map(Body::new)))
        .layer(CatchPanicLayer::new())
        .layer(TimeoutLayer::with_status_code(
            StatusCode::GATEWAY_TIMEOUT,
            Duration::from_secs(config.request_timeout_seconds),
        ))
        .map_response(|response: Response<_>| response.map(Body::new))
        .layer(RequestBodyLimitLayer::new(
            config.settings.bounds.body_bytes,
        ))
        .into_inner();
    NormalizePath::trim_trailing_slash(router.layer(layers))
}

/// What every line of the log about a request begins with: a client that has only been told "our side" knows its id.
fn span(request: &Request) -> Span {
    let id = request.headers().get(ID).and_then(|id| id.to_str().ok());
    tracing::info_span!("request", method = %request.method(), uri = %request.uri(), id)
}
