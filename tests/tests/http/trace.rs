//! Traces for OpenTelemetry: a collector is told of each request and its statements, in the trace of the caller (b417).

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use listing_tests::{Client, Engine, Service, on_each_database, run};

const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";
const CALLER: &str = "00f067aa0ba902b7";

/// Rule b417.
#[test]
fn a_request_goes_on_with_the_callers_trace_and_its_statements_are_children() {
    on_each_database(async |service| {
        let collector = Collector::start();
        let spans = traced(service, &collector, "01").await;
        let request = &spans.iter().find(|span| span.kind == SERVER).unwrap();
        assert_eq!(request.name, "GET /api/articles");
        assert_eq!(request.trace, TRACE);
        assert_eq!(request.parent, CALLER);
        assert_eq!(request.attribute("listing.route"), "articles.index");
        assert_eq!(request.attribute("url.path"), "/api/articles");
        let statements: Vec<_> = spans.iter().filter(|span| span.kind == CLIENT).collect();
        // The page, its count and the authors.
        assert_eq!(statements.len(), 3, "{spans:#?}");
        assert_eq!(spans.len(), 4, "{spans:#?}");
        for statement in statements {
            assert_eq!(
                (&statement.trace, &statement.parent),
                (&request.trace, &request.id)
            );
            assert_eq!(statement.name, "SELECT");
            let sql = statement.attribute("db.query.text");
            assert!(sql.starts_with("SELECT "), "{sql}");
            assert!(!sql.contains("garden"), "a value of the client: {sql}");
            assert!(request.began <= statement.began && statement.ended <= request.ended);
        }
    });
}

/// Rule b417.
#[test]
fn a_request_that_the_caller_does_not_record_is_not_sent_and_one_of_nobody_has_its_own_trace() {
    run(async {
        let service = Service::fresh(Engine::Sqlite).await;
        let collector = Collector::start();
        assert!(traced(&service, &collector, "00").await.is_empty());
        let service = service.with_config(|config| config.otlp.endpoint = collector.url());
        let observer = service.observer();
        let client = Client::at(service.observed(&observer));
        let _ = client.get("/api/tags").await.ok();
        let _ = client.bare("INVENTED", "/made/up").await;
        observer.flush_traces();
        let spans = collector.spans();
        let requests: Vec<_> = spans.iter().filter(|span| span.kind == SERVER).collect();
        assert_eq!(requests.len(), 2);
        assert_eq!(
            (&*requests[0].name, &*requests[1].name),
            ("GET /api/tags", "_OTHER")
        );
        assert!(requests.iter().all(|span| span.parent.is_empty()));
        assert_ne!(requests[0].trace, requests[1].trace);
        // A collector that is away costs the service nothing but the spans.
        drop(collector);
        let _ = client.get("/api/tags").await.ok();
        observer.flush_traces();
    });
}

/// The spans of a list that is asked for in a trace.
async fn traced(service: &Service, collector: &Collector, flags: &str) -> Vec<Span> {
    let service = service.with_config(|config| config.otlp.endpoint = collector.url());
    let observer = service.observer();
    let parent = format!("00-{TRACE}-{CALLER}-{flags}");
    let client = Client::at(service.observed(&observer)).with_header("traceparent", &parent);
    let list = "/api/articles?filters[title][$contains]=garden&populate=author";
    assert!(!client.get(list).await.ok().items().is_empty());
    observer.flush_traces();
    collector.spans()
}

const SERVER: u64 = 2;
const CLIENT: u64 = 3;

#[derive(Debug, Default)]
struct Span {
    trace: String,
    id: String,
    parent: String,
    name: String,
    kind: u64,
    began: u64,
    ended: u64,
    attributes: Vec<(String, String)>,
}

impl Span {
    fn of(message: &[u8]) -> Self {
        let mut span = Self::default();
        for (number, value) in fields(message) {
            match number {
                1 => span.trace = hex(value.bytes()),
                2 => span.id = hex(value.bytes()),
                4 => span.parent = hex(value.bytes()),
                5 => span.name = text(value.bytes()),
                6 => span.kind = value.number(),
                7 => span.began = value.number(),
                8 => span.ended = value.number(),
                9 => {
                    let pair = fields(value.bytes());
                    let any = fields(pair[1].1.bytes());
                    if let Some((1, any)) = any.first() {
                        let key = text(pair[0].1.bytes());
                        span.attributes.push((key, text(any.bytes())));
                    }
                }
                _ => {}
            }
        }
        span
    }

