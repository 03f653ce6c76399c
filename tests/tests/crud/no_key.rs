//! Entities whose tables do not tell rows apart, and listings that say so.

use axum::Router;
use axum::extract::FromRef;
use listing::{Context, Listings, ReadPool, Settings};
use listing_axum::{Api, Config, PublicRead};
use listing_tests::{Client, Engine, fresh_database, on_each, reads, run};
use sea_orm::{
    ActiveModelTrait, ConnectionTrait, DatabaseConnection, EntityTrait, QueryOrder, Schema,
};
use serde_json::{Value, json};

#[derive(Debug, Clone, FromRef)]
struct App {
    db: DatabaseConnection,
    reads: ReadPool,
    listings: Listings,
}

/// One table, whose entity calls a column its key. Its listing believes that, or does not.
macro_rules! logs {
    ($name:ident, $has_key:literal) => {
        #[allow(dead_code, reason = "the derive makes more items than are used")]
        mod $name {
            use garde::Validate;
            use listing::{
                Fields, Filter, FilterOperator, HasListing, Listing, SortDirection, Sorts,
            };
            use listing_axum::{Access, Denied, Payload, Resource, WritableResource, policy};
            use sea_orm::entity::prelude::*;

            #[sea_orm::model]
            #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel, listing::NamedRelations)]
            #[sea_orm(table_name = "logs")]
            pub struct Model {
                #[sea_orm(primary_key, auto_increment = false)]
                pub user_id: i64,
                pub msg: String,
                pub hidden: i64,
                pub deleted_at: Option<DateTimeUtc>,
            }

            impl ActiveModelBehavior for ActiveModel {}

            #[derive(Debug)]
            pub struct Logs;

            impl HasListing for Entity {
                type Listing = Logs;
            }

            impl Listing for Logs {
                type Entity = Entity;

                fn fields() -> Fields<Entity> {
                    Fields::new().add_defaults([Column::Msg, Column::UserId])
                }

                fn filters() -> Vec<Filter<Entity>> {
                    vec![Filter::make(Column::UserId).allowed_operators(FilterOperator::Equal)]
                }

                fn sorts() -> Sorts<Entity> {
                    Sorts::new().add_default_with(Column::UserId, SortDirection::Desc)
                }

                fn soft_delete() -> Option<Column> {
                    Some(Column::DeletedAt)
                }

                fn has_key() -> bool {
                    $has_key
                }
            }

            #[derive(Debug, Payload, Validate)]
            #[payload(active_model = ActiveModel)]
            pub struct LogPayload {
                #[garde(skip)]
                msg: String,
            }

            impl Resource for Logs {
                type Entity = Entity;

                async fn authorize(_: &Access<'_, Self>) -> Result<(), Denied> {
                    policy::allow_all()
                }
            }

            impl WritableResource for Logs {
                type Store = LogPayload;
                type Update = LogPayload;
            }
        }
    };
}

logs!(believed, true);
logs!(keyless, false);

/// Rows of which three share the user 1, two are deleted, and one is alone.
async fn database(engine: Engine) -> DatabaseConnection {
    let db = fresh_database(engine).await;
    let backend = db.get_database_backend();
    let table = Schema::new(backend).create_table_from_entity(believed::Entity);
    let table = backend
        .build(&table)
        .to_string()
        .replace(" PRIMARY KEY", "");
    db.execute_unprepared(&table).await.unwrap();
    for (user_id, msg, hidden, deleted) in [
        (1, "b", 3, false),
        (2, "c", 1, false),
        (1, "a", 2, false),
        (1, "b", 1, false),
        (3, "x", 1, true),
        (3, "y", 1, true),
    ] {
        let row = believed::Model {
            user_id,
            msg: msg.to_owned(),
            hidden,
            deleted_at: deleted.then(sea_orm::prelude::ChronoUtc::now),
        };
        let row: believed::ActiveModel = row.into();
        believed::Entity::insert(row.reset_all())
            .exec_without_returning(&db)
            .await
            .unwrap();
    }
    db
}

async fn rows(db: &DatabaseConnection) -> Vec<believed::Model> {
    let rows = believed::Entity::find()
        .order_by_asc(believed::Column::UserId)
        .order_by_asc(believed::Column::Msg)
        .order_by_asc(believed::Column::Hidden);
    rows.all(db).await.unwrap()
}

