//! Tells OpenTelemetry about requests and their statements: a span for each, sent by OTLP (b417).

use std::io::{self, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream, ToSocketAddrs as _};
use std::time::Duration;

use async_trait::async_trait;
use axum::extract::{MatchedPath, Request};
use axum::http::StatusCode;
use listing::observe::Watch;
use opentelemetry::propagation::TextMapPropagator as _;
use opentelemetry::trace::{
    Span as _, SpanKind, Status, TraceContextExt as _, Tracer as _, TracerProvider as _,
};
use opentelemetry::{Context, KeyValue};
use opentelemetry_http::{Bytes, HeaderExtractor, HttpClient, HttpError, Response};
use opentelemetry_otlp::{SpanExporter, WithExportConfig as _, WithHttpConfig as _};
use opentelemetry_sdk::propagation::TraceContextPropagator;
use opentelemetry_sdk::trace::{SdkTracer, SdkTracerProvider};

use super::super::shorten;

/// How long a collector may take; spans wait meanwhile, and those that find no room are dropped.
const PATIENCE: Duration = Duration::from_secs(5);

/// The address that spans are sent to.
#[derive(Debug, Clone)]
pub(super) struct Traces {
    tracer: SdkTracer,
    provider: SdkTracerProvider,
}

impl Traces {
    /// Sends spans to a collector; `None` if no endpoint is given, or if it cannot be used.
    pub(super) fn to(endpoint: &str) -> Option<Self> {
        if endpoint.is_empty() {
            return None;
        }
        if !endpoint.starts_with("http://") {
            tracing::warn!("no traces are sent: the endpoint for OTLP is not an `http://` URL");
            return None;
        }
        let exporter = SpanExporter::builder()
            .with_http()
            .with_http_client(Plain)
            .with_endpoint(format!("{}/v1/traces", endpoint.trim_end_matches('/')))
            .build();
        match exporter {
            Ok(exporter) => {
                let provider = SdkTracerProvider::builder().with_batch_exporter(exporter);
                let provider = provider.build();
                Some(Self {
                    tracer: provider.tracer("listing"),
                    provider,
                })
            }
            Err(error) => {
                tracing::warn!(%error, "no traces are sent");
                None
            }
        }
    }

    /// The span of a request, which continues the caller's trace if there is one.
    pub(super) fn begin(&self, request: &Request, route: &str) -> Context {
        let headers = HeaderExtractor(request.headers());
        let caller = TraceContextPropagator::new().extract_with_context(&Context::new(), &headers);
        // A client can make up a method, but no further name of a span.
        let method = match request.method().as_str() {
            known @ ("GET" | "HEAD" | "QUERY" | "POST" | "PUT" | "DELETE" | "OPTIONS") => known,
            _ => "_OTHER",
        };
        let path = shorten(request.uri().path()).into_owned();
        let mut attributes = vec![
            KeyValue::new("http.request.method", method.to_owned()),
            KeyValue::new("url.path", path),
            KeyValue::new("listing.route", route.to_owned()),
        ];
        let name = match request.extensions().get::<MatchedPath>() {
            Some(path) => {
                attributes.push(KeyValue::new("http.route", path.as_str().to_owned()));
                format!("{method} {}", path.as_str())
            }
            None => method.to_owned(),
        };
        let span = self.tracer.span_builder(name);
        let span = span.with_kind(SpanKind::Server).with_attributes(attributes);
        let span = self.tracer.build_with_context(span, &caller);
        caller.with_span(span)
    }

    /// The request is answered: its statements are its children.
    pub(super) fn end(&self, request: &Context, status: StatusCode, watch: &Watch) {
        let span = request.span();
        if !span.is_recording() {
            return;
        }
        for statement in watch.statements() {
            let operation = statement.sql.split_whitespace().next();
            let child = self
                .tracer
                .span_builder(operation.unwrap_or("statement").to_owned())
                .with_kind(SpanKind::Client)
                .with_start_time(statement.began)
                .with_attributes([KeyValue::new("db.query.text", statement.sql)]);
            let mut child = self.tracer.build_with_context(child, request);
            if statement.cancelled {
                child.set_status(Status::error("cancelled"));
            }
            child.end_with_timestamp(statement.began + statement.took);
        }
        let code = i64::from(status.as_u16());
        span.set_attribute(KeyValue::new("http.response.status_code", code));
        if status.is_server_error() {
            span.set_status(Status::error(""));
        }
        span.end();
    }

    /// Sends the spans that are still buffered.
    pub(super) fn flush(&self) {
        // A collector that does not take it is in the log already.
        let _ = self.provider.force_flush();
    }
}

/// Sends spans over plain HTTP, from the thread on which they are collected: every other client would add an HTTP crate or its
/// own runtime. A collector on the same machine can add TLS.
#[derive(Debug)]
struct Plain;

#[async_trait]
impl HttpClient for Plain {
    async fn send_bytes(
        &self,
        request: opentelemetry_http::Request<Bytes>,
    ) -> Result<Response<Bytes>, HttpError> {
        let sent = send(&request);
        // The SDK itself writes no log.
        match &sent {
            Ok(200..=299) => {}
            Ok(status) => tracing::warn!(status, "traces were refused, and are lost"),
            Err(error) => tracing::warn!(%error, "traces could not be sent, and are lost"),
        }
        Ok(Response::builder().status(sent?).body(Bytes::new())?)
    }
}

