//! The service on a real socket.

use std::sync::Arc;

use axum::Router;
use axum::routing::get;
use listing_axum::{Config, with_defaults};
use listing_tests::{Service, on_each_database, run};
use serde_json::json;
use tokio::net::TcpStream;
use tokio::sync::Notify;

use crate::wire::{Server, WireReply};

fn request(method: &str, target: &str) -> String {
    format!("{method} {target} HTTP/1.1\r\nhost: blog\r\n\r\n")
}

fn with_body(method: &str, target: &str, body: &str) -> String {
    let length = body.len();
    format!(
        "{method} {target} HTTP/1.1\r\nhost: blog\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n\r\n{body}"
    )
}

/// Everything but what is different each time.
fn lasting_headers(reply: &WireReply) -> Vec<(String, String)> {
    let mut headers = reply.headers.clone();
    headers.retain(|(name, _)| name != "x-request-id" && name != "date");
    // Their order means nothing.
    headers.sort_unstable();
    headers
}

async fn serve(service: &Service) -> Server {
    Server::start(service.app()).await
}

/// Rules d56, d13.
#[test]
fn a_socket_answers_get_head_query_and_post_alike() {
    on_each_database(async |service| {
        let server = serve(service).await;
        let target = "/api/articles?sort=id&populate=tags&pagination%5BpageSize%5D=3";
        let body = r#"{"sort":"id","populate":["tags"],"pagination":{"pageSize":3}}"#;
        let get = server.ask(request("GET", target)).await;
        assert_eq!(
            (get.status, get.header("content-type")),
            (200, Some("application/json"))
        );
        assert_eq!(get.body, service.get(target).await.bytes);
        assert_eq!(get.json()["data"].as_array().unwrap().len(), 3);
        for (method, path) in [("QUERY", "/api/articles"), ("POST", "/api/articles/query")] {
            let reply = server.ask(with_body(method, path, body)).await;
            assert_eq!(reply.text(), get.text(), "{method}");
            let mut expected = lasting_headers(&get);
            if method == "POST" {
                expected.retain(|(name, _)| name != "etag" && name != "cache-control");
            }
            assert_eq!(lasting_headers(&reply), expected, "{method}");
        }

        let mut connection = server.connect().await;
        for path in [target, "/nothing", "/api/tags?sort=a:b"] {
            let get = server.ask(request("GET", path)).await;
            connection.send(request("HEAD", path)).await;
            let head = connection.reply_to("HEAD").await;
            assert_eq!(head.status, get.status);
            assert_eq!(lasting_headers(&head), lasting_headers(&get), "{path}");
        }
        // No byte of a body came in between: the next answer begins where it should.
        connection.send(request("GET", "/healthz")).await;
        assert_eq!(connection.reply().await.text(), "ok");
    });
}

/// Rule d1.
#[test]
fn brackets_and_dollars_can_stand_raw_in_the_request_line() {
    on_each_database(async |service| {
        let server = serve(service).await;
        let raw = "/api/articles?filters[views][$gt]=100&filters[id][$in][]=1&filters[id][$in][]=2&filters[id][$in][]=3&sort[0]=id:desc";
        let encoded = raw
            .replace('[', "%5B")
            .replace(']', "%5d")
            .replace('$', "%24");
        let (raw, encoded) = (
            server.ask(request("GET", raw)).await,
            server.ask(request("GET", &encoded)).await,
        );
        assert_eq!((raw.status, raw.text()), (200, encoded.text()));
        assert_eq!(raw.json()["meta"]["filters"].as_array().unwrap().len(), 4);
        // Raw UTF-8, which browsers do not send and scripts do.
        let raw = server
            .ask(request("GET", "/api/tags?filters[name]=é"))
            .await;
        let encoded = server
            .ask(request("GET", "/api/tags?filters[name]=%C3%A9"))
            .await;
        assert_eq!((raw.status, raw.text()), (200, encoded.text()));
    });
}

/// Rule d3.
#[test]
fn an_oversized_request_line_is_414_and_the_server_lives_on() {
    on_each_database(async |service| {
        let server = serve(service).await;
        let long = |bytes| format!("/api/tags?x={}", "x".repeat(bytes));
        // To 64 KiB the request reaches us; what is longer the HTTP library refuses before, without a body.
        let ours = server.ask(request("GET", &long(60_000))).await;
        assert_eq!(ours.status, 414);
        assert_eq!(ours.json()["error"]["code"], "query_too_long");
        let theirs = server.ask(request("GET", &long(100_000))).await;
        assert_eq!(theirs.status, 414);
        assert!(server.ask(request("GET", &long(1_000_000))).await.status >= 400);
        assert_eq!(server.ask(request("GET", "/healthz")).await.text(), "ok");
    });
}

#[test]
fn a_connection_is_kept_for_the_next_request_also_after_errors() {
    on_each_database(async |service| {
        let server = serve(service).await;
        let mut connection = server.connect().await;
        for (line, status) in [
            (request("GET", "/api/tags"), 200),
            (request("GET", "/api/tags?filters[nothing]=1"), 400),
            (request("PATCH", "/api/tags"), 405),
            (request("GET", "/nothing"), 404),
            (with_body("QUERY", "/api/tags", "{"), 400),
            (with_body("POST", "/api/tags/query", "{}"), 200),
        ] {
            connection.send(line).await;
            assert_eq!(connection.reply().await.status, status);
        }
        // Sent without waiting, answered in order.
        connection
            .send([request("GET", "/healthz"), request("GET", "/readyz")].concat())
            .await;
        assert_eq!(connection.reply().await.text(), "ok");
        assert_eq!(connection.reply().await.text(), "ready");
        connection
            .send("GET /healthz HTTP/1.1\r\nhost: blog\r\nconnection: close\r\n\r\n")
            .await;
        assert_eq!(connection.reply().await.text(), "ok");
        assert!(connection.is_at_end().await);
    });
}

