//! What slow clients, idle clients and too many clients can do to a service.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::Request;
use axum::routing::{get, post};
use futures_util::StreamExt as _;
use futures_util::stream::{self, FuturesUnordered};
use listing_axum::{Config, with_defaults};
use listing_tests::{RunningApp, run, warnings_of};
use tokio::sync::Semaphore;
use tower::ServiceExt as _;

use crate::wire::Server;

const GET: &str = "GET /quick HTTP/1.1\r\nhost: blog\r\n\r\n";
const HALF: &str = "GET /quick HTTP/1.1\r\nhost: bl";

fn app(config: &Config) -> RunningApp {
    let router = Router::new()
        .route("/quick", get(async || "at once"))
        .route("/healthz", get(async || "ok"))
        .route("/large", get(async || vec![b'x'; LARGE]))
        .route("/body", post(async |body: Bytes| body.len().to_string()));
    with_defaults(router, config)
}

async fn start(change: impl FnOnce(&mut Config)) -> Server {
    let mut config = Config::default();
    change(&mut config);
    Server::start_with(app(&config), config).await
}

/// Rule b336.
#[test]
fn a_connection_without_a_whole_head_is_closed() {
    run(async {
        let server = start(|config| config.http.header_timeout_seconds = 1).await;
        let mut silent = server.connect().await;
        let mut half = server.connect().await;
        half.send(HALF).await;
        let mut idle = server.connect().await;
        idle.send(GET).await;
        assert_eq!(idle.reply().await.text(), "at once");
        assert!(silent.is_at_end().await);
        assert!(half.is_at_end().await);
        assert!(idle.is_at_end().await);
        assert_eq!(server.ask(GET).await.text(), "at once");
    });
}

/// Rule b336.
#[test]
fn more_connections_than_there_may_be_do_not_stop_the_service() {
    run(async {
        let server = start(|config| config.http.max_connections = 5).await;
        let mut held = Vec::new();
        for _ in 0..50 {
            let mut connection = server.connect().await;
            connection.send(HALF).await;
            held.push(connection);
            assert_eq!(server.ask(GET).await.text(), "at once");
        }
        assert!(held[0].is_at_end().await);
    });
}

/// Rule b336.
#[test]
fn stopping_ends_within_its_time_whatever_clients_hold() {
    run(async {
        let server = start(|config| config.shutdown_timeout_seconds = 1).await;
        let mut half = server.connect().await;
        half.send(HALF).await;
        let mut body = server.connect().await;
        body.send("POST /body HTTP/1.1\r\nhost: blog\r\ncontent-length: 9\r\n\r\n{")
            .await;
        // Both are being served.
        assert_eq!(server.ask(GET).await.text(), "at once");
        server.stop().await;
        assert!(half.is_at_end().await);
        assert!(body.is_at_end().await);
    });
}

/// Far longer than a test takes.
const NEVER: u64 = 3_600;

/// Requests come in, and wait until they are let go.
#[derive(Clone)]
struct Hold {
    come: Arc<Semaphore>,
    go: Arc<Semaphore>,
}

impl Default for Hold {
    fn default() -> Self {
        let none = || Arc::new(Semaphore::new(0));
        Self {
            come: none(),
            go: none(),
        }
    }
}

impl Hold {
    async fn pass(self) -> &'static str {
        self.come.add_permits(1);
        self.go.acquire().await.unwrap().forget();
        "at last"
    }

    async fn has_come(&self) {
        self.come.acquire().await.unwrap().forget();
    }
}

const GET_SLOW: &str = "GET /slow HTTP/1.1\r\nhost: blog\r\n\r\n";

/// Rule b622.
#[test]
fn stopping_closes_connections_without_a_whole_request_at_once() {
    run(async {
        let server = start(|config| config.shutdown_timeout_seconds = NEVER).await;
        let mut silent = server.connect().await;
        let mut half = server.connect().await;
        half.send(HALF).await;
        let mut idle = server.connect().await;
        idle.send(GET).await;
        assert_eq!(idle.reply().await.text(), "at once");
        idle.send(HALF).await;
        server.stop().await;
        assert!(silent.is_at_end().await);
        assert!(half.is_at_end().await);
        assert!(idle.is_at_end().await);
    });
}

