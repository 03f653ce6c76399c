//! A unique value belongs to one record, and the database has the last word (d58).

use listing_tests::on_each_written_database;
use serde_json::{Value, json};

use crate::articles::{PATH, at, create, payload, restore, row, rows_of};
use crate::own::on_each_own;

/// Rules d58, d36.
#[test]
fn uniqueness_tells_upper_from_lower_case() {
    on_each_written_database(async |service| {
        let mut ids = Vec::new();
        for slug in ["case", "Case", "CASE", "cäse", "case\u{301}", "case-"] {
            ids.push(create(service, slug).await);
        }
        ids.dedup();
        assert_eq!(ids.len(), 6);
        for slug in ["case", "Case", "CASE", "cäse"] {
            let reply = service.post(PATH, &payload(slug)).await;
            assert_eq!(reply.invalid_fields(), ["slug"], "{slug}");
        }
        let _ = service.put(&at(ids[0]), &payload("cASE")).await.ok();
        assert_eq!(row(service, ids[0]).await.unwrap().slug, "cASE");
    });
}

/// Rule d58.
#[test]
fn the_message_tells_nothing_of_the_other_record() {
    on_each_written_database(async |service| {
        let other = create(service, "told-nothing").await;
        let taken = service.post(PATH, &payload("told-nothing")).await;
        let deleted = service.delete(&at(other)).await;
        assert_eq!(deleted.status.as_u16(), 200);
        let taken_by_deleted = service.post(PATH, &payload("told-nothing")).await;
        assert_eq!(taken.bytes, taken_by_deleted.bytes);
        let expected = json!({ "slug": ["slug has already been taken."] });
        assert_eq!(taken.json()["errors"], expected);
        assert!(!taken.text().contains(&other.to_string()));
    });
}

/// Rules d58, d62.
#[test]
fn the_slug_of_a_soft_deleted_record_stays_taken() {
    on_each_written_database(async |service| {
        let deleted = create(service, "in-the-bin").await;
        let other = create(service, "out-of-the-bin").await;
        let _ = service.delete(&at(deleted)).await.ok();
        let reply = service.post(PATH, &payload("in-the-bin")).await;
        assert_eq!(reply.invalid_fields(), ["slug"]);
        let reply = service.put(&at(other), &payload("in-the-bin")).await;
        assert_eq!(reply.invalid_fields(), ["slug"]);
        // So that it can always come back, and only when it is gone for good is its slug free.
        let _ = restore(service, deleted).await.ok();
        let forced = format!("{}?force=true", at(deleted));
        let _ = service.delete(&forced).await.ok();
        create(service, "in-the-bin").await;
    });
}

/// Rule d58.
#[test]
fn of_several_unique_values_each_that_is_taken_is_told() {
    on_each_own(async |own| {
        let user = own.user("several");
        let note = |place: i32, code: &str, isbn: Option<&str>| json!({ "title": "Note", "place": place, "code": code, "isbn": isbn });
        let first = user
            .post("/api/notes", &note(1, "s1", Some("i1")))
            .await
            .created();
        let second = user
            .post("/api/notes", &note(2, "s2", None))
            .await
            .created();
        // A null is never taken.
        user.post("/api/notes", &note(3, "s3", None))
            .await
            .created();
        for (place, code, isbn, taken) in [
            (1, "s9", None, &["place"][..]),
            (9, "s1", Some("i9"), &["code"]),
            (9, "s9", Some("i1"), &["isbn"]),
            (1, "s2", Some("i1"), &["code", "isbn", "place"]),
        ] {
            let payload = note(place, code, isbn);
            let reply = user.post("/api/notes", &payload).await;
            assert_eq!(reply.invalid_fields(), taken, "{payload}");
            for (field, texts) in reply.invalid() {
                assert_eq!(texts, [format!("{field} has already been taken.")]);
            }
        }
        // The record itself is in nobody's way, with some of its values or with all.
        for (id, payload) in [
            (first, note(1, "s1", Some("i1"))),
            (first, note(7, "s1", Some("i1"))),
            (second, note(2, "s2", Some("i2"))),
            (second, note(1, "s2", None)),
        ] {
            let _ = user.put(&format!("/api/notes/{id}"), &payload).await.ok();
        }
        let reply = user
            .put(&format!("/api/notes/{first}"), &note(1, "s3", None))
            .await;
        assert_eq!(reply.invalid_fields(), ["code", "place"]);
    });
}

/// Rule d58.
#[test]
fn what_is_unique_within_a_scope_is_free_in_another_and_what_is_not_is_taken_everywhere() {
    on_each_own(async |own| {
        let note =
            |place: i32, code: &str| json!({ "title": "Note", "place": place, "code": code });
        let (one, other) = (own.user("within-one"), own.user("within-other"));
        one.post("/api/notes", &note(1, "w1")).await.created();
        other.post("/api/notes", &note(1, "w2")).await.created();
        let reply = other.post("/api/notes", &note(2, "w1")).await;
        assert_eq!(reply.invalid_fields(), ["code"]);
    });
}

/// Rule d58.
#[test]
fn a_unique_index_without_a_rule_is_told_of_its_column() {
    on_each_own(async |own| {
        let user = own.user("no-rule");
        let note = json!({ "title": "Note", "place": 1, "code": "no-rule" });
        let note = user.post("/api/notes", &note).await.created();
        let mark = |name: &str| json!({ "name": name, "note_id": note });
        let reply = user.post("/api/marks", &mark("rare")).await;
        assert_eq!(reply.status.as_u16(), 201, "{}", reply.text());
        let reply = user.post("/api/marks", &mark("rare")).await;
        assert_eq!(reply.invalid()["name"], ["name has already been taken."]);
        let other = user.post("/api/marks", &mark("rarer")).await;
        let path = other.header("location").unwrap().to_owned();
        let reply = user.put(&path, &mark("rare")).await;
        assert_eq!(reply.invalid()["name"], ["name has already been taken."]);
        let shown = user.get(&path).await.ok().json();
        assert_eq!(shown["data"]["name"], "rarer");
    });
}

/// Rules d58, c2_7_t3.
#[test]
fn a_value_that_is_wrong_is_not_looked_for() {
    on_each_written_database(async |service| {
        // Else an empty slug would be told twice over, or a wrong one be searched.
        for slug in [json!(""), json!(null), json!(7), json!("x".repeat(300))] {
            let payload = json!({ "title": "Title", "slug": slug, "is_active": true });
            let reply = service.post(PATH, &payload).await;
            assert_eq!(reply.invalid()["slug"].len(), 1, "{slug}");
        }
        assert!(rows_of(service, "").await.is_empty());
        assert_eq!(
            service.get("/api/articles/0").await.json()["data"],
            Value::Null
        );
    });
}
