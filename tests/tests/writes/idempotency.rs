//! Requests that come again with their key, and are carried out once (d128).

use axum::http::Request;
use listing_tests::{Client, Reply};
use sea_orm::{ConnectionTrait, Statement};
use serde_json::{Value, json};

use crate::bulk::{self, BULK};
use crate::hooked::{self, Act, Script};
use crate::plans::{Planned, create, on_each_fresh_planned, on_each_planned, plan};

async fn send(
    client: &Client,
    (method, path): (&str, &str),
    key: &str,
    headers: &[(&str, &str)],
    body: &Value,
) -> Reply {
    let mut request = Request::builder()
        .method(method)
        .uri(path)
        .header("content-type", "application/json")
        .header("idempotency-key", key);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    client
        .send(request.body(body.to_string().into()).unwrap())
        .await
}

const STORE: (&str, &str) = ("POST", "/api/bulked");

/// The same answer, which says that it was given before.
#[track_caller]
fn is_replayed(first: &Reply, again: &Reply) {
    assert_eq!(first.header("idempotency-replayed"), None);
    assert_eq!(again.header("idempotency-replayed"), Some("true"));
    assert_eq!((again.status, again.text()), (first.status, first.text()));
    for name in ["content-type", "location", "etag", "preference-applied"] {
        assert_eq!(again.header(name), first.header(name), "{name}");
    }
}

async fn remembered(planned: &Planned) -> Vec<String> {
    let sql = "SELECT answer FROM listing_idempotency";
    let asked = Statement::from_string(planned.db().get_database_backend(), sql);
    let rows = planned.db().query_all_raw(asked).await.unwrap();
    rows.iter()
        .map(|row| row.try_get_by_index(0).unwrap())
        .collect()
}

/// Rules d128, b905.
#[test]
fn a_repeated_request_gets_the_first_answer_and_writes_nothing() {
    on_each_planned(async |planned| {
        let client = bulk::client(planned, "once");
        let first = send(&client, STORE, "key-1", &[], &plan("once")).await;
        let id = first.created();
        let again = send(&client, STORE, "key-1", &[], &plan("once")).await;
        is_replayed(&first, &again);
        // A patch, whose answer is the record as it was then.
        let path = format!("/api/bulked/{id}");
        let prefer = [("prefer", "return=representation")];
        let note = |text: &str| json!({ "note": text });
        let patched = send(&client, ("PATCH", &path), "key-1", &prefer, &note("one")).await;
        assert!(patched.header("etag").is_some());
        let _ = client
            .json("PATCH", &path, note("two").to_string())
            .await
            .ok();
        let again = send(&client, ("PATCH", &path), "key-1", &prefer, &note("one")).await;
        is_replayed(&patched, &again);
        assert_eq!(planned.row(id).await.unwrap().note.as_deref(), Some("two"));
        // Many at once, by filter, and out of the bin.
        let _ = client.delete(&path).await.ok();
        let filters = json!({ "name": { "$eq": "once 2" } });
        let by_filter = json!({ "filters": filters, "set": note("x"), "expected": 1 });
        let delete = json!({ "filters": filters, "expected": 1 });
        for (path, body) in [
            (format!("{path}/restore"), json!({})),
            (BULK.to_owned(), json!({ "create": [plan("once 2")] })),
            ("/api/bulked/query/update".to_owned(), by_filter),
            ("/api/bulked/query/delete".to_owned(), delete),
        ] {
            let first = send(&client, ("POST", &path), "key-1", &[], &body)
                .await
                .ok();
            let again = send(&client, ("POST", &path), "key-1", &[], &body).await;
            is_replayed(&first, &again);
        }
        assert_eq!(planned.plans_of("once").await.len(), 2);
        assert!(
            remembered(planned)
                .await
                .iter()
                .all(|answer| !answer.is_empty())
        );
    });
}

/// Rules d128, d132, b905.
#[test]
fn a_key_belongs_to_one_caller_one_route_and_one_body() {
    on_each_planned(async |planned| {
        let client = bulk::client(planned, "keys");
        let first = send(&client, STORE, "key", &[], &plan("keys 1")).await;
        let id = first.created();
        for body in [plan("keys 2"), json!({})] {
            let reply = send(&client, STORE, "key", &[], &body).await;
            assert_eq!(reply.error_code(422), "idempotency_key_reused");
        }
        let shown = ("POST", "/api/bulked?fields=name");
        let reply = send(&client, shown, "key", &[], &plan("keys 1")).await;
        assert_eq!(reply.error_code(422), "idempotency_key_reused");
        // Another record is another request on the same route.
        let other = create(&planned.client("keys"), "keys 3").await;
        let note = json!({ "note": "x" });
        for (id, status) in [(id, 200), (other, 422)] {
            let path = format!("/api/bulked/{id}");
            let reply = send(&client, ("PATCH", &path), "key", &[], &note).await;
            assert_eq!(reply.status.as_u16(), status);
        }
        // What another caller has done is not told.
        let stranger = bulk::client(planned, "keys, stranger");
        let reply = send(&stranger, STORE, "key", &[], &plan("keys 1")).await;
        assert_eq!(reply.invalid_fields(), ["name"]);
        let reply = send(&stranger, STORE, "key", &[], &plan("keys 4")).await;
        assert_ne!(reply.created(), id);
        // Nor is anything told to those who may not do it any more.
        let quiet = planned.client("keys");
        let put = send(&quiet, ("POST", "/api/plans"), "key", &[], &plan("keys 5")).await;
        let _ = put.created();
        let again = send(&quiet, ("POST", "/api/plans"), "key", &[], &plan("keys 5")).await;
        assert_eq!(
            again.invalid_fields(),
            ["name"],
            "without an opt-in keys have no effect"
        );
        for key in ["", &"x".repeat(256), "é"] {
            let reply = send(&client, STORE, key, &[], &plan("keys 6")).await;
            assert_eq!(reply.error_code(400), "malformed_body", "{key}");
        }
    });
}

