//! Many records that are created, changed and deleted by one request, all of them or none (d126).

use listing::{Context, Settings};
use listing_axum::idempotency::Idempotency;
use listing_axum::{
    Access, Api, ApiError, Change, Denied, Operation, Resource, ResourceRoutes, Unique,
    WritableResource, policy,
};
use listing_tests::Client;
use serde_json::{Value, json};

use crate::plans::{
    App, Column, Entity, Owner, PlanPayload, Planned, complete, create, on_each_planned, plan,
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

    const BULK: bool = true;

    fn upsert_by() -> Option<Unique<Entity>> {
        Some(Unique::column(Column::Name))
    }

    fn idempotency() -> Option<Idempotency> {
        Some(Idempotency::by(|context| {
            context.get::<Owner>().map(|owner| owner.0.clone())
        }))
    }

    async fn before_store(change: &mut Change<'_, Self>) -> Result<(), ApiError> {
        complete(change);
        Ok(())
    }
}

#[derive(Debug)]
pub(crate) struct MayNotCreate;

pub(crate) const BULK: &str = "/api/bulked/_bulk";

pub(crate) fn client(planned: &Planned, owner: &str) -> Client {
    client_with(planned, owner, Context::new())
}

pub(crate) fn client_with(planned: &Planned, owner: &str, context: Context) -> Client {
    planned.client_of(Api::<App>::new("/api").crud::<Bulked>(), owner, context)
}

pub(crate) fn noted(name: &str, note: &str) -> Value {
    let mut plan = plan(name);
    plan["note"] = note.into();
    plan
}

pub(crate) async fn etag(client: &Client, id: i64) -> String {
    let shown = client.get(&format!("/api/bulked/{id}")).await.ok();
    shown.header("etag").unwrap().to_owned()
}

/// The names of an owner's plans that are not deleted.
pub(crate) async fn names(planned: &Planned, owner: &str) -> Vec<String> {
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

        const BULK: bool = true;

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
