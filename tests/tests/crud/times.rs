//! Times of every type are set, cleared and compared alike (b460, b461, b462).

use chrono::{DateTime, Local, Utc};
use listing::{Context, Settings};
use listing_axum::{Api, Config, Operation, ResourceRoutes, success};
use listing_tests::{Client, Engine, fresh_database, on_each, reads, run};
use sea_orm::sea_query::Expr;
use sea_orm::{ConnectionTrait, DatabaseConnection, EntityTrait, Schema};
use serde_json::json;

/// An entity with a listing and endpoints, whose times have this type.
macro_rules! events {
    ($module:ident, $table:literal, $type:ty, $deleted:ty $(, $column:meta)?) => {
        #[allow(dead_code, reason = "the derive makes more items than are used")]
        pub mod $module {
            use garde::Validate;
            use listing::FilterOperator as Op;
            use listing::{Fields, Filter, HasListing, Listing, Sorts};
            use listing_axum::{Access, Denied, Payload, Resource, WritableResource, policy};
            use sea_orm::ConnectionTrait;
            use sea_orm::entity::prelude::*;

            use super::{Api, App, Client, Config, Context, Schema, Settings, reads};

            #[sea_orm::model]
            #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel, listing::NamedRelations)]
            #[sea_orm(table_name = $table)]
            pub struct Model {
                #[sea_orm(primary_key)]
                pub id: i64,
                pub seen_at: $type,
                $(#[$column])?
                pub created_at: $type,
                pub updated_at: $type,
                pub deleted_at: Option<$deleted>,
            }

            impl ActiveModelBehavior for ActiveModel {}

            #[derive(Debug)]
            pub struct Events;

            impl HasListing for Entity {
                type Listing = Events;
            }

            impl Listing for Events {
                type Entity = Entity;

                fn fields() -> Fields<Entity> {
                    Fields::new().add_defaults([Column::SeenAt, Column::CreatedAt, Column::UpdatedAt])
                }

                fn filters() -> Vec<Filter<Entity>> {
                    vec![Filter::make(Column::SeenAt).allowed_operators([Op::Equal, Op::GreaterThan])]
                }

                fn sorts() -> Sorts<Entity> {
                    Sorts::new().add(Column::SeenAt)
                }

                fn soft_delete() -> Option<Column> {
                    Some(Column::DeletedAt)
                }
            }

            impl Resource for Events {
                type Entity = Entity;

                async fn authorize(_: &Access<'_, Self>) -> Result<(), Denied> {
                    policy::allow_all()
                }
            }

            impl WritableResource for Events {
                type Store = EventPayload;
                type Update = EventPayload;
            }

            #[derive(Debug, Payload, Validate)]
            #[payload(active_model = ActiveModel)]
            #[garde(allow_unvalidated)]
            pub struct EventPayload {
                seen_at: $type,
            }

            pub async fn start(db: &sea_orm::DatabaseConnection) -> Client {
                let schema = Schema::new(db.get_database_backend());
                db.execute(&schema.create_table_from_entity(Entity)).await.unwrap();
                client(db).await
            }

            pub async fn client(db: &sea_orm::DatabaseConnection) -> Client {
                let (router, _) = Api::new("/api").crud::<Events>().finish().unwrap();
                let listings = listing::Listings::builder(Settings::default());
                let router = router.with_state(App {
                    reads: reads(db).await,
                    db: db.clone(),
                    listings: listings.add::<Entity>().build().unwrap(),
                });
                Client::of(router, &Context::new(), &Config::default())
            }
        }
    };
}

events!(utc, "utc_events", DateTimeUtc, DateTimeUtc);
events!(
    fixed,
    "fixed_events",
    DateTimeWithTimeZone,
    DateTimeWithTimeZone
);
events!(local, "local_events", DateTimeLocal, DateTimeLocal);
events!(naive, "naive_events", DateTime, DateTime);
events!(days, "day_events", Date, Date);
events!(
    odd,
    "odd_events",
    i64,
    i64,
    sea_orm(column_type = "Timestamp")
);

#[derive(Clone, axum::extract::FromRef)]
struct App {
    db: DatabaseConnection,
    reads: listing::ReadPool,
    listings: listing::Listings,
}

fn on_each_empty(test: impl AsyncFn(Engine, &DatabaseConnection)) {
    on_each(|engine| run(async { test(engine, &fresh_database(engine).await).await }));
}

/// Stores, changes, deletes and restores an event.
macro_rules! lives {
    ($module:ident, $path:literal, $seen:literal, $long_ago:expr, $db:ident) => {{
        let client = $module::start($db).await;
        let path = concat!("/api/", $path);
        let event = json!({ "seen_at": $seen });
        let id = client.post(path, &event).await.created();
        let one = format!("{path}/{id}");
        let shown = client.get(&one).await.ok().json()["data"].clone();
        let this_year = Utc::now().format("%Y-").to_string();
        for time in ["created_at", "updated_at"] {
            let time = shown[time].as_str().unwrap();
            assert!(time.starts_with(&this_year), "{path}: {time}");
        }
        $module::Entity::update_many()
            .col_expr($module::Column::UpdatedAt, Expr::value($long_ago))
            .exec($db)
            .await
            .unwrap();
        let _ = client.put(&one, &event).await.ok();
        let shown = client.get(&one).await.ok().json()["data"].clone();
        let time = shown["updated_at"].as_str().unwrap();
        assert!(time.starts_with(&this_year), "{path}: {time}");

        for _ in 0..2 {
            let _ = client.delete(&one).await.ok();
            let gone = client.get(&one).await;
            assert_eq!(gone.error_code(404), "not_found", "{path}");
            assert!(client.get(path).await.ok().items().is_empty(), "{path}");
            let restored = client.bare("POST", &format!("{one}/restore")).await.ok();
            assert_eq!(restored.status.as_u16(), 200);
            assert_eq!(client.get(&one).await.ok().json()["data"], shown);
        }
    }};
}

/// Rule b460.
#[test]
fn times_of_every_type_are_set_and_cleared() {
    let long_ago = DateTime::from_timestamp(981_173_106, 0).unwrap();
    on_each_empty(async |_, db| {
        let seen = long_ago;
        lives!(utc, "utc_events", "2024-05-31T10:00:00Z", seen, db);
        let seen = long_ago.fixed_offset();
        lives!(fixed, "fixed_events", "2024-05-31T10:00:00Z", seen, db);
        let seen = long_ago.with_timezone(&Local);
        lives!(local, "local_events", "2024-05-31T10:00:00Z", seen, db);
        let seen = long_ago.naive_utc();
        lives!(naive, "naive_events", "2024-05-31T10:00:00Z", seen, db);
        let seen = long_ago.date_naive();
        lives!(days, "day_events", "2024-05-31", seen, db);
    });
}

/// Rule b460.
#[test]
fn a_column_that_takes_no_time_is_found_at_start_up() {
    async fn own() -> axum::response::Response {
        success("Nothing done.", axum::Json(json!(null)), false)
    }
    let build = |routes: ResourceRoutes<App>| {
        let api = Api::<App>::new("/api").resource(routes);
        let built = api.build(Settings::default());
        built.map(|_| ()).map_err(|mistakes| mistakes.to_string())
    };
    let told = build(ResourceRoutes::crud::<odd::Events>()).unwrap_err();
    let problem = "its field takes no time, so that it could not be set when a record is written";
    let remedy = "give the field a type of chrono, such as `DateTimeUtc`, or of `time` with the feature `time`, or replace the operation";
    assert_eq!(
        told,
        format!(
            "2 mistakes in listing definitions:\n  - Events: column `created_at`: {problem}; {remedy}\n  \
             - Events: soft_delete `deleted_at`: {problem}; {remedy}"
        )
    );
    // A list needs no time, nor does a handler of the application's own.
    let read = ResourceRoutes::read::<odd::Events>();
    assert_eq!(build(read), Ok(()));
    let own = ResourceRoutes::crud::<odd::Events>()
        .replace(Operation::Store, own)
        .replace(Operation::Destroy, own)
        .without(Operation::Restore);
    assert_eq!(build(own), Ok(()));
}

/// Rule b460.
#[test]
fn nothing_is_answered_as_deleted_that_is_not() {
    on_each_empty(async |_, db| {
        let columns = "id BIGINT PRIMARY KEY, seen_at BIGINT, created_at BIGINT, updated_at BIGINT, deleted_at BIGINT";
        for sql in [
            &*format!("CREATE TABLE odd_events ({columns})"),
            "INSERT INTO odd_events VALUES (1, 2, 3, 4, NULL), (2, 2, 3, 4, 5)",
        ] {
            db.execute_unprepared(sql).await.unwrap();
        }
        // Without `build`, nothing was looked at.
        let client = odd::client(db).await;
        for reply in [
            client.delete("/api/odd_events/1").await,
            client.bare("POST", "/api/odd_events/2/restore").await,
            client
                .post("/api/odd_events", &json!({ "seen_at": 7 }))
                .await,
        ] {
            assert_eq!(reply.status.as_u16(), 500, "{}", reply.text());
        }
        let rows = odd::Entity::find().all(db).await.unwrap();
        let deleted: Vec<_> = rows.iter().map(|row| row.deleted_at).collect();
        assert_eq!(deleted, [None, Some(5)]);
    });
}

/// Rule b461.
#[test]
fn a_time_in_any_zone_is_stored_in_utc() {
    let sent = [
        ("2024-05-31T12:30:00+02:00", "2024-05-31T10:30:00.000000Z"),
        ("2024-05-31T10:00:00Z", "2024-05-31T10:00:00.000000Z"),
        ("2024-05-31T01:15:00-10:00", "2024-05-31T11:15:00.000000Z"),
        // Without a zone it is UTC.
        ("2024-05-31T11:00:00", "2024-05-31T11:00:00.000000Z"),
    ];
    on_each_empty(async |engine, db| {
        for (client, path) in [
            (utc::start(db).await, "/api/utc_events"),
            (fixed::start(db).await, "/api/fixed_events"),
            (local::start(db).await, "/api/local_events"),
            (naive::start(db).await, "/api/naive_events"),
        ] {
            // There it has the offset of the machine, which need not be UTC.
            if engine == Engine::Sqlite && path == "/api/local_events" {
                continue;
            }
            for (seen, shown) in sent {
                let reply = client.post(path, &json!({ "seen_at": seen })).await;
                let one = format!("{path}/{}", reply.created());
                let reply = client.get(&one).await.ok();
                assert_eq!(reply.json()["data"]["seen_at"], shown, "{engine} {path}");
                let filter = format!("{path}?filters[seen_at][$eq]={shown}");
                assert_eq!(client.get(&filter).await.ok().items().len(), 1, "{filter}");
            }
            let sorted = client.get(&format!("{path}?sort=seen_at")).await.ok();
            let mut expected = sent.map(|(_, shown)| json!(shown));
            expected.sort_by_key(|time| time.to_string());
            assert_eq!(sorted.column("seen_at"), expected, "{engine} {path}");
            let late = format!("{path}?filters[seen_at][$gt]=2024-05-31T10:45:00Z");
            assert_eq!(client.get(&late).await.ok().items().len(), 2, "{late}");
        }
    });
}

/// Rule b462.
#[test]
fn years_that_a_database_cannot_hold_are_422() {
    let text = "seen_at must be in a year from 1 to 9999.";
    on_each_empty(async |engine, db| {
        for (client, path) in [
            (utc::start(db).await, "/api/utc_events"),
            (fixed::start(db).await, "/api/fixed_events"),
            (local::start(db).await, "/api/local_events"),
            (naive::start(db).await, "/api/naive_events"),
        ] {
            for seen in [
                "-0001-01-01T00:00:00Z",
                "0000-12-31T23:59:59Z",
                "0001-01-01T00:00:00+01:00",
                "9999-12-31T23:59:59-01:00",
                "+10000-01-01T00:00:00Z",
            ] {
                let reply = client.post(path, &json!({ "seen_at": seen })).await;
                let told = reply.invalid()["seen_at"].clone();
                assert_eq!(told, [text], "{engine} {path} {seen}");
            }
        }
        let client = days::start(db).await;
        for seen in ["-0001-01-01", "0000-12-31", "+10000-01-01"] {
            let reply = client
                .post("/api/day_events", &json!({ "seen_at": seen }))
                .await;
            let told = reply.invalid()["seen_at"].clone();
            assert_eq!(told, [text], "{engine} {seen}");
        }
        for seen in ["0001-01-01", "9999-12-31"] {
            let reply = client
                .post("/api/day_events", &json!({ "seen_at": seen }))
                .await;
            let one = format!("/api/day_events/{}", reply.created());
            assert_eq!(client.get(&one).await.ok().json()["data"]["seen_at"], seen);
        }
    });
}
