//! Observes requests: log lines, slow requests with their statements, `Server-Timing`, metrics and traces.
//!
//! None of this runs for a request unless a setting enables it.

mod log;
#[cfg(feature = "metrics")]
mod metrics;
#[cfg(feature = "metrics")]
mod pool;
#[cfg(feature = "metrics")]
mod replicas;
mod routes;
mod timing;
#[cfg(feature = "opentelemetry")]
mod trace;

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::extract::Request;
use axum::response::Response;
use listing::observe::Watch;

use self::log::RequestLog;
pub(super) use self::log::level;
use self::routes::RouteNames;
#[cfg(feature = "metrics")]
use super::Server;
use super::{Config, LogFormat};
use crate::records::RouteTable;

/// Observes the requests of a service, as its configuration says. Cheap to clone.
///
/// ```
/// use axum::Router;
/// use listing_axum::{Config, Observer, with_observer};
/// # use listing_axum::routes::RouteTable;
///
/// # fn service(router: Router, routes: &RouteTable, config: &Config) {
/// let observer = Observer::new(config).routes(routes);
/// let service = with_observer(router, config, &observer);
/// # let _ = service;
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct Observer {
    inner: Arc<Inner>,
}

#[derive(Debug, Clone)]
struct Inner {
    routes: RouteNames,
    log: Option<RequestLog>,
    server_timing: bool,
    #[cfg(feature = "metrics")]
    metrics: Option<metrics::Metrics>,
    /// The address of metrics, and the limits that apply to it.
    #[cfg(feature = "metrics")]
    config: Config,
    #[cfg(feature = "opentelemetry")]
    traces: Option<trace::Traces>,
}

impl Observer {
    /// The observer that the configuration describes.
    #[must_use]
    pub fn new(config: &Config) -> Self {
        let log = &config.log;
        let logs = log.format == LogFormat::Json || log.slow_request_ms > 0;
        #[cfg(not(feature = "opentelemetry"))]
        if !config.otlp.endpoint.is_empty() {
            tracing::warn!(
                "no traces are sent: the feature `opentelemetry` of `listing-axum` is off"
            );
        }
        Self {
            inner: Arc::new(Inner {
                routes: RouteNames::default(),
                log: logs.then(|| RequestLog::of(log)),
                server_timing: config.http.server_timing,
                #[cfg(feature = "metrics")]
                metrics: (!config.metrics_bind.is_empty()).then(metrics::Metrics::new),
                #[cfg(feature = "metrics")]
                config: config.clone(),
                #[cfg(feature = "opentelemetry")]
                traces: trace::Traces::to(&config.otlp.endpoint),
            }),
        }
    }

    /// Adds the names of routes. Without them, a route is named by its path.
    #[must_use]
    pub fn routes(self, routes: &RouteTable) -> Self {
        self.with(|inner| inner.routes = RouteNames::of(routes))
    }

    /// Adds the metrics of the connections through which SeaORM writes.
    #[cfg(feature = "metrics")]
    #[must_use]
    pub fn pool(self, db: &sea_orm::DatabaseConnection) -> Self {
        self.with(|inner| {
            if let Some(metrics) = &mut inner.metrics {
                metrics.watch_pool(db);
            }
        })
    }

    /// Adds the metrics of the replicas that lists are read from.
    #[cfg(feature = "metrics")]
    #[must_use]
    pub fn reads(self, reads: &listing::ReadPool) -> Self {
        self.with(|inner| {
            if let Some(metrics) = &mut inner.metrics {
                metrics.watch_reads(reads);
            }
        })
    }

    fn with(self, change: impl FnOnce(&mut Inner)) -> Self {
        let mut inner = Arc::unwrap_or_clone(self.inner);
        change(&mut inner);
        Self {
            inner: Arc::new(inner),
        }
    }

    /// Whether any setting enables it; otherwise there is no layer.
    pub(super) fn is_on(&self) -> bool {
        let Inner {
            log, server_timing, ..
        } = &*self.inner;
        #[cfg(feature = "metrics")]
        let measures = self.inner.metrics.is_some();
        #[cfg(not(feature = "metrics"))]
        let measures = false;
        #[cfg(feature = "opentelemetry")]
        let traces = self.inner.traces.is_some();
        #[cfg(not(feature = "opentelemetry"))]
        let traces = false;
        log.is_some() || *server_timing || measures || traces
    }

    /// Sends the traces that are still buffered. They are also sent every five seconds, and when the last observer is dropped.
    #[cfg(feature = "opentelemetry")]
    pub fn flush_traces(&self) {
        if let Some(traces) = &self.inner.traces {
            traces.flush();
        }
    }

