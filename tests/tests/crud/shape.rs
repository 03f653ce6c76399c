//! Which bodies are payloads, and what is read from them (d59, d61).

use axum::body::Body;
use axum::http::Request;
use listing_tests::on_each_written_database;
use serde_json::{Value, json};

use crate::articles::{PATH, at, create, payload, payload_with, row, rows_of};

/// Rules d59, c2_7_p2.
#[test]
fn nothing_but_title_slug_body_and_is_active_is_assigned() {
    let hostile = [
        ("id", json!(1)),
        ("deleted_at", json!("2020-01-01T00:00:00Z")),
        ("created_at", json!("2020-01-01T00:00:00Z")),
        ("updated_at", json!("2020-01-01T00:00:00Z")),
        ("author_id", json!(1)),
        ("views", json!(1_000_000)),
        ("rating", json!("5.00")),
        (
            "author",
            json!({ "id": 1, "name": "Mallory", "email": "m@example.org" }),
        ),
        ("comments", json!([{ "body": "spam" }])),
        ("tags", json!([1, 2, 3])),
        ("seo", json!({ "meta_title": "x" })),
        ("__proto__", json!({ "is_active": false })),
        ("Title", json!("Wrong case")),
        ("title ", json!("With a space")),
        ("articles.title", json!("Qualified")),
        ("nothing", json!({ "deep": [[[{ "nul": "\0" }]]] })),
        ("data", json!({ "title": "Inner" })),
    ];
    on_each_written_database(async |service| {
        let mut everything = payload("mass");
        for (name, value) in &hostile {
            everything[*name] = value.clone();
            let slug = format!("mass-{}", name.trim());
            let id = service
                .post(PATH, &payload_with(&slug, name, value.clone()))
                .await
                .created();
            let row = row(service, id).await.unwrap();
            assert!(id > 500, "{name}");
            assert_eq!(row.title, format!("About {slug}"), "{name}");
            assert_unassigned(&row, name);
        }
        let id = service.post(PATH, &everything).await.created();
        let before = row(service, id).await.unwrap();
        assert_unassigned(&before, "everything");
        let _ = service.put(&at(id), &everything).await.ok();
        let after = row(service, id).await.unwrap();
        assert_unassigned(&after, "everything");
        assert_eq!(after.created_at, before.created_at);
        assert_eq!((after.id, after.title), (id, "About mass".to_owned()));
    });
}

fn assert_unassigned(row: &blog::entity::article::Model, name: &str) {
    assert!(row.is_active, "{name}");
    assert_eq!(row.deleted_at, None, "{name}");
    assert_eq!(
        (row.author_id, row.views, row.rating),
        (None, 0, None),
        "{name}"
    );
    // 2020 is what the payloads say.
    let year = chrono::Datelike::year(&row.created_at).min(chrono::Datelike::year(&row.updated_at));
    assert!(year > 2020, "{name}");
}

/// Rule d59.
#[test]
fn a_key_that_is_ignored_is_no_error_whatever_it_holds() {
    on_each_written_database(async |service| {
        for (number, value) in [
            json!(null),
            json!(-1),
            json!(1.5e300),
            json!(u64::MAX),
            json!(""),
            json!("x".repeat(100_000)),
            json!([[], {}, [null]]),
            json!({ "a": { "a": { "a": 1 } } }),
        ]
        .into_iter()
        .enumerate()
        {
            let slug = format!("ignored-{number}");
            let payload = payload_with(&slug, "views", value);
            service.post(PATH, &payload).await.created();
        }
    });
}

