//! `listing client ts --from`: the client of a service that runs.

use std::io::{Read, Write};
use std::net::TcpListener;
use std::process::Command;
use std::thread::{JoinHandle, spawn};

use super::application::{Application, Served};
use super::serve::{database, serving};
use crate::shop::{Ended, listing, room};

/// The client of a running application is the one of its sources, for a caller who may do everything.
pub(super) fn is_that_of_its_sources(application: &Application, served: &Served) {
    let of_sources = application.listing(&["client", "ts", "-"]).well().out;
    let from = |token| {
        listing(
            &room(),
            &[
                "client",
                "ts",
                "-",
                "--from",
                &served.url(),
                "--token",
                token,
            ],
        )
    };
    assert_eq!(from("secret").well().out, of_sources);
    // Whoever may do less has less of a client, or none.
    let other = from("other");
    assert!(!other.ok || other.out != of_sources);
}

/// Rule b640.
#[test]
fn a_client_is_written_from_a_service_without_its_sources() {
    let url = database("client");
    let served = Served::start(serving(&[&url]), &url);
    let folder = tempfile::tempdir().unwrap();
    let from = |address: &str| {
        let ended = listing(folder.path(), &["client", "ts", "-", "--from", address]);
        ended.well().out
    };
    let client = from(&served.url());
    assert!(
        client.contains("export interface AccountListing {"),
        "{client}"
    );
    assert!(!client.contains("password"), "{client}");
    for end in ["/", "/api", "/api/", "/api/_describe"] {
        assert_eq!(from(&format!("{}{end}", served.url())), client, "{end}");
    }
    let written = ["client", "ts", "client.ts", "--from", &served.url()];
    listing(folder.path(), &written).well();
    let file = folder.path().join("client.ts");
    assert_eq!(std::fs::read_to_string(file).unwrap(), client);
    drop(served);
}

/// A service that gives one answer, whatever it is asked, and then what it was asked.
fn answering(status: &str, body: &str) -> (String, JoinHandle<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let answer = format!(
        "HTTP/1.1 {status}\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    );
    let asked = spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let mut asked = Vec::new();
        while !asked.ends_with(b"\r\n\r\n") {
            let mut byte = [0];
            stream.read_exact(&mut byte).unwrap();
            asked.extend(byte);
        }
        stream.write_all(answer.as_bytes()).unwrap();
        String::from_utf8(asked).unwrap()
    });
    (url, asked)
}

/// The command asks for a client; the variable holds a token, or nothing.
fn ask(url: &str, options: &[&str], variable: &str) -> Ended {
    let mut command = Command::new(env!("CARGO_BIN_EXE_listing"));
    command
        .args(["client", "ts", "-", "--from", url])
        .args(options)
        .env("API_TOKEN", variable);
    Ended::from(command.output().unwrap())
}

/// Rule b640.
#[test]
fn a_token_is_sent_from_the_variable_or_from_the_option_which_goes_first() {
    for (options, variable, sent) in [
        (&[][..], "", None),
        (&[], "a", Some("authorization: Bearer a\r\n")),
        (&["--token", "b"], "a", Some("authorization: Bearer b\r\n")),
    ] {
        let (url, asked) = answering("200 OK", "{}");
        ask(&url, options, variable).badly();
        let asked = asked.join().unwrap();
        assert!(
            asked.starts_with("GET /api/_describe HTTP/1.1\r\n"),
            "{asked}"
        );
        match sent {
            Some(line) => assert!(asked.contains(line), "{asked}"),
            None => assert!(!asked.contains("authorization"), "{asked}"),
        }
    }
}

/// Rule b640.
#[test]
fn what_prevents_a_client_is_told_with_its_cause() {
    let newer = r#"{"title":"","version":"","prefix":"/api","settings":{"strict":1},"operators":[],"listings":[]}"#;
    for (status, body, token, says) in [
        (
            "401 Unauthorized",
            "",
            "",
            "asks for a caller (401 Unauthorized); set API_TOKEN to a token, or pass `--token`",
        ),
        (
            "403 Forbidden",
            "",
            "a",
            "does not accept the token (403 Forbidden)",
        ),
        (
            "404 Not Found",
            "",
            "",
            "there is no description at `http://127.0.0.1:",
        ),
        (
            "308 Permanent Redirect\r\nlocation: https://example.com/api",
            "",
            "",
            "leads to `https://example.com/api`",
        ),
        (
            "503 Service Unavailable",
            r#"{"message":"Busy."}"#,
            "",
            "answers with 503 Service Unavailable: Busy.",
        ),
        (
            "200 OK",
            "<html>",
            "",
            "is not a description of an API: it is not JSON",
        ),
        (
            "200 OK",
            r#"{"openapi":"3.1.0"}"#,
            "",
            "is not a description of an API",
        ),
        (
            "200 OK",
            newer,
            "",
            "use the `listing` of the version that the service was built with",
        ),
    ] {
        let (url, asked) = answering(status, body);
        ask(&url, &[], token).badly().says(says);
        asked.join().unwrap();
    }
    // Nobody listens there any more.
    let gone = TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap();
    ask(&format!("http://{gone}"), &[], "")
        .badly()
        .says(&format!(
            "no service can be reached at `http://{gone}/api/_describe`"
        ))
        .says("Connection refused");
    ask("localhost:8080", &[], "")
        .badly()
        .says("`localhost:8080` is not the address of a service");
    ask("http://localhost", &["--release"], "")
        .badly()
        .says("cannot be used with");
}
