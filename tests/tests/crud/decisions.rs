//! What a resource decides about is what is shown, and a resource that decides nothing does not compile (d63, b140, b143).

use listing::Context;
use listing_axum::{Access, Api, Denied, Operation, Resource, policy};
use sea_orm::ActiveValue::Set;
use sea_orm::{DatabaseConnection, EntityTrait, IntoActiveModel};

use crate::own::entity::note;
use crate::own::{App, Own, on_each_own};

/// Notes that are changed by somebody else at the moment in which they are decided about.
#[derive(Debug)]
struct Changing;

/// Who changes them.
#[derive(Debug, Clone)]
struct Other(DatabaseConnection);

impl Resource for Changing {
    type Entity = note::Entity;

    async fn authorize(access: &Access<'_, Self>) -> Result<(), Denied> {
        let Some(record) = access.record() else {
            return policy::allow_all();
        };
        let Other(db) = access.context().get::<Other>().unwrap().clone();
        let mut changed = record.clone().into_active_model();
        changed.title = Set("secret".to_owned());
        let update = async move { note::Entity::update(changed).exec(&db).await.unwrap() };
        tokio::task::block_in_place(|| tokio::runtime::Handle::current().block_on(update));
        match record.title.as_str() {
            "secret" => Err(Denied::Forbidden),
            _ => policy::allow_all(),
        }
    }
}

async fn note_of(own: &Own, name: &str) -> i64 {
    let payload = serde_json::json!({ "title": "open", "place": 1, "code": name });
    own.user(name).post("/api/notes", &payload).await.created()
}

/// Rule b143.
#[test]
fn show_decides_about_the_row_that_it_shows() {
    on_each_own(async |own| {
        let name = "deciding";
        let id = note_of(own, name).await;
        let (router, _) = Api::<App>::new("/other")
            .read::<Changing>()
            .finish()
            .unwrap();
        let context = Context::new().with(Other(own.db().clone()));
        let client = own.client_of(router, &context).with_header("x-user", name);
        let path = format!("/other/notes/{id}");
        let shown = client.get(&path).await.ok().json();
        assert_eq!(shown["data"]["title"], "open");
        // From now on it is a secret.
        assert_eq!(client.get(&path).await.error_code(403), "forbidden");
    });
}

/// A policy that never looks at the record needs none.
#[derive(Debug)]
struct Closed;

impl Resource for Closed {
    type Entity = note::Entity;

    async fn authorize(access: &Access<'_, Self>) -> Result<(), Denied> {
        match access.operation() {
            Operation::Show => Err(Denied::Forbidden),
            _ => policy::allow_all(),
        }
    }
}

/// Rules d53, b140, b143.
#[test]
fn a_refusal_of_what_does_not_exist_is_404() {
    on_each_own(async |own| {
        let name = "closed";
        let id = note_of(own, name).await;
        let (router, _) = Api::<App>::new("/closed")
            .read::<Closed>()
            .finish()
            .unwrap();
        let client = own.client_of(router, &Context::new());
        let client = client.with_header("x-user", name);
        let reply = client.get(&format!("/closed/notes/{id}")).await;
        assert_eq!(reply.error_code(403), "forbidden");
        let reply = client.get("/closed/notes/987654321").await;
        assert_eq!(reply.error_code(404), "not_found");
    });
}
