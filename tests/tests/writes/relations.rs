//! Relations in payloads: the rows that a record is linked with, and the one that it belongs to (d124, d125).

use std::sync::{Arc, Mutex};

use garde::Validate;
use listing_axum::{
    Access, Api, Denied, Given, Links, Payload, Resource, WritableResource, policy,
};
use listing_tests::{Client, Reply, on_each_written_database};
use serde_json::{Value, json};

use crate::books::{Shelf, on_each_shelf, writer};

async fn send(client: &Client, method: &str, path: &str, body: Value) -> Reply {
    client.json(method, path, body.to_string()).await
}

async fn create(client: &Client, title: &str, labels: Value) -> i64 {
    let book = json!({ "title": title, "labels": labels });
    client.post("/api/books", &book).await.created()
}

/// Rule d125.
#[test]
fn a_payload_replaces_the_links_of_a_record_or_changes_some() {
    on_each_shelf(async |shelf| {
        let ann = shelf.client("ann");
        let id = create(&ann, "linked", json!([1, 2])).await;
        let path = format!("/api/books/{id}");
        assert_eq!(shelf.labels(id).await, [1, 2]);
        for (method, sent, linked) in [
            ("PUT", json!([2, 3, 2]), &[2, 3][..]),
            ("PATCH", json!({ "set": [{ "id": 4 }, 3] }), &[3, 4]),
            ("PATCH", json!({ "connect": [1, 4] }), &[1, 3, 4]),
            ("PUT", json!({ "disconnect": [3, 9] }), &[1, 4]),
            (
                "PATCH",
                json!({ "connect": [5], "disconnect": [1] }),
                &[4, 5],
            ),
            ("PATCH", json!([]), &[]),
            ("PUT", json!({ "connect": ["7"] }), &[7]),
            ("PATCH", json!({ "connect": [], "disconnect": [] }), &[7]),
        ] {
            let book = json!({ "title": "linked", "labels": sent });
            let _ = send(&ann, method, &path, book).await.ok();
            assert_eq!(shelf.labels(id).await, linked, "{method} {sent}");
        }
        // Left out, they stay.
        let _ = send(&ann, "PUT", &path, json!({ "title": "linked-2" }))
            .await
            .ok();
        let _ = send(&ann, "PATCH", &path, json!({ "title": "linked-3" }))
            .await
            .ok();
        assert_eq!(shelf.labels(id).await, [7]);
        let shown = ann
            .get(&format!("{path}?populate=labels"))
            .await
            .ok()
            .json();
        assert_eq!(shown["data"]["labels"][0]["id"], 7);
        let without = ann
            .post("/api/books", &json!({ "title": "bare" }))
            .await
            .created();
        assert!(shelf.labels(without).await.is_empty());
    });
}

/// Rules d125, d132, b728.
#[test]
fn rows_that_are_hidden_deleted_or_absent_are_the_same_422_where_they_stand() {
    on_each_shelf(async |shelf| {
        let ann = shelf.client("ann");
        let id = create(&ann, "hiding", json!([1])).await;
        let path = format!("/api/books/{id}");
        let before = shelf.book(id).await;
        let mut told = Vec::new();
        for key in [
            json!(999),
            json!(101),
            json!(60),
            json!("x"),
            json!(1.5),
            json!(-1),
        ] {
            for (labels, place) in [
                (json!([1, key]), "labels.1"),
                (json!({ "set": [key] }), "labels.set.0"),
                (json!({ "connect": [2, 3, key] }), "labels.connect.2"),
                (json!({ "disconnect": [key] }), "labels.disconnect.0"),
            ] {
                let book = json!({ "title": "other", "labels": labels });
                for (method, path) in [("POST", "/api/books"), ("PUT", &*path), ("PATCH", &*path)] {
                    let reply = send(&ann, method, path, book.clone()).await;
                    let message = format!("{place} must reference an existing record.");
                    assert_eq!(reply.invalid()[place], [message], "{method} {book}");
                    assert_eq!(reply.invalid_fields(), [place]);
                    let details = reply.json()["error"]["details"]["errors"][0]["path"].clone();
                    let parts: Vec<_> = place.split('.').collect();
                    assert_eq!(details, json!(parts));
                    told.push((place, method, reply.error(422)));
                }
            }
        }
        // Whatever the reason, every word is the same.
        let (first, others) = told.split_at(12);
        for more in others.chunks(12) {
            assert_eq!(more, first);
        }
        assert_eq!(shelf.book(id).await, before);
        assert_eq!(shelf.labels(id).await, [1]);
        // Links to what the caller does not see are not the caller's to end.
        shelf.link(id, 101).await;
        shelf.link(id, 60).await;
        let _ = send(&ann, "PATCH", &path, json!({ "labels": [2] }))
            .await
            .ok();
        assert_eq!(shelf.labels(id).await, [2, 60, 101]);
        let _ = send(&ann, "PATCH", &path, json!({ "labels": [] }))
            .await
            .ok();
        assert_eq!(shelf.labels(id).await, [60, 101]);
        // A record that is hidden is not linked either.
        let reply = send(
            &shelf.client("bob"),
            "PATCH",
            &path,
            json!({ "labels": [102] }),
        )
        .await;
        assert_eq!(reply.error_code(404), "not_found");
        assert_eq!(shelf.labels(id).await, [60, 101]);
    });
}

