//! What slow clients, idle clients and too many clients can do to a service.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::Request;
use axum::routing::{get, post};
use listing::TALLY;
use listing_axum::{Config, with_defaults};
use listing_tests::{RunningApp, run, warnings_of};
use tokio::sync::Semaphore;
use tokio::task::yield_now;
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

#[test]
fn b336_a_connection_without_a_whole_head_is_closed() {
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

#[test]
fn b336_more_connections_than_there_may_be_do_not_stop_the_service() {
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

#[test]
fn b336_stopping_ends_within_its_time_whatever_clients_hold() {
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

#[test]
fn b337_a_body_that_does_not_arrive_in_time_is_408() {
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

#[test]
fn b337_clients_that_send_their_bodies_slowly_hold_nothing_that_others_need() {
    run(async {
        let server = start(|config| config.http.max_requests = 2).await;
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

#[test]
fn b452_a_connection_whose_client_takes_nothing_of_its_response_is_closed() {
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

#[test]
fn b336_b452_a_connection_that_is_still_sending_does_not_make_room_for_others() {
    run(async {
        let server = start(|config| config.http.max_connections = 1).await;
        let mut slow = server.connect().await;
        slow.send(GET_LARGE).await;
        tokio::time::sleep(Duration::from_millis(300)).await;
        assert_eq!(server.ask(GET).await.text(), "at once");
        assert_eq!(slow.reply().await.body.len(), LARGE);
    });
}

#[test]
fn b335_more_requests_than_can_be_worked_on_are_503_at_once() {
    run(async {
        let mut config = Config::default();
        config.http.max_requests = 2;
        config.http.max_waiting_requests = 1;
        // Two come in, and wait until they are let go.
        let (entered, go) = (Arc::new(Semaphore::new(0)), Arc::new(Semaphore::new(0)));
        let slow = {
            let (entered, go) = (Arc::clone(&entered), Arc::clone(&go));
            async move || {
                entered.add_permits(1);
                go.acquire().await.unwrap().forget();
                "at last"
            }
        };
        let router = Router::new()
            .route("/slow", get(slow))
            .route("/healthz", get(async || "ok"))
            .route("/readyz", get(async || "ready"));
        let server = Server::start_with(with_defaults(router, &config), config).await;
        let ask = |path: &str| format!("GET {path} HTTP/1.1\r\nhost: blog\r\n\r\n");
        let mut working = [server.connect().await, server.connect().await];
        for connection in &mut working {
            connection.send(ask("/slow")).await;
            entered.acquire().await.unwrap().forget();
        }
        let shed = TALLY.requests_shed.get();
        let mut waiting = server.connect().await;
        waiting.send(ask("/slow")).await;
        while TALLY.requests_waiting.get() == 0 && TALLY.requests_shed.get() == shed {
            yield_now().await;
        }
        // It may have waited long enough by then, on a machine that does other things.
        let refused = loop {
            let refused = server.ask(ask("/slow")).await;
            if refused.status == 503 {
                break refused;
            }
            yield_now().await;
        };
        assert_eq!(refused.json()["error"]["code"], "overloaded");
        assert!(TALLY.requests_shed.get() > shed);
        assert_eq!(refused.header("retry-after"), Some("1"));
        // Those who watch it are told that it lives.
        assert_eq!(server.ask(ask("/healthz")).await.text(), "ok");
        assert_eq!(server.ask(ask("/readyz")).await.text(), "ready");
        go.add_permits(10);
        for mut connection in working {
            assert_eq!(connection.reply().await.text(), "at last");
        }
        let waited = waiting.reply().await;
        assert!(matches!(waited.status, 200 | 503), "{waited:?}");
        assert_eq!(server.ask(ask("/slow")).await.text(), "at last");
    });
}

#[test]
fn b335_the_log_says_how_many_were_refused_and_does_not_name_each() {
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

#[test]
fn b343_a_panic_of_application_code_is_500_for_that_request_alone() {
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
