//! Values that a column cannot hold are the client's mistake, reported by field (b104, b105).

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use garde::Validate;
use listing::{Context, Fields, HasListing, Listing, Listings, Settings, Sorts};
use listing_axum::{Access, Api, Config, Denied, Payload, Resource, WritableResource, policy};
use listing_tests::{Client, Engine, fresh_database, on_each, run};
use rust_decimal::Decimal;
use sea_orm::ConnectionTrait;
use serde_json::{Value, json};

mod parcel {
    use sea_orm::entity::prelude::*;

    #[sea_orm::model]
    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel, listing::NamedRelations)]
    #[sea_orm(table_name = "parcels")]
    pub struct Model {
        #[sea_orm(primary_key)]
        pub id: i64,
        #[sea_orm(column_type = "String(StringLen::N(8))")]
        pub label: String,
        #[sea_orm(column_type = "Char(Some(2))")]
        pub country: String,
        #[sea_orm(column_type = "Decimal(Some((4, 2)))")]
        pub weight: Decimal,
        #[sea_orm(column_type = "SmallInteger")]
        pub pieces: i32,
        // Of the next three the entity does not tell the truth.
        pub remark: String,
        pub price: Decimal,
        pub level: i32,
    }

    impl ActiveModelBehavior for ActiveModel {}
}

pub struct ParcelListing;

impl HasListing for parcel::Entity {
    type Listing = ParcelListing;
}

impl Listing for ParcelListing {
    type Entity = parcel::Entity;

    fn fields() -> Fields<parcel::Entity> {
        Fields::new().add_default(parcel::Column::Label)
    }

    fn sorts() -> Sorts<parcel::Entity> {
        Sorts::new()
    }
}

#[derive(Debug)]
struct Parcels;

impl Resource for Parcels {
    type Entity = parcel::Entity;

    async fn authorize(_: &Access<'_, Self>) -> Result<(), Denied> {
        policy::allow_all()
    }
}

impl WritableResource for Parcels {
    type Store = ParcelPayload;
    type Update = ParcelPayload;
}

/// No rule of its own: the columns alone decide.
#[derive(Debug, Payload, Validate)]
#[payload(active_model = parcel::ActiveModel)]
#[garde(allow_unvalidated)]
struct ParcelPayload {
    label: String,
    country: String,
    weight: Decimal,
    pieces: i32,
    remark: String,
    price: Decimal,
    level: i32,
}

#[derive(Clone, axum::extract::FromRef)]
struct App {
    db: sea_orm::DatabaseConnection,
    reads: listing::ReadPool,
    listings: Listings,
}

async fn start(engine: Engine) -> Client {
    let db = fresh_database(engine).await;
    let id = match engine {
        Engine::Sqlite => "id INTEGER PRIMARY KEY AUTOINCREMENT",
        Engine::Postgres => "id BIGSERIAL PRIMARY KEY",
        Engine::Mysql => "id BIGINT PRIMARY KEY AUTO_INCREMENT",
    };
    db.execute_unprepared(&format!(
        "CREATE TABLE parcels ({id}, label VARCHAR(8) NOT NULL, country CHAR(2) NOT NULL, weight DECIMAL(4, 2) NOT NULL, \
         pieces INTEGER NOT NULL, remark VARCHAR(10) NOT NULL, price DECIMAL(6, 2) NOT NULL, level INTEGER NOT NULL, \
         CONSTRAINT parcels_level CHECK (level <= 5))"
    ))
    .await
    .unwrap();
    let listings = Listings::builder(Settings::default());
    let listings = listings.add::<parcel::Entity>().build().unwrap();
    let (router, _) = Api::<App>::new("/api").crud::<Parcels>().finish().unwrap();
    let router = router.with_state(App {
        reads: db.clone().into(),
        db,
        listings,
    });
    Client::of(router, &Context::new(), &Config::default())
}

fn on_each_parcels(test: impl AsyncFn(Engine, &Client)) {
    static PARCELS: LazyLock<Mutex<HashMap<Engine, Arc<Client>>>> = LazyLock::new(Mutex::default);
    on_each(|engine| {
        let client = PARCELS
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .entry(engine)
            .or_insert_with(|| Arc::new(run(start(engine))))
            .clone();
        run(test(engine, &client));
    });
}

fn parcel(changes: &Value) -> Value {
    let mut parcel = json!({ "label": "12345678", "country": "DE", "weight": "99.99", "pieces": -32768,
        "remark": "0123456789", "price": "9999.99", "level": 5 });
    for (name, value) in changes.as_object().unwrap() {
        parcel[name] = value.clone();
    }
    parcel
}

/// Rules b104, b107.
#[test]
fn what_the_entity_declares_is_checked_alike_on_every_database() {
    let wrong = [
        (
            json!({ "label": "123456789" }),
            "label must have a length of at most 8.",
        ),
        // Characters count, not bytes.
        (
            json!({ "label": "äöüßäöüß€" }),
            "label must have a length of at most 8.",
        ),
        (
            json!({ "country": "DEU" }),
            "country must have a length of at most 2.",
        ),
        (
            json!({ "weight": "100" }),
            "weight must be less than 100 and more than -100.",
        ),
        (
            json!({ "weight": "-99.995" }),
            "weight must have at most 2 digits after the decimal point.",
        ),
        (
            json!({ "pieces": 32768 }),
            "pieces must be an integer from -32768 to 32767.",
        ),
    ];
    on_each_parcels(async |_, client| {
        let id = client
            .post("/api/parcels", &parcel(&json!({ "label": "äöüßäöü€" })))
            .await
            .created();
        for (changes, message) in &wrong {
            let field = changes.as_object().unwrap().keys().next().unwrap();
            let stored = client.post("/api/parcels", &parcel(changes)).await;
            assert_eq!(stored.invalid()[field], [*message], "{changes}");
            let updated = client
                .put(&format!("/api/parcels/{id}"), &parcel(changes))
                .await;
            assert_eq!(updated.invalid(), stored.invalid(), "{changes}");
        }
        // All at once.
        let all =
            json!({ "label": "123456789", "country": "DEU", "weight": 1000, "pieces": 40000 });
        let reply = client.post("/api/parcels", &parcel(&all)).await;
        let fields = ["country", "label", "pieces", "weight"];
        assert_eq!(reply.invalid_fields(), fields);
    });
}

/// Rule b105.
#[test]
fn what_only_the_schema_knows_is_told_by_field_too() {
    on_each_parcels(async |engine, client| {
        for (changes, field, message) in [
            (
                json!({ "remark": "0123456789a" }),
                "remark",
                "remark is too long.",
            ),
            (json!({ "price": 10000 }), "price", "price is out of range."),
            (json!({ "level": 6 }), "level", "level is not allowed."),
        ] {
            let reply = client.post("/api/parcels", &parcel(&changes)).await;
            match (engine, field) {
                // It keeps what is longer and larger.
                (Engine::Sqlite, "remark" | "price") => {
                    reply.created();
                }
                // It says only that a number is too large.
                (Engine::Postgres, "price") => {
                    let message = "A value in this record is out of range.";
                    assert_eq!(reply.invalid()["record"], [message]);
                }
                _ => assert_eq!(reply.invalid()[field], [message], "{changes}"),
            }
            // The database's own words stay here.
            assert!(!reply.text().contains("parcels_"), "{}", reply.text());
        }
    });
}
