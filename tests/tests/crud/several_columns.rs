//! Records whose key has several columns: listed, walked, populated, shown and written (b360).

use axum::extract::FromRef;
use garde::Validate;
use listing::{Context, Listings, ReadPool, Settings};
use listing_axum::Given;
use listing_axum::{Access, Denied, Resource, WritableResource, policy};
use listing_axum::{Api, Config, Payload, PublicRead};
use listing_tests::{Client, fresh_database, on_each, reads, run};
use sea_orm::{ConnectionTrait, DatabaseConnection, DbBackend};
use serde_json::{Value, json};

mod shelf {
    use listing::prelude::*;
    use sea_orm::entity::prelude::*;

    #[sea_orm::model]
    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel, listing::NamedRelations)]
    #[sea_orm(table_name = "shelves")]
    pub struct Model {
        #[sea_orm(primary_key)]
        pub id: i32,
        pub name: String,
        #[sea_orm(has_many)]
        pub loans: HasMany<super::loan::Entity>,
    }

    impl ActiveModelBehavior for ActiveModel {}

    pub struct ShelfListing;

    impl HasListing for Entity {
        type Listing = ShelfListing;
    }

    impl Listing for ShelfListing {
        type Entity = Entity;
        fn fields() -> Fields<Entity> {
            Fields::new()
                .add_default(Column::Name)
                .add(Field::count_of(Entity::LOANS))
        }
        fn relations() -> Relations<Entity> {
            Relations::new().add(Entity::LOANS)
        }
        fn filters() -> Vec<Filter<Entity>> {
            vec![Filter::relation(Entity::LOANS)]
        }
        fn sorts() -> Sorts<Entity> {
            Sorts::new()
        }
    }
}

mod loan {
    use listing::prelude::*;
    use sea_orm::entity::prelude::*;

    #[sea_orm::model]
    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel, listing::NamedRelations)]
    #[sea_orm(table_name = "loans")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub reader: String,
        #[sea_orm(primary_key, auto_increment = false)]
        pub taken: Date,
        pub shelf_id: i32,
        #[sea_orm(unique)]
        pub slip: i32,
        #[sea_orm(belongs_to, from = "shelf_id", to = "id")]
        pub shelf: BelongsTo<super::shelf::Entity>,
    }

    impl ActiveModelBehavior for ActiveModel {}

    pub struct LoanListing;

    impl HasListing for Entity {
        type Listing = LoanListing;
    }

    impl Listing for LoanListing {
        type Entity = Entity;
        fn fields() -> Fields<Entity> {
            Fields::new()
                .add_default(Column::Slip)
                .add_all([Column::Reader, Column::Taken])
        }
        fn relations() -> Relations<Entity> {
            Relations::new().add(Entity::SHELF)
        }
        fn filters() -> Vec<Filter<Entity>> {
            vec![Filter::make(Column::Reader).allowed_operators(FilterOperator::Equal)]
        }
        fn sorts() -> Sorts<Entity> {
            Sorts::new().add(Column::Taken).add(Column::Reader)
        }
    }
}

struct Loans;

impl Resource for Loans {
    type Entity = loan::Entity;

    async fn authorize(_: &Access<'_, Self>) -> Result<(), Denied> {
        policy::allow_all()
    }
}

impl WritableResource for Loans {
    type Store = LoanPayload;
    type Update = LoanChanges;
}

#[derive(Debug, Payload, Validate)]
#[payload(active_model = loan::ActiveModel)]
struct LoanPayload {
    #[garde(skip)]
    reader: String,
    #[garde(skip)]
    taken: chrono::NaiveDate,
    #[garde(skip)]
    shelf_id: i32,
    #[garde(skip)]
    slip: i32,
}

#[derive(Debug, Payload, Validate)]
#[payload(active_model = loan::ActiveModel)]
struct LoanChanges {
    #[garde(skip)]
    slip: Given<i32>,
}

#[derive(Clone, FromRef)]
struct App {
    db: DatabaseConnection,
    reads: ReadPool,
    listings: Listings,
}

/// The ids in the order of the key.
const IDS: &[&str] = &[
    "Ann,2024-01-01",
    "Ann,2024-01-02",
    "Bo~1~0,2024-01-01",
    "Cy,2023-12-31",
];

async fn client(db: DatabaseConnection) -> Client {
    let text = match db.get_database_backend() {
        DbBackend::MySql => "varchar(20) COLLATE utf8mb4_bin",
        _ => "varchar(20)",
    };
    for statement in [
        format!("CREATE TABLE shelves (id integer PRIMARY KEY, name {text} NOT NULL)"),
        format!(
            "CREATE TABLE loans (reader {text} NOT NULL, taken date NOT NULL, shelf_id integer NOT NULL REFERENCES shelves (id), \
             slip integer NOT NULL UNIQUE, PRIMARY KEY (reader, taken))"
        ),
        "INSERT INTO shelves VALUES (1, 'north'), (2, 'south')".to_owned(),
        "INSERT INTO loans VALUES ('Cy', '2023-12-31', 2, 1), ('Ann', '2024-01-02', 1, 2), ('Ann', '2024-01-01', 1, 3), \
         ('Bo,~', '2024-01-01', 1, 4)"
            .to_owned(),
    ] {
        db.execute_unprepared(&statement).await.unwrap();
    }
    let api = Api::new("/api")
        .crud::<Loans>()
        .read::<PublicRead<shelf::Entity>>()
        .build(Settings::default())
        .unwrap();
    let app = App {
        reads: reads(&db).await,
        db,
        listings: api.listings,
    };
    Client::of(
        api.router.with_state(app),
        &Context::new(),
        &Config::default(),
    )
}