/// Rules d125, b727.
#[test]
fn links_that_cannot_be_understood_are_refused_with_everything_else_that_is_wrong() {
    on_each_shelf(async |shelf| {
        let ann = shelf.client("ann");
        let id = create(&ann, "wrong", json!([1])).await;
        create(&ann, "taken", json!([])).await;
        let path = format!("/api/books/{id}");
        let both = json!({ "set": [2], "connect": [3] });
        for (labels, place) in [
            (both, "labels"),
            (json!(null), "labels"),
            (json!(2), "labels"),
            (json!({ "add": [2] }), "labels"),
            (
                json!([{ "id": 2, "position": { "start": true } }]),
                "labels.0",
            ),
            (json!([[2]]), "labels.0"),
        ] {
            let book = json!({ "title": "taken", "labels": labels });
            let reply = send(&ann, "PATCH", &path, book).await;
            assert_eq!(reply.invalid_fields(), [place, "title"], "{labels}");
        }
        let reply = send(
            &ann,
            "PATCH",
            &path,
            json!({ "title": "taken", "labels": [999] }),
        )
        .await;
        assert_eq!(reply.invalid_fields(), ["labels.0", "title"]);
        // What is refused after everything was written leaves no links.
        let refused = json!({ "title": "refused", "labels": [2, 3] });
        assert_eq!(
            send(&ann, "PATCH", &path, refused.clone()).await.status,
            422
        );
        assert_eq!(ann.post("/api/books", &refused).await.status, 422);
        assert_eq!(shelf.labels(id).await, [1]);
        assert_eq!(ann.get("/api/books").await.total(), 2);
    });
}

/// Rules d124, d132, b729.
#[test]
fn the_row_that_a_record_belongs_to_is_named_by_its_key_or_by_the_relation() {
    on_each_shelf(async |shelf| {
        let ann = shelf.client("ann");
        let book = json!({ "title": "owned", "writer": 1 });
        let id = ann.post("/api/books", &book).await.created();
        let path = format!("/api/books/{id}");
        assert_eq!(shelf.book(id).await.writer_id, Some(1));
        for (method, sent, writer) in [
            ("PATCH", json!({ "writer": 2 }), Some(2)),
            ("PATCH", json!({ "writer_id": 1 }), Some(1)),
            ("PATCH", json!({ "title": "owned" }), Some(1)),
            ("PUT", json!({ "title": "owned", "writer": 2 }), Some(2)),
            ("PATCH", json!({ "writer": null }), None),
        ] {
            let _ = send(&ann, method, &path, sent.clone()).await.ok();
            assert_eq!(shelf.book(id).await.writer_id, writer, "{sent}");
        }
        let hidden = send(&ann, "PATCH", &path, json!({ "writer": 11 })).await;
        let absent = send(&ann, "PATCH", &path, json!({ "writer": 999 })).await;
        assert_eq!(
            hidden.invalid()["writer_id"],
            ["writer_id must reference an existing record."]
        );
        assert_eq!(hidden.error(422), absent.error(422));
        for method in ["PUT", "PATCH"] {
            let both = json!({ "title": "owned", "writer": 1, "writer_id": 2 });
            let reply = send(&ann, method, &path, both).await;
            assert_eq!(reply.invalid_fields(), ["writer"], "{method}");
        }
        assert_eq!(shelf.book(id).await.writer_id, None);
    });
}

