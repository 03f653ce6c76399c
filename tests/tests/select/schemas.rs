//! Tables in another schema than the connection's, including one whose name exists in both.

use listing::{Context, Listings, Settings};
use listing_tests::{Engine, fresh_database, run};
use sea_orm::{ConnectionTrait, DatabaseConnection};
use serde_json::json;

use crate::own::{Own, table};

use self::elsewhere::{cabinet, cabinet_label, drawer, label, twin};

#[allow(unreachable_pub, reason = "the derives of entities make public items")]
mod elsewhere {
    /// The least that a listing can say.
    macro_rules! listing {
        ($listing:ident, $column:ident, $relations:expr, $sorts:expr) => {
            pub struct $listing;

            impl listing::HasListing for Entity {
                type Listing = $listing;
            }

            impl listing::Listing for $listing {
                type Entity = Entity;

                fn fields() -> listing::Fields<Entity> {
                    listing::Fields::new().add_default(Column::$column)
                }

                fn relations() -> listing::Relations<Entity> {
                    $relations
                }

                fn filters() -> Vec<listing::Filter<Entity>> {
                    let equal = listing::FilterOperator::Equal;
                    vec![listing::Filter::make(Column::$column).allowed_operators(equal)]
                }

                fn sorts() -> listing::Sorts<Entity> {
                    $sorts
                }
            }
        };
    }

    pub mod cabinet {
        use listing::{Relations, Sorts};
        use sea_orm::entity::prelude::*;

        #[sea_orm::model]
        #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel, listing::NamedRelations)]
        #[sea_orm(schema_name = "listing_elsewhere", table_name = "cabinets")]
        pub struct Model {
            #[sea_orm(primary_key, auto_increment = false)]
            pub id: i64,
            pub name: String,
            pub twin_id: Option<i64>,
            #[sea_orm(belongs_to, skip_fk, from = "twin_id", to = "id")]
            pub twin: BelongsTo<Option<super::twin::Entity>>,
            #[sea_orm(has_many)]
            pub drawers: HasMany<super::drawer::Entity>,
            #[sea_orm(has_many, via = "cabinet_label")]
            pub labels: HasMany<super::label::Entity>,
        }

        impl ActiveModelBehavior for ActiveModel {}
        listing!(
            CabinetListing,
            Name,
            Relations::new().add("twin").add("drawers").add("labels"),
            Sorts::new().add("twin.name").add(Column::Name)
        );
    }

    /// In the connection's own schema, under the same name.
    pub mod twin {
        use listing::{Relations, Sorts};
        use sea_orm::entity::prelude::*;

        #[sea_orm::model]
        #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel, listing::NamedRelations)]
        #[sea_orm(table_name = "cabinets")]
        pub struct Model {
            #[sea_orm(primary_key, auto_increment = false)]
            pub id: i64,
            pub name: String,
            #[sea_orm(has_many)]
            pub originals: HasMany<super::cabinet::Entity>,
        }

        impl ActiveModelBehavior for ActiveModel {}

        listing!(
            TwinListing,
            Name,
            Relations::new().add("originals"),
            Sorts::new()
        );
    }

    pub mod drawer {
        use listing::{Relations, Sorts};
        use sea_orm::entity::prelude::*;

        #[sea_orm::model]
        #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel, listing::NamedRelations)]
        #[sea_orm(schema_name = "listing_elsewhere", table_name = "drawers")]
        pub struct Model {
            #[sea_orm(primary_key, auto_increment = false)]
            pub id: i64,
            pub cabinet_id: i64,
            #[sea_orm(belongs_to, skip_fk, from = "cabinet_id", to = "id")]
            pub cabinet: BelongsTo<super::cabinet::Entity>,
        }

        impl ActiveModelBehavior for ActiveModel {}
        listing!(
            DrawerListing,
            CabinetId,
            Relations::new().add("cabinet"),
            Sorts::new().add("cabinet.name")
        );
    }

    pub mod label {
        use listing::{Relations, Sorts};
        use sea_orm::entity::prelude::*;

        #[sea_orm::model]
        #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel, listing::NamedRelations)]
        #[sea_orm(schema_name = "listing_elsewhere", table_name = "labels")]
        pub struct Model {
            #[sea_orm(primary_key, auto_increment = false)]
            pub id: i64,
            pub word: String,
            #[sea_orm(has_many, via = "cabinet_label")]
            pub cabinets: HasMany<super::cabinet::Entity>,
        }

        impl ActiveModelBehavior for ActiveModel {}
        listing!(
            LabelListing,
            Word,
            Relations::new().add("cabinets"),
            Sorts::new()
        );
    }

    pub mod cabinet_label {
        use sea_orm::entity::prelude::*;

        #[sea_orm::model]
        #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel, listing::NamedRelations)]
        #[sea_orm(schema_name = "listing_elsewhere", table_name = "cabinet_labels")]
        pub struct Model {
            #[sea_orm(primary_key, auto_increment = false)]
            pub cabinet_id: i64,
            #[sea_orm(primary_key, auto_increment = false)]
            pub label_id: i64,
            #[sea_orm(belongs_to, skip_fk, from = "cabinet_id", to = "id")]
            pub cabinet: BelongsTo<super::cabinet::Entity>,
            #[sea_orm(belongs_to, skip_fk, from = "label_id", to = "id")]
            pub label: BelongsTo<super::label::Entity>,
        }