/// Rule d61.
#[test]
fn a_plain_object_or_one_under_data_alone() {
    on_each_written_database(async |service| {
        let wrapped = json!({ "data": payload("wrapped") });
        let id = service.post(PATH, &wrapped).await.created();
        assert_eq!(row(service, id).await.unwrap().slug, "wrapped");
        // The id that clients of this family send along has no effect.
        let mut changed = payload("wrapped-again");
        changed["id"] = json!(1);
        let _ = service.put(&at(id), &json!({ "data": changed })).await.ok();
        assert_eq!(row(service, id).await.unwrap().slug, "wrapped-again");

        // Beside another key, `data` is a key like any other: the object itself is the payload.
        let beside = json!({ "data": payload("wrapped-beside"), "meta": {} });
        let reply = service.post(PATH, &beside).await;
        assert_eq!(reply.invalid_fields(), ["is_active", "slug", "title"]);
        let mut both = payload("outer");
        both["data"] = payload("inner");
        let id = service.post(PATH, &both).await.created();
        assert_eq!(row(service, id).await.unwrap().slug, "outer");
        // Only once, and only an object.
        for no_payload in [
            json!({ "data": { "data": payload("wrapped-twice") } }),
            json!({ "data": [payload("wrapped-list")] }),
            json!({ "data": null }),
            json!({ "data": "text" }),
            json!({ "DATA": payload("wrapped-loud") }),
        ] {
            let reply = service.post(PATH, &no_payload).await;
            assert_eq!(reply.invalid_fields(), ["is_active", "slug", "title"]);
        }
    });
}

/// Rule d61.
#[test]
fn malformed_json_and_what_is_no_object_are_400() {
    let good = payload("malformed").to_string();
    let nested = |open: &str, close: &str| {
        let member = format!("{}1{}", open.repeat(5_000), close.repeat(5_000));
        good.replacen('{', &format!("{{\"x\":{member},"), 1)
    };
    let bodies: Vec<Vec<u8>> = [
        // No object.
        "",
        " ",
        "[]",
        "null",
        "true",
        "7",
        "\"text\"",
        "[{}]",
        // No JSON.
        "{",
        "}",
        "{}}",
        "{} {}",
        "{,}",
        "{\"a\"}",
        "{\"a\":}",
        "{\"a\":1,}",
        "{a:1}",
        "{'a':1}",
        "{\"a\":01}",
        "{\"a\":+1}",
        "{\"a\":.5}",
        "{\"a\":1e999}",
        "{\"a\":NaN}",
        "{\"a\":Infinity}",
        "{\"a\":\"\n\"}",
        "{\"a\":\"\\x\"}",
        "{\"a\":\"\\ud800\"}",
        "{\"a\":\"\\u12\"}",
        "{\"a\":nul}",
        "{} // text",
        "/**/{}",
        "\u{feff}{}",
        "title=a&slug=b",
    ]
    .iter()
    .map(|text| text.as_bytes().to_vec())
    .chain([
        // Not UTF-8, too deep, and cut off.
        b"{\"title\":\"\xff\xfe\"}".to_vec(),
        b"{\"\xc0\x80\":1}".to_vec(),
        nested("[", "]").into_bytes(),
        nested("{\"a\":", "}").into_bytes(),
        good.as_bytes()[..good.len() - 1].to_vec(),
        [good.as_bytes(), b"\0"].concat(),
    ])
    .collect();
    on_each_written_database(async |service| {
        let id = create(service, "stays-well-formed").await;
        for body in &bodies {
            for (method, path) in [("POST", PATH.to_owned()), ("PUT", at(id))] {
                let reply = service.client().json(method, &path, body.clone()).await;
                let text = String::from_utf8_lossy(&body[..body.len().min(60)]);
                assert_eq!(reply.error_code(400), "malformed_body", "{method} {text:?}");
                assert!(reply.bytes.len() < 1_000, "{text:?} is not echoed");
            }
        }
        assert!(rows_of(service, "malformed").await.is_empty());
        let row = row(service, id).await.unwrap();
        assert_eq!(row.updated_at, row.created_at);
    });
}