/// Rule b622.
#[test]
fn stopping_waits_for_answers_that_are_under_way_and_for_the_rest_of_their_bodies() {
    run(async {
        let mut config = Config::default();
        config.shutdown_timeout_seconds = NEVER;
        let hold = Hold::default();
        let wait = {
            let hold = hold.clone();
            move || hold.clone().pass()
        };
        let stream = {
            let hold = hold.clone();
            async move || {
                let first = stream::once(async { "first, " });
                let parts = first.chain(stream::once(hold.clone().pass()));
                let parts = parts.map(Ok::<_, std::io::Error>);
                ([("content-length", "14")], Body::from_stream(parts))
            }
        };
        let router = Router::new()
            .route("/slow", get(wait))
            .route("/stream", get(stream));
        let server = Server::start_with(with_defaults(router, &config), config).await;
        let mut slow = server.connect().await;
        slow.send(GET_SLOW).await;
        hold.has_come().await;
        let mut stream = server.connect().await;
        stream
            .send("GET /stream HTTP/1.1\r\nhost: blog\r\n\r\n")
            .await;
        hold.has_come().await;
        let mut half = server.connect().await;
        half.send(HALF).await;
        let stopped = server.stop();
        // By then all have been told.
        assert!(half.is_at_end().await);
        hold.go.add_permits(2);
        assert_eq!(slow.reply().await.text(), "at last");
        assert_eq!(stream.reply().await.text(), "first, at last");
        stopped.await;
    });
}

/// Rule b337.
#[test]
fn a_body_that_does_not_arrive_in_time_is_408() {
    run(async {
        let server = start(|config| config.request_timeout_seconds = 1).await;
        let mut slow = server.connect().await;
        slow.send("POST /body HTTP/1.1\r\nhost: blog\r\ncontent-length: 9\r\n\r\n{")
            .await;
        let reply = slow.reply().await;
        assert_eq!(reply.status, 408);
        assert_eq!(reply.json()["error"]["code"], "request_timeout");
        assert_eq!(reply.header("connection"), Some("close"));
        assert!(slow.is_at_end().await);
    });
}

/// Rule b337.
#[test]
fn clients_that_send_their_bodies_slowly_hold_nothing_that_others_need() {
    run(async {
        let server = start(|config| {
            config.http.max_requests = 2;
            config.http.queue_timeout_seconds = 1;
        })
        .await;
        let half = "POST /body HTTP/1.1\r\nhost: blog\r\ncontent-length: 2\r\n\r\n{";
        let mut slow = Vec::new();
        for at in 0..4 {
            let mut connection = server.connect().await;
            connection.send(half).await;
            slow.push(connection);
            if at == 1 {
                // What was sent before these is being read by the time they are answered.
                for _ in 0..10 {
                    assert_eq!(server.ask(GET).await.text(), "at once");
                }
            }
        }
        // Those for which there is no room are told so; by then the first two have been read for long.
        let mut refused = slow.split_off(2);
        for connection in &mut refused {
            let reply = connection.reply().await;
            assert_eq!(reply.status, 503);
            assert_eq!(reply.json()["error"]["code"], "overloaded");
        }
        for _ in 0..10 {
            assert_eq!(server.ask(GET).await.text(), "at once");
        }
        for connection in &mut slow {
            connection.send("}").await;
            assert_eq!(connection.reply().await.text(), "2");
        }
    });
}

/// More than the system takes for a client that reads nothing.
const LARGE: usize = 50_000_000;
const GET_LARGE: &str = "GET /large HTTP/1.1\r\nhost: blog\r\n\r\n";

/// Rule b452.
#[test]
fn a_connection_whose_client_takes_nothing_of_its_response_is_closed() {
    run(async {
        let server = start(|config| config.http.send_timeout_seconds = 1).await;
        let mut silent = server.connect().await;
        silent.send(GET_LARGE).await;
        tokio::time::sleep(Duration::from_secs(3)).await;
        assert!(silent.read_to_end().await < LARGE);
        // One that takes it in time has all of it.
        assert_eq!(server.ask(GET_LARGE).await.body.len(), LARGE);
    });
}

/// Rules b336, b452.
#[test]
fn a_connection_that_is_still_sending_does_not_make_room_for_others() {
    run(async {
        let server = start(|config| config.http.max_connections = 1).await;
        let mut slow = server.connect().await;
        slow.send(GET_LARGE).await;
        tokio::time::sleep(Duration::from_millis(300)).await;
        assert_eq!(server.ask(GET).await.text(), "at once");
        assert_eq!(slow.reply().await.body.len(), LARGE);
    });
}

/// A service that runs one request at a time, each until it is let go, and keeps `max_waiting_requests` waiting.
struct Held {
    server: Server,
    hold: Hold,
}

