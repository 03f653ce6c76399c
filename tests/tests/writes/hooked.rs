//! A resource whose hooks do what a test says, and write down what they did.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use listing::Context;
use listing_axum::idempotency::Idempotency;
use listing_axum::{
    Access, Api, ApiError, Change, Committed, Denied, Resource, WritableResource, policy,
};
use listing_tests::Client;
use sea_orm::ActiveValue::Set;
use sea_orm::ConnectionTrait;
use serde_json::Value;
use tokio::sync::Notify;

use crate::plans::{ActiveModel, App, Column, Entity, Owner, PlanPayload, Planned, complete, plan};

/// A resource whose hooks do what a test says.
pub(crate) struct Hooked;

impl Resource for Hooked {
    type Entity = Entity;

    async fn authorize(_: &Access<'_, Self>) -> Result<(), Denied> {
        policy::allow_all()
    }

    fn segment() -> &'static str {
        "hooked"
    }
}

impl WritableResource for Hooked {
    type Store = PlanPayload;
    type Update = PlanPayload;

    const BULK: bool = true;

    fn idempotency() -> Option<Idempotency> {
        Some(Idempotency::by(|context| {
            context.get::<Owner>().map(|owner| owner.0.clone())
        }))
    }

    async fn before_store(change: &mut Change<'_, Self>) -> Result<(), ApiError> {
        complete(change);
        run("before_store", change).await
    }

    async fn before_update(change: &mut Change<'_, Self>) -> Result<(), ApiError> {
        run("before_update", change).await
    }

    async fn before_destroy(change: &mut Change<'_, Self>) -> Result<(), ApiError> {
        run("before_destroy", change).await
    }

    async fn before_restore(change: &mut Change<'_, Self>) -> Result<(), ApiError> {
        run("before_restore", change).await
    }

    async fn after_store(change: &mut Change<'_, Self>) -> Result<(), ApiError> {
        run("after_store", change).await
    }

    async fn after_update(change: &mut Change<'_, Self>) -> Result<(), ApiError> {
        run("after_update", change).await
    }

    async fn after_destroy(change: &mut Change<'_, Self>) -> Result<(), ApiError> {
        run("after_destroy", change).await
    }

    async fn after_restore(change: &mut Change<'_, Self>) -> Result<(), ApiError> {
        run("after_restore", change).await
    }

    async fn after_commit(committed: Committed<Self>) {
        let script = committed.context.get::<Script>().unwrap().clone();
        let act = script.note(format!(
            "after_commit {:?} {} from {:?} to {:?}",
            committed.operation,
            committed.id,
            committed.old.map(|old| old.name),
            name_of(&committed.record),
        ));
        match act {
            Some(Act::Panic) => panic!("after the commit"),
            Some(Act::Wait) => script.wait().await,
            _ => {}
        }
    }
}

/// What hooks do, and what they did.
#[derive(Debug, Clone, Default)]
pub(crate) struct Script(pub(crate) Arc<Inner>);

