//! Decisions about who may do what that ask the database (d123).

use listing::Context;
use listing_axum::{Access, Api, ApiError, Change, Denied, Operation, Resource, WritableResource};
use sea_orm::{ColumnTrait, ConnectionTrait, EntityTrait, PaginatorTrait, QueryFilter};
use serde_json::json;

use crate::plans::{App, Column, Entity, Owner, PlanPayload, complete, on_each_planned, plan};

/// Two plans for each owner, and only those of owners whose word is in the journal can be changed.
struct Few;

impl Resource for Few {
    type Entity = Entity;

    async fn authorize(access: &Access<'_, Self>) -> Result<(), Denied> {
        let Owner(owner) = access.context().get::<Owner>().unwrap();
        if access.context().get::<Broken>().is_some() {
            access
                .db()
                .execute_unprepared("SELECT nothing FROM nowhere")
                .await?;
        }
        match access.operation() {
            Operation::Store => {
                let plans = Entity::find().filter(Column::Owner.eq(owner));
                match plans.count(access.db()).await? {
                    0 | 1 => Ok(()),
                    _ => Err(Denied::Forbidden),
                }
            }
            Operation::Update => {
                let Some(record) = access.record() else {
                    return Err(Denied::Forbidden);
                };
                // In the transaction of the write, which holds the record.
                let found = Entity::find_by_id(record.id).one(access.db()).await?;
                match found.is_some_and(|found| found == *record && found.first == 1) {
                    true => Ok(()),
                    false => Err(Denied::Forbidden),
                }
            }
            _ => Ok(()),
        }
    }

    fn segment() -> &'static str {
        "few"
    }
}

impl WritableResource for Few {
    type Store = PlanPayload;
    type Update = PlanPayload;

    const BULK: bool = true;

    async fn before_store(change: &mut Change<'_, Self>) -> Result<(), ApiError> {
        complete(change);
        Ok(())
    }
}

/// Rules d123, d126, b903, b906.
#[test]
fn a_decision_counts_the_new_records_of_the_same_request() {
    on_each_planned(async |planned| {
        let api = Api::<App>::new("/api").crud::<Few>();
        let client = planned.client_of(api, "few-many", Context::new());
        let three = ["few-many-1", "few-many-2", "few-many-3"].map(plan);
        let reply = client
            .post("/api/few/_bulk", &json!({ "create": three }))
            .await;
        assert_eq!(reply.error_code(403), "forbidden");
        let told = reply.json()["message"].clone();
        assert_eq!(told, "create.2: You are not allowed to do this.");
        assert!(planned.plans_of("few-many").await.is_empty());
        let two = json!({ "create": three[..2] });
        let _ = client.post("/api/few/_bulk", &two).await.ok();
    });
}

#[derive(Debug, Clone)]
struct Broken;

/// Rules d123, b725.
#[test]
fn a_decision_may_ask_the_database() {
    on_each_planned(async |planned| {
        let api = || Api::<App>::new("/api").crud::<Few>();
        let client = planned.client_of(api(), "few", Context::new());
        let id = client.post("/api/few", &plan("few-1")).await.created();
        client.post("/api/few", &plan("few-2")).await.created();
        let third = client.post("/api/few", &plan("few-3")).await;
        assert_eq!(third.error_code(403), "forbidden");
        // A plan that begins later than that of the decision is not changed any more.
        let path = format!("/api/few/{id}");
        let later = json!({ "first": 2 });
        let _ = client.json("PATCH", &path, later.to_string()).await.ok();
        let refused = client.json("PATCH", &path, later.to_string()).await;
        assert_eq!(refused.error_code(403), "forbidden");
        // A decision that the database does not answer is an error, and no permission.
        let broken = planned.client_of(api(), "few-other", Context::new().with(Broken));
        for reply in [
            broken.get("/api/few").await,
            broken.post("/api/few", &plan("few-4")).await,
            broken.get(&path).await,
        ] {
            assert_eq!(reply.error_code(500), "internal_error");
        }
        assert!(planned.plans_of("few-other").await.is_empty());
        assert_eq!(planned.plans_of("few").await.len(), 2);
    });
}
