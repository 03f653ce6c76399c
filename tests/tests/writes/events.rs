//! Changes that are handed to the application after they are committed (d129).

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use listing::Context;
use listing_axum::events::{Dispatcher, Event, Events};
use listing_axum::{
    Access, Api, ApiError, Change, Denied, Operation, Resource, WritableResource, policy,
};
use listing_tests::{Client, Engine, on_each, run};
use sea_orm::ConnectionTrait;
use serde_json::json;
use tokio::sync::Notify;

use crate::hooked::send;
use crate::plans::{App, Column, Entity, Owner, PlanPayload, Planned, complete, plan};

/// A resource whose changes are events with a value and a caller.
struct Announced;

impl Resource for Announced {
    type Entity = Entity;

    async fn authorize(_: &Access<'_, Self>) -> Result<(), Denied> {
        policy::allow_all()
    }

    fn segment() -> &'static str {
        "announced"
    }
}

impl WritableResource for Announced {
    type Store = PlanPayload;
    type Update = PlanPayload;

    fn events() -> Option<Events<Self>> {
        let caller = |context: &Context| Some(context.get::<Owner>()?.0.clone());
        Some(Events::new().values([Column::Name]).caller(caller))
    }

    async fn before_store(change: &mut Change<'_, Self>) -> Result<(), ApiError> {
        complete(change);
        Ok(())
    }

    async fn after_update(change: &mut Change<'_, Self>) -> Result<(), ApiError> {
        let refused = change.record.name == sea_orm::ActiveValue::Set("refused".to_owned());
        match refused {
            true => Err(ApiError::refused("No.")),
            false => Ok(()),
        }
    }
}

const PATH: &str = "/api/announced";

fn client(planned: &Planned, owner: &str) -> Client {
    let api = Api::<App>::new("/api").crud::<Announced>();
    planned.client_of(api, owner, Context::new())
}

/// Tries something on each engine, with tables of its own: a dispatcher takes every event that there is.
fn on_each_fresh(test: impl AsyncFn(&Planned, Engine)) {
    on_each(|engine| {
        run(async {
            let planned = Planned::fresh(engine).await;
            test(&planned, engine).await;
        });
    });
}

/// What a handler was given.
#[derive(Clone, Default)]
struct Received(Arc<Mutex<Vec<Event>>>, Arc<Notify>);

impl Received {
    fn note(&self, event: Event) {
        self.0.lock().unwrap().push(event);
        self.1.notify_one();
    }

    fn all(&self) -> Vec<Event> {
        self.0.lock().unwrap().clone()
    }

    /// Waits until there are that many.
    async fn wait_for(&self, count: usize) -> Vec<Event> {
        let until = Instant::now() + Duration::from_secs(60);
        loop {
            let all = self.all();
            if all.len() >= count {
                return all;
            }
            assert!(Instant::now() < until, "{} of {count}: {all:?}", all.len());
            _ = tokio::time::timeout(Duration::from_secs(1), self.1.notified()).await;
        }
    }
}

/// A dispatcher that runs until it is told to stop.
struct Running {
    task: tokio::task::JoinHandle<()>,
    stop: Arc<Notify>,
}

impl Running {
    fn start(dispatcher: Dispatcher) -> Self {
        let stop = Arc::new(Notify::new());
        let told = Arc::clone(&stop);
        let task = tokio::spawn(async move {
            dispatcher
                .run(async move { told.notified().await })
                .await
                .unwrap();
        });
        Self { task, stop }
    }

    async fn end(self) {
        self.stop.notify_one();
        self.task.await.unwrap();
    }
}

fn dispatcher(planned: &Planned, received: &Received) -> Dispatcher {
    let received = received.clone();
    Dispatcher::new(planned.db().clone(), move |event| {
        received.note(event);
        async { Ok::<_, std::io::Error>(()) }
    })
}

