//! Everything that is wrong with a payload is reported at once and in one shape (contract 7, d57, d60).

use listing_tests::on_each_written_database;
use serde_json::{Value, json};

use crate::articles::{
    PATH, all, at, create, payload, payload_with, payload_without, row, rows_of,
};

/// Rules c7_t5, c1_r5, d52, b107.
#[test]
fn a_payload_that_fails_is_rejected_with_a_clear_body() {
    on_each_written_database(async |service| {
        let payload = json!({ "title": "", "slug": 7, "is_active": "yes" });
        let reply = service.post(PATH, &payload).await;
        let too_short = "title must not be empty.";
        let expected = json!({
            "data": null,
            "message": "is_active must be a boolean.",
            "errors": {
                "is_active": ["is_active must be a boolean."],
                "slug": ["slug must be a string."],
                "title": [too_short],
            },
            "error": {
                "status": 422,
                "name": "ValidationError",
                "code": "validation_failed",
                "message": "is_active must be a boolean.",
                "details": { "errors": [
                    { "path": ["is_active"], "message": "is_active must be a boolean." },
                    { "path": ["slug"], "message": "slug must be a string." },
                    { "path": ["title"], "message": too_short },
                ] },
            },
            "meta": { "code": 422, "message": "is_active must be a boolean." },
        });
        assert_eq!(reply.status.as_u16(), 422);
        assert_eq!(reply.json(), expected);
    });
}

/// Rule d57.
#[test]
fn every_failing_field_is_told_at_once_whatever_is_wrong_with_it() {
    on_each_written_database(async |service| {
        create(service, "all-at-once").await;
        let id = create(service, "all-at-once-2").await;
        let too_long = "x".repeat(256);
        for (payload, fields) in [
            (json!({}), &["is_active", "slug", "title"][..]),
            (
                json!({ "title": null, "slug": null, "body": 1, "is_active": null }),
                &["body", "is_active", "slug", "title"],
            ),
            (
                json!({ "title": [], "slug": {}, "body": false, "is_active": 1 }),
                &["body", "is_active", "slug", "title"],
            ),
            // Rules, types, absence and uniqueness together.
            (
                json!({ "title": too_long, "slug": "all-at-once", "body": [] }),
                &["body", "is_active", "slug", "title"],
            ),
            (
                json!({ "title": "a\0b", "slug": "all-at-once", "is_active": true }),
                &["slug", "title"],
            ),
        ] {
            let created = service.post(PATH, &payload).await;
            assert_eq!(created.invalid_fields(), fields, "{payload}");
            let updated = service.put(&at(id), &payload).await;
            assert_eq!(updated.invalid(), created.invalid(), "{payload}");
        }
        assert_eq!(row(service, id).await.unwrap().slug, "all-at-once-2");
    });
}

/// Rule d57.
#[test]
fn title_and_slug_are_trimmed_and_may_not_be_empty() {
    on_each_written_database(async |service| {
        let payload = json!({ "title": " \t Trimmed \u{a0}\n", "slug": "\r\n trimmed\u{2003}",
            "body": " kept ", "is_active": true });
        let id = service.post(PATH, &payload).await.created();
        let row = row(service, id).await.unwrap();
        assert_eq!((&*row.title, &*row.slug), ("Trimmed", "trimmed"));
        assert_eq!(row.body.as_deref(), Some(" kept "));
        // What is trimmed is what is taken, and what has a length.
        let taken = payload_with(" trimmed ", "title", format!(" {} ", "x".repeat(255)));
        let reply = service.post(PATH, &taken).await;
        assert_eq!(reply.invalid_fields(), ["slug"]);
        for empty in ["", " ", "\t\n\u{3000}"] {
            let payload = json!({ "title": empty, "slug": empty, "is_active": true });
            let reply = service.post(PATH, &payload).await;
            assert_eq!(reply.invalid_fields(), ["slug", "title"], "{empty:?}");
        }
        assert!(rows_of(service, "").await.is_empty());
    });
}

/// Rule d57.
#[test]
fn nul_is_refused_wherever_it_stands_in_a_text() {
    on_each_written_database(async |service| {
        for field in ["title", "slug", "body"] {
            for text in ["\0", "a\0b", "a\0"] {
                let payload = payload_with("with-nul", field, text);
                let reply = service.post(PATH, &payload).await;
                let expected = format!("{field} must not contain the NUL character.");
                assert_eq!(reply.invalid()[field], [expected]);
            }
        }
        // The six characters of an escape are no NUL, and other controls are text.
        let payload = payload_with("without-nul", "body", "\\u0000 \u{1}\u{7f}\u{feff}");
        let id = service.post(PATH, &payload).await.created();
        let shown = service.get(&at(id)).await.ok().json();
        assert_eq!(shown["data"]["body"], payload["body"]);
    });
}

