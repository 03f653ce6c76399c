//! Wraps an application's router in the layers that every service needs (d56).
//!
//! Written by hand as one future rather than as a stack of tower layers. Each layer is a future that is moved, polled and dropped
//! for every request, and a dozen of them took a fifth of the processor time of a plain list.

use std::any::Any;
use std::convert::Infallible;
use std::fmt;
use std::panic::AssertUnwindSafe;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use axum::Router;
use axum::extract::Request;
use axum::http::uri::PathAndQuery;
use axum::http::{HeaderValue, Method, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use axum::routing::Route;
use axum::routing::future::RouteFuture;
use futures_util::FutureExt as _;
use futures_util::future::Either;
use listing::{CursorKey, boxed};
use tokio::time::timeout;
use tower::{Layer, Service, ServiceBuilder};
use tower_http::normalize_path::NormalizePath;
use tracing::{Instrument as _, Level, Span};

use super::admit::Gate;
use super::body::BodyLimit;
#[cfg(feature = "compression")]
use super::compress::Compression;
use super::guard::{has_host, request_id, shorten};
use super::observe::{level, observe};
use super::positions::{Telling, is_write};
#[cfg(feature = "rate-limit")]
use super::rate_limit::RateLimiter;
use super::{Config, LogFormat, Observer, cors};
use crate::http::{REQUEST_ID, format_of_accept, format_of_path, redeem, with_error_body};

/// Adds a time limit, a body limit, a rate limit, compression, request ids, logs, and JSON bodies for all errors to the router. A
/// path with a trailing slash is the same route. Serve it with [`serve`](super::serve): the rate limit is per address, and
/// without `ConnectInfo` all clients count as one.
pub fn with_defaults(router: Router, config: &Config) -> NormalizePath<WithDefaults> {
    #[cfg(feature = "metrics")]
    if !config.metrics_bind.is_empty() {
        tracing::warn!(
            "nothing answers at `metrics_bind`: use `with_observer`, and `Observer::serve_metrics_on`"
        );
    }
    with_observer(router, config, &Observer::new(config))
}

/// The same with an observer that knows more than the configuration: route names, and the pool.
pub fn with_observer(
    router: Router,
    config: &Config,
    observer: &Observer,
) -> NormalizePath<WithDefaults> {
    let limits = Arc::new(Limits::of(config, observer));
    let cors = cors::layer(&config.http.cors_origins);
    // An observer needs the matched route, and CORS is a layer.
    let is_plain = limits.observer.is_none() && cors.is_none();
    let around = is_plain.then(|| Served {
        limits: Arc::clone(&limits),
        inner: router.clone(),
    });
    let layers = ServiceBuilder::new()
        .option_layer(cors)
        .layer(Defaults(limits));
    NormalizePath::trim_trailing_slash(WithDefaults {
        around,
        within: router.layer(layers.into_inner()),
    })
}

/// A router with everything that a service needs around it, as returned by [`with_defaults`].
#[derive(Clone)]
pub struct WithDefaults {
    /// Handles `GET`. Wrapping the router costs less than wrapping each route, because a route is cloned and boxed for every
    /// request. Other methods need the last steps of a router, such as removing the body for `HEAD`.
    around: Option<Served<Router>>,
    within: Router,
}

impl fmt::Debug for WithDefaults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WithDefaults").finish_non_exhaustive()
    }
}

impl Service<Request> for WithDefaults {
    type Response = Response;
    type Error = Infallible;
    type Future = Either<ServedFuture, RouteFuture<Infallible>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request) -> Self::Future {
        match &mut self.around {
            Some(around) if request.method() == Method::GET => Either::Left(around.call(request)),
            _ => Either::Right(self.within.call(request)),
        }
    }
}

/// The settings that apply to every request.
struct Limits {
    observer: Option<Observer>,
    /// Whether the observer logs each request itself.
    is_logged: bool,
    #[cfg(feature = "rate-limit")]
    rate: Option<RateLimiter>,
    gate: Gate,
    #[cfg(feature = "compression")]
    compression: Option<Compression>,
    time: Duration,
    /// How long an export may take before its first bytes are sent.
    export_time: Duration,
    /// How long an import may take, including the upload of its file.
    import_time: Duration,
    body: BodyLimit,
    /// The key that seals tickets in addresses.
    ticket_key: CursorKey,
    /// How positions are told, where there are replicas.
    positions: Option<Telling>,
}

