//! Writers who race for the same records and the same names, and what is told of their changes (d123).

use listing::Context;
use listing_axum::{
    Access, Api, ApiError, Change, Committed, Denied, Operation, Resource, WritableResource, policy,
};
use sea_orm::ActiveValue::Set;
use serde_json::json;

use crate::hooked::{Script, send};
use crate::plans::{App, Entity, PlanPayload, complete, on_each_planned, plan};

/// Rules d123, d132.
#[test]
fn as_many_changes_are_told_as_are_committed_by_writers_who_race() {
    on_each_planned(async |planned| {
        let owner = "hooks-race";
        let quiet = planned.client(owner);
        let mut ids = Vec::new();
        for number in 0..4 {
            let name = format!("racing {number}");
            ids.push(quiet.post("/api/plans", &plan(&name)).await.created());
        }
        let mut writers = tokio::task::JoinSet::new();
        for number in 0..32 {
            let script = Script::default();
            let client = {
                let api = Api::<App>::new("/api").crud::<Told>();
                planned.client_of(api, owner, Context::new().with(script.clone()))
            };
            let path = format!("/api/told/{}", ids[number % ids.len()]);
            writers.spawn(async move {
                let mut answered = 0;
                // Some take the name of another, some create what others create.
                for turn in 0..4 {
                    let name = format!("raced {}", (number + turn) % 6);
                    let changed = send(&client, "PATCH", &path, &json!({ "name": name })).await;
                    let created = client
                        .post("/api/told", &plan(&format!("new {turn} {}", number % 8)))
                        .await;
                    for reply in [changed, created] {
                        let status = reply.status.as_u16();
                        assert!([200, 201, 422].contains(&status), "{}", reply.text());
                        answered += usize::from(status != 422);
                    }
                }
                let told = script.take();
                assert_eq!(told.len(), answered, "{told:?}");
                answered
            });
        }
        let answered: usize = writers.join_all().await.into_iter().sum();
        assert!(answered > 32);
        // Each creation is a row, and each change has counted itself in its row.
        let rows = planned.plans_of(owner).await;
        let created = rows.len() - ids.len();
        let changed: i32 = rows.iter().map(|row| row.visits).sum();
        assert_eq!(created + changed as usize, answered);
    });
}

/// A resource that counts its changes in the record, and tells of them.
struct Told;

impl Resource for Told {
    type Entity = Entity;

    async fn authorize(_: &Access<'_, Self>) -> Result<(), Denied> {
        policy::allow_all()
    }

    fn segment() -> &'static str {
        "told"
    }
}

impl WritableResource for Told {
    type Store = PlanPayload;
    type Update = PlanPayload;

    async fn before_store(change: &mut Change<'_, Self>) -> Result<(), ApiError> {
        complete(change);
        Ok(())
    }

    async fn before_update(change: &mut Change<'_, Self>) -> Result<(), ApiError> {
        let visits = change.old().unwrap().visits;
        change.record.visits = Set(visits + 1);
        Ok(())
    }

    async fn after_commit(committed: Committed<Self>) {
        let script = committed.context.get::<Script>().unwrap();
        script.note(format!("after_commit {}", committed.id));
        assert_ne!(committed.operation, Operation::Index);
    }
}
