//! Wraps an application's router in the layers that every service needs (d56).

use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use axum::http::StatusCode;
use axum::middleware::from_fn_with_state;
use axum::response::Response;
use tower::ServiceBuilder;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::limit::RequestBodyLimitLayer;
use tower_http::normalize_path::NormalizePath;
use tower_http::request_id::{MakeRequestUuid, PropagateRequestIdLayer, SetRequestIdLayer};
use tower_http::timeout::TimeoutLayer;
use tower_http::trace::{DefaultOnResponse, TraceLayer};
use tower_http::validate_request::ValidateRequestHeaderLayer;
use tracing::{Level, Span};

use super::admit::AdmitLayer;
use super::guard::{REQUEST_ID, has_host, shorten, with_no_sniffing, without_long_id};
use super::observe::observe;
use super::slow_body::SlowBody;
use super::{Config, LogFormat, Observer, cors};
use crate::http::with_error_body;

/// The router with a time limit, a body limit, a rate limit, compression, request ids, logs, and our body for every
/// error; a path with a trailing slash is the same route. Serve it with [`serve`](super::serve): the rate limit is for each
/// address, and without `ConnectInfo` everybody is one client.
pub fn with_defaults(router: Router, config: &Config) -> NormalizePath<Router> {
    with_observer(router, config, &Observer::new(config))
}

/// The same, watched by an observer that knows more than the configuration: the names of routes, and the pool.
pub fn with_observer(
    router: Router,
    config: &Config,
    observer: &Observer,
) -> NormalizePath<Router> {
    // An observer that logs has its own line for each request.
    let level = if config.log.format == LogFormat::Json {
        Level::DEBUG
    } else {
        Level::INFO
    };
    let trace = TraceLayer::new_for_http()
        .make_span_with(span)
        .on_response(DefaultOnResponse::new().level(level));
    let observe = observer
        .is_on()
        .then(|| from_fn_with_state(observer.clone(), observe));
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
        .map_request(without_long_id)
        .layer(SetRequestIdLayer::new(REQUEST_ID, MakeRequestUuid))
        .layer(trace)
        .layer(PropagateRequestIdLayer::new(REQUEST_ID))
        .option_layer(observe)
        .map_response(|response: Response<_>| with_no_sniffing(response.map(Body::new)))
        .option_layer(cors::layer(&http.cors_origins))
        .layer(ValidateRequestHeaderLayer::custom(has_host))
        .option_layer(limit_rate)
        .layer(AdmitLayer::of(&config.http))
        .option_layer(compress)
        .map_response(|response: Response<_>| with_error_body(response.map(Body::new)))
        .layer(CatchPanicLayer::new())
        .layer_fn(SlowBody::around)
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
    let id = request.headers().get(REQUEST_ID);
    let id = id.and_then(|id| id.to_str().ok());
    let (method, uri) = (request.method(), request.uri());
    match uri.path_and_query() {
        Some(long) if long.as_str().len() > 2_000 => {
            let uri = shorten(long.as_str());
            tracing::info_span!("request", %method, %uri, id)
        }
        _ => tracing::info_span!("request", %method, %uri, id),
    }
}
