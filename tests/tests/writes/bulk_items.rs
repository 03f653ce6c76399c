//! Items of a request for many records are treated as single records: versions, scope, decisions, hooks, races and relations (d126).

use std::sync::{Arc, Mutex};

use listing::Context;
use serde_json::{Value, json};

use crate::books::on_each_shelf;
use crate::bulk::{BULK, MayNotCreate, client, client_with, etag, names, noted};
use crate::hooked::{self, Act, Script};
use crate::plans::{create, on_each_planned, plan};

/// Rules d121, d126, b901.
#[test]
fn items_name_the_version_that_they_change() {
    on_each_planned(async |planned| {
        let client = client(planned, "tagged");
        let id = create(&planned.client("tagged"), "tagged").await;
        let stale = etag(&client, id).await;
        let change = |tag: &str, note: &str| {
            json!({
                "create": [plan(&format!("tagged {note}"))],
                "update": [{ "id": id, "etag": tag, "note": note }],
            })
        };
        let _ = client.post(BULK, &change(&stale, "one")).await.ok();
        let before = planned.plans_of("tagged").await;
        for body in [
            change(&stale, "two"),
            json!({ "create": [plan("tagged 2")], "delete": [{ "id": id, "etag": stale }] }),
            json!({ "upsert": [plan("tagged 2"), tagged(noted("tagged", "two"), &stale)] }),
            // What is not there has no version.
            json!({ "upsert": [tagged(plan("tagged 2"), "*")] }),
        ] {
            let reply = client.post(BULK, &body).await;
            assert_eq!(reply.error_code(412), "stale");
            let told = reply.json()["message"].as_str().unwrap().to_owned();
            let words = ": The record has changed since it was read.";
            let place = told.strip_suffix(words).unwrap();
            let paths = &reply.json()["error"]["details"]["errors"];
            assert_eq!(
                paths[0]["path"],
                json!(place.split('.').collect::<Vec<_>>())
            );
            assert_eq!(planned.plans_of("tagged").await, before);
        }
        let fresh = etag(&client, id).await;
        let body = json!({ "upsert": [tagged(noted("tagged", "two"), &fresh)] });
        let reply = client.post(BULK, &body).await.ok();
        assert_eq!(reply.json()["data"]["upsert"][0]["result"], "updated");
    });
}

fn tagged(mut item: Value, tag: &str) -> Value {
    item["etag"] = tag.into();
    item
}

/// Rules d121, d126, d132, b901.
#[test]
fn where_a_version_is_required_an_item_without_one_is_428_whatever_there_is() {
    on_each_planned(async |planned| {
        let client = planned.client("guarded-many");
        let id = create(&client, "guarded-many").await;
        let before = planned.row(id).await;
        for item in [
            json!({ "id": id, "note": "x" }),
            json!({ "id": 987_654, "note": "x" }),
        ] {
            let body = json!({ "update": [item] });
            let reply = client.post("/api/guarded/_bulk", &body).await;
            assert_eq!(reply.error_code(428), "if_match_required");
            assert_eq!(
                reply.json()["message"],
                "update.0: A change of this record needs the member `etag`."
            );
        }
        let delete = json!({ "delete": [id] });
        let reply = client.post("/api/guarded/_bulk", &delete).await;
        assert_eq!(reply.error_code(428), "if_match_required");
        assert_eq!(planned.row(id).await, before);
        let delete = json!({ "delete": [{ "id": id, "etag": "*" }] });
        let _ = client.post("/api/guarded/_bulk", &delete).await.ok();
    });
}