async fn client(api: Api<App>, db: &DatabaseConnection) -> Client {
    let api = api.build(Settings::default()).unwrap();
    let app = App {
        reads: reads(db).await,
        db: db.clone(),
        listings: api.listings,
    };
    let router: Router = api.router.with_state(app);
    Client::of(router, &Context::new(), &Config::default())
}

/// Rule d152.
#[test]
fn a_write_that_meets_several_rows_is_rolled_back() {
    on_each(|engine| {
        run(async {
            let db = database(engine).await;
            let client = client(Api::new("/api").crud::<believed::Logs>(), &db).await;
            let before = rows(&db).await;
            let payload = json!({ "msg": "new" });
            let code = |reply: listing_tests::Reply| reply.error_code(500);
            assert_eq!(
                code(client.put("/api/logs/1", &payload).await),
                "internal_error"
            );
            code(client.delete("/api/logs/1").await);
            code(client.delete("/api/logs/1?force=true").await);
            code(client.post("/api/logs/3/restore", &Value::Null).await);
            assert_eq!(rows(&db).await, before, "{engine:?}");
            // A row that is alone is written.
            assert_eq!(client.put("/api/logs/2", &payload).await.status, 200);
            assert_eq!(client.delete("/api/logs/2?force=true").await.status, 200);
            assert_eq!(rows(&db).await.len(), before.len() - 1);
        });
    });
}

/// Rules d152, b570.
#[test]
fn a_listing_without_a_key_has_a_list_in_the_order_of_its_fields() {
    on_each(|engine| {
        run(async {
            let db = database(engine).await;
            let client = client(Api::new("/api").read::<keyless::Logs>(), &db).await;
            let list = client.get("/api/logs").await.json();
            let wanted = json!([
                { "msg": "c", "user_id": 2 },
                { "msg": "b", "user_id": 1 },
                { "msg": "b", "user_id": 1 },
                { "msg": "a", "user_id": 1 },
            ]);
            assert_eq!(list["data"], wanted, "{engine:?}");
            for page in 1..=4 {
                let reply = client
                    .get(&format!(
                        "/api/logs?pagination[page]={page}&pagination[pageSize]=1"
                    ))
                    .await
                    .json();
                assert_eq!(reply["data"][0], wanted[page - 1], "{engine:?}");
                assert_eq!(reply["meta"]["pagination"]["total"], 4);
            }
            let some = client.get("/api/logs?fields=msg&filters[user_id]=2").await;
            assert_eq!(some.json()["data"], json!([{ "msg": "c" }]));
            let nothing = client.get("/api/logs?fields=other").await.json();
            assert_eq!(nothing["data"], wanted, "{engine:?}");
            let cursor = client.get("/api/logs?pagination[cursor]=").await;
            assert_eq!(cursor.error_code(400), "cursor_without_key");
            for (method, path) in [("GET", "/api/logs/1"), ("DELETE", "/api/logs/1")] {
                let reply = client.bare(method, path).await;
                assert_eq!(reply.error_code(404), "route_not_found", "{method}");
            }
            assert_eq!(client.bare("POST", "/api/logs").await.status, 405);
        });
    });
}

/// Rule d152.
#[test]
fn rows_without_a_key_cannot_be_written() {
    let api = Api::<App>::new("/api").crud::<keyless::Logs>();
    let wrong = api.build(Settings::default()).unwrap_err().to_string();
    let said = "the listing says that its rows have no key, so that none of them can be written";
    assert!(wrong.contains(said), "{wrong}");
}

/// Rule b573.
#[test]
fn two_resources_at_one_path_are_a_mistake_that_names_both() {
    let api = || {
        Api::<App>::new("/api")
            .read::<PublicRead<keyless::Entity>>()
            .crud::<believed::Logs>()
    };
    let wrong = api().build(Settings::default()).unwrap_err().to_string();
    for said in [
        "keyless::Entity>` and `",
        "believed::Logs` are both served at `GET /api/logs`",
        "give one of the two another `segment()`",
    ] {
        assert!(wrong.contains(said), "`{said}` is not in {wrong}");
    }
    let wrong = api().finish().unwrap_err().to_string();
    assert!(wrong.contains("are both served at"), "{wrong}");
}
