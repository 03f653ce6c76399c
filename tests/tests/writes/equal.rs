//! Unique values that differ for a program and are the same for a database (d58, d126).

use listing::Context;
use listing_axum::{
    Access, Api, ApiError, Change, Denied, Resource, Unique, WritableResource, policy,
};
use listing_tests::{Client, Reply};
use sea_orm::DbBackend;
use serde_json::{Value, json};

use crate::import::{NDJSON, lines, send};
use crate::plans::{App, Column, Entity, PlanPayload, Planned, complete, on_each_planned, plan};

/// Plans whose notes are unique, although no index of the database keeps them so.
struct Noted;

impl Resource for Noted {
    type Entity = Entity;

    async fn authorize(_: &Access<'_, Self>) -> Result<(), Denied> {
        policy::allow_all()
    }

    fn segment() -> &'static str {
        "noted"
    }
}

impl WritableResource for Noted {
    type Store = PlanPayload;
    type Update = PlanPayload;

    const BULK: bool = true;
    const IMPORT: bool = true;

    fn unique() -> Vec<Unique<Entity>> {
        vec![Unique::column(Column::Note).within(Column::First)]
    }

    async fn before_store(change: &mut Change<'_, Self>) -> Result<(), ApiError> {
        complete(change);
        Ok(())
    }
}

fn client(planned: &Planned, owner: &str) -> Client {
    let api = Api::<App>::new("/api").crud::<Noted>();
    planned.client_of(api, owner, Context::new())
}

fn noted(name: &str, note: Option<&str>) -> Value {
    let mut plan = plan(name);
    plan["note"] = note.into();
    plan
}

/// MariaDB ignores case by default, so that the second note is taken there.
#[track_caller]
fn is_taken_where_case_is_ignored(planned: &Planned, reply: &Reply, field: &str) {
    if planned.db().get_database_backend() == DbBackend::MySql {
        assert_eq!(reply.invalid_fields(), [field]);
    } else {
        assert_eq!(reply.status.as_u16(), 200, "{}", reply.text());
    }
}

/// Rules d58, d126, b1280.
#[test]
fn the_database_decides_whether_two_records_of_one_request_share_a_unique_value() {
    on_each_planned(async |planned| {
        let client = client(planned, "equal");
        let bulk = "/api/noted/_bulk";
        let two = |name: &str, one: &str, other: &str| {
            [(1, one), (2, other)].map(|(at, note)| noted(&format!("{name} {at}"), Some(note)))
        };
        let body = json!({ "create": two("equal bulk", "Equal one", "equal ONE") });
        let reply = client.post(bulk, &body).await;
        is_taken_where_case_is_ignored(planned, &reply, "create.1.note");

        let file = lines(two("equal file", "Equal two", "equal TWO"));
        let reply = send(&client, "/api/noted/_import", NDJSON, file).await;
        is_taken_where_case_is_ignored(planned, &reply, "rows.2.note");

        let body = json!({ "create": two("equal", "Equal three", "Equal four") });
        let created = client.post(bulk, &body).await.ok().json()["data"]["create"].clone();
        let notes = ["Equal five", "equal FIVE"];
        let update: Vec<_> = (0..2)
            .map(|at| json!({ "id": created[at]["id"], "note": notes[at] }))
            .collect();
        let reply = client.post(bulk, &json!({ "update": update })).await;
        is_taken_where_case_is_ignored(planned, &reply, "update.1.note");

        // Records without a value, and with another one in the other column, share nothing.
        let mut plans = vec![noted("equal null 1", None), noted("equal null 2", None)];
        plans.extend(two("equal within", "Equal six", "equal SIX"));
        plans[2]["first"] = 2.into();
        let reply = client.post(bulk, &json!({ "create": plans })).await;
        let _ = reply.ok();
    });
}
