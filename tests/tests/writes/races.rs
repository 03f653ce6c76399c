//! Writers who race for the same records and the same names, and what is told of their changes (d123).

use listing::Context;
use listing_axum::events::Events;
use listing_axum::{
    Access, Api, ApiError, Change, Committed, Denied, History, Operation, Resource,
    WritableResource, policy,
};
use sea_orm::ActiveValue::Set;
use serde_json::json;

use crate::hooked::{Script, send};
use crate::plans::{App, Entity, PlanPayload, complete, on_each_fresh_planned, plan};

/// Rules d123, d126, d129, d131, d132.
#[test]
fn as_many_changes_are_told_as_are_committed_by_writers_who_race() {
    on_each_fresh_planned(async |planned| {
        let owner = "hooks-race";
        let quiet = planned.client(owner);
        let mut ids = Vec::new();
        for number in 0..4 {
            let name = format!("racing {number}");
            ids.push(quiet.post("/api/plans", &plan(&name)).await.created());
        }
        let mut writers = tokio::task::JoinSet::new();
        for number in 0..64 {
            let script = Script::default();
            let client = {
                let api = Api::<App>::new("/api").crud::<Told>();
                planned.client_of(api, owner, Context::new().with(script.clone()))
            };
            let path = format!("/api/told/{}", ids[number % ids.len()]);
            let pairs = ids.clone();
            writers.spawn(async move {
                let mut answered = 0;
                // Some take the name of another, some create what others create.
                for turn in 0..4 {
                    let name = format!("raced {}", (number + turn) % 6);
                    let changed = send(&client, "PATCH", &path, &json!({ "name": name })).await;
                    let created = client
                        .post("/api/told", &plan(&format!("new {turn} {}", number % 8)))
                        .await;
                    // Who loses too often, or waits too long for a connection, is told so, and has written nothing.
                    for reply in [changed, created] {
                        let status = reply.status.as_u16();
                        assert!([200, 201, 422, 503].contains(&status), "{}", reply.text());
                        answered += usize::from(status < 300);
                    }
                    // Two that lock the same rows in another order: a deadlock, of which one is tried again.
                    if turn > 0 {
                        continue;
                    }
                    let (one, other) = (number % pairs.len(), (number + 1) % pairs.len());
                    let note =
                        |at: usize| json!({ "id": pairs[at], "note": format!("{number} {turn}") });
                    let both = json!({ "update": [note(one), note(other)] });
                    let both = client.post("/api/told/_bulk", &both).await;
                    let status = both.status.as_u16();
                    assert!([200, 503].contains(&status), "{}", both.text());
                    answered += 2 * usize::from(status == 200);
                }
                let told = script.take();
                assert_eq!(told.len(), answered, "{told:?}");
                answered
            });
        }
        let answered: usize = writers.join_all().await.into_iter().sum();
        assert!(answered > 64);
        // Each creation is a row, and each change has counted itself in its row.
        let rows = planned.plans_of(owner).await;
        let created = rows.len() - ids.len();
        let changed: i32 = rows.iter().map(|row| row.visits).sum();
        assert_eq!(created + changed as usize, answered);
        // So is each event, and each change in a history.
        for table in ["listing_events", "listing_history"] {
            assert_eq!(planned.count(table).await, answered as i64, "{table}");
        }
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

    fn events() -> Option<Events<Self>> {
        Some(Events::new())
    }

    fn history() -> Option<History> {
        Some(History::new())
    }

    const BULK: bool = true;

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
