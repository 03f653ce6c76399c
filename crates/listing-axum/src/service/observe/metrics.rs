//! Counts and times requests, and writes the metrics in the format of Prometheus.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use axum::http::StatusCode;
use listing::ReadPool;
use listing::observe::{Stage, TALLY, Watch};
use prometheus_client::collector::Collector;
use prometheus_client::encoding::text::encode;
use prometheus_client::encoding::{DescriptorEncoder, EncodeMetric};
use prometheus_client::metrics::counter::{ConstCounter, Counter};
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::{ConstGauge, Gauge};
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::Registry;
use sea_orm::DatabaseConnection;

use super::super::admit;
#[cfg(feature = "webhooks")]
use super::super::webhooks;
use super::{Seen, pool, replicas};

/// The content type of [`Metrics::text`].
pub(super) const CONTENT_TYPE: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

type RequestLabels = [(&'static str, String); 3];
type RouteLabel = [(&'static str, String); 1];
type StageLabel = [(&'static str, &'static str); 1];
type Durations<L> = Family<L, Histogram, fn() -> Histogram>;

/// The metrics of a service.
#[derive(Clone)]
pub(super) struct Metrics {
    registry: Arc<Registry>,
    requests: Family<RequestLabels, Counter>,
    durations: Durations<RouteLabel>,
    stages: Durations<StageLabel>,
    statement_durations: Histogram,
    in_flight: Gauge,
    abandoned: Counter,
    ignored: Counter,
    process: Process,
}

/// From a tenth of a millisecond to the time limit of a request.
fn buckets() -> Histogram {
    Histogram::new([
        0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5,
        5.0, 10.0,
    ])
}

impl Metrics {
    pub(super) fn new() -> Self {
        let mut metrics = Self {
            registry: Arc::default(),
            requests: Family::default(),
            durations: Family::new_with_constructor(buckets as fn() -> Histogram),
            stages: Family::new_with_constructor(buckets as fn() -> Histogram),
            statement_durations: buckets(),
            in_flight: Gauge::default(),
            abandoned: Counter::default(),
            ignored: Counter::default(),
            process: Process::default(),
        };
        metrics.registry = Arc::new(metrics.registered());
        metrics
    }

    /// Adds the metrics of a pool.
    pub(super) fn watch_pool(&mut self, db: &DatabaseConnection) {
        self.process.pool = Some(db.clone());
        self.registry = Arc::new(self.registered());
    }

    /// Adds the metrics of replicas.
    pub(super) fn watch_reads(&mut self, reads: &ReadPool) {
        self.process.reads = Some(reads.clone());
        self.registry = Arc::new(self.registered());
    }

    fn registered(&self) -> Registry {
        let mut registry = Registry::with_prefix("listing");
        registry.register(
            "http_requests",
            "Requests that were answered, by route, method and status",
            self.requests.clone(),
        );
        registry.register(
            "http_request_duration_seconds",
            "How long requests took, by route",
            self.durations.clone(),
        );
        registry.register(
            "stage_duration_seconds",
            "How long the stages of list requests took",
            self.stages.clone(),
        );
        registry.register(
            "statement_duration_seconds",
            "How long statements of lists and records took",
            self.statement_durations.clone(),
        );
        registry.register(
            "http_requests_in_flight",
            "Requests that are being answered",
            self.in_flight.clone(),
        );
        registry.register(
            "http_requests_abandoned",
            "Requests whose client left before the answer",
            self.abandoned.clone(),
        );
        registry.register(
            "ignored_names",
            "Fields, sorts, relations and parameters of requests that were ignored",
            self.ignored.clone(),
        );
        registry.register_collector(Box::new(self.process.clone()));
        registry
    }

    /// Records the start of a request.
    pub(super) fn begin(&self) -> Flight<'_> {
        self.in_flight.inc();
        Flight {
            metrics: self,
            is_answered: false,
        }
    }

    /// The text for Prometheus.
    pub(super) fn text(&self) -> String {
        let mut text = String::new();
        // Writing to a string never fails.
        let _ = encode(&mut text, &self.registry);
        text
    }
}

impl fmt::Debug for Metrics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Metrics").finish_non_exhaustive()
    }
}

/// A request in flight. If it is dropped before it has ended, it was abandoned.
pub(super) struct Flight<'m> {
    metrics: &'m Metrics,
    is_answered: bool,
}