/// The status of the answer.
fn send(request: &opentelemetry_http::Request<Bytes>) -> io::Result<u16> {
    let unusable = || io::Error::from(io::ErrorKind::InvalidInput);
    let uri = request.uri();
    let host = uri.host().ok_or_else(unusable)?;
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    let mut stream = connect((bare, uri.port_u16().unwrap_or(80)).to_socket_addrs()?)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    let body = request.body();
    let port = uri.port().map(|port| format!(":{port}"));
    let port = port.unwrap_or_default();
    let mut head = format!(
        "POST {} HTTP/1.1\r\nhost: {host}{port}\r\nconnection: close\r\ncontent-length: {}\r\n",
        uri.path(),
        body.len()
    );
    for (name, value) in request.headers() {
        let value = value.to_str().map_err(|_| unusable())?;
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    head.push_str("\r\n");
    stream.write_all(head.as_bytes())?;
    stream.write_all(body)?;
    let mut answer = Vec::new();
    stream.take(1_024).read_to_end(&mut answer)?;
    let answer = String::from_utf8_lossy(&answer);
    let status = answer.split(' ').nth(1);
    let status = status.and_then(|status| status.get(..3)?.parse().ok());
    status.ok_or_else(|| io::Error::from(io::ErrorKind::InvalidData))
}

/// To the first address that takes connections: `localhost` is often two, and a collector listens at one of them.
fn connect(addresses: impl Iterator<Item = SocketAddr>) -> io::Result<TcpStream> {
    let mut failed = io::Error::from(io::ErrorKind::AddrNotAvailable);
    for address in addresses {
        match TcpStream::connect_timeout(&address, PATIENCE) {
            Ok(stream) => return Ok(stream),
            Err(error) => failed = error,
        }
    }
    Err(failed)
}

#[cfg(test)]
mod tests {
    use std::net::TcpListener;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::thread::{self, JoinHandle};

    use tracing::instrument::WithSubscriber as _;
    use tracing::span::{Attributes, Id, Record};
    use tracing::{Event, Level, Metadata};

    use super::*;

    /// Rule b417.
    #[test]
    fn every_address_of_a_collector_is_tried() {
        let closed = TcpListener::bind("127.0.0.1:0").unwrap();
        let nobody = closed.local_addr().unwrap();
        drop(closed);
        let collector = TcpListener::bind("127.0.0.1:0").unwrap();
        let somebody = collector.local_addr().unwrap();
        let stream = connect([nobody, somebody].into_iter()).unwrap();
        assert_eq!(stream.peer_addr().unwrap(), somebody);
        let refused = connect([nobody, nobody].into_iter()).unwrap_err();
        assert_eq!(refused.kind(), io::ErrorKind::ConnectionRefused);
        let none = connect([].into_iter()).unwrap_err();
        assert_eq!(none.kind(), io::ErrorKind::AddrNotAvailable);
    }

    /// Notes whether anything was logged.
    struct Heard(Arc<AtomicBool>);

    impl tracing::Subscriber for Heard {
        fn enabled(&self, _: &Metadata<'_>) -> bool {
            true
        }
        fn new_span(&self, _: &Attributes<'_>) -> Id {
            Id::from_u64(1)
        }
        fn record(&self, _: &Id, _: &Record<'_>) {}
        fn record_follows_from(&self, _: &Id, _: &Id) {}
        fn event(&self, event: &Event<'_>) {
            let is_warning = *event.metadata().level() == Level::WARN;
            self.0.fetch_or(is_warning, Ordering::Relaxed);
        }
        fn enter(&self, _: &Id) {}
        fn exit(&self, _: &Id) {}
    }

    /// A collector that answers one request with a status, and the body that it received.
    fn collector(status: u16) -> (SocketAddr, JoinHandle<String>) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let told = thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            let mut read = [0; 1_024];
            let length = stream.read(&mut read).unwrap();
            write!(stream, "HTTP/1.1 {status} Any\r\n\r\n").unwrap();
            String::from_utf8(read[..length].to_vec()).unwrap()
        });
        (address, told)
    }

    fn request(to: SocketAddr) -> opentelemetry_http::Request<Bytes> {
        opentelemetry_http::Request::builder()
            .uri(format!("http://{to}/v1/traces"))
            .body(Bytes::new())
            .unwrap()
    }

    /// Rule b417.
    #[test]
    fn a_collector_is_told_its_host_and_port() {
        let (address, told) = collector(200);
        assert_eq!(send(&request(address)).unwrap(), 200);
        let told = told.join().unwrap();
        let line = format!("\r\nhost: {address}\r\n");
        assert!(told.contains(&line), "{told}");
    }

    /// Rule b417.
    #[tokio::test]
    async fn the_log_says_when_traces_are_lost() {
        let is_warned = async |to| {
            let heard = Arc::<AtomicBool>::default();
            let sent = Plain.send_bytes(request(to));
            let _ = sent.with_subscriber(Heard(Arc::clone(&heard))).await;
            heard.load(Ordering::Relaxed)
        };
        assert!(!is_warned(collector(200).0).await);
        assert!(is_warned(collector(503).0).await);
        let nobody = TcpListener::bind("127.0.0.1:0").unwrap().local_addr();
        assert!(is_warned(nobody.unwrap()).await);
    }
}
