//! Changes of some fields of a record: `PATCH` (d120).

use axum::http::Request;
use blog::entity::article;
use listing_tests::{Client, Reply, on_each_written_database};
use sea_orm::{ConnectionTrait, EntityTrait};
use serde_json::{Value, json};

use crate::plans::{at, create, on_each_planned};

async fn patch(client: &Client, path: &str, body: &Value) -> Reply {
    client.json("PATCH", path, body.to_string()).await
}

/// Rule d120.
#[test]
fn a_patch_changes_what_it_names_and_leaves_every_other_value() {
    on_each_planned(async |planned| {
        let client = planned.client("patching");
        let id = create(&client, "patched").await;
        let before = planned.row(id).await.unwrap();
        let shown = client.get(&at(id)).await.ok().json()["data"].clone();
        for (name, value) in [
            ("name", json!("patched-2")),
            ("note", json!(null)),
            ("first", json!(2)),
            ("last", json!(9)),
            ("price", json!("0.5000")),
            ("day", json!("2025-01-01")),
            ("hour", json!("08:00:00.000000")),
            ("moment", json!("2025-01-01T00:00:00.000000Z")),
            ("stage", json!("idea")),
            ("settings", json!(null)),
        ] {
            let reply = patch(&client, &at(id), &json!({ name: value.clone() })).await;
            assert_eq!(reply.ok().json()["message"], "Plan updated.");
            let mut expected = shown.clone();
            expected[name] = value;
            let mut now = client.get(&at(id)).await.ok().json()["data"].clone();
            if name == "price" {
                now["price"] = "0.5000".into();
            }
            assert_eq!(now, expected, "{name}");
            // Back to what it was.
            let undo = json!({ name: shown[name] });
            let _ = patch(&client, &at(id), &undo).await.ok();
            assert_eq!(planned.row(id).await.unwrap(), before, "{name}");
        }
        let _ = patch(&client, &at(id), &json!({})).await.ok();
        assert_eq!(planned.row(id).await.unwrap(), before);
    });
}

/// Rule d120.
#[test]
fn the_members_of_an_object_are_merged_and_null_removes_one() {
    on_each_planned(async |planned| {
        let client = planned.client("merging");
        let id = create(&client, "merged").await;
        let settings = async |sent: Value| {
            let _ = patch(&client, &at(id), &json!({ "settings": sent }))
                .await
                .ok();
            planned.row(id).await.unwrap().settings
        };
        let merged = settings(json!({ "colour": null, "size": { "width": 7 }, "tags": [3] })).await;
        let wanted = json!({ "size": { "width": 7, "height": 2 }, "tags": [3] });
        assert_eq!(merged, Some(wanted.clone()));
        assert_eq!(settings(json!({})).await, Some(wanted));
        assert_eq!(settings(Value::Null).await, None);
        let fresh = settings(json!({ "a": { "b": null, "c": 1 } })).await;
        assert_eq!(fresh, Some(json!({ "a": { "c": 1 } })));
        // A number that would lose digits is refused, and not rounded on the way.
        let sent = r#"{"settings": {"n": 12345678901234567890.5}}"#;
        let reply = client.json("PATCH", &at(id), sent).await;
        assert_eq!(reply.invalid_fields(), ["settings"]);
    });
}