/// Rules d128, b905.
#[test]
fn requests_that_fail_are_not_kept() {
    on_each_fresh_planned(async |planned| {
        let client = bulk::client(planned, "failing");
        let before = remembered(planned).await.len();
        let wrong = send(&client, STORE, "failed", &[], &json!({})).await;
        let _ = wrong.invalid();
        let absent = ("PATCH", "/api/bulked/987654");
        let reply = send(&client, absent, "failed", &[], &json!({ "note": "x" })).await;
        assert_eq!(reply.error_code(404), "not_found");
        assert_eq!(remembered(planned).await.len(), before);
        let first = send(&client, STORE, "failed", &[], &plan("failing")).await;
        let _ = first.created();
        assert_eq!(remembered(planned).await.len(), before + 1);
    });
}

/// Rules d123, d128, b905.
#[test]
fn a_request_that_comes_while_the_first_is_answered_is_409() {
    on_each_planned(async |planned| {
        let owner = "under way";
        let script = Script::of(&[("after_store", Act::Wait)]);
        let client = hooked::client(planned, owner, &script);
        let path = ("POST", "/api/hooked");
        let (waiting, body) = (client.clone(), plan("under way"));
        let first = tokio::spawn(async move { send(&waiting, path, "key", &[], &body).await });
        script.0.is_there.notified().await;
        let reply = send(&client, path, "key", &[], &plan("under way")).await;
        assert_eq!(reply.error_code(409), "idempotency_key_under_way");
        script.0.go_on.notify_one();
        let first = first.await.unwrap();
        let _ = first.created();
        let again = send(&client, path, "key", &[], &plan("under way")).await;
        is_replayed(&first, &again);
        let diary = script.take().into_iter();
        let told = diary.filter(|entry| entry.starts_with("after_commit"));
        assert_eq!(told.count(), 1);
        // A client that goes away leaves its key free.
        let script = Script::of(&[("after_store", Act::Wait)]);
        let client = hooked::client(planned, "gone", &script);
        let (waiting, body) = (client.clone(), plan("gone"));
        let gone = tokio::spawn(async move { send(&waiting, path, "key", &[], &body).await });
        script.0.is_there.notified().await;
        gone.abort();
        let _ = gone.await;
        let quiet = hooked::client(planned, "gone", &Script::default());
        let _ = send(&quiet, path, "key", &[], &plan("gone"))
            .await
            .created();
    });
}

/// Rules d123, d128, b905.
#[test]
fn copies_of_the_service_carry_out_a_request_once() {
    on_each_planned(async |planned| {
        let mut copies = tokio::task::JoinSet::new();
        for _ in 0..8 {
            // Each has a router of its own, so that only the database knows of the others.
            let client = bulk::client(planned, "copies");
            copies.spawn(async move {
                let reply = send(&client, STORE, "key", &[], &plan("copies")).await;
                (
                    reply.created(),
                    reply.header("idempotency-replayed").is_some(),
                )
            });
        }
        let answers = copies.join_all().await;
        assert!(answers.iter().all(|(id, _)| *id == answers[0].0));
        assert_eq!(answers.iter().filter(|(_, replayed)| !replayed).count(), 1);
        assert_eq!(planned.plans_of("copies").await.len(), 1);
    });
}

/// Rules d128, b905.
#[test]
fn keys_are_forgotten_after_a_day() {
    on_each_fresh_planned(async |planned| {
        let client = bulk::client(planned, "old");
        let body = json!({ "upsert": [plan("old")] });
        let path = ("POST", BULK);
        let _ = send(&client, path, "key", &[], &body).await.ok();
        let age = async |seconds: i64| {
            let sql = format!(
                "UPDATE listing_idempotency SET expires_at = expires_at - {seconds} WHERE answer <> 'of carts'"
            );
            planned.db().execute_unprepared(&sql).await.unwrap();
        };
        // A key of another resource, which keeps them for longer.
        let other = "INSERT INTO listing_idempotency (id, request, answer, expires_at) VALUES ('a', 'b', 'of carts', 9999999999)";
        planned.db().execute_unprepared(other).await.unwrap();
        age(86_000).await;
        let again = send(&client, path, "key", &[], &body).await.ok();
        assert_eq!(again.header("idempotency-replayed"), Some("true"));
        age(500).await;
        let later = send(&client, path, "key", &[], &body).await.ok();
        assert_eq!(later.header("idempotency-replayed"), None);
        assert_eq!(later.json()["data"]["upsert"][0]["result"], "unchanged");
        // Keys that have expired are removed with it, and no others.
        let mut left = remembered(planned).await;
        left.retain(|answer| answer != "of carts");
        assert_eq!(left.len(), 1);
        assert_eq!(remembered(planned).await.len(), 2);
    });
}
