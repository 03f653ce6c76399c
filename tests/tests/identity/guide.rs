//! The commands of the guides, run as written, answer what the guides say.

use std::collections::HashMap;
use std::path::Path;

use axum::body::Body;
use axum::http::Request;
use jsonwebtoken::Algorithm;
use listing_tests::{Reply, Service, on_each_fresh_database};
use serde_json::Value;

use crate::tokens::{by_secret, claims, jwt, sign};

/// A command, and the answer that stands below it.
#[derive(Debug)]
struct Example {
    command: String,
    answer: String,
}

/// Every `sh` block with the block that follows it.
fn examples(guide: &str) -> Vec<Example> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../docs")
        .join(guide);
    let text = std::fs::read_to_string(path).unwrap();
    let mut blocks = Vec::new();
    let mut rest = text.as_str();
    while let Some((_, block)) = rest.split_once("\n```") {
        let (block, after) = block.split_once("\n```").unwrap();
        let (language, content) = block.split_once('\n').unwrap();
        blocks.push((language.to_owned(), content.to_owned()));
        rest = after;
    }
    let pairs = blocks.windows(2).filter(|pair| pair[0].0 == "sh");
    let example = |pair: &[(String, String)]| {
        assert!(["json", "http"].contains(&pair[1].0.as_str()), "{pair:?}");
        Example {
            command: pair[0].1.clone(),
            answer: pair[1].1.clone(),
        }
    };
    pairs.map(example).collect()
}

/// The words of a command, as a shell reads them: quotes, backslashes and variables.
fn words(command: &str, variables: &HashMap<&str, String>) -> Vec<String> {
    let mut words = Vec::new();
    let (mut word, mut quote) = (None::<String>, None);
    let mut characters = command.chars().peekable();
    while let Some(character) = characters.next() {
        match (character, quote) {
            ('\\', None) if characters.peek() == Some(&'\n') => {
                characters.next();
            }
            ('\\', None | Some('"')) => word.get_or_insert_default().extend(characters.next()),
            ('$', None | Some('"')) => {
                let mut name = String::new();
                while let Some(letter) = characters.next_if(char::is_ascii_alphabetic) {
                    name.push(letter);
                }
                word.get_or_insert_default()
                    .push_str(&variables[name.as_str()]);
            }
            ('\'' | '"', None) => {
                quote = Some(character);
                word.get_or_insert_default();
            }
            (_, Some(open)) if open == character => quote = None,
            (' ' | '\n', None) => words.extend(word.take()),
            _ => word.get_or_insert_default().push(character),
        }
    }
    words.extend(word);
    words
}

/// The request that `curl` would send.
fn request(words: &[String]) -> Request<Body> {
    let (mut method, mut url, mut headers, mut body) = (None, None, Vec::new(), None);
    let mut words = words.iter();
    assert_eq!(words.next().map(String::as_str), Some("curl"));
    while let Some(word) = words.next() {
        match word.as_str() {
            "-i" | "-g" => {}
            "-X" => method = words.next(),
            "-d" => body = words.next(),
            "-H" => headers.push(words.next().unwrap().split_once(": ").unwrap()),
            _ => url = word.strip_prefix("http://127.0.0.1:8080"),
        }
    }
    let default = if body.is_some() { "POST" } else { "GET" };
    let mut request = Request::builder()
        .method(method.map_or(default, String::as_str))
        .uri(url.unwrap());
    for (name, value) in headers {
        request = request.header(name, value);
    }
    let body = body.cloned().unwrap_or_default();
    request.body(Body::from(body)).unwrap()
}

/// Compares a reply with an answer; tags that it shows are remembered under the name that the guide gives them.
#[track_caller]
fn is_answered(reply: &Reply, example: &Example, tags: &mut HashMap<String, String>) {
    let mut body = example.answer.as_str();
    if let Some(response) = body.strip_prefix("HTTP/1.1 ") {
        let (head, rest) = response.split_once("\n\n").unwrap();
        let mut head = head.lines();
        let status = head.next().unwrap();
        assert_eq!(reply.status.to_string(), status, "{example:?}");
        for line in head {
            let (name, value) = line.split_once(": ").unwrap();
            let found = reply.headers[name].to_str().unwrap();
            if name == "etag" {
                tags.insert(value.to_owned(), found.to_owned());
            } else {
                assert_eq!(found, value, "{example:?}");
            }
        }
        body = rest;
    }
    let expected: Value = serde_json::from_str(body).unwrap();
    assert_eq!(reply.json(), expected, "{example:?}");
}

async fn holds(guide: &str, service: &Service) {
    let token = sign(Algorithm::HS256, &claims());
    let variables = HashMap::from([("token", token)]);
    let mut tags = HashMap::<String, String>::new();
    for example in examples(guide) {
        let mut words = words(&example.command, &variables);
        for (shown, tag) in &tags {
            for word in &mut words {
                *word = word.replace(shown, tag);
            }
        }
        let reply = service.send(request(&words)).await;
        is_answered(&reply, &example, &mut tags);
    }
}

/// Rules c4_2_t2, c4_2_t3, c4_2_t4, c4_2_t5.
#[test]
fn the_guide_to_records_is_true() {
    assert!(examples("crud.md").len() >= 10);
    on_each_fresh_database(async |service| holds("crud.md", service).await);
}

/// Rule d64.
#[test]
fn the_guide_to_identity_is_true() {
    assert!(examples("identity.md").len() >= 3);
    on_each_fresh_database(async |service| {
        let service = service.with_jwt(jwt(&by_secret()));
        holds("identity.md", &service).await;
    });
}
