//! Many records that are created, changed and deleted by one request, all of them or none (d126).

use listing::{Context, Settings};
use listing_axum::{
    Access, Api, ApiError, Change, Denied, Operation, Resource, ResourceRoutes, Unique,
    WritableResource, policy,
};
use listing_tests::Client;
use serde_json::{Value, json};

use crate::books::on_each_shelf;
use crate::hooked::{self, Act, Script};
use crate::plans::{
    App, Column, Entity, PlanPayload, Planned, complete, create, on_each_planned, plan,
};

/// Plans that are written many at once, and found by their name. Those called `kept …` are changed by nobody.
pub(crate) struct Bulked;

impl Resource for Bulked {
    type Entity = Entity;

    async fn authorize(access: &Access<'_, Self>) -> Result<(), Denied> {
        if access.operation() == Operation::Store
            && access.context().get::<MayNotCreate>().is_some()
        {
            return Err(Denied::Forbidden);
        }
        match access.record() {
            Some(record) if record.name.starts_with("kept") => Err(Denied::Forbidden),
            _ => policy::allow_all(),
        }
    }

    fn segment() -> &'static str {
        "bulked"
    }
}

impl WritableResource for Bulked {
    type Store = PlanPayload;
    type Update = PlanPayload;

    fn bulk() -> bool {
        true
    }

    fn upsert_by() -> Option<Unique<Entity>> {
        Some(Unique::column(Column::Name))
    }

    async fn before_store(change: &mut Change<'_, Self>) -> Result<(), ApiError> {
        complete(change);
        Ok(())
    }
}

#[derive(Debug)]
struct MayNotCreate;

pub(crate) const BULK: &str = "/api/bulked/_bulk";

pub(crate) fn client(planned: &Planned, owner: &str) -> Client {
    client_with(planned, owner, Context::new())
}

fn client_with(planned: &Planned, owner: &str, context: Context) -> Client {
    planned.client_of(Api::<App>::new("/api").crud::<Bulked>(), owner, context)
}

fn noted(name: &str, note: &str) -> Value {
    let mut plan = plan(name);
    plan["note"] = note.into();
    plan
}

async fn etag(client: &Client, id: i64) -> String {
    let shown = client.get(&format!("/api/bulked/{id}")).await.ok();
    shown.header("etag").unwrap().to_owned()
}

/// The names of an owner's plans that are not deleted.
async fn names(planned: &Planned, owner: &str) -> Vec<String> {
    let plans = planned.plans_of(owner).await.into_iter();
    let mut names: Vec<_> = plans
        .filter(|plan| plan.deleted_at.is_none())
        .map(|plan| plan.name)
        .collect();
    names.sort();
    names
}

/// Rules d126, b900, b902.
#[test]
fn one_request_creates_changes_and_deletes_and_answers_by_index() {
    on_each_planned(async |planned| {
        let client = client(planned, "many");
        let mut ids = Vec::new();
        for number in 1..=3 {
            ids.push(create(&planned.client("many"), &format!("many {number}")).await);
        }
        let tag = etag(&client, ids[1]).await;
        let reply = client
            .post(
                BULK,
                &json!({
                    "delete": [ids[0], { "id": ids[1], "etag": tag }],
                    "create": [plan("many 4"), plan("many 5")],
                    "update": [{ "id": ids[2].to_string(), "note": "Changed." }],
                    "upsert": [
                        noted("many 4", "Again."),
                        plan("many 5"),
                        plan("many 6"),
                        // It is there by now.
                        plan("many 6"),
                    ],
                }),
            )
            .await
            .ok()
            .json();
        assert_eq!(reply["message"], "Plans saved.");
        assert_eq!(
            reply["meta"],
            json!({ "code": 200, "message": "Plans saved." })
        );
        let data = &reply["data"];
        assert_eq!(data["delete"], json!([{ "id": ids[0] }, { "id": ids[1] }]));
        assert_eq!(data["update"], json!([{ "id": ids[2] }]));
        let created: Vec<_> = (0..2).map(|at| data["create"][at]["id"].clone()).collect();
        let sixth = &data["upsert"][2]["id"];
        assert_eq!(
            data["upsert"],
            json!([
                { "id": created[0], "result": "updated" },
                { "id": created[1], "result": "unchanged" },
                { "id": sixth, "result": "created" },
                { "id": sixth, "result": "unchanged" },
            ])
        );
        assert_eq!(
            names(planned, "many").await,
            ["many 3", "many 4", "many 5", "many 6"]
        );
        let note = async |id: &Value| planned.row(id.as_i64().unwrap()).await.unwrap().note;
        assert_eq!(note(&ids[2].into()).await.as_deref(), Some("Changed."));
        assert_eq!(note(&created[0]).await.as_deref(), Some("Again."));
        assert_eq!(planned.row(ids[2]).await.unwrap().last, 5);
        let nothing = client.post(BULK, &json!({ "create": [] })).await.ok();
        assert_eq!(nothing.json()["data"], json!({ "create": [] }));
    });
}