impl Limits {
    fn of(config: &Config, observer: &Observer) -> Self {
        let http = &config.http;
        let time = Duration::from_secs(config.request_timeout_seconds);
        Self {
            observer: observer.is_on().then(|| observer.clone()),
            is_logged: config.log.format == LogFormat::Json,
            #[cfg(feature = "rate-limit")]
            rate: RateLimiter::of(http),
            gate: Gate::of(http),
            #[cfg(feature = "compression")]
            compression: Compression::of(http),
            time,
            export_time: time.max(Duration::from_secs(config.export_timeout_seconds)),
            import_time: time.max(Duration::from_secs(config.import_timeout_seconds)),
            body: BodyLimit {
                bytes: config.settings.bounds.body_bytes,
                time,
            },
            ticket_key: config.settings.cursor_key.clone(),
            positions: Telling::of_replicated(config),
        }
    }

    /// Adds the request's id, and the headers that every response has.
    async fn serve(&self, mut request: Request, inner: impl Inner) -> Response {
        let id = request_id(&mut request);
        let span = span(&id);
        let redeemed = redeem(&mut request, &self.ticket_key);
        let line = (!self.is_logged).then(|| Line::of(&request));
        let served = async {
            let mut response = match (redeemed, &self.observer) {
                (Err(error), _) => error.into_response(),
                (Ok(()), Some(observer)) => {
                    let answer = |request| self.admit(request, inner);
                    // Boxed, so that services without an observer do not pay for it.
                    Box::pin(observe(observer, request, answer)).await
                }
                (Ok(()), None) => self.admit(request, inner).await,
            };
            let headers = response.headers_mut();
            let no_sniffing = HeaderValue::from_static("nosniff");
            headers.insert(header::X_CONTENT_TYPE_OPTIONS, no_sniffing);
            headers.insert(REQUEST_ID, id);
            if let Some(line) = line {
                line.write(&response);
            }
            response
        };
        served.instrument(span).await
    }

    /// Refuses or answers the request, in the encoding that the client prefers.
    async fn admit(&self, request: Request, mut inner: impl Inner) -> Response {
        if let Err(refused) = has_host(&request) {
            return refused;
        }
        #[cfg(feature = "rate-limit")]
        if let Some(rate) = &self.rate
            && let Err(refused) = rate.admit(&request)
        {
            return refused;
        }
        let is_import = is_import(&request);
        let (request, read) = if is_import {
            // An import is written while it is sent, after the caller was authorized.
            (self.body.pieces(request), None)
        } else {
            match self.body.read(request, &self.gate).await {
                Ok(read) => read,
                Err(refused) => return refused,
            }
        };
        let place = match self.gate.enter(request.uri()).await {
            Ok(place) => place,
            Err(refused) => return refused,
        };
        drop(read);
        #[cfg(feature = "compression")]
        let encoding = self.compression.as_ref().map(|one| one.accepted(&request));
        let time = match is_for_file(&request) {
            _ if is_import => self.import_time,
            true => self.export_time,
            false => self.time,
        };
        let positions = self.positions.filter(|_| is_write(&request));
        let answer = inner.call(request);
        let mut response = with_error_body(within_limits(time, answer).await);
        if let Some(positions) = positions {
            positions.tell_of_unanswered(&mut response);
        }
        #[cfg(feature = "compression")]
        let response = match encoding {
            Some(encoding) => encoding.encode(response).await,
            None => response,
        };
        drop(place);
        response
    }
}

/// The application's answer within the limits.
async fn within_limits(
    time: Duration,
    answer: impl Future<Output = Result<Response, Infallible>>,
) -> Response {
    let answer = AssertUnwindSafe(answer).catch_unwind();
    match timeout(time, answer).await {
        Ok(Ok(Ok(response))) => response,
        Ok(Ok(Err(impossible))) => match impossible {},
        Ok(Err(panic)) => panicked(&*panic),
        Err(_) => StatusCode::GATEWAY_TIMEOUT.into_response(),
    }
}