/// Rules d129, b981.
#[test]
fn every_write_that_is_committed_is_an_event_and_no_other() {
    on_each_fresh(async |planned, _| {
        let client = client(planned, "ada");
        let id = client.post(PATH, &plan("one")).await.created();
        let path = format!("{PATH}/{id}");
        let changed = json!({ "name": "two", "note": "A note." });
        let _ = send(&client, "PATCH", &path, &changed).await.ok();
        let _ = client.delete(&path).await.ok();
        let _ = client.bare("POST", &format!("{path}/restore")).await.ok();
        // Not valid, refused after it was written, and not there.
        let _ = client.post(PATH, &json!({})).await.invalid();
        let refused = send(&client, "PATCH", &path, &json!({ "name": "refused" })).await;
        let _ = refused.invalid();
        let _ = client.delete(&format!("{PATH}/999999")).await.error(404);
        let _ = client.delete(&format!("{path}?force=true")).await.ok();

        assert_eq!(planned.count("listing_events").await, 5);
        let received = Received::default();
        let running = Running::start(dispatcher(planned, &received));
        let events = received.wait_for(5).await;
        running.end().await;
        assert_eq!(planned.count("listing_events").await, 0);
        let said: Vec<_> = events
            .iter()
            .map(|event| {
                assert_eq!(event.resource, "announced");
                assert_eq!(event.record, json!(id));
                assert_eq!(event.caller.as_deref(), Some("ada"));
                assert_eq!(event.attempts, 0);
                (event.operation, event.values.get("name").cloned())
            })
            .collect();
        assert_eq!(
            said,
            [
                (Operation::Store, Some(json!("one"))),
                (Operation::Update, Some(json!("two"))),
                (Operation::Destroy, Some(json!("two"))),
                (Operation::Restore, Some(json!("two"))),
                (Operation::ForceDestroy, Some(json!("two"))),
            ]
        );
        // A field that was sent as it is has not changed.
        assert_eq!(events[1].changed, ["name"]);
        assert_eq!(events[2].changed, ["deleted_at"]);
        assert!(events[0].changed.contains(&"price".to_owned()));
        assert!(events.is_sorted_by_key(|event| event.id));
    });
}

/// Rules d129, b982.
#[test]
fn an_event_that_is_not_handled_comes_again_and_only_events_of_its_record_wait() {
    on_each_fresh(async |planned, _| {
        let client = client(planned, "ada");
        let first = client.post(PATH, &plan("one")).await.created();
        let second = client.post(PATH, &plan("two")).await.created();
        for (id, name) in [(first, "one again"), (second, "two again")] {
            let change = json!({ "name": name });
            let _ = send(&client, "PATCH", &format!("{PATH}/{id}"), &change)
                .await
                .ok();
        }
        let received = Received::default();
        let noted = received.clone();
        // Fails, panics and takes too long, one after the other.
        let dispatcher = Dispatcher::new(planned.db().clone(), move |event: Event| {
            let is_first = event.record == json!(first) && event.operation == Operation::Store;
            let attempts = event.attempts;
            noted.note(event);
            async move {
                match attempts {
                    0 if is_first => Err("not now"),
                    1 if is_first => panic!("in a handler"),
                    2 if is_first => std::future::pending().await,
                    _ => Ok(()),
                }
            }
        });
        let running = Running::start(dispatcher.time_limit(Duration::from_millis(300)));
        let events = received.wait_for(7).await;
        running.end().await;
        assert_eq!(planned.count("listing_events").await, 0);
        let order: Vec<_> = events
            .iter()
            .map(|event| {
                (
                    event.record == json!(first),
                    event.operation,
                    event.attempts,
                )
            })
            .collect();
        use Operation::{Store, Update};
        assert_eq!(
            order,
            [
                (true, Store, 0),
                (false, Store, 0),
                (false, Update, 0),
                (true, Store, 1),
                (true, Store, 2),
                (true, Store, 3),
                (true, Update, 0),
            ]
        );
    });
}

/// Rules d129, b983.
#[test]
fn one_of_several_copies_hands_events_over_and_another_one_takes_its_place() {
    on_each_fresh(async |planned, _| {
        let client = client(planned, "ada");
        let _ = client.post(PATH, &plan("one")).await.created();
        // The first copy is gone while it hands an event over.
        let reached = Arc::new(Notify::new());
        let told = Arc::clone(&reached);
        let gone = Dispatcher::new(planned.db().clone(), move |_: Event| {
            told.notify_one();
            std::future::pending::<Result<(), std::io::Error>>()
        });
        let gone = Running::start(gone.time_limit(Duration::from_secs(2)));
        reached.notified().await;
        let received = Received::default();
        let others = [(), ()].map(|()| {
            let copy = dispatcher(planned, &received).poll(Duration::from_millis(50));
            Running::start(copy)
        });
        tokio::time::sleep(Duration::from_millis(500)).await;
        assert_eq!(received.all(), [], "the first copy has not given up yet");
        gone.task.abort();
        let events = received.wait_for(1).await;
        assert_eq!(events[0].operation, Operation::Store);

        // Writers race for a few records, some in vain, while both copies run.
        let mut ids = Vec::new();
        for number in 0..4 {
            ids.push(
                client
                    .post(PATH, &plan(&format!("racing {number}")))
                    .await
                    .created(),
            );
        }
        let mut writers = tokio::task::JoinSet::new();
        for number in 0..16 {
            let client = client.clone();
            let path = format!("{PATH}/{}", ids[number % ids.len()]);
            writers.spawn(async move {
                let mut written = 0;
                for turn in 0..4 {
                    let change = json!({ "name": format!("raced {}", (number + turn) % 6) });
                    let reply = send(&client, "PATCH", &path, &change).await;
                    written += usize::from(reply.status.as_u16() == 200);
                }
                written
            });
        }
        let written: usize = writers.join_all().await.into_iter().sum();
        let events = received.wait_for(1 + ids.len() + written).await;
        for other in others {
            other.end().await;
        }
        assert_eq!(events.len(), 1 + ids.len() + written);
        assert_eq!(planned.count("listing_events").await, 0);
        // In order for each record: what was told last is what is there now.
        let mut last = HashMap::new();
        for event in &events {
            let before = last.insert(event.record.to_string(), event);
            assert!(before.is_none_or(|before| before.id < event.id));
        }
        for id in ids {
            let row = planned.row(id).await.unwrap();
            assert_eq!(last[&id.to_string()].values["name"], json!(row.name));
        }
    });
}

