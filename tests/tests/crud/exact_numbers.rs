//! Numbers are stored as they are sent, and the id of a new record is the one that lists show (b463, b464).

use garde::Validate;
use listing::{Context, Field, Fields, HasListing, Listing, Settings, Sorts};
use listing_axum::{
    Access, Api, ApiInfo, Config, Denied, Payload, Resource, WritableResource, policy,
};
use listing_tests::{Client, fresh_database, on_each, reads, run};
use sea_orm::{ConnectionTrait, Schema};
use serde_json::{Value, json};

use self::place::{Column, Entity};

#[allow(dead_code, reason = "the derive makes more items than are used")]
pub mod place {
    use sea_orm::entity::prelude::*;

    #[sea_orm::model]
    #[derive(Clone, Debug, PartialEq, DeriveEntityModel, listing::NamedRelations)]
    #[sea_orm(table_name = "places")]
    pub struct Model {
        #[sea_orm(primary_key)]
        pub id: i64,
        pub latitude: f64,
        pub share: f32,
        pub outline: Json,
    }

    impl ActiveModelBehavior for ActiveModel {}
}

#[derive(Debug)]
pub struct Places;

impl HasListing for Entity {
    type Listing = Places;
}

impl Listing for Places {
    type Entity = Entity;

    fn fields() -> Fields<Entity> {
        Fields::new()
            .add_default(Field::named("id").as_text())
            .add_defaults([Column::Latitude, Column::Share, Column::Outline])
    }

    fn sorts() -> Sorts<Entity> {
        Sorts::new()
    }
}

impl Resource for Places {
    type Entity = Entity;

    async fn authorize(_: &Access<'_, Self>) -> Result<(), Denied> {
        policy::allow_all()
    }
}

impl WritableResource for Places {
    type Store = PlacePayload;
    type Update = PlacePayload;
}

#[derive(Debug, Payload, Validate)]
#[payload(active_model = place::ActiveModel)]
#[garde(allow_unvalidated)]
pub struct PlacePayload {
    latitude: f64,
    share: f32,
    outline: Value,
}

#[derive(Clone, axum::extract::FromRef)]
struct App {
    db: sea_orm::DatabaseConnection,
    reads: listing::ReadPool,
    listings: listing::Listings,
}

fn on_each_places(test: impl AsyncFn(&Client)) {
    on_each(|engine| {
        run(async {
            let db = fresh_database(engine).await;
            let schema = Schema::new(db.get_database_backend());
            let table = schema.create_table_from_entity(Entity);
            db.execute(&table).await.unwrap();
            let api = Api::new("/api").crud::<Places>();
            let api = api.build(Settings::default()).unwrap();
            let api = api.describe(ApiInfo::new("Places", "1.0.0"));
            let router = api.router.with_state(App {
                reads: reads(&db).await,
                db,
                listings: api.listings,
            });
            test(&Client::of(router, &Context::new(), &Config::default())).await;
        });
    });
}

const PATH: &str = "/api/places";

/// Rule b463.
#[test]
fn a_float_is_stored_as_it_is_sent() {
    on_each_places(async |client| {
        // The last one is as large as a 32-bit float gets.
        for (latitude, share) in [
            ("51.248178375505404", "0.1"),
            ("0.30000000000000004", "16777217.5"),
            ("2.2250738585072014e-308", "1.1754944e-38"),
            ("-122.41941550000001", "3.4028235e38"),
        ] {
            let body = format!(
                r#"{{"latitude":{latitude},"share":{share},"outline":{{"at":[{latitude},7.1e-7]}}}}"#
            );
            let reply = client.json("POST", PATH, body).await;
            assert_eq!(reply.status.as_u16(), 201, "{}", reply.text());
            let id = reply.json()["data"]["id"].clone();
            let id = id.as_str().map_or_else(|| id.to_string(), str::to_owned);
            let one = format!("{PATH}/{id}");
            let shown = client.get(&one).await.ok();
            let number: f64 = latitude.parse().unwrap();
            let data = &shown.json()["data"];
            assert_eq!(
                data["latitude"].to_string().parse(),
                Ok(number),
                "{latitude}"
            );
            assert_eq!(data["outline"]["at"][0].to_string().parse(), Ok(number));
            let single: f32 = share.parse().unwrap();
            assert_eq!(data["share"].to_string().parse(), Ok(single), "{share}");
            let tag = shown.header("etag").unwrap().to_owned();
            let _ = client.put(&one, data).await.ok();
            let again = client.get(&one).await.ok();
            assert_eq!(again.header("etag"), Some(&*tag), "{latitude}");
        }
        for share in ["1e39", "-1e39", "3.4028236e38"] {
            let body = format!(r#"{{"latitude":1,"share":{share},"outline":{{}}}}"#);
            let reply = client.json("POST", PATH, body).await;
            let text = "share must be a number from -3.4028235e38 to 3.4028235e38.";
            assert_eq!(reply.invalid()["share"], [text], "{share}");
        }
    });
}

/// Rule b464.
#[test]
fn the_id_of_a_new_record_has_the_form_that_lists_show() {
    on_each_places(async |client| {
        let place = json!({ "latitude": 1.5, "share": 0.5, "outline": {} });
        let reply = client.post(PATH, &place).await;
        assert_eq!(reply.status.as_u16(), 201, "{}", reply.text());
        assert_eq!(reply.json()["data"]["id"], "1");
        assert_eq!(reply.header("location"), Some("/api/places/1"));
        let shown = client.get(PATH).await.ok().items();
        assert_eq!(shown[0]["id"], reply.json()["data"]["id"]);
        // As it is described.
        let document = client.get("/api/openapi.json").await.ok().json();
        let created = &document["paths"][PATH]["post"]["responses"]["201"];
        let created = &created["content"]["application/json"]["schema"];
        let id = &created["properties"]["data"]["properties"]["id"];
        assert_eq!(id["type"], "string", "{created}");
    });
}
