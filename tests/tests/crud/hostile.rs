//! Hostile payloads get a clear 4xx, and nothing is written (d57, d59, d61).

use listing_tests::{Engine, Reply, Service, on_each_fresh_database, run};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use serde_json::{Map, Value, json};

use crate::articles::{PATH, all, at, payload, payload_with, payload_without};

/// Bodies that no article comes of.
fn corpus() -> Vec<Vec<u8>> {
    let good = payload("hostile").to_string();
    let with = |member: &str| good.replacen('{', &format!("{{{member},"), 1);
    let nested = |depth: usize, open: &str, close: &str| {
        with(&format!(
            "\"x\":{}0{}",
            open.repeat(depth),
            close.repeat(depth)
        ))
    };
    let mut bodies: Vec<Vec<u8>> = Vec::new();
    // Wrong types and values, one field after the other.
    for field in ["title", "slug", "body", "is_active"] {
        for wrong in [
            json!(0),
            json!(-1.5),
            json!([]),
            json!(["a"]),
            json!({}),
            json!({ "$ne": null }),
            json!({ "toString": "x" }),
            json!("\0"),
            json!("x\0' OR 1=1 --"),
        ] {
            bodies.push(payload_with("hostile", field, wrong).to_string().into());
        }
    }
    for field in ["title", "slug"] {
        for wrong in [
            json!(null),
            json!(true),
            json!(""),
            json!("\u{2029}\u{a0}\t"),
        ] {
            bodies.push(payload_with("hostile", field, wrong).to_string().into());
        }
        for long in ["x".repeat(256), "🎉".repeat(256), "x".repeat(900_000)] {
            bodies.push(payload_with("hostile", field, long).to_string().into());
        }
        bodies.push(payload_without("hostile", field).to_string().into());
    }
    for wrong in [json!(null), json!("true"), json!(1), json!("' OR 1=1 --")] {
        bodies.push(
            payload_with("hostile", "is_active", wrong)
                .to_string()
                .into(),
        );
    }
    // Mass assignment instead of what is required.
    bodies.push(
        json!({ "id": 1, "deleted_at": null, "author_id": 1 })
            .to_string()
            .into(),
    );
    bodies.push(json!({ "data": { "id": 1 }, "id": 1 }).to_string().into());
    bodies.push(json!({ "article": payload("hostile") }).to_string().into());
    bodies.push(
        json!([payload("hostile"), payload("hostile-2")])
            .to_string()
            .into(),
    );
    bodies.push(format!("{good}{good}").into());
    bodies.push(format!("{good},{good}").into());
    // Keys twice.
    bodies.push(with("\"title\":\"x\"").into());
    bodies.push(with("\"is_active\":false").into());
    bodies.push(with("\"x\":[{\"a\":1,\"\\u0061\":2}]").into());
    // Deep, and deep without an end.
    for depth in [128, 1_000, 100_000] {
        bodies.push(nested(depth, "[", "]").into());
        bodies.push(nested(depth, "{\"a\":", "}").into());
        bodies.push("[".repeat(depth).into());
        bodies.push("{\"a\":".repeat(depth).into());
    }
    // Empty, cut off, oversized, no JSON, no text.
    bodies.push(Vec::new());
    bodies.push(b"   ".to_vec());
    for cut in [1, good.len() / 2, good.len() - 1] {
        bodies.push(good.as_bytes()[..cut].to_vec());
    }
    bodies.push(
        payload_with("hostile", "body", "x".repeat(1_100_000))
            .to_string()
            .into(),
    );
    bodies.push(with("\"x\":1e400").into());
    bodies.push(with("\"x\":\"\\udc00\"").into());
    bodies.push([b"\xef\xbb\xbf", good.as_bytes()].concat());
    bodies.push(good.encode_utf16().flat_map(u16::to_le_bytes).collect());
    bodies.push(good.replace("hostile", "\u{1}").into());
    bodies.push(
        [
            &good.as_bytes()[..12],
            b"\xff\xfe\xfd",
            &good.as_bytes()[12..],
        ]
        .concat(),
    );
    bodies.push(b"title=x&slug=hostile&is_active=true".to_vec());
    bodies.push(b"<article><title>x</title></article>".to_vec());
    bodies
}

/// Rules d57, d59, d61.
#[test]
fn no_hostile_payload_writes_anything() {
    let corpus = corpus();
    assert!(corpus.len() > 80);
    on_each_fresh_database(async |service| {
        let before = all(service).await;
        let client = service.client();
        for body in &corpus {
            for (method, path) in [("POST", PATH.to_owned()), ("PUT", at(7))] {
                let reply = client.json(method, &path, body.clone()).await;
                let start = String::from_utf8_lossy(&body[..body.len().min(80)]);
                assert_is_clear(&reply, &format!("{method} {start:?}"));
            }
        }
        assert_eq!(all(service).await, before);
    });
}