#[derive(Debug, Default)]
pub(crate) struct Inner {
    acts: Mutex<HashMap<&'static str, Act>>,
    diary: Mutex<Vec<String>>,
    pub(crate) is_there: Notify,
    pub(crate) go_on: Notify,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Act {
    /// Changes the record.
    Change,
    /// Finds a field wrong.
    Blame,
    /// Refuses the change.
    Refuse,
    /// A statement that fails.
    Fail,
    /// Meets a row that is there, the first time.
    Race,
    Panic,
    Wait,
}

impl Script {
    pub(crate) fn of(acts: &[(&'static str, Act)]) -> Self {
        let script = Self::default();
        *script.0.acts.lock().unwrap() = acts.iter().copied().collect();
        script
    }

    /// Writes down that a hook runs, and says what it does.
    pub(crate) fn note(&self, entry: String) -> Option<Act> {
        let (hook, _) = entry.split_once(' ').unwrap();
        let act = self.0.acts.lock().unwrap().get(hook).copied();
        self.0.diary.lock().unwrap().push(entry);
        act
    }

    pub(crate) fn take(&self) -> Vec<String> {
        std::mem::take(&mut self.0.diary.lock().unwrap())
    }

    async fn wait(&self) {
        self.0.is_there.notify_one();
        self.0.go_on.notified().await;
        self.0.diary.lock().unwrap().push("went on".to_owned());
        self.0.is_there.notify_one();
    }
}

/// One hook: it says in the journal that it was here, in the same transaction.
async fn run(hook: &'static str, change: &mut Change<'_, Hooked>) -> Result<(), ApiError> {
    let script = change.context().get::<Script>().unwrap().clone();
    let Owner(owner) = change.context().get::<Owner>().unwrap();
    let stored = match hook {
        "after_store" | "after_update" | "after_restore" => Some(change.stored().await?),
        _ => None,
    };
    let act = script.note(format!(
        "{hook} {:?} {} from {:?} to {:?}, stored {:?}",
        change.operation(),
        change.id().is_some(),
        change.old().map(|old| old.name.clone()),
        name_of(&change.record),
        stored.map(|stored| stored.name),
    ));
    let word = format!("INSERT INTO journal VALUES ('{hook} {owner}')");
    change.db().execute_unprepared(&word).await?;
    match act {
        Some(Act::Change) => change.record.visits = Set(7),
        Some(Act::Blame) => {
            change.error(Column::Name, "must not be this one");
            change.error(Column::Last, "must not be that one");
        }
        Some(Act::Refuse) => return Err(ApiError::refused("Ten plans are enough.")),
        Some(Act::Fail) => {
            change
                .db()
                .execute_unprepared("SELECT nothing FROM nowhere")
                .await?;
        }
        Some(Act::Race) => {
            script.0.acts.lock().unwrap().remove(hook);
            change.db().execute_unprepared(&word).await?;
        }
        Some(Act::Panic) => panic!("in a hook"),
        Some(Act::Wait) => script.wait().await,
        None => {}
    }
    Ok(())
}

/// The name, where it is known.
pub(crate) fn name_of(record: &ActiveModel) -> String {
    let name = record.name.clone().into_value();
    name.map_or_else(String::new, |name| name.unwrap())
}

pub(crate) fn client(planned: &Planned, owner: &str, script: &Script) -> Client {
    let api = Api::<App>::new("/api").crud::<Hooked>();
    planned.client_of(api, owner, Context::new().with(script.clone()))
}

pub(crate) async fn send(
    client: &Client,
    method: &str,
    path: &str,
    body: &Value,
) -> listing_tests::Reply {
    client.json(method, path, body.to_string()).await
}

/// The five writes, on a record for each.
pub(crate) const WRITES: [(&str, &str); 5] = [
    ("POST", "store"),
    ("PUT", "update"),
    ("PATCH", "update"),
    ("DELETE", "destroy"),
    ("RESTORE", "restore"),
];

/// One of these writes, by an owner of its own whose hooks follow the script.
pub(crate) async fn write(
    planned: &Planned,
    owner: &str,
    method: &str,
    script: &Script,
) -> listing_tests::Reply {
    let quiet = planned.client(owner);
    let name = format!("{owner} {method}");
    let path = match method {
        "POST" => "/api/hooked".to_owned(),
        _ => {
            let id = quiet.post("/api/plans", &plan(&name)).await.created();
            if method == "RESTORE" {
                let _ = quiet.delete(&format!("/api/plans/{id}")).await.ok();
            }
            format!("/api/hooked/{id}")
        }
    };
    let client = client(planned, owner, script);
    let body = plan(&format!("{name} 2"));
    match method {
        "RESTORE" => client.bare("POST", &format!("{path}/restore")).await,
        "DELETE" => client.delete(&path).await,
        _ => send(&client, method, &path, &body).await,
    }
}