/// Rules d120, b720.
#[test]
fn the_whole_record_is_validated_as_it_would_be() {
    on_each_planned(async |planned| {
        let client = planned.client("validating");
        let id = create(&client, "validated").await;
        create(&client, "validated-other").await;
        let before = planned.row(id).await;
        for (sent, wrong) in [
            (json!({ "first": 6 }), &["last"][..]),
            (json!({ "last": 0 }), &["last"]),
            (json!({ "name": " " }), &["name"]),
            (json!({ "name": null }), &["name"]),
            (json!({ "name": "validated-other" }), &["name"]),
            (json!({ "first": "x", "price": "y" }), &["first", "price"]),
            (json!({ "stage": "gone" }), &["stage"]),
            (json!({ "price": "12345678901234567890" }), &["price"]),
        ] {
            let reply = patch(&client, &at(id), &sent).await;
            assert_eq!(reply.invalid_fields(), wrong, "{sent}");
            assert_eq!(planned.row(id).await, before, "{sent}");
        }
        let _ = patch(&client, &at(id), &json!({ "first": 6, "last": 7 }))
            .await
            .ok();
        assert_eq!(planned.row(id).await.unwrap().last, 7);
        // A record that breaks a rule which is newer than itself is not changed before it keeps it.
        let _ = patch(&client, &at(id), &json!({ "first": 7 })).await.ok();
        let sql = format!("UPDATE plans SET last = 0 WHERE id = {id}");
        planned.db().execute_unprepared(&sql).await.unwrap();
        let reply = patch(&client, &at(id), &json!({ "note": "x" })).await;
        assert_eq!(reply.invalid_fields(), ["last"]);
    });
}

/// Rules d120, b720.
#[test]
fn a_patch_is_a_json_object_as_plain_json_or_as_a_merge_patch() {
    on_each_planned(async |planned| {
        let client = planned.client("typing");
        let id = create(&client, "typed").await;
        let send = async |kind: &str, body: &str| {
            let request = Request::builder()
                .method("PATCH")
                .uri(at(id))
                .header("content-type", kind);
            client
                .send(request.body(body.to_owned().into()).unwrap())
                .await
        };
        for kind in [
            "application/json",
            "application/merge-patch+json",
            "Application/Merge-Patch+JSON; charset=utf-8",
        ] {
            let _ = send(kind, r#"{"note": "typed"}"#).await.ok();
            let _ = send(kind, r#"{"data": {"note": "wrapped"}}"#).await.ok();
            assert_eq!(
                planned.row(id).await.unwrap().note.as_deref(),
                Some("wrapped")
            );
            assert_eq!(send(kind, "[1]").await.error_code(400), "malformed_body");
            assert_eq!(send(kind, "").await.error_code(400), "malformed_body");
        }
        for kind in [
            "application/json-patch+json",
            "text/plain",
            "application/vnd.x+json",
        ] {
            let reply = send(kind, r#"{"note": "other"}"#).await;
            assert_eq!(reply.error_code(415), "unsupported_media_type", "{kind}");
        }
    });
}

/// Rules d120, d132.
#[test]
fn a_patch_of_a_record_that_is_hidden_deleted_or_absent_is_the_same_404() {
    on_each_planned(async |planned| {
        let (client, other) = (planned.client("hiding"), planned.client("hiding-other"));
        let id = create(&client, "hidden").await;
        let before = planned.row(id).await;
        for body in [
            json!({ "note": "x" }),
            json!({ "first": 99 }),
            json!({ "name": null }),
        ] {
            let absent = patch(&other, &at(987_654), &body).await.error(404);
            assert_eq!(patch(&other, &at(id), &body).await.error(404), absent);
        }
        assert_eq!(planned.row(id).await, before);
        let _ = client.delete(&at(id)).await.ok();
        let _ = patch(&client, &at(id), &json!({ "note": "x" }))
            .await
            .error(404);
    });
}

/// Rule d120.
#[test]
fn an_article_is_patched_and_its_time_is_set() {
    on_each_written_database(async |service| {
        let article = json!({ "title": "Patch me", "slug": "patch-me", "is_active": true });
        let id = service.post("/api/articles", &article).await.created();
        let row = async || {
            article::Entity::find_by_id(id)
                .one(&service.db)
                .await
                .unwrap()
                .unwrap()
        };
        let before = row().await;
        let sent = json!({ "title": "Patched", "views": 7, "id": 1 });
        let path = format!("/api/articles/{id}");
        let reply = patch(&service.client(), &path, &sent).await.ok();
        assert_eq!(reply.json()["message"], "Article updated.");
        let after = row().await;
        assert!(after.updated_at >= before.updated_at);
        let expected = article::Model {
            title: "Patched".to_owned(),
            updated_at: after.updated_at,
            ..before
        };
        assert_eq!(after, expected);
    });
}