    /// The metrics in the format of Prometheus; `None` if `metrics_bind` is empty.
    #[cfg(feature = "metrics")]
    #[must_use]
    pub fn metrics_text(&self) -> Option<String> {
        self.inner.metrics.as_ref().map(metrics::Metrics::text)
    }

    /// Serves `GET /metrics` at the separate address `metrics_bind` for as long as it is polled. It returns at once if the
    /// setting is empty.
    ///
    /// # Errors
    /// When the address cannot be listened on.
    #[cfg(feature = "metrics")]
    pub async fn serve_metrics(self) -> std::io::Result<()> {
        if self.inner.metrics.is_none() {
            return Ok(());
        }
        let listener = tokio::net::TcpListener::bind(&self.inner.config.metrics_bind).await?;
        self.serve_metrics_on(listener).await
    }

    /// The same on an existing listener. Its connections have the same limits as those of the service.
    ///
    /// # Errors
    /// When the listener has no address.
    #[cfg(feature = "metrics")]
    pub async fn serve_metrics_on(self, listener: tokio::net::TcpListener) -> std::io::Result<()> {
        let server = Server::without_encryption(listener, &self.inner.config)?;
        let router = axum::Router::new().route(
            "/metrics",
            axum::routing::get(async move || {
                let text = self.metrics_text().unwrap_or_default();
                (
                    [(axum::http::header::CONTENT_TYPE, metrics::CONTENT_TYPE)],
                    text,
                )
            }),
        );
        tracing::info!("answering {}/metrics", server.url());
        server.run(router, std::future::pending()).await;
        Ok(())
    }
}

/// Observes a request while it is answered.
pub(super) async fn observe<F: Future<Output = Response>>(
    observer: &Observer,
    request: Request,
    answer: impl FnOnce(Request) -> F,
) -> Response {
    let inner = &*observer.inner;
    let watch = Watch::new();
    let keeps_values = inner.log.as_ref().is_some_and(|log| log.values);
    let watch = Arc::new(if keeps_values {
        watch.with_values()
    } else {
        watch
    });
    let seen = Seen {
        route: inner.routes.name(&request),
        method: request.method().clone(),
        uri: request.uri().clone(),
        began: Instant::now(),
    };
    #[cfg(feature = "metrics")]
    let flight = inner.metrics.as_ref().map(metrics::Metrics::begin);
    #[cfg(feature = "opentelemetry")]
    let traced =
        (inner.traces.as_ref()).map(|traces| (traces, traces.begin(&request, &seen.route)));
    let answered = Arc::clone(&watch).around(answer(request));
    #[cfg(feature = "opentelemetry")]
    let answered = {
        use opentelemetry::context::FutureExt as _;
        // Traces of the application belong to the request. If we do not trace, they belong to the context of the application.
        let context = traced.as_ref().map(|(_, context)| context.clone());
        answered.with_context(context.unwrap_or_else(opentelemetry::Context::current))
    };
    let mut response = answered.await;
    let took = seen.began.elapsed();
    if inner.server_timing {
        timing::add(&mut response, &watch, took);
    }
    #[cfg(feature = "metrics")]
    if let Some(flight) = flight {
        flight.end(&seen, response.status(), &watch, took);
    }
    #[cfg(feature = "opentelemetry")]
    if let Some((traces, context)) = &traced {
        traces.end(context, response.status(), &watch);
    }
    if let Some(log) = &inner.log {
        log.write(&seen, &response, &watch, took);
    }
    response
}

/// The properties of a request that are known before it is answered.
#[derive(Debug)]
struct Seen {
    route: Arc<str>,
    method: axum::http::Method,
    uri: axum::http::Uri,
    began: Instant,
}

fn millis(duration: Duration) -> f64 {
    (duration.as_secs_f64() * 1e6).round() / 1e3
}

#[cfg(all(test, feature = "opentelemetry"))]
mod tests {
    use axum::body::Body;
    use opentelemetry::Context;
    use opentelemetry::context::FutureExt as _;

    use super::*;

    #[derive(Debug, PartialEq)]
    struct Tenant(&'static str);

    /// Rule b417.
    #[tokio::test]
    async fn without_an_endpoint_the_applications_own_context_is_kept() {
        let mut config = Config::default();
        config.http.server_timing = true;
        let observer = Observer::new(&config);
        let answer = async |_| {
            assert_eq!(Context::current().get::<Tenant>(), Some(&Tenant("blue")));
            Response::default()
        };
        let context = Context::new().with_value(Tenant("blue"));
        let answered = observe(&observer, Request::new(Body::empty()), answer);
        answered.with_context(context).await;
    }
}