/// Rule d125.
#[test]
fn the_number_of_statements_does_not_depend_on_the_number_of_links() {
    on_each_shelf(async |shelf| {
        let statements = Arc::new(Mutex::new(Vec::new()));
        let mut db = shelf.db().clone();
        let log = statements.clone();
        db.set_metric_callback(move |info| log.lock().unwrap().push(info.statement.sql.clone()));
        let counted = Shelf::through(shelf, db).client("ann");
        let ann = shelf.client("ann");
        let id = create(&ann, "counted", json!([50])).await;
        let path = format!("/api/books/{id}");
        let run = async |labels: Value| {
            statements.lock().unwrap().clear();
            let book = json!({ "labels": labels });
            let _ = send(&counted, "PATCH", &path, book).await.ok();
            statements.lock().unwrap().len()
        };
        let none = {
            statements.lock().unwrap().clear();
            let _ = send(&counted, "PATCH", &path, json!({ "title": "counted" }))
                .await
                .ok();
            statements.lock().unwrap().len()
        };
        let many: Vec<_> = (1..=49).collect();
        let one = run(json!([1])).await;
        assert_eq!(run(json!(many)).await, one);
        assert_eq!(run(json!({ "set": many })).await, one);
        assert_eq!(run(json!({ "disconnect": many })).await, one - 1);
        assert_eq!(run(json!({ "connect": many })).await, one - 1);
        // Which of them exist, what ends, what begins; a title is looked up and written where it is sent.
        assert_eq!(one, none - 2 + 3);
    });
}

/// Rules d125, b727.
#[test]
fn a_payload_with_a_relation_that_has_no_links_does_not_start() {
    #[derive(Debug, Payload, Validate)]
    #[payload(active_model = writer::ActiveModel)]
    struct WriterPayload {
        #[garde(skip)]
        books: Given<Links>,
        #[garde(skip)]
        friends: Links,
    }

    struct Writers;

    impl Resource for Writers {
        type Entity = writer::Entity;

        async fn authorize(_: &Access<'_, Self>) -> Result<(), Denied> {
            policy::allow_all()
        }
    }

    impl WritableResource for Writers {
        type Store = WriterPayload;
        type Update = WriterPayload;
    }

    let api = Api::<listing_axum::App>::new("/api").crud::<Writers>();
    let api = api
        .listing::<crate::books::book::Entity>()
        .listing::<crate::books::label::Entity>();
    let mistakes = api
        .build(listing::Settings::default())
        .unwrap_err()
        .to_string();
    for part in [
        "`books`",
        "it is not through a junction",
        "`friends`",
        "there is no such relation",
    ] {
        assert!(mistakes.contains(part), "{part}: {mistakes}");
    }
}

/// Rule d125.
#[test]
fn an_article_takes_its_tags() {
    on_each_written_database(async |service| {
        let article =
            json!({ "title": "Tagged", "slug": "tagged-here", "is_active": true, "tags": [3, 1] });
        let id = service.post("/api/articles", &article).await.created();
        let path = format!("/api/articles/{id}?populate=tags");
        let tags = async || {
            let shown = service.get(&path).await.ok().json();
            let tags = shown["data"]["tags"].as_array().unwrap().clone();
            let mut ids: Vec<_> = tags.iter().map(|tag| tag["id"].as_i64().unwrap()).collect();
            ids.sort_unstable();
            ids
        };
        assert_eq!(tags().await, [1, 3]);
        let path = format!("/api/articles/{id}");
        let change = json!({ "data": { "tags": { "connect": [2], "disconnect": [1] } } });
        let reply = send(&service.client(), "PATCH", &path, change).await;
        let _ = reply.ok();
        assert_eq!(tags().await, [2, 3]);
        let wrong = json!({ "tags": [2, 987_654] });
        let reply = send(&service.client(), "PATCH", &path, wrong).await;
        assert_eq!(reply.invalid_fields(), ["tags.1"]);
    });
}