impl Held {
    async fn start(max_waiting_requests: usize) -> Self {
        let mut config = Config::default();
        config.http.max_requests = 1;
        config.http.max_waiting_requests = max_waiting_requests;
        config.http.queue_timeout_seconds = NEVER;
        let hold = Hold::default();
        let slow = {
            let hold = hold.clone();
            move || hold.clone().pass()
        };
        let router = Router::new()
            .route("/slow", get(slow))
            .route("/healthz", get(async || "ok"))
            .route("/readyz", get(async || "ready"));
        let server = Server::start_with(with_defaults(router, &config), config).await;
        Self { server, hold }
    }

    /// So many clients ask at the same time, of whom so many are refused; all others are answered.
    async fn ask(&self, clients: usize, refused: usize) {
        let mut asking = FuturesUnordered::new();
        for _ in 0..clients {
            asking.push(self.server.ask(GET_SLOW));
        }
        for _ in 0..refused {
            let reply = asking.next().await.unwrap();
            assert_eq!(reply.status, 503);
            assert_eq!(reply.json()["error"]["code"], "overloaded");
            assert_eq!(reply.header("retry-after"), Some("1"));
        }
        // Those who watch it are told that it lives. By then the others have come as well.
        let watched = async {
            self.hold.has_come().await;
            for (path, text) in [("/healthz", "ok"), ("/readyz", "ready")].repeat(5) {
                let probe = format!("GET {path} HTTP/1.1\r\nhost: blog\r\n\r\n");
                assert_eq!(self.server.ask(probe).await.text(), text);
            }
        };
        tokio::select! {
            Some(reply) = asking.next() => panic!("it was not let go: {reply:?}"),
            () = watched => {}
        }
        let answered = clients - refused;
        self.hold.go.add_permits(answered);
        for _ in 0..answered {
            assert_eq!(asking.next().await.unwrap().text(), "at last");
        }
        // One of them was waited for.
        let others = u32::try_from(answered - 1).unwrap();
        self.hold.come.acquire_many(others).await.unwrap().forget();
    }
}

/// Rule b620.
#[test]
fn requests_wait_for_their_turn_and_one_more_than_may_wait_is_503_at_once() {
    run(async {
        let held = Held::start(3).await;
        held.ask(5, 1).await;
    });
}

/// Rule b620.
#[test]
fn after_a_burst_that_fills_the_queue_nobody_is_refused() {
    run(async {
        let held = Held::start(3).await;
        held.ask(204, 200).await;
        // As many as may run and wait, at once, without a pause.
        for _ in 0..20 {
            held.ask(4, 0).await;
        }
    });
}

/// Rule b620.
#[test]
fn the_log_says_how_many_were_refused_and_does_not_name_each() {
    run(async {
        let mut config = Config::default();
        config.http.max_requests = 0;
        config.http.max_waiting_requests = 0;
        let app = app(&config);
        let ask = async || {
            let request = Request::get("/quick").header("host", "blog");
            let request = request.body(Body::empty()).unwrap();
            app.clone().oneshot(request).await.unwrap().status()
        };
        let asked = async {
            for _ in 0..50 {
                assert_eq!(ask().await, 503);
            }
        };
        let ((), log) = warnings_of(asked).await;
        assert!(log.contains("refused=1"), "{log}");
        assert!(log.lines().count() < 5, "{log}");
    });
}

/// Rule b343.
#[test]
fn a_panic_of_application_code_is_500_for_that_request_alone() {
    run(async {
        let config = Config::default();
        let router = Router::new()
            .route(
                "/panics",
                get(async || -> &'static str { panic!("a mistake") }),
            )
            .route("/quick", get(async || "at once"));
        let server = Server::start_with(with_defaults(router, &config), config).await;
        let mut other = server.connect().await;
        other.send(HALF).await;
        let mut connection = server.connect().await;
        connection
            .send("GET /panics HTTP/1.1\r\nhost: blog\r\n\r\n")
            .await;
        let reply = connection.reply().await;
        assert_eq!(reply.status, 500);
        assert_eq!(reply.json()["error"]["code"], "internal_error");
        assert!(!reply.text().contains("a mistake"));
        // Its connection and those of others go on.
        connection.send(GET).await;
        assert_eq!(connection.reply().await.text(), "at once");
        other.send("og\r\n\r\n").await;
        assert_eq!(other.reply().await.text(), "at once");
    });
}
