//! What a record was before each of its changes, and who changed it (d131).

use listing::Context;
use listing::migration::HistoryTable;
use listing_axum::idempotency::Idempotency;
use listing_axum::{
    Access, Api, ApiError, Change, Denied, History, Operation, Resource, WritableResource, policy,
};
use listing_tests::{Client, Service, on_each_fresh_database};
use sea_orm::ActiveValue::Set;
use sea_orm::{ConnectionTrait, Statement};
use serde_json::{Value, json};

use crate::hooked::send;
use crate::plans::{App, Entity, PlanPayload, Planned, complete, on_each_planned, plan};

/// A resource with a history of its records.
struct Remembered;

/// Who is called by name in a history.
#[derive(Debug)]
struct Person(&'static str);

/// Who may not read histories of plans called `secret`, or none at all.
#[derive(Debug, Clone, Copy)]
struct Reader {
    of_secrets: bool,
}

impl Resource for Remembered {
    type Entity = Entity;

    async fn authorize(access: &Access<'_, Self>) -> Result<(), Denied> {
        if access.operation() == Operation::Show
            && access
                .record()
                .is_some_and(|record| record.name == "unseen")
        {
            return Err(Denied::Forbidden);
        }
        if access.operation() != Operation::History {
            return policy::allow_all();
        }
        match access.context().get::<Reader>() {
            Some(Reader { of_secrets: true }) => Ok(()),
            Some(_) => match access.record() {
                Some(record) if record.name == "secret" => Err(Denied::Forbidden),
                _ => Ok(()),
            },
            None => Err(Denied::Unauthenticated),
        }
    }

    fn segment() -> &'static str {
        "remembered"
    }
}

impl WritableResource for Remembered {
    type Store = PlanPayload;
    type Update = PlanPayload;

    fn history() -> Option<History> {
        Some(History::new().caller(|context| Some(context.get::<Person>()?.0.to_owned())))
    }

    const BULK: bool = true;

    fn idempotency() -> Option<Idempotency> {
        Some(Idempotency::by(|_| Some(String::new())))
    }

    async fn before_store(change: &mut Change<'_, Self>) -> Result<(), ApiError> {
        complete(change);
        Ok(())
    }

    /// What no field shows.
    async fn before_update(change: &mut Change<'_, Self>) -> Result<(), ApiError> {
        let was = change
            .old()
            .is_some_and(|old| old.note.as_deref() == Some("hide"));
        if was {
            change.record.deleted_at = Set(None);
        }
        Ok(())
    }

    async fn after_update(change: &mut Change<'_, Self>) -> Result<(), ApiError> {
        match change.record.name == Set("refused".to_owned()) {
            true => Err(ApiError::refused("No.")),
            false => Ok(()),
        }
    }
}

pub(crate) const PATH: &str = "/api/remembered";

fn client_as(planned: &Planned, owner: &str, context: Context) -> Client {
    let api = Api::<App>::new("/api").crud::<Remembered>();
    planned.client_of(api, owner, context)
}

pub(crate) fn client(planned: &Planned, owner: &str) -> Client {
    let context = Context::new().with(Person("Ada"));
    client_as(planned, owner, context.with(Reader { of_secrets: true }))
}

async fn history(client: &Client, id: i64) -> Vec<Value> {
    let reply = client.get(&format!("{PATH}/{id}/_history")).await.ok();
    reply.items()
}

/// The operations of a history, the newest first, with the names before and after.
async fn names(client: &Client, id: i64) -> Vec<(String, Value, Value)> {
    let changes = history(client, id).await;
    let name = |values: &Value| values["name"].clone();
    let said = changes.iter().map(|change| {
        let operation = change["operation"].as_str().unwrap().to_owned();
        (operation, name(&change["old"]), name(&change["new"]))
    });
    said.collect()
}

