//! Arrays of PostgreSQL's own, and the indexes that serve filters on arrays and inside JSON columns (d149).

use listing::{Context, Dialect, ListingRequest, Listings, SelectListing, Settings};
use listing_tests::{Engine, fresh_database, run};
use sea_orm::entity::prelude::*;
use sea_orm::{ConnectionTrait, Statement, TransactionTrait};

#[expect(unreachable_pub, reason = "the derives make public items")]
mod bag {
    use listing::prelude::*;
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, Eq, EnumIter, DeriveActiveEnum)]
    #[sea_orm(rs_type = "String", db_type = "Enum", enum_name = "colour")]
    pub enum Colour {
        #[sea_orm(string_value = "red")]
        Red,
        #[sea_orm(string_value = "blue")]
        Blue,
    }

    #[sea_orm::model]
    #[derive(Clone, Debug, PartialEq, DeriveEntityModel, listing::NamedRelations)]
    #[sea_orm(table_name = "bags")]
    pub struct Model {
        #[sea_orm(primary_key)]
        pub id: i64,
        pub words: Option<Vec<String>>,
        pub lines: Vec<String>,
        pub numbers: Vec<i32>,
        pub keys: Vec<Uuid>,
        pub days: Vec<Date>,
        pub prices: Vec<Decimal>,
        pub colours: Vec<Colour>,
        #[sea_orm(column_type = "JsonBinary", nullable)]
        pub data: Option<Json>,
    }

    impl ActiveModelBehavior for ActiveModel {}

    pub struct BagListing;

    impl HasListing for Entity {
        type Listing = BagListing;
    }

    impl Listing for BagListing {
        type Entity = Entity;

        fn fields() -> Fields<Entity> {
            Fields::new()
        }

        fn filters() -> Vec<Filter<Entity>> {
            let array = |column: Column| {
                Filter::make(column).allowed_operators(FilterOperator::for_arrays())
            };
            let mut filters: Vec<_> = [
                Column::Words,
                Column::Lines,
                Column::Numbers,
                Column::Keys,
                Column::Days,
                Column::Prices,
                Column::Colours,
                Column::Data,
            ]
            .map(array)
            .into();
            filters.push(Filter::json(Column::Data).path("address.city", Kind::Text));
            filters.push(Filter::json(Column::Data).path("beds", Kind::Integer));
            filters
                .push(Filter::json(Column::Data).path("tags", Kind::Array(Box::new(Kind::Text))));
            filters
        }

        fn sorts() -> Sorts<Entity> {
            Sorts::new().add_default(Column::Id)
        }
    }
}

fn listings() -> Listings {
    let builder = Listings::builder(Settings::default());
    builder.add::<bag::Entity>().build().unwrap()
}

async fn ids(db: &DatabaseConnection, query: &str) -> Vec<i64> {
    let listings = listings();
    let request = ListingRequest::from_query(&listings, query).unwrap();
    let request = request.with_context(Context::new());
    let page = bag::Entity::find()
        .listing(&request)
        .listing_paginate(db)
        .await;
    let page = page.unwrap_or_else(|error| panic!("{query}: {error:?}"));
    let body: serde_json::Value = serde_json::from_slice(&page.body(200, None, true)).unwrap();
    let items = body["data"].as_array().unwrap().iter();
    items.map(|item| item["id"].as_i64().unwrap()).collect()
}

