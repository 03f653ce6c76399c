//! Nobody can write a record out of their own scope (b106).

use garde::Validate;
use listing::Context;
use listing_axum::{
    Access, Api, ApiError, Change, Denied, Given, Payload, Resource, WritableResource, policy,
};
use listing_tests::Client;
use sea_orm::EntityTrait;
use serde_json::{Value, json};

use crate::own::entity::note;
use crate::own::{App, Own, on_each_own};

/// Notes whose clients say whose they are.
#[derive(Debug)]
struct Handed;

impl Resource for Handed {
    type Entity = note::Entity;

    fn segment() -> &'static str {
        "handed"
    }

    async fn authorize(_: &Access<'_, Self>) -> Result<(), Denied> {
        policy::allow_all()
    }
}

impl WritableResource for Handed {
    type Store = HandedPayload;
    type Update = HandedPayload;

    async fn before_store(change: &mut Change<'_, Self>) -> Result<(), ApiError> {
        change.record.pinned = sea_orm::ActiveValue::Set(false);
        Ok(())
    }
}

#[derive(Debug, Payload, Validate)]
#[payload(active_model = note::ActiveModel)]
struct HandedPayload {
    #[garde(skip)]
    owner: Given<String>,
    #[garde(skip)]
    title: String,
    #[garde(skip)]
    place: i32,
    #[garde(skip)]
    code: String,
}

fn user(own: &Own, name: &str) -> Client {
    let (router, _) = Api::<App>::new("/api").crud::<Handed>().finish().unwrap();
    let client = own.client_of(router, &Context::new());
    client.with_header("x-user", name)
}

fn note(owner: &str, code: &str) -> Value {
    json!({ "owner": owner, "title": "Mine", "place": 1, "code": code })
}

async fn owners(own: &Own, code: &str) -> Vec<String> {
    let notes = note::Entity::find().all(own.db()).await.unwrap();
    let of_code = notes.into_iter().filter(|note| note.code == code);
    of_code.map(|note| note.owner).collect()
}

/// Rules b106, b146.
#[test]
fn a_record_that_its_writer_could_not_see_is_not_written() {
    on_each_own(async |own| {
        let giver = user(own, "giver");
        let refused = giver.post("/api/handed", &note("taker", "given-1")).await;
        let text = "This change would move the record out of your reach.";
        assert_eq!(refused.invalid()["record"], [text]);
        assert_eq!(refused.invalid_fields(), ["record"]);
        assert!(owners(own, "given-1").await.is_empty());

        let id = giver
            .post("/api/handed", &note("giver", "given-1"))
            .await
            .created();
        let path = format!("/api/handed/{id}");
        let refused = giver.put(&path, &note("taker", "given-1")).await;
        let text = "This change would move the record out of your reach.";
        assert_eq!(refused.invalid()["record"], [text]);
        assert_eq!(refused.invalid_fields(), ["record"]);
        assert_eq!(owners(own, "given-1").await, ["giver"]);
        // The message tells nothing of the other.
        assert!(!refused.text().contains("taker"), "{}", refused.text());

        // A change that stays in scope is made, and a deletion does not move the record.
        let _ = giver.put(&path, &note("giver", "given-2")).await.ok();
        assert_eq!(owners(own, "given-2").await, ["giver"]);
        let _ = giver.delete(&path).await.ok();
        let restored = giver.bare("POST", &format!("{path}/restore")).await;
        let _ = restored.ok();
        assert_eq!(owners(own, "given-2").await, ["giver"]);
    });
}
