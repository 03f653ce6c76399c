//! Payloads whose fields have the names that the derive itself uses (b480).

use garde::Validate;
use listing::{Context, Fields, HasListing, Listing, Listings, Settings, Sorts};
use listing_axum::Given;
use listing_axum::{Access, Api, Config, Denied, Payload, Resource, WritableResource, policy};
use listing_tests::{Client, Engine, fresh_database, run};
use sea_orm::ConnectionTrait;
use serde_json::json;

mod word {
    use sea_orm::entity::prelude::*;

    #[sea_orm::model]
    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel, listing::NamedRelations)]
    #[sea_orm(table_name = "words")]
    pub struct Model {
        #[sea_orm(primary_key)]
        pub id: i64,
        pub object: String,
        pub active: String,
        pub value: Option<String>,
        pub errors: String,
        pub record: Option<String>,
    }

    impl ActiveModelBehavior for ActiveModel {}
}

pub struct WordListing;

impl HasListing for word::Entity {
    type Listing = WordListing;
}

impl Listing for WordListing {
    type Entity = word::Entity;

    fn fields() -> Fields<word::Entity> {
        Fields::new().add_defaults([
            word::Column::Object,
            word::Column::Active,
            word::Column::Value,
            word::Column::Errors,
            word::Column::Record,
        ])
    }

    fn sorts() -> Sorts<word::Entity> {
        Sorts::new()
    }
}

#[derive(Debug)]
struct Words;

impl Resource for Words {
    type Entity = word::Entity;

    async fn authorize(_: &Access<'_, Self>) -> Result<(), Denied> {
        policy::allow_all()
    }
}

impl WritableResource for Words {
    type Store = WordPayload;
    type Update = WordPayload;
}

/// Each kind of field comes after one whose name is a variable of the derive.
#[derive(Debug, Payload, Validate)]
#[payload(active_model = word::ActiveModel)]
#[garde(allow_unvalidated)]
struct WordPayload {
    object: String,
    active: String,
    value: Given<Option<String>>,
    errors: String,
    record: Option<String>,
}

#[derive(Clone, axum::extract::FromRef)]
struct App {
    db: sea_orm::DatabaseConnection,
    reads: listing::ReadPool,
    listings: Listings,
}

async fn start() -> Client {
    let db = fresh_database(Engine::Sqlite).await;
    db.execute_unprepared(
        "CREATE TABLE words (id INTEGER PRIMARY KEY AUTOINCREMENT, object TEXT NOT NULL, active TEXT NOT NULL, \
         value TEXT, errors TEXT NOT NULL, record TEXT)",
    )
    .await
    .unwrap();
    let listings = Listings::builder(Settings::default());
    let listings = listings.add::<word::Entity>().build().unwrap();
    let (router, _) = Api::<App>::new("/api").crud::<Words>().finish().unwrap();
    let router = router.with_state(App {
        reads: db.clone().into(),
        db,
        listings,
    });
    Client::of(router, &Context::new(), &Config::default())
}

/// Rule b480.
#[test]
fn fields_of_a_payload_may_have_any_name() {
    run(async {
        let client = start().await;
        let word =
            json!({ "object": "a", "active": "b", "value": "c", "errors": "d", "record": "e" });
        let id = client.post("/api/words", &word).await.created();
        let path = format!("/api/words/{id}");
        let shown = client.get(&path).await.ok().json();
        for (name, value) in word.as_object().unwrap() {
            assert_eq!(&shown["data"][name], value, "{name}");
        }
        // What is left out stays, and everything that is wrong is reported.
        let changed = json!({ "object": "f", "active": "g", "errors": "h" });
        assert_eq!(client.put(&path, &changed).await.status, 200);
        let shown = client.get(&path).await.ok().json();
        assert_eq!(shown["data"]["value"], "c");
        assert_eq!(shown["data"]["object"], "f");
        let reply = client.post("/api/words", &json!({ "value": "x" })).await;
        assert_eq!(reply.invalid_fields(), ["active", "errors", "object"]);
    });
}