/// Rules d129, b1281.
#[test]
fn a_copy_that_stood_still_hands_over_nothing_that_another_one_has_handed_over() {
    on_each_fresh(async |planned, _| {
        let client = client(planned, "ada");
        let id = client.post(PATH, &plan("one")).await.created();
        let path = format!("{PATH}/{id}");
        for name in ["two", "three"] {
            let change = json!({ "name": name });
            let _ = send(&client, "PATCH", &path, &change).await.ok();
        }
        // The first copy stands still in its first event.
        let (reached, go_on) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
        let still = Received::default();
        let (told, may) = (Arc::clone(&reached), Arc::clone(&go_on));
        let received = still.clone();
        let copy = Dispatcher::new(planned.db().clone(), move |event: Event| {
            let is_first = received.all().is_empty();
            received.note(event);
            let (told, may) = (Arc::clone(&told), Arc::clone(&may));
            async move {
                if is_first {
                    told.notify_one();
                    may.notified().await;
                }
                Ok::<_, std::io::Error>(())
            }
        });
        let copy = copy.time_limit(Duration::from_secs(120));
        let copy = Running::start(copy.poll(Duration::from_millis(50)));
        reached.notified().await;
        // Its lease ends, and another copy hands everything over and is gone.
        let ended = "UPDATE listing_event_lease SET held_until = 0";
        planned.db().execute_unprepared(ended).await.unwrap();
        let others = Received::default();
        let other = Running::start(dispatcher(planned, &others).poll(Duration::from_millis(50)));
        others.wait_for(3).await;
        other.end().await;
        assert_eq!(planned.count("listing_events").await, 0);
        // A lease that was just renewed is certain for a while.
        tokio::time::sleep(Duration::from_secs(3)).await;
        go_on.notify_one();
        let last = client.post(PATH, &plan("four")).await.created();
        let events = still.wait_for(2).await;
        copy.end().await;
        let records: Vec<_> = events.iter().map(|event| event.record.clone()).collect();
        assert_eq!(records, [json!(id), json!(last)]);
        assert_eq!(still.all().len(), 2);
    });
}

/// Rule d129.
#[test]
fn an_event_whose_transaction_is_still_open_is_handed_over_later() {
    on_each_fresh(async |planned, engine| {
        // One writer at a time.
        if engine == Engine::Sqlite {
            return;
        }
        use sea_orm::TransactionTrait;
        let client = client(planned, "ada");
        let id = client.post(PATH, &plan("one")).await.created();
        let open = planned.db().begin().await.unwrap();
        let body = r#"{"record": 7, "operation": "store", "at": "2026-01-01T00:00:00Z"}"#;
        let insert = format!(
            "INSERT INTO listing_events (resource, record, body) VALUES ('other', '7', '{body}')"
        );
        open.execute_unprepared(&insert).await.unwrap();
        let change = json!({ "name": "two" });
        let _ = send(&client, "PATCH", &format!("{PATH}/{id}"), &change)
            .await
            .ok();
        let received = Received::default();
        let running =
            Running::start(dispatcher(planned, &received).poll(Duration::from_millis(50)));
        let events = received.wait_for(2).await;
        open.commit().await.unwrap();
        let late = received.wait_for(3).await;
        running.end().await;
        assert_eq!(late[2].resource, "other");
        assert!(events[0].id < late[2].id && late[2].id < events[1].id);
    });
}