fn assert_is_clear(reply: &Reply, what: &str) {
    let status = reply.status.as_u16();
    assert!(
        [400, 413, 422].contains(&status),
        "{what}: {}",
        reply.text()
    );
    let error = reply.error(status);
    let code = match status {
        400 => "malformed_body",
        413 => "body_too_large",
        _ => "validation_failed",
    };
    assert_eq!(error["code"], code, "{what}");
    assert!(!error["message"].as_str().unwrap().is_empty(), "{what}");
    if status == 422 {
        assert!(!reply.invalid().is_empty(), "{what}");
    }
    assert!(reply.bytes.len() < 2_000, "{what}: the body is echoed");
    let text = reply.text().to_lowercase();
    for tell in [
        "select", "insert", "sqlx", "sqlstate", "panicked", "column ",
    ] {
        // serde says in which column of the text the mistake is.
        let is_place = tell == "column " && text.contains("line ");
        assert!(is_place || !text.contains(tell), "{what}: {text}");
    }
}

/// Rules d57, d61.
#[test]
fn any_json_is_taken_or_refused_as_the_rules_say() {
    for engine in Engine::ALL {
        let service = run(Service::fresh(engine));
        let mut runner = TestRunner::new(Config {
            cases: 96,
            failure_persistence: None,
            ..Config::default()
        });
        let tried = runner.run(&any_payload(), |(mut payload, wrapped)| {
            run(async {
                let before = all(&service).await.len();
                // Every slug is new, so that uniqueness does not matter here.
                if payload.get("slug").is_some_and(is_text) {
                    let slug = payload["slug"].as_str().unwrap();
                    payload["slug"] = json!(format!("{slug}{before}"));
                }
                let expected = wrong_fields(&payload);
                let body = if wrapped {
                    json!({ "data": payload })
                } else {
                    json!(payload)
                };
                let reply = service.post(PATH, &body).await;
                if expected.is_empty() {
                    reply.created();
                } else {
                    prop_assert_eq!(reply.invalid_fields(), expected);
                }
                let written = usize::from(reply.status.as_u16() == 201);
                prop_assert_eq!(all(&service).await.len(), before + written);
                Ok(())
            })
        });
        tried.unwrap_or_else(|failure| panic!("{engine}: {failure}"));
    }
}

/// The rules of 2.7 once more, as simply as they can be written.
fn wrong_fields(payload: &Map<String, Value>) -> Vec<&'static str> {
    let mut wrong = Vec::new();
    match payload.get("body") {
        None | Some(Value::Null) => {}
        Some(Value::String(body)) if !body.contains('\0') => {}
        Some(_) => wrong.push("body"),
    }
    if !matches!(payload.get("is_active"), Some(Value::Bool(_))) {
        wrong.push("is_active");
    }
    for field in ["slug", "title"] {
        if !payload.get(field).is_some_and(is_text) {
            wrong.push(field);
        }
    }
    wrong
}

fn is_text(value: &Value) -> bool {
    value.as_str().is_some_and(|text| {
        let length = text.trim().chars().count();
        (1..=255).contains(&length) && !text.contains('\0')
    })
}

/// Payloads, most of whose fields are right, and whether they stand under `data`.
fn any_payload() -> impl Strategy<Value = (Map<String, Value>, bool)> {
    let name = prop_oneof![
        8 => prop::sample::select(vec!["title", "slug", "body", "is_active"]).prop_map(str::to_owned),
        1 => prop::sample::select(vec!["id", "author_id", "deleted_at", "x"]).prop_map(str::to_owned),
    ];
    let text = prop_oneof![
        4 => "[a-z ]{0,12}",
        2 => "\\PC{1,40}",
        1 => "[ \\t\u{a0}]{0,3}",
        1 => "[a-z]{0,3}\0[a-z]{0,3}",
        1 => prop::sample::select(vec![250_usize, 251, 300]).prop_map(|length| "ß".repeat(length)),
    ];
    let value = prop_oneof![
        8 => text.prop_map(Value::from),
        4 => any::<bool>().prop_map(Value::from),
        1 => any::<i64>().prop_map(Value::from),
        1 => any::<f64>().prop_map(Value::from),
        1 => Just(Value::Null),
        1 => prop::collection::vec(any::<i32>(), 0..3).prop_map(Value::from),
        1 => Just(json!({ "title": { "deep": ["x"] } })),
    ];
    let members = prop::collection::vec((name, value), 0..4);
    (any::<bool>(), members, any::<bool>()).prop_map(|(complete, members, wrapped)| {
        let mut fields = Map::new();
        if complete {
            fields = payload("any").as_object().unwrap().clone();
        }
        fields.extend(members);
        (fields, wrapped)
    })
}
