//! Records that are found by filters and changed or deleted together, all of them or none (d127).

use listing::Context;
use listing_axum::{Api, Operation, ResourceRoutes};
use listing_tests::{Client, Reply};
use serde_json::{Value, json};

use crate::bulk::{Bulked, client};
use crate::hooked::{self, Act, Script};
use crate::plans::{App, Model, Planned, create, on_each_planned};

const UPDATE: &str = "/api/bulked/query/update";
const DELETE: &str = "/api/bulked/query/delete";

/// Four plans of an owner, the last of which is deleted.
async fn four(planned: &Planned, owner: &str) -> (Client, Vec<i64>) {
    let quiet = planned.client(owner);
    let mut ids = Vec::new();
    for number in 1..=4 {
        ids.push(create(&quiet, &format!("{owner} {number}")).await);
    }
    let _ = quiet.delete(&crate::plans::at(ids[3])).await.ok();
    (client(planned, owner), ids)
}

fn named(owner: &str, numbers: &[u32]) -> Value {
    let names: Vec<_> = numbers
        .iter()
        .map(|number| format!("{owner} {number}"))
        .collect();
    json!({ "name": { "$in": names } })
}

fn update(filters: &Value, set: &Value, expected: u64) -> Value {
    json!({ "filters": filters, "set": set, "expected": expected })
}

fn delete(filters: &Value, expected: u64) -> Value {
    json!({ "filters": filters, "expected": expected })
}

async fn rows(planned: &Planned, owner: &str) -> Vec<Model> {
    let mut rows = planned.plans_of(owner).await;
    rows.sort_by_key(|row| row.id);
    rows
}

/// Rules d127, b904.
#[test]
fn what_filters_match_is_changed_as_a_patch_would_change_it_and_deleted() {
    on_each_planned(async |planned| {
        let owner = "matching";
        let (client, ids) = four(planned, owner).await;
        let set = json!({ "note": null, "settings": { "colour": "blue" } });
        let body = update(&named(owner, &[1, 2, 4, 9]), &set, 2);
        let reply = client.post(UPDATE, &body).await.ok().json();
        assert_eq!(reply["data"], json!({ "count": 2 }));
        assert_eq!(reply["message"], "Plans saved.");
        let changed = rows(planned, owner).await;
        let notes: Vec<_> = changed.iter().map(|row| row.note.is_none()).collect();
        assert_eq!(notes, [true, true, false, false]);
        let settings = changed[0].settings.clone().unwrap();
        assert_eq!(
            (&settings["colour"], &settings["tags"]),
            (&json!("blue"), &json!([1, 2]))
        );
        let groups = json!({ "$or": [named(owner, &[1]), { "$not": named(owner, &[1, 2]) }] });
        let reply = client.post(DELETE, &delete(&groups, 2)).await.ok().json();
        assert_eq!(reply["data"], json!({ "count": 2 }));
        assert_eq!(reply["message"], "Plans deleted.");
        let list = client.get("/api/bulked").await.ok();
        assert_eq!(list.ids(), [ids[1]]);
    });
}

/// Rules d127, b904.
#[test]
fn another_number_of_records_is_409_and_nothing_is_written() {
    on_each_planned(async |planned| {
        let owner = "counted";
        let (client, _) = four(planned, owner).await;
        let before = rows(planned, owner).await;
        let filters = named(owner, &[1, 2, 3, 4]);
        for (path, body, found, expected) in [
            (UPDATE, update(&filters, &json!({ "note": "x" }), 4), 3, 4),
            (DELETE, delete(&filters, 2), 3, 2),
            (DELETE, delete(&named(owner, &[4]), 1), 0, 1),
        ] {
            let reply = client.post(path, &body).await;
            assert_eq!(reply.error_code(409), "other_number");
            let told = format!(
                "The filters match {found} records, and {expected} were expected; nothing was written."
            );
            assert_eq!(reply.json()["message"], told);
        }
        assert_eq!(rows(planned, owner).await, before);
        let none = client
            .post(DELETE, &delete(&named(owner, &[4]), 0))
            .await
            .ok();
        assert_eq!(none.json()["data"], json!({ "count": 0 }));
    });
}

/// Rules d127, d132, b904.
#[test]
fn records_outside_the_writers_scope_are_not_matched_and_not_counted() {
    on_each_planned(async |planned| {
        let (near, _) = four(planned, "inside").await;
        let _ = four(planned, "outside").await;
        let before = rows(planned, "outside").await;
        let answers = async |filters: &Value| {
            let mut answers = Vec::new();
            for expected in [0, 3] {
                let set = json!({ "note": "x" });
                for (path, body) in [
                    (UPDATE, update(filters, &set, expected)),
                    (DELETE, delete(filters, expected)),
                ] {
                    answers.push(near.post(path, &body).await.text());
                }
            }
            answers
        };
        let hidden = answers(&named("outside", &[1, 2, 3])).await;
        assert_eq!(hidden, answers(&named("nowhere", &[1, 2, 3])).await);
        assert_eq!(rows(planned, "outside").await, before);
    });
}