/// Rules d131, b1000.
#[test]
fn every_committed_write_is_in_the_history_as_the_record_is_shown() {
    on_each_planned(async |planned| {
        let client = client(planned, "history-all");
        let id = client.post(PATH, &plan("history one")).await.created();
        let path = format!("{PATH}/{id}");
        let shown = client.get(&path).await.ok().json()["data"].clone();
        let changed = json!({ "name": "history two", "note": "A note.", "price": "7.5" });
        let _ = send(&client, "PATCH", &path, &changed).await.ok();
        let mut whole = plan("history three");
        whole["price"] = json!("7.5");
        let _ = client.put(&path, &whole).await.ok();
        let _ = client.delete(&path).await.ok();
        let _ = client.bare("POST", &format!("{path}/restore")).await.ok();
        // Not valid, refused after it was written, and without effect.
        let _ = client.put(&path, &json!({})).await.invalid();
        let refused = send(&client, "PATCH", &path, &json!({ "name": "refused" })).await;
        let _ = refused.invalid();
        let same = send(&client, "PATCH", &path, &json!({ "note": "A note." })).await;
        let _ = same.ok();

        let changes = history(&client, id).await;
        let numbers: Vec<_> = changes
            .iter()
            .map(|change| change["number"].clone())
            .collect();
        assert_eq!(numbers, [5, 4, 3, 2, 1]);
        let operations: Vec<_> = changes.iter().map(|change| &change["operation"]).collect();
        assert_eq!(
            operations,
            ["restore", "destroy", "update", "update", "store"]
        );
        assert!(changes.iter().all(|change| change["caller"] == "Ada"));
        assert!(changes.iter().all(|change| change["linked"] == json!([])));
        // A new record has the values that `show` shows, byte for byte, and no `id` among them.
        let mut first = shown;
        first.as_object_mut().unwrap().shift_remove("id");
        assert_eq!(changes[4]["old"], Value::Null);
        assert_eq!(changes[4]["new"].to_string(), first.to_string());
        assert_eq!(
            (&changes[3]["old"], &changes[3]["new"]),
            (
                &json!({ "name": "history one", "price": "123456.7890" }),
                &json!({ "name": "history two", "price": "7.5000" })
            )
        );
        assert_eq!(changes[2]["old"], json!({ "name": "history two" }));
        assert_eq!(changes[2]["new"], json!({ "name": "history three" }));
        // The column of the soft delete is not shown.
        for change in &changes[..2] {
            assert_eq!((&change["old"], &change["new"]), (&json!({}), &json!({})));
        }
        let at: Vec<_> = changes
            .iter()
            .map(|change| change["at"].as_str().unwrap())
            .collect();
        assert!(at.is_sorted_by(|later, earlier| later >= earlier), "{at:?}");
        assert!(
            at.iter().all(|at| at.len() == 27 && at.ends_with('Z')),
            "{at:?}"
        );
    });
}

/// Rules d131, b1000.
#[test]
fn writes_of_many_records_are_in_the_history_of_each() {
    on_each_planned(async |planned| {
        let client = client(planned, "history-many");
        let new = |name: &str| plan(&format!("many {name}"));
        let asked = json!({ "create": [new("one"), new("two"), new("three")] });
        let bulk = format!("{PATH}/_bulk");
        let reply = client.post(&bulk, &asked).await.ok();
        let ids = reply.json()["data"]["create"].clone();
        let ids: Vec<i64> = (0..3).map(|at| ids[at]["id"].as_i64().unwrap()).collect();
        let asked = json!({
            "update": [{ "id": ids[0], "name": "many one again" }],
            "delete": [ids[1]],
        });
        let _ = client.post(&bulk, &asked).await.ok();
        let filters = json!({ "name": { "$in": ["many one again", "many three"] } });
        let asked = json!({ "filters": filters, "set": { "note": "all" }, "expected": 2 });
        let update = format!("{PATH}/query/update");
        let _ = client.post(&update, &asked).await.ok();
        // Nothing of what is not committed.
        let mut other = asked.clone();
        other["expected"] = json!(3);
        assert_eq!(
            client.post(&update, &other).await.error_code(409),
            "other_number"
        );
        let wrong = json!({ "create": [new("four"), { "name": "" }] });
        let _ = client.post(&bulk, &wrong).await.invalid();
        // Other tests write into the same table.
        let four = "listing_history WHERE body LIKE '%many four%'";
        assert_eq!(planned.count(four).await, 0);

        let (one, three) = (json!("many one"), json!("many three"));
        let again = json!("many one again");
        assert_eq!(
            names(&client, ids[0]).await,
            [
                ("update".to_owned(), Value::Null, Value::Null),
                ("update".to_owned(), one.clone(), again),
                ("store".to_owned(), Value::Null, one),
            ]
        );
        let changes = history(&client, ids[2]).await;
        assert_eq!(changes.len(), 2);
        assert_eq!(changes[0]["old"], json!({ "note": "A note." }));
        assert_eq!(changes[0]["new"], json!({ "note": "all" }));
        assert_eq!(changes[1]["new"]["name"], three);
        let filters = json!({ "filters": { "name": { "$eq": "many three" } }, "expected": 1 });
        let _ = client
            .post(&format!("{PATH}/query/delete"), &filters)
            .await
            .ok();
        for id in &ids[1..] {
            let _ = client
                .bare("POST", &format!("{PATH}/{id}/restore"))
                .await
                .ok();
            assert_eq!(history(&client, *id).await[1]["operation"], "destroy");
        }
    });
}