/// Rules d149, b962.
#[test]
fn arrays_of_postgresql_are_asked_what_they_hold() {
    run(async {
        let db = fresh_database(Engine::Postgres).await;
        for sql in [
            "CREATE TYPE colour AS ENUM ('red', 'blue')",
            // The entity calls both kinds of text `String`.
            "CREATE TABLE bags (id BIGINT PRIMARY KEY, words VARCHAR[], lines TEXT[] NOT NULL, numbers INT[] NOT NULL, \
             keys UUID[] NOT NULL, days DATE[] NOT NULL, prices NUMERIC(10, 2)[] NOT NULL, colours colour[] NOT NULL, data JSONB)",
            "INSERT INTO bags VALUES \
             (1, '{a,b}', '{a}', '{1,2}', '{7f9c24e8-3b12-4fef-91e0-56a2d5a4c8b1}', '{2026-01-31}', '{1.50}', '{red,blue}', NULL), \
             (2, '{}', '{b,a}', '{}', '{}', '{}', '{}', '{}', '[\"a\"]'), \
             (3, NULL, '{NULL}', '{NULL,2}', '{}', '{}', '{NULL}', '{red}', '[\"a\", \"b\"]')",
        ] {
            db.execute_unprepared(sql).await.unwrap();
        }
        for (asked, others) in [
            ("filters[words][$contains]=a", vec![1]),
            (
                "filters[words][$contains][]=a&filters[words][$contains][]=b",
                vec![1],
            ),
            (
                "filters[lines][$contains][]=a&filters[lines][$contains][]=b",
                vec![2],
            ),
            ("filters[lines][$in][]=b&filters[lines][$in][]=x", vec![2]),
            ("filters[words][$null]=true", vec![3]),
            ("filters[numbers][$contains]=2", vec![1, 3]),
            (
                "filters[numbers][$in][]=1&filters[numbers][$in][]=99999999999",
                vec![1],
            ),
            (
                "filters[numbers][$contains][]=1&filters[numbers][$contains][]=99999999999",
                vec![],
            ),
            ("filters[numbers][$in]=18446744073709551615", vec![]),
            (
                "filters[keys][$contains]=7F9C24E8-3b12-4fef-91e0-56a2d5a4c8b1",
                vec![1],
            ),
            ("filters[days][$in]=2026-01-31", vec![1]),
            ("filters[prices][$contains]=1.5", vec![1]),
            ("filters[prices][$contains]=1.501", vec![]),
            ("filters[colours][$contains]=red", vec![1, 3]),
            (
                "filters[colours][$in][]=blue&filters[colours][$in][]=red",
                vec![1, 3],
            ),
            (
                "filters[data][$contains][]=a&filters[data][$contains][]=b",
                vec![3],
            ),
            ("filters[data][$notNull]=true", vec![2, 3]),
        ] {
            assert_eq!(ids(&db, asked).await, others, "{asked}");
            // All others, and none of these: a null holds nothing.
            let not = asked.replace("filters[", "filters[$not][");
            let all = [1, 2, 3].into_iter().filter(|id| !others.contains(id));
            assert_eq!(ids(&db, &not).await, all.collect::<Vec<_>>(), "{not}");
        }
    });
}

/// How PostgreSQL would count the rows: a page can also be read along its order, where many rows are expected.
async fn plan(db: &DatabaseConnection, query: &str) -> String {
    let listings = listings();
    let whitelist = listings.of::<bag::Entity>().unwrap();
    let explained = listings
        .explain(whitelist, query, Dialect::Postgres)
        .unwrap();
    let same = db.begin().await.unwrap();
    let text = format!("EXPLAIN {}", explained.statements[1].literal);
    let statement = Statement::from_string(db.get_database_backend(), text);
    let rows = same.query_all_raw(statement).await.unwrap();
    let lines = rows
        .iter()
        .map(|row| row.try_get_by_index::<String>(0).unwrap());
    lines.collect::<Vec<_>>().join("\n")
}

/// Rules d149, b964.
#[test]
fn indexes_on_arrays_and_on_paths_serve_filters() {
    run(async {
        let db = fresh_database(Engine::Postgres).await;
        for sql in [
            "CREATE TABLE bags (id BIGINT PRIMARY KEY, lines TEXT[] NOT NULL, numbers INT[] NOT NULL, data JSONB)",
            "INSERT INTO bags SELECT n, ARRAY['line ' || n], ARRAY[n::int], \
             jsonb_build_object('address', jsonb_build_object('city', 'city ' || n), 'beds', n, 'tags', jsonb_build_array('tag ' || n)) \
             FROM generate_series(1, 20000) AS s (n)",
            "CREATE INDEX by_lines ON bags USING gin (lines)",
            "CREATE INDEX by_numbers ON bags USING gin (numbers)",
            "CREATE INDEX by_city ON bags ((CASE jsonb_typeof(data #> '{address,city}') WHEN 'string' THEN data #>> '{address,city}' END))",
            "CREATE INDEX by_beds ON bags ((CASE jsonb_typeof(data #> '{beds}') WHEN 'number' THEN CAST(data #>> '{beds}' AS numeric) END))",
            "CREATE INDEX by_tags ON bags USING gin ((data #> '{tags}'))",
            "ANALYZE bags",
        ] {
            db.execute_unprepared(sql).await.unwrap();
        }
        for (query, index) in [
            ("filters[lines][$contains]=line+7", "by_lines"),
            (
                "filters[numbers][$in][]=7&filters[numbers][$in][]=8",
                "by_numbers",
            ),
            ("filters[data][address][city]=city+7", "by_city"),
            (
                "filters[data][address][city][$in][]=city+7&filters[data][address][city][$in][]=city+8",
                "by_city",
            ),
            ("filters[data][beds][$gte]=19990", "by_beds"),
            ("filters[data][tags][$contains]=tag+7", "by_tags"),
            (
                "filters[data][tags][$in][]=tag+7&filters[data][tags][$in][]=tag+8",
                "by_tags",
            ),
        ] {
            let plan = plan(&db, query).await;
            assert!(plan.contains(index), "{query}: {plan}");
        }
    });
}