/// Rules d126, b903.
#[test]
fn what_is_wrong_is_told_of_each_item_and_nothing_is_written() {
    on_each_planned(async |planned| {
        let client = client(planned, "wrong");
        let id = create(&planned.client("wrong"), "wrong 1").await;
        let before = planned.plans_of("wrong").await;
        let mut short = plan("  ");
        short["last"] = 0.into();
        let reply = client
            .post(
                BULK,
                &json!({
                    "create": [plan("right"), short, plan("wrong 1"), plan("right")],
                    "update": [{ "id": id, "first": 9, "note": 7 }],
                    "upsert": [noted("wrong 1", &"x".repeat(41)), { "name": "half" }],
                }),
            )
            .await;
        let wrong = reply.invalid();
        let told = |place: &str, words: &str| {
            let message = format!("{place} {words}.");
            assert_eq!(wrong.get(place), Some(&vec![message]), "{wrong:?}");
        };
        told("create.1.name", "must not be empty");
        assert_eq!(
            wrong["create.1.last"],
            ["create.1.last must not be before first."]
        );
        told("create.2.name", "has already been taken");
        told("create.3.name", "has already been taken");
        told("update.0.note", "must be a string");
        assert_eq!(
            wrong["update.0.last"],
            ["update.0.last must not be before first."]
        );
        told("upsert.0.note", "must have a length of at most 40");
        told("upsert.1.first", "is required");
        assert!(!wrong.contains_key("create.0.name"));
        let details = &reply.json()["error"]["details"]["errors"];
        assert_eq!(details[0]["path"], json!(["create", "1", "last"]));
        assert_eq!(planned.plans_of("wrong").await, before);
        // The first hundred are enough.
        let many = vec![json!({}); 1_000];
        let reply = client.post(BULK, &json!({ "create": many })).await;
        let told = reply.invalid().len();
        assert!((100..120).contains(&told), "{told}");
        // What is no item.
        let items = json!({
            "create": [7],
            "update": [{ "note": "x" }, { "id": null }, { "id": id, "etag": 7 }],
            "upsert": [null],
            "delete": [true, {}, { "id": id, "note": "x" }],
        });
        let reply = client.post(BULK, &items).await;
        assert_eq!(
            reply.invalid_fields(),
            [
                "create.0",
                "delete.0",
                "delete.1.id",
                "delete.2",
                "update.0.id",
                "update.1.id",
                "update.2.etag",
                "upsert.0",
            ]
        );
        assert_eq!(planned.plans_of("wrong").await, before);
    });
}

/// Rules d126, b900.
#[test]
fn a_request_has_known_members_and_at_most_a_thousand_items() {
    on_each_planned(async |planned| {
        let client = client(planned, "bounds");
        let refused = async |body: Value, message: &str| {
            let reply = client.post(BULK, &body).await;
            assert_eq!(reply.error_code(400), "malformed_body");
            assert_eq!(reply.json()["message"], message);
        };
        let known = "`create`, `update`, `upsert`, `delete`";
        refused(
            json!({ "creates": [] }),
            &format!("`creates` is not a member of this request; its members are {known}."),
        )
        .await;
        refused(
            json!({}),
            &format!("The body must have at least one of {known}."),
        )
        .await;
        refused(json!({ "delete": 7 }), "`delete` must be an array.").await;
        let many = |count: usize| json!({ "create": vec![json!({}); count - 1], "delete": [1] });
        let reply = client.post(BULK, &many(1_001)).await;
        assert_eq!(reply.error_code(400), "too_many_records");
        assert_eq!(
            reply.json()["message"],
            "A request can write 1000 records at most."
        );
        let _ = client.post(BULK, &many(1_000)).await.invalid();
    });
}

/// Rules d126, b900.
#[test]
fn a_resource_opts_in_and_what_it_does_not_have_is_not_done() {
    on_each_planned(async |planned| {
        let body = json!({ "create": [plan("closed")] });
        let plain = planned.client("closed");
        assert_eq!(
            plain.post("/api/plans/_bulk", &body).await.status.as_u16(),
            405
        );
        let without = |routes: ResourceRoutes<App>| {
            let api = Api::<App>::new("/api").resource(routes);
            planned.client_of(api, "closed", Context::new())
        };
        let routes = ResourceRoutes::crud::<Bulked>;
        let partly = without(
            routes()
                .without(Operation::Destroy)
                .without(Operation::Update),
        );
        for member in ["update", "upsert", "delete"] {
            let reply = partly.post(BULK, &json!({ member: [] })).await;
            assert_eq!(reply.error_code(400), "malformed_body");
            let told = reply.json()["message"].as_str().unwrap().to_owned();
            assert!(told.ends_with("its members are `create`."), "{told}");
        }
        let _ = partly.post(BULK, &json!({ "create": [] })).await.ok();
        let own = async || "mine";
        let replaced = without(
            routes()
                .replace(Operation::Store, own)
                .replace(Operation::Update, own)
                .replace(Operation::Destroy, own),
        );
        assert_eq!(replaced.post(BULK, &body).await.status.as_u16(), 405);
        assert!(planned.plans_of("closed").await.is_empty());
    });
}

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

/// Rule b900.
#[test]
fn a_key_that_clients_do_not_send_is_a_mistake_at_start_up() {
    struct ByOwner;
    impl Resource for ByOwner {
        type Entity = Entity;

        async fn authorize(_: &Access<'_, Self>) -> Result<(), Denied> {
            policy::allow_all()
        }
    }
    impl WritableResource for ByOwner {
        type Store = PlanPayload;
        type Update = PlanPayload;

        fn bulk() -> bool {
            true
        }

        fn upsert_by() -> Option<Unique<Entity>> {
            Some(Unique::column(Column::Owner))
        }
    }
    let built = Api::<App>::new("/api").crud::<ByOwner>();
    let mistakes = built.build(Settings::default()).unwrap_err().to_string();
    assert!(
        mistakes.contains("clients do not send this column"),
        "{mistakes}"
    );
}