/// Rules d131, b1001.
#[test]
fn a_history_is_for_those_who_see_the_record_and_may_read_it() {
    on_each_planned(async |planned| {
        let ann = client(planned, "history-ann");
        let id = ann.post(PATH, &plan("history open")).await.created();
        let secret = ann.post(PATH, &plan("secret")).await.created();
        let of = |id: i64| format!("{PATH}/{id}/_history");
        let absent = ann.get(&of(99_999_999)).await;
        let absent = (absent.error(404), absent.text());
        // Of another owner, deleted, and no id at all.
        let bob = client(planned, "history-bob");
        let other = bob.get(&of(id)).await;
        assert_eq!((other.error(404), other.text()), absent);
        let odd = ann.get(&format!("{PATH}/x/_history")).await;
        assert_eq!((odd.error(404), odd.text()), absent);
        // 401 whether or not there is such a record.
        let unknown = client_as(planned, "history-ann", Context::new());
        for id in [id, 99_999_999] {
            let _ = unknown.get(&of(id)).await.error(401);
        }
        let some = Context::new().with(Reader { of_secrets: false });
        let some = client_as(planned, "history-ann", some);
        assert_eq!(some.get(&of(id)).await.ok().total(), 1);
        let _ = some.get(&of(secret)).await.error(403);
        assert_eq!(some.get(&of(99_999_999)).await.text(), absent.1);
        // Even those who may read every history see none of a record that they may not see.
        let unseen = ann.post(PATH, &plan("unseen")).await.created();
        let _ = ann.get(&format!("{PATH}/{unseen}")).await.error(403);
        let _ = ann.get(&of(unseen)).await.error(403);
        let _ = ann.delete(&format!("{PATH}/{id}")).await.ok();
        let deleted = ann.get(&of(id)).await;
        assert_eq!((deleted.error(404), deleted.text()), absent);
        // No resource has one by itself.
        let plain = planned.client("history-ann");
        let reply = plain.get(&format!("/api/plans/{secret}/_history")).await;
        assert_eq!(reply.error_code(404), "route_not_found");
    });
}

/// Rules d131, b1002.
#[test]
fn a_history_has_pages_and_nothing_else_can_be_asked_of_it() {
    on_each_planned(async |planned| {
        let client = client(planned, "history-pages");
        let id = client.post(PATH, &plan("pages 0")).await.created();
        for at in 1..=6 {
            let changed = json!({ "name": format!("pages {at}") });
            let path = format!("{PATH}/{id}");
            let _ = send(&client, "PATCH", &path, &changed).await.ok();
        }
        let of = |query: &str| format!("{PATH}/{id}/_history?{query}");
        let page = client
            .get(&of("pagination[page]=2&pagination[pageSize]=3"))
            .await
            .ok();
        assert_eq!(page.column("number"), [4, 3, 2]);
        assert_eq!(
            page.meta()["pagination"],
            json!({ "page": 2, "pageSize": 3, "pageCount": 3, "total": 7 })
        );
        let page = client
            .get(&of("pagination[start]=5&pagination[limit]=9"))
            .await
            .ok();
        assert_eq!(page.column("number"), [2, 1]);
        let past = client
            .get(&of("pagination[page]=18446744073709551615"))
            .await
            .ok();
        assert_eq!((past.items().len(), past.total()), (0, 7));
        for (query, parameter) in [
            ("filters[name]=x", "filters"),
            ("sort=at", "sort"),
            ("fields=name", "fields"),
            ("pagination[cursor]=", "pagination[cursor]"),
            ("pagination[withCount]=false", "pagination[withCount]"),
            ("since=2024", "since"),
        ] {
            let reply = client.get(&of(query)).await;
            assert_eq!(reply.error_code(400), "not_of_history", "{query}");
            assert_eq!(reply.json()["error"]["details"]["parameter"], parameter);
        }
        let reply = client.get(&of("pagination[page]=0")).await;
        assert_eq!(reply.error_code(400), "bad_number");
    });
}