/// Whether a request may be an export, which has its own time limit.
fn is_for_file(request: &Request) -> bool {
    format_of_path(request.uri()).is_some()
        || (request.method() == Method::POST
            && request
                .uri()
                .path()
                .trim_end_matches('/')
                .ends_with("/query")
            && format_of_accept(request.headers()).is_some())
}

/// Whether a request may be an import, which has its own limits. No record has such an id (d108).
fn is_import(request: &Request) -> bool {
    request.method() == Method::POST && request.uri().path().ends_with("/_import")
}

/// A panic in the application's code only affects its own request.
fn panicked(panic: &(dyn Any + Send)) -> Response {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
    let panic = text.unwrap_or("a value that is not text");
    tracing::error!(panic, "the handler panicked");
    StatusCode::INTERNAL_SERVER_ERROR.into_response()
}

/// The prefix of every log line about a request. A client that was only told about an internal error knows its id.
///
/// It has the highest level, so that it is included at every level of the log. It contains nothing else, because a span is
/// created for every request, whether or not anything is logged.
fn span(id: &HeaderValue) -> Span {
    tracing::error_span!("request", id = id.to_str().ok())
}

/// The log line about a request, written when it is answered.
struct Line {
    method: Method,
    uri: Uri,
    begun: Instant,
}

impl Line {
    fn of(request: &Request) -> Self {
        Self {
            method: request.method().clone(),
            uri: request.uri().clone(),
            begun: Instant::now(),
        }
    }

    fn write(&self, response: &Response) {
        macro_rules! write {
            ($level:ident) => {
                tracing::$level!(
                    method = %self.method,
                    uri = %shorten(self.uri.path_and_query().map_or("", PathAndQuery::as_str)),
                    status = response.status().as_u16(),
                    millis = self.begun.elapsed().as_millis(),
                    "answered"
                )
            };
        }
        match level(response) {
            Level::ERROR => write!(error),
            Level::DEBUG => write!(debug),
            _ => write!(info),
        }
    }
}

/// A route or the whole router.
trait Inner:
    Service<Request, Response = Response, Error = Infallible, Future: Send> + Clone + Send + 'static
{
}

impl Inner for Route {}
impl Inner for Router {}

/// The layer.
#[derive(Clone)]
struct Defaults(Arc<Limits>);

impl Layer<Route> for Defaults {
    type Service = Served<Route>;

    fn layer(&self, inner: Route) -> Served<Route> {
        Served {
            limits: Arc::clone(&self.0),
            inner,
        }
    }
}

/// A route or a router with all layers around it.
#[derive(Clone)]
struct Served<I> {
    limits: Arc<Limits>,
    inner: I,
}

type ServedFuture = Pin<Box<dyn Future<Output = Result<Response, Infallible>> + Send>>;

impl<I: Inner> Service<Request> for Served<I> {
    type Response = Response;
    type Error = Infallible;
    type Future = ServedFuture;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request) -> Self::Future {
        let Self { limits, inner } = self.clone();
        boxed(move || async move { Ok(limits.serve(request, inner).await) })
    }
}

#[cfg(test)]
mod tests {
    use axum::body::Body;

    use super::*;

    /// Rule b945.
    #[test]
    fn only_what_can_be_an_export_has_its_time_limit() {
        let is_for_file = |method, path| {
            let request = Request::builder().method(method).uri(path);
            let request = request.header(header::ACCEPT, "text/csv");
            is_for_file(&request.body(Body::empty()).unwrap())
        };
        assert!(is_for_file("GET", "/api/articles.csv?sort=id"));
        assert!(is_for_file("POST", "/api/articles/query"));
        assert!(is_for_file("POST", "/api/articles/query/"));
        for path in [
            "/api/articles",
            "/api/articles/_bulk",
            "/api/articles/query/delete",
        ] {
            assert!(!is_for_file("POST", path), "{path}");
        }
        assert!(!is_for_file("GET", "/api/articles"));
    }
}
