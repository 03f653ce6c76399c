//! What is read of a record's row when it is locked and when it is written, instead of by statements of its own.

use axum::http::Request;
use listing::Context;
use listing_axum::{
    Access, Api, ApiError, Change, Denied, History, Resource, WritableResource, policy,
};
use listing_tests::{Client, Engine, Reply, Service, on_each, run};
use sea_orm::ConnectionTrait;
use serde_json::{Value, json};

use crate::plans::{App, Entity, PlanPayload, Planned, complete, on_each_fresh_planned, plan};

const REPRESENTATION: (&str, &str) = ("prefer", "return=representation");

async fn send(
    client: &Client,
    (method, path): (&str, &str),
    headers: &[(&str, &str)],
    body: &Value,
) -> Reply {
    let mut request = Request::builder().method(method).uri(path);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let request = request.header("content-type", "application/json");
    client
        .send(request.body(body.to_string().into()).unwrap())
        .await
}

/// Plans whose hooks change their own rows, next to the record that is written.
struct Touched;

impl Touched {
    async fn touch(change: &Change<'_, Self>, words: &str) -> Result<(), ApiError> {
        let Some(id) = change.id() else { return Ok(()) };
        if change
            .context()
            .get::<Touches>()
            .is_none_or(|touches| touches.0 != words)
        {
            return Ok(());
        }
        let sql = format!("UPDATE plans SET visits = visits + 10 WHERE id = {id}");
        change.db().execute_unprepared(&sql).await?;
        Ok(())
    }
}

/// When a hook changes the row.
#[derive(Debug)]
struct Touches(&'static str);

impl Resource for Touched {
    type Entity = Entity;

    async fn authorize(_: &Access<'_, Self>) -> Result<(), Denied> {
        policy::allow_all()
    }

    fn segment() -> &'static str {
        "touched"
    }
}

impl WritableResource for Touched {
    type Store = PlanPayload;
    type Update = PlanPayload;

    fn history() -> Option<History> {
        Some(History::new())
    }

    async fn before_store(change: &mut Change<'_, Self>) -> Result<(), ApiError> {
        complete(change);
        Ok(())
    }

    async fn after_store(change: &mut Change<'_, Self>) -> Result<(), ApiError> {
        Self::touch(change, "after").await
    }

    async fn before_update(change: &mut Change<'_, Self>) -> Result<(), ApiError> {
        Self::touch(change, "before").await
    }

    async fn after_update(change: &mut Change<'_, Self>) -> Result<(), ApiError> {
        Self::touch(change, "after").await
    }
}

const PATH: &str = "/api/touched";

fn client(planned: &Planned, touches: &'static str) -> Client {
    let api = Api::<App>::new("/api").crud::<Touched>();
    planned.client_of(api, "rows", Context::new().with(Touches(touches)))
}

/// Rule b1240.
#[test]
fn what_a_hook_changes_in_the_row_is_in_the_history_and_in_the_answer() {
    on_each_fresh_planned(async |planned| {
        for (touches, old, new) in [("never", 0, 0), ("before", 10, 10), ("after", 0, 10)] {
            let client = client(planned, touches);
            let stored = client
                .post(PATH, &plan(&format!("touched {touches}")))
                .await;
            let id = stored.created();
            let path = format!("{PATH}/{id}");
            let first = if touches == "after" { 10 } else { 0 };
            let shown = client.get(&path).await.ok();
            assert_eq!(shown.json()["data"]["visits"], first, "{touches}");
            let tag = shown.header("etag").unwrap().to_owned();
            let note = json!({ "note": "changed" });
            let headers = [("if-match", &*tag), REPRESENTATION];
            let changed = send(&client, ("PATCH", &path), &headers, &note).await.ok();
            let shown = client.get(&path).await.ok();
            assert_eq!(changed.json()["data"], shown.json()["data"], "{touches}");
            assert_eq!(changed.json()["data"]["visits"], first + new, "{touches}");
            assert_eq!(changed.header("etag"), shown.header("etag"), "{touches}");
            let history = client.get(&format!("{path}/_history")).await.ok().items();
            let of = |at: usize, side: &str| history[at][side]["visits"].clone();
            assert_eq!(of(1, "new"), first, "{touches}");
            // Only what has changed is in a history.
            let (was, is) = match old == new {
                true => (Value::Null, Value::Null),
                false => (json!(first + old), json!(first + new)),
            };
            assert_eq!((of(0, "old"), of(0, "new")), (was, is), "{touches}");
        }
    });
}

/// What changes the body of an article whenever its title is written.
fn triggers(engine: Engine) -> &'static [&'static str] {
    match engine {
        Engine::Postgres => &[
            "CREATE FUNCTION copy_title() RETURNS trigger LANGUAGE plpgsql AS \
             $$ BEGIN UPDATE articles SET body = NEW.title WHERE id = NEW.id; RETURN NULL; END; $$",
            "CREATE TRIGGER copies AFTER INSERT OR UPDATE OF title ON articles \
             FOR EACH ROW EXECUTE FUNCTION copy_title()",
        ],
        // Its triggers can change a row only before it is written.
        Engine::Mysql => &[
            "CREATE TRIGGER copies BEFORE INSERT ON articles FOR EACH ROW SET NEW.body = NEW.title",
            "CREATE TRIGGER copies_later BEFORE UPDATE ON articles FOR EACH ROW SET NEW.body = NEW.title",
        ],
        Engine::Sqlite => &[
            "CREATE TRIGGER copies AFTER INSERT ON articles \
             BEGIN UPDATE articles SET body = NEW.title WHERE id = NEW.id; END",
            "CREATE TRIGGER copies_later AFTER UPDATE OF title ON articles \
             BEGIN UPDATE articles SET body = NEW.title WHERE id = NEW.id; END",
        ],
    }
}

/// Rule b1241.
#[test]
fn what_a_trigger_changes_after_a_write_is_in_the_history_and_in_the_answer() {
    on_each(|engine| {
        run(async {
            let service = Service::fresh(engine).await;
            for sql in triggers(engine) {
                service.db.execute_unprepared(sql).await.unwrap();
            }
            // As the service does when it starts.
            service.listings.inspect_indexes(&service.db).await.unwrap();
            let client = service.client();
            let article = |title: &str| json!({ "title": title, "slug": title, "is_active": true });
            let path = "/api/articles";
            let stored = send(&client, ("POST", path), &[REPRESENTATION], &article("one")).await;
            let id = stored.created();
            let path = format!("{path}/{id}");
            assert_eq!(stored.json()["data"]["body"], "one", "{engine}");
            let tag = stored.header("etag").unwrap().to_owned();
            let headers = [("if-match", &*tag), REPRESENTATION];
            let put = send(&client, ("PUT", &path), &headers, &article("two"))
                .await
                .ok();
            assert_eq!(put.json()["data"]["body"], "two", "{engine}");
            let shown = service.get(&path).await.ok();
            assert_eq!(put.header("etag"), shown.header("etag"), "{engine}");
            let history = service.get(&format!("{path}/_history")).await.ok().items();
            assert_eq!(history[0]["old"]["body"], "one", "{engine}");
            assert_eq!(history[0]["new"]["body"], "two", "{engine}");
            assert_eq!(history[1]["new"]["body"], "one", "{engine}");
        });
    });
}