    fn attribute(&self, name: &str) -> &str {
        let found = self.attributes.iter().find(|(key, _)| key == name);
        &found.unwrap_or_else(|| panic!("no {name}: {self:#?}")).1
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// A field of a protobuf message.
enum Field<'m> {
    Number(u64),
    Bytes(&'m [u8]),
}

impl<'m> Field<'m> {
    fn bytes(&self) -> &'m [u8] {
        match self {
            Self::Bytes(bytes) => bytes,
            Self::Number(number) => panic!("{number} is not a message"),
        }
    }

    fn number(&self) -> u64 {
        match self {
            Self::Number(number) => *number,
            Self::Bytes(_) => panic!("not a number"),
        }
    }
}

fn fields(mut message: &[u8]) -> Vec<(u64, Field<'_>)> {
    let mut fields = Vec::new();
    while !message.is_empty() {
        let tag = varint(&mut message);
        let field = match tag & 7 {
            0 => Field::Number(varint(&mut message)),
            1 => Field::Number(u64::from_le_bytes(
                take(&mut message, 8).try_into().unwrap(),
            )),
            2 => {
                let length = usize::try_from(varint(&mut message)).unwrap();
                Field::Bytes(take(&mut message, length))
            }
            5 => Field::Bytes(take(&mut message, 4)),
            other => panic!("wire type {other}"),
        };
        fields.push((tag >> 3, field));
    }
    fields
}

fn take<'m>(message: &mut &'m [u8], length: usize) -> &'m [u8] {
    let (taken, rest) = message.split_at(length);
    *message = rest;
    taken
}

fn varint(message: &mut &[u8]) -> u64 {
    let mut value = 0;
    for shift in (0..).step_by(7) {
        let byte = take(message, 1)[0];
        value |= u64::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            break;
        }
    }
    value
}

/// Takes what is sent to `/v1/traces` until it is dropped.
struct Collector {
    address: SocketAddr,
    received: Receiver<Vec<u8>>,
}

impl Collector {
    fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let (sender, received) = channel();
        thread::spawn(move || {
            for stream in listener.incoming() {
                // The empty one is from `drop`.
                if take_request(stream.unwrap(), &sender).is_none() {
                    return;
                }
            }
        });
        Self { address, received }
    }

    fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// What was received until now.
    fn spans(&self) -> Vec<Span> {
        let mut spans = Vec::new();
        for request in self.received.try_iter() {
            for (_, resource) in fields(&request) {
                let scopes = fields(resource.bytes()).into_iter();
                for (_, scope) in scopes.filter(|(number, _)| *number == 2) {
                    let found = fields(scope.bytes()).into_iter();
                    let found = found.filter(|(number, _)| *number == 2);
                    spans.extend(found.map(|(_, span)| Span::of(span.bytes())));
                }
            }
        }
        spans
    }
}

impl Drop for Collector {
    fn drop(&mut self) {
        let _ = TcpStream::connect(self.address);
    }
}

/// What is acknowledged has been handed on.
fn take_request(mut stream: TcpStream, to: &Sender<Vec<u8>>) -> Option<()> {
    let mut read = Vec::new();
    let head = loop {
        let mut byte = [0];
        if stream.read(&mut byte).unwrap() == 0 {
            return None;
        }
        read.push(byte[0]);
        if read.ends_with(b"\r\n\r\n") {
            break String::from_utf8(read).unwrap().to_lowercase();
        }
    };
    assert!(head.starts_with("post /v1/traces http/1.1\r\n"), "{head}");
    assert!(
        head.contains("content-type: application/x-protobuf"),
        "{head}"
    );
    let length = head.split("content-length: ").nth(1).unwrap();
    let length = length.split("\r\n").next().unwrap().parse().unwrap();
    let mut body = vec![0; length];
    stream.read_exact(&mut body).unwrap();
    let _ = to.send(body);
    let ok = b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n";
    stream.write_all(ok).unwrap();
    Some(())
}