fn on_each_library(test: impl AsyncFn(&Client)) {
    on_each(|engine| {
        run(async {
            let db = fresh_database(engine).await;
            test(&client(db).await).await;
        });
    });
}

fn ids(items: &[Value]) -> Vec<String> {
    let id = |item: &Value| item["id"].as_str().unwrap().to_owned();
    items.iter().map(id).collect()
}

/// Rule b360.
#[test]
fn lists_pages_and_cursors_show_each_row_once() {
    on_each_library(async |client| {
        let all = client.get("/api/loans").await;
        assert_eq!(ids(&all.items()), IDS);
        assert_eq!(all.items()[0], json!({"id": IDS[0], "slip": 3}));
        let by_date = client
            .get("/api/loans?sort=taken:desc&fields=slip,taken")
            .await;
        assert_eq!(ids(&by_date.items()), [IDS[1], IDS[2], IDS[0], IDS[3]]);
        let of_reader = client.get("/api/loans?filters[reader]=Bo,~").await;
        assert_eq!(ids(&of_reader.items()), [IDS[2]]);
        for sort in ["", "&sort=reader", "&sort=taken:desc", "&sort=taken,reader"] {
            let whole = client
                .get(&format!("/api/loans?pagination[limit]=50{sort}"))
                .await;
            let mut walked = Vec::new();
            let mut cursor = String::new();
            for _ in 0..IDS.len() {
                let target =
                    format!("/api/loans?pagination[cursor]={cursor}&pagination[pageSize]=1{sort}");
                let page = client.get(&target).await;
                walked.extend(ids(&page.items()));
                let next = &page.json()["meta"]["pagination"]["nextCursor"];
                next.as_str().unwrap_or_default().clone_into(&mut cursor);
            }
            assert_eq!(walked, ids(&whole.items()), "{sort}");
            assert_eq!(cursor, "", "{sort}");
        }
    });
}

/// Rule b360.
#[test]
fn relations_lead_to_it_and_from_it() {
    on_each_library(async |client| {
        let shelves = client
            .get("/api/shelves?populate=loans&fields=name,loans_count&filters[loans][reader]=Ann")
            .await;
        let shelves = shelves.items();
        let shelf = &shelves[0];
        assert_eq!(shelves.len(), 1);
        assert_eq!(shelf["loans_count"], 3);
        assert_eq!(ids(shelf["loans"].as_array().unwrap()), IDS[..3]);
        let loans = client.get("/api/loans?populate=shelf").await;
        assert_eq!(loans.items()[3]["shelf"], json!({"id": 2, "name": "south"}));
    });
}

/// Rules b141, b360.
#[test]
fn records_are_shown_and_written_by_their_id() {
    on_each_library(async |client| {
        for id in IDS {
            let shown = client.get(&format!("/api/loans/{id}")).await;
            assert_eq!(shown.json()["data"]["id"], *id);
            let escaped = format!("/api/loans/{}", id.replace(',', "%2C"));
            assert_eq!(client.get(&escaped).await.json(), shown.json());
        }
        for wrong in [
            "Ann",
            "Ann,2024-01-01,1",
            "Ann,2024-1-1",
            "Ann,2024-01-03",
            "Ann,2024-01-01T00:00:00Z",
            "Bo,~,2024-01-01",
            "Bo~1~,2024-01-01",
        ] {
            let reply = client.get(&format!("/api/loans/{wrong}")).await;
            assert_eq!(reply.error_code(404), "not_found", "{wrong}");
        }
        let loan = json!({"reader": "D,d", "taken": "2024-02-29", "shelf_id": 2, "slip": 9});
        let stored = client.post("/api/loans", &loan).await;
        assert_eq!(stored.json()["data"]["id"], "D~1d,2024-02-29");
        let address = "/api/loans/D~1d,2024-02-29";
        assert_eq!(client.get(address).await.json()["data"]["slip"], 9);
        // Its own value is not taken by another record; a record that exists is not created again.
        assert_eq!(client.put(address, &json!({"slip": 9})).await.status, 200);
        assert_eq!(client.put(address, &json!({"slip": 10})).await.status, 200);
        assert_eq!(client.put(address, &json!({"slip": 1})).await.status, 422);
        assert_eq!(client.post("/api/loans", &loan).await.status, 422);
        assert_eq!(client.get(address).await.json()["data"]["slip"], 10);
        // What the entity marks as unique is told together with what else is wrong.
        let wrong = json!({"reader": "E", "taken": "2024-03-01", "shelf_id": "north", "slip": 1});
        let refused = client.post("/api/loans", &wrong).await;
        assert_eq!(refused.invalid_fields(), ["shelf_id", "slip"]);
        assert_eq!(client.delete(address).await.status, 200);
        assert_eq!(client.delete(address).await.status, 404);
        assert_eq!(ids(&client.get("/api/loans").await.items()), IDS);
    });
}