        impl ActiveModelBehavior for ActiveModel {}
    }
}

/// A database with a second schema, for as long as the second connection is held.
async fn with_second_schema(engine: Engine) -> (DatabaseConnection, Option<DatabaseConnection>) {
    match engine {
        Engine::Sqlite => {
            // One connection: what is attached is attached to it.
            let db = blog::connect::connect("sqlite::memory:", 1).await.unwrap();
            run_all(&db, &["ATTACH ':memory:' AS listing_elsewhere"]).await;
            (db, None)
        }
        Engine::Postgres => {
            let db = fresh_database(engine).await;
            run_all(&db, &["CREATE SCHEMA listing_elsewhere"]).await;
            (db, None)
        }
        Engine::Mysql => {
            // A schema is a database there, and its name stands in the entity: one test program at a time.
            let db = fresh_database(engine).await;
            let lock = fresh_database(engine).await;
            let take = "DO GET_LOCK('listing_elsewhere', 120)";
            let clear = "DROP DATABASE IF EXISTS listing_elsewhere";
            run_all(&lock, &[take, clear, "CREATE DATABASE listing_elsewhere"]).await;
            (db, Some(lock))
        }
    }
}

async fn run_all(db: &DatabaseConnection, statements: &[&str]) {
    for statement in statements {
        db.execute_unprepared(statement).await.unwrap();
    }
}

async fn fill(db: DatabaseConnection) -> Own {
    let name = str::to_owned;
    let twins = [(1, "zinc"), (2, "ash")].map(|(id, word)| twin::Model {
        id,
        name: name(word),
    });
    table::<twin::Entity>(&db, twins).await;
    let cabinets = [(1, "a", Some(1)), (2, "b", None), (3, "c", Some(2))];
    let cabinets = cabinets.map(|(id, word, twin_id)| cabinet::Model {
        id,
        name: name(word),
        twin_id,
    });
    table::<cabinet::Entity>(&db, cabinets).await;
    let drawers = [(1, 3), (2, 1), (3, 3)].map(|(id, cabinet_id)| drawer::Model { id, cabinet_id });
    table::<drawer::Entity>(&db, drawers).await;
    let labels = [(1, "red"), (2, "blue")].map(|(id, word)| label::Model {
        id,
        word: name(word),
    });
    table::<label::Entity>(&db, labels).await;
    let pairs = [(1, 1), (1, 2), (3, 2)];
    let pairs = pairs.map(|(cabinet_id, label_id)| cabinet_label::Model {
        cabinet_id,
        label_id,
    });
    table::<cabinet_label::Entity>(&db, pairs).await;
    let listings = Listings::builder(Settings::default())
        .add::<cabinet::Entity>()
        .add::<twin::Entity>()
        .add::<drawer::Entity>()
        .add::<label::Entity>()
        .build()
        .unwrap();
    Own { db, listings }
}

/// Rules d42, d46.
#[test]
fn tables_can_be_in_another_schema() {
    for engine in Engine::ALL {
        eprintln!("on {engine}");
        run(async {
            let (db, lock) = with_second_schema(engine).await;
            let own = fill(db).await;
            let query = "populate=*&sort=twin.name";
            let reply = own.list_for::<cabinet::Entity>(query, Context::new()).await;
            let (ash, zinc) = (
                json!({"id": 2, "name": "ash"}),
                json!({"id": 1, "name": "zinc"}),
            );
            let drawer = |id: i64, cabinet: i64| json!({"id": id, "cabinet_id": cabinet});
            let (red, blue) = (
                json!({"id": 1, "word": "red"}),
                json!({"id": 2, "word": "blue"}),
            );
            assert_eq!(
                reply.items(),
                [
                    json!({"id": 3, "name": "c", "twin": ash, "drawers": [drawer(1, 3), drawer(3, 3)], "labels": [blue]}),
                    json!({"id": 1, "name": "a", "twin": zinc, "drawers": [drawer(2, 1)], "labels": [red, blue]}),
                    json!({"id": 2, "name": "b", "twin": null, "drawers": [], "labels": []}),
                ]
            );
            assert_eq!(reply.total(), 3);
            let reply = own
                .list::<cabinet::Entity>("filters[name]=b&sort=name:desc")
                .await;
            assert_eq!((reply.ids(), reply.total()), (vec![2], 1));
            // The table of that name in the connection's own schema is another one.
            let reply = own.list::<twin::Entity>("populate=originals").await;
            let original = |id: i64, name: &str| json!([{"id": id, "name": name}]);
            assert_eq!(
                reply.column("originals"),
                [original(1, "a"), original(3, "c")]
            );
            let reply = own
                .list::<drawer::Entity>("sort=cabinet.name:desc&populate=cabinet")
                .await;
            assert_eq!(reply.ids(), [3, 1, 2]);
            assert_eq!(reply.items()[2]["cabinet"], json!({"id": 1, "name": "a"}));
            let reply = own.list::<label::Entity>("populate=cabinets").await;
            assert_eq!(reply.items()[1]["cabinets"].as_array().unwrap().len(), 2);
            if let Some(lock) = lock {
                run_all(&lock, &["DROP DATABASE listing_elsewhere"]).await;
                lock.close().await.unwrap();
            }
        });
    }
}