/// Rules d126, d132, b902, b903.
#[test]
fn nothing_tells_of_a_record_that_the_caller_does_not_see() {
    on_each_planned(async |planned| {
        let client = client(planned, "near");
        let far = create(&planned.client("far"), "far").await;
        let deleted = create(&planned.client("near"), "near, deleted").await;
        let _ = planned
            .client("near")
            .delete(&crate::plans::at(deleted))
            .await
            .ok();
        let before = planned.row(far).await;
        for (member, item) in [
            ("update", json!({ "id": "ID", "note": "x" })),
            ("update", json!({ "id": "ID", "note": 7, "etag": "*" })),
            ("delete", json!("ID")),
        ] {
            let answer = async |id: &str| {
                let item = item.to_string().replace("ID", id);
                let body = format!("{{\"create\": [{}], \"{member}\": [{item}]}}", plan("near"));
                let reply = client.json("POST", BULK, body).await;
                assert_eq!(reply.error_code(404), "not_found");
                reply.text()
            };
            let missing = answer("987654").await;
            assert_eq!(answer(&far.to_string()).await, missing);
            assert_eq!(answer(&deleted.to_string()).await, missing);
            assert_eq!(answer("x").await, missing);
            let told: Value = serde_json::from_str(&missing).unwrap();
            let place = format!("{member}.0: Not found: there is no such record.");
            assert_eq!(told["message"], place);
        }
        // A key of a record that the caller does not see is taken, as it is for a new record.
        let reply = client
            .post(
                BULK,
                &json!({ "upsert": [plan("far"), plan("near, deleted")] }),
            )
            .await;
        assert_eq!(reply.invalid_fields(), ["upsert.0.name", "upsert.1.name"]);
        assert_eq!(planned.row(far).await, before);
        assert!(names(planned, "near").await.is_empty());
    });
}

/// Rules d63, d126, b903.
#[test]
fn each_item_is_decided_about_as_if_it_came_alone() {
    on_each_planned(async |planned| {
        let quiet = planned.client("decided");
        let (free, kept) = (
            create(&quiet, "decided").await,
            create(&quiet, "kept").await,
        );
        let client = client(planned, "decided");
        let before = planned.plans_of("decided").await;
        for body in [
            json!({ "update": [{ "id": free, "note": "x" }, { "id": kept, "note": "x" }] }),
            json!({ "delete": [free, kept] }),
            json!({ "upsert": [noted("decided", "x"), plan("kept")] }),
        ] {
            let reply = client.post(BULK, &body).await;
            assert_eq!(reply.error_code(403), "forbidden");
            let told = reply.json()["message"].as_str().unwrap().to_owned();
            assert!(told.contains(".1: "), "{told}");
            assert_eq!(planned.plans_of("decided").await, before);
        }
        let context = Context::new().with(MayNotCreate);
        let limited = client_with(planned, "decided", context);
        for body in [
            json!({ "create": [plan("decided 2")] }),
            json!({ "upsert": [plan("decided 2")] }),
        ] {
            let reply = limited.post(BULK, &body).await;
            assert_eq!(reply.error_code(403), "forbidden");
        }
        let upsert = json!({ "upsert": [noted("decided", "by a writer who creates nothing")] });
        let _ = limited.post(BULK, &upsert).await.ok();
    });
}

/// Rules d123, d126.
#[test]
fn hooks_run_for_each_item_and_a_commit_is_told_of_each_change_once() {
    on_each_planned(async |planned| {
        let script = Script::default();
        let client = hooked::client(planned, "bulk-hooks", &script);
        let path = "/api/hooked/_bulk";
        let id = create(&planned.client("bulk-hooks"), "hooked 1").await;
        let told = || {
            let diary = script.take().into_iter();
            let told = diary.filter(|entry| entry.starts_with("after_commit"));
            told.count()
        };
        // The journal takes each word once, so that a second record of its kind refuses.
        let body = json!({
            "create": [plan("hooked 2")],
            "update": [{ "id": id, "note": "x" }],
            "delete": [id],
        });
        let _ = client.post(path, &body).await.ok();
        assert_eq!(told(), 3);
        for (hook, act, owner) in [
            ("before_destroy", Act::Refuse, "bulk-refuse"),
            ("after_destroy", Act::Blame, "bulk-blame"),
        ] {
            let script = Script::of(&[(hook, act)]);
            let client = hooked::client(planned, owner, &script);
            let name = format!("{owner} 1");
            let id = create(&planned.client(owner), &name).await;
            let create = plan(&format!("{owner} 2"));
            let body = json!({ "create": [create], "delete": [id] });
            let reply = client.post(path, &body).await;
            assert!(reply.invalid_fields()[0].starts_with("delete.0."));
            assert_eq!(names(planned, owner).await, [name]);
            let diary = script.take();
            assert!(!diary.iter().any(|entry| entry.starts_with("after_commit")));
            assert!(!planned.has_word(&format!("after_store {owner}")).await);
        }
    });
}

