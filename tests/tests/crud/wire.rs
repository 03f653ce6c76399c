//! The same endpoints through a socket: lengths, chunks, and clients that go away (d50, d51, d53, d56, d61).

use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpStream};

use axum::ServiceExt;
use axum::extract::Request;
use listing_tests::{Service, on_each_written_database};
use serde_json::Value;

use crate::articles::{PATH, at, payload, payload_with, row, rows_of};

/// A response as it came.
struct Answer {
    status: u16,
    head: String,
    body: String,
}

impl Answer {
    fn header(&self, name: &str) -> Option<&str> {
        self.head.lines().find_map(|line| {
            let (known, value) = line.split_once(": ")?;
            known.eq_ignore_ascii_case(name).then_some(value)
        })
    }

    fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap()
    }
}

/// Serves on a port of its own for as long as the tests run.
async fn serve(service: &Service) -> SocketAddr {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let app = ServiceExt::<Request>::into_make_service(service.app());
    tokio::spawn(async move { axum::serve(listener, app).await });
    address
}

/// Sends these bytes and reads until the end; none where the server hangs up without a word.
fn exchange(address: SocketAddr, request: &[u8]) -> Option<Answer> {
    let mut stream = TcpStream::connect(address).unwrap();
    // The server may answer, and hang up, before it has read everything.
    let _ = stream.write_all(request);
    read(stream)
}

/// Sends these bytes and no more.
fn break_off(address: SocketAddr, request: &[u8]) -> Option<Answer> {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.write_all(request).unwrap();
    stream.shutdown(Shutdown::Write).unwrap();
    read(stream)
}

fn read(mut stream: TcpStream) -> Option<Answer> {
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    let answer = String::from_utf8(answer).unwrap();
    let (head, body) = answer.split_once("\r\n\r\n")?;
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    Some(Answer {
        status,
        head: head.to_owned(),
        body: body.to_owned(),
    })
}

fn request(method: &str, path: &str, headers: &str, body: &str) -> Vec<u8> {
    let head =
        format!("{method} {path} HTTP/1.1\r\nhost: blog\r\nconnection: close\r\n{headers}\r\n");
    [head.as_bytes(), body.as_bytes()].concat()
}

fn with_length(method: &str, path: &str, body: &Value) -> Vec<u8> {
    let body = body.to_string();
    let headers = format!(
        "content-type: application/json\r\ncontent-length: {}\r\n",
        body.len()
    );
    request(method, path, &headers, &body)
}

fn in_chunks(method: &str, path: &str, body: &Value) -> Vec<u8> {
    let headers = "content-type: application/json\r\ntransfer-encoding: chunked\r\n";
    let mut chunks = String::new();
    for chunk in body.to_string().as_bytes().chunks(50_000) {
        let text = std::str::from_utf8(chunk).unwrap();
        chunks.push_str(&format!("{:x}\r\n{text}\r\n", chunk.len()));
    }
    request(method, path, headers, &format!("{chunks}0\r\n\r\n"))
}

/// Rules d50, d51, d56.
#[test]
fn the_five_endpoints_through_a_socket() {
    on_each_written_database(async |service| {
        let address = serve(service).await;
        let ask = |bytes: Vec<u8>| exchange(address, &bytes).unwrap();
        let stored = ask(with_length("POST", PATH, &payload("wired")));
        assert_eq!(stored.status, 201, "{}", stored.body);
        let id = stored.json()["data"]["id"].as_i64().unwrap();
        assert_eq!(stored.header("location"), Some(&*at(id)));
        let length = stored.body.len().to_string();
        assert_eq!(stored.header("content-length"), Some(&*length));

        let shown = ask(request("GET", &at(id), "", ""));
        assert_eq!(shown.json()["data"]["slug"], "wired");
        let head = ask(request("HEAD", &at(id), "", ""));
        assert_eq!((head.status, &*head.body), (200, ""));
        assert_eq!(
            head.header("content-length"),
            shown.header("content-length")
        );
        let tag = shown.header("etag").unwrap();
        let same = ask(request(
            "GET",
            &at(id),
            &format!("if-none-match: {tag}\r\n"),
            "",
        ));
        assert_eq!((same.status, &*same.body), (304, ""));

        let updated = ask(in_chunks("PUT", &at(id), &payload("wired-2")));
        assert_eq!(updated.status, 200, "{}", updated.body);
        assert_eq!(row(service, id).await.unwrap().slug, "wired-2");
        let stale = format!("if-match: {tag}\r\n");
        assert_eq!(ask(request("DELETE", &at(id), &stale, "")).status, 412);
        assert_eq!(ask(request("DELETE", &at(id), "", "")).status, 200);
        assert_eq!(ask(request("GET", &at(id), "", "")).status, 404);
        let restore = format!("{}/restore", at(id));
        assert_eq!(ask(request("POST", &restore, "", "")).status, 200);
        let listed = format!("{PATH}?filters%5Bid%5D%5B$eq%5D={id}");
        assert_eq!(
            ask(request("GET", &listed, "", "")).json()["data"][0]["id"],
            id
        );
        let patch = ask(with_length("PATCH", &at(id), &payload("wired-3")));
        assert_eq!(patch.status, 200, "{}", patch.body);
        assert_eq!(row(service, id).await.unwrap().slug, "wired-3");
    });
}

/// Rules d61, d53.
#[test]
fn what_is_too_large_or_breaks_off_writes_nothing() {
    on_each_written_database(async |service| {
        let address = serve(service).await;
        let large = payload_with("wired-large", "body", "x".repeat(1_100_000));
        for bytes in [
            with_length("POST", PATH, &large),
            in_chunks("POST", PATH, &large),
        ] {
            // A client that still sends may see the connection close before it reads the answer.
            if let Some(answer) = exchange(address, &bytes) {
                assert_eq!(answer.status, 413);
                assert_eq!(answer.json()["error"]["code"], "body_too_large");
            }
        }
        for whole in [
            with_length("POST", PATH, &payload("wired-cut")),
            in_chunks("POST", PATH, &payload("wired-cut")),
        ] {
            for missing in [1, 2, 20, 60] {
                if let Some(answer) = break_off(address, &whole[..whole.len() - missing]) {
                    assert_eq!(answer.status, 400, "{}", answer.body);
                }
            }
        }
        for slug in ["wired-large", "wired-cut"] {
            assert!(rows_of(service, slug).await.is_empty(), "{slug}");
        }
        // The connections are in order: the next request is answered.
        let next = exchange(address, &with_length("POST", PATH, &payload("wired-next")));
        assert_eq!(next.unwrap().status, 201);
    });
}