impl Flight<'_> {
    pub(super) fn end(mut self, seen: &Seen, status: StatusCode, watch: &Watch, took: Duration) {
        self.is_answered = true;
        let metrics = self.metrics;
        let route = || seen.route.to_string();
        let labels = [
            ("route", route()),
            ("method", method(&seen.method)),
            ("status", status.as_u16().to_string()),
        ];
        metrics.requests.get_or_create(&labels).inc();
        let duration = metrics
            .durations
            .get_or_create(&[("route", route())])
            .clone();
        duration.observe(took.as_secs_f64());
        for stage in Stage::ALL {
            if let Some(took) = watch.stage(stage) {
                let stage = metrics.stages.get_or_create(&[("stage", stage.name())]);
                stage.observe(took.as_secs_f64());
            }
        }
        for statement in watch.statements() {
            let took = statement.took.as_secs_f64();
            metrics.statement_durations.observe(took);
        }
        metrics.ignored.inc_by(watch.ignored());
    }
}

impl Drop for Flight<'_> {
    fn drop(&mut self) {
        self.metrics.in_flight.dec();
        if !self.is_answered {
            self.metrics.abandoned.inc();
        }
    }
}

/// Clients can invent methods, so unknown ones share one name.
fn method(method: &axum::http::Method) -> String {
    const KNOWN: [&str; 8] = [
        "GET", "HEAD", "POST", "PUT", "DELETE", "QUERY", "OPTIONS", "PATCH",
    ];
    let known = KNOWN.iter().find(|known| **known == method.as_str());
    known.map_or("other", |known| *known).to_owned()
}

/// The metrics of the process, of the writing pool and of the replicas, read when they are requested.
#[derive(Debug, Clone, Default)]
struct Process {
    pool: Option<DatabaseConnection>,
    reads: Option<ReadPool>,
}

impl Collector for Process {
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> Result<(), fmt::Error> {
        let mut counter = |name, help, value: u64| {
            let metric = ConstCounter::new(value);
            let kind = metric.metric_type();
            metric.encode(encoder.encode_descriptor(name, help, None, kind)?)
        };
        counter(
            "statements",
            "Statements that lists and records have run",
            TALLY.statements.get(),
        )?;
        counter(
            "statements_cancelled",
            "Statements that were ended because nobody waited for them",
            TALLY.statements_cancelled.get(),
        )?;
        counter(
            "counts_shared",
            "Counts that a request got from another one",
            TALLY.counts_shared.get(),
        )?;
        counter(
            "http_requests_shed",
            "Requests that were refused because there was too much to do",
            admit::REFUSED.get(),
        )?;
        #[cfg(feature = "webhooks")]
        for (name, help, counted) in [
            (
                "webhook_deliveries",
                "Messages that targets of webhooks took",
                &webhooks::DELIVERED,
            ),
            (
                "webhook_attempts_failed",
                "Attempts to deliver to webhooks that failed",
                &webhooks::FAILED,
            ),
            (
                "webhook_deliveries_parked",
                "Deliveries to webhooks that were given up",
                &webhooks::PARKED,
            ),
        ] {
            counter(name, help, counted.get())?;
        }
        let mut gauge = |name, help, value: u64| {
            let metric = ConstGauge::new(i64::try_from(value).unwrap_or(i64::MAX));
            let kind = metric.metric_type();
            metric.encode(encoder.encode_descriptor(name, help, None, kind)?)
        };
        gauge(
            "statements_running",
            "Statements that are being run",
            TALLY.statements_running.get(),
        )?;
        gauge(
            "http_requests_waiting",
            "Requests that wait for their turn",
            admit::WAITING.get(),
        )?;
        if let Some((all, idle)) = self.pool.as_ref().and_then(pool::use_of) {
            gauge(
                "pool_connections",
                "Connections of the pool that writes",
                all,
            )?;
            gauge("pool_idle_connections", "Those of them that are idle", idle)?;
        }
        let replicas = self.reads.as_ref().map(ReadPool::replicas);
        match replicas.filter(|replicas| !replicas.is_empty()) {
            Some(replicas) => replicas::encode(&replicas, encoder),
            None => Ok(()),
        }
    }
}