/// Rules d127, b904.
#[test]
fn a_request_without_a_filter_or_with_a_mistake_is_refused() {
    on_each_planned(async |planned| {
        let owner = "mistaken";
        let (client, ids) = four(planned, owner).await;
        let before = rows(planned, owner).await;
        let one = named(owner, &[1]);
        let code = async |path: &str, body: Value| client.post(path, &body).await.error_code(400);
        for filters in [json!(null), json!({}), json!([]), json!({ "$and": [{}] })] {
            assert_eq!(code(DELETE, delete(&filters, 3)).await, "filters_missing");
            let set = json!({ "note": "x" });
            assert_eq!(
                code(UPDATE, update(&filters, &set, 3)).await,
                "filters_missing"
            );
        }
        assert_eq!(
            code(DELETE, json!({ "expected": 3 })).await,
            "filters_missing"
        );
        for body in [
            json!({ "filters": one }),
            json!({ "filters": one, "expected": -1 }),
            json!({ "filters": one, "expected": "1" }),
            json!({ "filters": one, "expected": 1, "set": {} }),
        ] {
            assert_eq!(code(DELETE, body).await, "malformed_body");
        }
        assert_eq!(code(UPDATE, delete(&one, 1)).await, "malformed_body");
        assert_eq!(
            code(UPDATE, update(&one, &json!(7), 1)).await,
            "malformed_body"
        );
        let unknown = json!({ "nome": { "$eq": "x" } });
        assert_eq!(
            code(DELETE, delete(&unknown, 1)).await,
            "filter_unknown_field"
        );
        assert_eq!(code(DELETE, delete(&one, 10_001)).await, "too_many_records");
        let wrong = async |set: Value, place: &str, message: &str| {
            let reply = client
                .post(UPDATE, &update(&named(owner, &[1, 2]), &set, 2))
                .await;
            let wrong = reply.invalid();
            assert_eq!(
                wrong.get(place),
                Some(&vec![message.to_owned()]),
                "{wrong:?}"
            );
        };
        let id = ids[0];
        wrong(
            json!({ "note": 7 }),
            "set.note",
            &format!("set.note must be a string (record {id})."),
        )
        .await;
        wrong(
            json!({ "last": 0 }),
            "set.last",
            &format!("set.last must not be before first (record {id})."),
        )
        .await;
        let id = ids[1];
        wrong(
            json!({ "name": format!("{owner} 9") }),
            "set.name",
            &format!("set.name has already been taken (record {id})."),
        )
        .await;
        assert_eq!(rows(planned, owner).await, before);
    });
}

/// Rules d63, d127, b904.
#[test]
fn each_record_is_decided_about_and_told_of_once() {
    on_each_planned(async |planned| {
        let owner = "each";
        let (client, _) = four(planned, owner).await;
        let kept = create(&planned.client(owner), "kept, each").await;
        let before = rows(planned, owner).await;
        let filters = json!({ "$or": [named(owner, &[1, 2]), { "name": "kept, each" }] });
        let set = json!({ "note": "x" });
        for (path, body) in [
            (UPDATE, update(&filters, &set, 3)),
            (DELETE, delete(&filters, 3)),
        ] {
            assert_eq!(client.post(path, &body).await.error_code(403), "forbidden");
        }
        assert_eq!(rows(planned, owner).await, before);
        assert!(before.iter().any(|row| row.id == kept));
        let told = async |script: &Script, path: &str, body: Value| -> (Reply, usize) {
            let client = hooked::client(planned, owner, script);
            let reply = client.post(path, &body).await;
            let diary = script.take().into_iter();
            let told = diary.filter(|entry| entry.starts_with("after_commit"));
            (reply, told.count())
        };
        let script = Script::of(&[("before_destroy", Act::Refuse)]);
        let one = named(owner, &[1]);
        let path = "/api/hooked/query/delete";
        let (reply, count) = told(&script, path, delete(&one, 1)).await;
        assert_eq!(
            (reply.invalid_fields(), count),
            (vec!["record".to_owned()], 0)
        );
        let (reply, count) = told(&Script::default(), path, delete(&one, 1)).await;
        assert_eq!((reply.status.as_u16(), count), (200, 1));
    });
}

/// Rules d127, b904.
#[test]
fn only_a_list_and_operations_of_ours_are_written_by_filter() {
    on_each_planned(async |planned| {
        let status = async |routes: ResourceRoutes<App>, path: &str| {
            let api = Api::<App>::new("/api").resource(routes);
            let client = planned.client_of(api, "absent", Context::new());
            let body = delete(&named("absent", &[1]), 0);
            client.post(path, &body).await.status.as_u16()
        };
        let routes = ResourceRoutes::crud::<Bulked>;
        let own = async || "mine";
        assert_eq!(status(routes(), DELETE).await, 200);
        assert_ne!(
            status(routes().without(Operation::Destroy), DELETE).await,
            200
        );
        assert_ne!(
            status(routes().replace(Operation::Index, own), DELETE).await,
            200
        );
        assert_ne!(
            status(routes().replace(Operation::Update, own), UPDATE).await,
            200
        );
        // A version cannot be named.
        let guarded = planned.client("absent");
        let body = delete(&named("absent", &[1]), 0);
        let reply = guarded.post("/api/guarded/query/delete", &body).await;
        assert_ne!(reply.status.as_u16(), 200);
    });
}