/// Rules d53, d56.
#[test]
fn a_body_is_bounded_whether_or_not_it_tells_its_length() {
    on_each_database(async |service| {
        let service = service.with_settings(|settings| settings.bounds.body_bytes = 100);
        let server = serve(&service).await;
        let too_long = with_body(
            "POST",
            "/api/tags/query",
            &format!("{{}}{}", " ".repeat(99)),
        );
        let in_chunks = |chunk: &str, times: usize| {
            let chunk = format!("{:x}\r\n{chunk}\r\n", chunk.len()).repeat(times);
            format!(
                "POST /api/tags/query HTTP/1.1\r\nhost: blog\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n{chunk}0\r\n\r\n"
            )
        };
        for request in [too_long, in_chunks("          ", 11), in_chunks(" ", 1_000)] {
            let reply = server.ask(request).await;
            assert_eq!(reply.status, 413);
            assert_eq!(reply.json()["error"]["code"], "body_too_large");
            assert_eq!(reply.json()["data"], json!(null));
        }
        let reply = server.ask(in_chunks(r#"{"sort":[]}     "#, 1)).await;
        assert_eq!(reply.status, 200);
    });
}

/// Rule d52.
#[test]
fn a_body_that_breaks_off_is_400() {
    on_each_database(async |service| {
        let server = serve(service).await;
        let mut connection = server.connect().await;
        connection
            .send("POST /api/tags/query HTTP/1.1\r\nhost: blog\r\ncontent-type: application/json\r\ncontent-length: 50\r\n\r\n{\"sort\":")
            .await;
        let reply = connection.finish_sending().reply().await;
        assert_eq!(reply.status, 400);
        assert_eq!(reply.json()["error"]["code"], "bad_request");
        assert_eq!(server.ask(request("GET", "/healthz")).await.text(), "ok");
    });
}

/// Rule d4.
#[test]
fn bytes_that_are_no_request_are_refused_and_the_server_lives_on() {
    on_each_database(async |service| {
        let server = serve(service).await;
        let target = |target: &[u8]| [b"GET ", target, b" HTTP/1.1\r\nhost: blog\r\n\r\n"].concat();
        let many_headers = format!("GET / HTTP/1.1\r\n{}\r\n", "a: b\r\n".repeat(1_000));
        let huge_header = format!("GET / HTTP/1.1\r\na: {}\r\n\r\n", "b".repeat(1_000_000));
        for bytes in [
            target(b"/api/tags?filters[name]=\xff\xfe"),
            target(b"/api/tags?filters[name]=a\0b"),
            target(b"/api/tags?filters[name]=\x01\x7f"),
            target(b"api/tags"),
            target(b""),
            b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03".to_vec(),
            b"GET\r\n\r\n".to_vec(),
            b"GET / HTTP/9.9\r\n\r\n".to_vec(),
            b"GET / HTTP/1.1\r\nhost\r\n\r\n".to_vec(),
            b"POST /api/tags/query HTTP/1.1\r\nhost: blog\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n{}".to_vec(),
            b"POST /api/tags/query HTTP/1.1\r\nhost: blog\r\ncontent-length: -1\r\n\r\n{}".to_vec(),
            many_headers.into_bytes(),
            huge_header.into_bytes(),
        ] {
            let shown = bytes[..bytes.len().min(60)].escape_ascii().to_string();
            let status = server.ask(&bytes).await.status;
            assert!((400..500).contains(&status), "{status} for {shown}");
        }
        let asterisk = server.ask("OPTIONS * HTTP/1.1\r\nhost: blog\r\n\r\n").await;
        assert!((400..500).contains(&asterisk.status), "{asterisk:?}");
        assert_eq!(server.ask(request("GET", "/healthz")).await.text(), "ok");
    });
}

#[test]
fn a_server_that_is_told_to_stop_answers_what_it_has_begun() {
    run(async {
        let (entered, release) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
        let slow = {
            let (entered, release) = (entered.clone(), release.clone());
            async move || {
                entered.notify_one();
                release.notified().await;
                "at last"
            }
        };
        let quick = async || "at once";
        let router = Router::new()
            .route("/slow", get(slow))
            .route("/quick", get(quick));
        let server = Server::start(with_defaults(router, &Config::default())).await;
        let address = server.address;

        let mut idle = server.connect().await;
        idle.send(request("GET", "/quick")).await;
        assert_eq!(idle.reply().await.text(), "at once");
        let mut busy = server.connect().await;
        busy.send(request("GET", "/slow")).await;
        entered.notified().await;

        let stopped = server.stop();
        // A connection that waits for its next request is closed; the one that is being answered is not.
        assert!(idle.is_at_end().await);
        release.notify_one();
        let reply = busy.reply().await;
        assert_eq!((reply.status, reply.text()), (200, "at last".to_owned()));
        assert!(busy.is_at_end().await);
        stopped.await;
        assert!(TcpStream::connect(address).await.is_err());
    });
}