/// Rules d126, b902.
#[test]
fn writers_who_race_for_one_key_write_one_record() {
    on_each_planned(async |planned| {
        let mut writers = tokio::task::JoinSet::new();
        for writer in 0..16 {
            let client = client(planned, "racing-upserts");
            writers.spawn(async move {
                let items = (0..3).map(|name| noted(&format!("raced {name}"), &writer.to_string()));
                let body = json!({ "upsert": items.collect::<Vec<_>>() });
                let reply = client.post(BULK, &body).await.ok().json();
                let results = reply["data"]["upsert"].as_array().unwrap().clone();
                results
                    .iter()
                    .filter(|item| item["result"] == "created")
                    .count()
            });
        }
        let created: usize = writers.join_all().await.into_iter().sum();
        assert_eq!(created, 3);
        assert_eq!(names(planned, "racing-upserts").await.len(), 3);
    });
}

/// Rules d124, d125, d126, d132.
#[test]
fn items_write_relations_as_single_records_do() {
    on_each_shelf(async |shelf| {
        let ann = shelf.client("ann");
        let path = "/api/books/_bulk";
        let body = json!({
            "create": [
                { "title": "one", "labels": [1, 2], "writer": 1 },
                { "title": "two", "labels": [3] },
            ],
            "upsert": [{ "title": "two", "labels": { "connect": [4] } }],
        });
        let data = ann.post(path, &body).await.ok().json()["data"].clone();
        let id = |at: usize| data["create"][at]["id"].as_i64().unwrap();
        assert_eq!(shelf.labels(id(0)).await, [1, 2]);
        assert_eq!(shelf.labels(id(1)).await, [3, 4]);
        assert_eq!(shelf.book(id(0)).await.writer_id, Some(1));
        let wrong = |label: i32, writer: i32| {
            json!({
                "create": [{ "title": "three", "labels": [1, label] }],
                "update": [{ "id": id(0), "writer_id": writer }],
            })
        };
        let hidden = ann.post(path, &wrong(101, 11)).await;
        let absent = ann.post(path, &wrong(999, 999)).await;
        assert_eq!(
            hidden.invalid_fields(),
            ["create.0.labels.1", "update.0.writer_id"]
        );
        assert_eq!(hidden.text(), absent.text());
    });
}

/// Rules d126, b906.
#[test]
fn the_number_of_statements_does_not_depend_on_the_number_of_new_records() {
    on_each_planned(async |planned| {
        let statements = Arc::new(Mutex::new(Vec::new()));
        let log = statements.clone();
        let mut db = planned.db().clone();
        db.set_metric_callback(move |info| log.lock().unwrap().push(info.statement.sql.clone()));
        let counted = planned.through(db);
        let client = client(&counted, "together");
        let create = async |names: &[String]| {
            let plans: Vec<_> = names.iter().map(|name| plan(name)).collect();
            let reply = client.post(BULK, &json!({ "create": plans })).await.ok();
            let data = reply.json()["data"]["create"].clone();
            for (at, name) in names.iter().enumerate() {
                let row = planned.row(data[at]["id"].as_i64().unwrap()).await.unwrap();
                assert_eq!((&row.name, &*row.owner), (name, "together"));
            }
            std::mem::take(&mut *statements.lock().unwrap())
        };
        // Their names are in another order than their ids.
        let named = |from: u32, to: u32| {
            (from..to)
                .rev()
                .map(|at| format!("t {at}"))
                .collect::<Vec<_>>()
        };
        let few = create(&named(0, 2)).await;
        let many = create(&named(2, 402)).await;
        assert_eq!(few.len(), many.len(), "{few:?}");
        assert!(few.len() <= 5, "{few:?}");
        let inserts = many.iter().filter(|sql| sql.starts_with("INSERT"));
        assert_eq!(inserts.count(), 1);
        // What is wrong is told of the item all the same.
        let body = json!({ "create": [plan("t 500"), plan("t 501"), plan("t 7"), plan("t 500")] });
        let reply = client.post(BULK, &body).await;
        assert_eq!(reply.invalid_fields(), ["create.2.name", "create.3.name"]);
        assert_eq!(names(planned, "together").await.len(), 402);
    });
}