/// Rule d57.
#[test]
fn booleans_are_json_booleans() {
    on_each_written_database(async |service| {
        for wrong in [
            json!("true"),
            json!("1"),
            json!(1),
            json!(0),
            json!(1.0),
            json!("on"),
            json!([true]),
            json!(null),
        ] {
            let payload = payload_with("no-boolean", "is_active", wrong);
            let reply = service.post(PATH, &payload).await;
            let text = "is_active must be a boolean.";
            assert_eq!(reply.invalid()["is_active"], [text], "{payload}");
        }
        assert!(rows_of(service, "no-boolean").await.is_empty());
    });
}

/// Rule d57.
#[test]
fn text_comes_back_as_it_was_sent() {
    on_each_written_database(async |service| {
        for (number, text) in [
            "'; DROP TABLE articles; --",
            "\" OR \"\"=\"",
            "100% _under_ \\back\\",
            "ümläut — 漢字 🎉 e\u{301}",
            "<script>alert(1)</script>",
            "$1 ?1 :name @p {id}",
            "line\r\nbreak\ttab",
        ]
        .into_iter()
        .enumerate()
        {
            let slug = format!("{text} {number}");
            let payload = json!({ "title": text, "slug": slug, "body": text, "is_active": true });
            let id = service.post(PATH, &payload).await.created();
            let shown = service.get(&at(id)).await.ok().json();
            for field in ["title", "slug", "body"] {
                assert_eq!(shown["data"][field], payload[field]);
            }
            let _ = service.put(&at(id), &payload).await.ok();
            let listed = format!("{PATH}?filters[id][$eq]={id}&fields=title,body");
            let listed = service.get(&listed).await.items();
            assert_eq!(listed[0]["body"], text);
        }
    });
}

/// Rule d60.
#[test]
fn put_requires_what_create_requires() {
    on_each_written_database(async |service| {
        let id = create(service, "to-require").await;
        let before = row(service, id).await;
        for field in ["title", "slug", "is_active"] {
            let partial = payload_without("to-require", field);
            let reply = service.put(&at(id), &partial).await;
            assert_eq!(reply.invalid()[field], [format!("{field} is required.")]);
        }
        assert_eq!(row(service, id).await, before);
    });
}

/// Rule d60.
#[test]
fn put_leaves_an_absent_body_and_clears_a_null_one() {
    on_each_written_database(async |service| {
        let id = create(service, "to-clear").await;
        let body = async || row(service, id).await.unwrap().body;
        let absent = payload_without("to-clear", "body");
        let _ = service.put(&at(id), &absent).await.ok();
        assert_eq!(body().await.as_deref(), Some("Text."));
        let null = payload_with("to-clear", "body", Value::Null);
        let _ = service.put(&at(id), &null).await.ok();
        assert_eq!(body().await, None);
        let _ = service.put(&at(id), &absent).await.ok();
        assert_eq!(body().await, None);
        let _ = service.put(&at(id), &payload("to-clear")).await.ok();
        assert_eq!(body().await.as_deref(), Some("Text."));
        let wrong = payload_with("to-clear", "body", 7);
        let reply = service.put(&at(id), &wrong).await;
        assert_eq!(reply.invalid_fields(), ["body"]);
        assert_eq!(body().await.as_deref(), Some("Text."));
    });
}

/// Rule d60.
#[test]
fn put_changes_its_own_record_and_no_other() {
    listing_tests::on_each_fresh_database(async |service| {
        let mut before = all(service).await;
        let _ = service.put(&at(7), &payload("only-seven")).await.ok();
        let after = all(service).await;
        let changed = before.iter_mut().find(|row| row.id == 7).unwrap();
        let now = after.iter().find(|row| row.id == 7).unwrap();
        changed.title = "About only-seven".to_owned();
        changed.slug = "only-seven".to_owned();
        changed.body = Some("Text.".to_owned());
        changed.is_active = true;
        changed.updated_at = now.updated_at;
        assert_eq!(after, before);
    });
}