/// Rules d131, b1003.
#[test]
fn a_new_record_does_not_have_the_history_of_an_old_one_with_its_key() {
    on_each_planned(async |planned| {
        let (ann, bob) = (client(planned, "life-ann"), client(planned, "life-bob"));
        let id = ann.post(PATH, &plan("first life")).await.created();
        let path = format!("{PATH}/{id}");
        let _ = send(&ann, "PATCH", &path, &json!({ "note": "of Ann" }))
            .await
            .ok();
        let _ = ann.delete(&format!("{path}?force=true")).await.ok();
        // A row that another program writes under the same key.
        let row = format!(
            "INSERT INTO plans (id, owner, name, first, last, price, day, hour, moment, stage, visits) VALUES \
             ({id}, 'life-bob', 'second life', 1, 2, 3, '2024-01-01', '10:00:00', '2024-01-01 00:00:00', 'idea', 0)"
        );
        planned.db().execute_unprepared(&row).await.unwrap();
        assert_eq!(history(&bob, id).await, Vec::<Value>::new());
        let _ = send(&bob, "PATCH", &path, &json!({ "note": "of Bob" }))
            .await
            .ok();
        let changes = history(&bob, id).await;
        assert_eq!(changes.len(), 1);
        assert_eq!(changes[0]["number"], 1);
        assert_eq!(changes[0]["old"], json!({ "note": null }));
    });
}

/// Rules d131, b1000.
#[test]
fn an_update_of_what_is_not_shown_leaves_no_trace() {
    on_each_planned(async |planned| {
        let client = client(planned, "history-hidden");
        let mut hidden = plan("history hidden");
        hidden["note"] = json!("hide");
        let id = client.post(PATH, &hidden).await.created();
        let body = json!({ "note": "hide" });
        let _ = send(&client, "PATCH", &format!("{PATH}/{id}"), &body)
            .await
            .ok();
        assert_eq!(history(&client, id).await.len(), 1);
        let sql = "SELECT body FROM listing_history WHERE body LIKE '%history hidden%'";
        let asked = Statement::from_string(planned.db().get_database_backend(), sql);
        let row = planned.db().query_one_raw(asked).await.unwrap().unwrap();
        let body: String = row.try_get_by_index(0).unwrap();
        assert!(
            !body.contains("history-hidden") && !body.contains("deleted_at"),
            "{body}"
        );
    });
}

/// A request that is repeated is one change.
///
/// Rules d128, d131.
#[test]
fn a_repeated_request_is_in_the_history_once() {
    on_each_planned(async |planned| {
        let client = client(planned, "history-again");
        let keyed = client.with_header("idempotency-key", "history-again");
        let id = keyed.post(PATH, &plan("again")).await.created();
        assert_eq!(keyed.post(PATH, &plan("again")).await.created(), id);
        assert_eq!(history(&client, id).await.len(), 1);
    });
}

/// Rules d131, b1004.
#[test]
fn links_are_told_by_the_names_of_their_relations() {
    on_each_fresh_database(async |service: &Service| {
        let linked = json!({ "tags": [1, 2] });
        let reply = send(&service.client(), "PATCH", "/api/articles/1", &linked).await;
        let _ = reply.ok();
        let reply = service.get("/api/articles/1/_history").await.ok();
        let changes = reply.items();
        assert_eq!(changes.len(), 1);
        assert_eq!(changes[0]["linked"], json!(["tags"]));
        let changed: Vec<_> = changes[0]["new"].as_object().unwrap().keys().collect();
        assert_eq!(changed, ["updated_at"]);
        assert_eq!(reply.json()["message"], "History of article retrieved.");
    });
}

/// Rule d131.
#[test]
fn a_migration_can_take_the_table_back() {
    crate::plans::on_each_fresh_planned(async |planned| {
        HistoryTable.drop(planned.db()).await.unwrap();
        let client = client(planned, "history-gone");
        // Nothing is written that cannot be written down.
        let _ = client.post(PATH, &plan("gone")).await.error(500);
        assert!(planned.plans_of("history-gone").await.is_empty());
        HistoryTable.create(planned.db()).await.unwrap();
        let _ = client.post(PATH, &plan("gone")).await.created();
    });
}