/// Rule d61.
#[test]
fn a_key_that_stands_twice_is_400_at_any_level() {
    let good = payload("twice").to_string();
    let with = |member: &str| good.replacen('{', &format!("{{{member},"), 1);
    let long = "k".repeat(5_000);
    on_each_written_database(async |service| {
        for body in [
            with("\"title\":\"Other\""),
            with("\"\\u0074itle\":\"The same key, escaped\""),
            with("\"slug\":null"),
            with("\"ignored\":1,\"ignored\":1"),
            with("\"ignored\":{\"a\":1,\"b\":2,\"a\":3}"),
            with("\"ignored\":[[{\"a\":{\"b\":1,\"b\":1}}]]"),
            with("\"\":1,\"\":2"),
            with(&format!("\"{long}\":1,\"{long}\":2")),
            format!("{{\"data\":{good},\"data\":{good}}}"),
            format!("{{\"data\":{}}}", with("\"title\":\"Other\"")),
        ] {
            let reply = service.client().json("POST", PATH, body.clone()).await;
            let error = reply.error(400);
            assert_eq!(error["code"], "malformed_body", "{body}");
            let message = error["message"].as_str().unwrap();
            assert!(message.contains("occurs twice"), "{message}");
            assert!(message.len() < 250, "{message}");
        }
        assert!(rows_of(service, "twice").await.is_empty());
        // The same key at two levels is not a duplicate.
        let body = with("\"a\":{\"a\":{\"title\":1}},\"b\":[{\"c\":1},{\"c\":1}]");
        service.client().json("POST", PATH, body).await.created();
    });
}

/// Rules d61, d56.
#[test]
fn an_oversized_body_is_413_and_one_that_just_fits_is_read() {
    on_each_written_database(async |service| {
        let limit = 1024 * 1024;
        let of_length = |slug: &str, length: usize| {
            let empty = payload_with(slug, "body", "").to_string();
            payload_with(slug, "body", "x".repeat(length - empty.len())).to_string()
        };
        let client = service.client();
        let fits = of_length("just-fits", limit);
        assert_eq!(fits.len(), limit);
        client.json("POST", PATH, fits).await.created();
        for length in [limit + 1, 3 * limit] {
            let over = of_length("oversized", length);
            let reply = client.json("POST", PATH, over.clone()).await;
            assert_eq!(reply.error_code(413), "body_too_large");
            // One that says how long it is need not be read.
            let told = client.with_header("content-length", &length.to_string());
            let reply = told.json("POST", PATH, over).await;
            assert_eq!(reply.error_code(413), "body_too_large");
        }
        assert!(rows_of(service, "oversized").await.is_empty());
        // The limit is a setting.
        let small = service.with_settings(|settings| settings.bounds.body_bytes = 100);
        let reply = small
            .post(PATH, &payload_with("small", "body", "x".repeat(100)))
            .await;
        assert_eq!(reply.error_code(413), "body_too_large");
    });
}

/// Rules d61, d53.
#[test]
fn a_body_that_does_not_say_it_is_json_is_415() {
    on_each_written_database(async |service| {
        let id = create(service, "typed").await;
        let send = async |method: &str, path: &str, kind: Option<&str>| {
            let mut request = Request::builder().method(method).uri(path);
            if let Some(kind) = kind {
                request = request.header("content-type", kind);
            }
            let body = Body::from(payload("typed").to_string());
            service.send(request.body(body).unwrap()).await
        };
        for wrong in [
            None,
            Some(""),
            Some("text/plain"),
            Some("text/json"),
            Some("application/x-www-form-urlencoded"),
            Some("multipart/form-data; boundary=x"),
            Some("application/jsonp"),
            Some("application/json-seq"),
            Some("json"),
        ] {
            for (method, path) in [("POST", PATH.to_owned()), ("PUT", at(id))] {
                let reply = send(method, &path, wrong).await;
                assert_eq!(reply.error_code(415), "unsupported_media_type", "{wrong:?}");
            }
        }
        for right in [
            "application/json",
            "application/json; charset=utf-8",
            "Application/JSON",
            "application/vnd.api+json",
        ] {
            let reply = send("PUT", &at(id), Some(right)).await;
            assert_eq!(reply.status.as_u16(), 200, "{right}: {}", reply.text());
        }
    });
}

/// Rule d61.
#[test]
fn the_order_of_keys_and_white_space_count_for_nothing() {
    on_each_written_database(async |service| {
        let body =
            "\r\n\t {\"is_active\" :false , \"slug\":\"spaced\",\n\"title\":\"\\u0053paced\"}\n ";
        let id = service.client().json("POST", PATH, body).await.created();
        let row = row(service, id).await.unwrap();
        assert_eq!((&*row.title, row.is_active), ("Spaced", false));
        let shown = service.get(&at(id)).await.ok().json();
        assert_eq!(shown["data"]["body"], Value::Null);
    });
}
