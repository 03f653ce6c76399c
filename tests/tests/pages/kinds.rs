//! Cursors over sorts whose values do not have the declared kind either work or are refused (b95).
#![expect(
    unreachable_pub,
    reason = "SeaORM and the trait want them public, and nobody else is to have them"
)]

use listing::reply::ListPage;
use listing::{
    Error, Field, Fields, HasListing, Kind, Listing, ListingRequest, Listings, SelectListing,
    Settings, Sorts,
};
use listing_tests::{Engine, fresh_database, on_each, run};
use rust_decimal::Decimal;
use sea_orm::entity::prelude::*;
use sea_orm::entity::prelude::{ActiveModelBehavior, DeriveEntityModel, DeriveRelation, EnumIter};
use sea_orm::sea_query::{Expr, Query};
use sea_orm::{ConnectionTrait, DatabaseConnection};
use serde_json::Value;

#[sea_orm::model]
#[derive(Clone, Debug, PartialEq, DeriveEntityModel, listing::NamedRelations)]
#[sea_orm(table_name = "readings")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: i32,
    pub team: i32,
    pub points: i32,
    pub single: f32,
    pub ratio: f64,
    pub big: i64,
    #[sea_orm(column_type = "Decimal(Some((20, 0)))")]
    pub huge: Decimal,
    pub clock: Time,
    pub day: Date,
    pub local: sea_orm::entity::prelude::DateTime,
}

impl ActiveModelBehavior for ActiveModel {}

pub struct ReadingListing;

impl HasListing for Entity {
    type Listing = ReadingListing;
}

fn computed(sql: &'static str, alias: &str, kind: Kind) -> Field {
    Field::computed(move || Query::select().expr(Expr::cust(sql)).take(), alias).kind(kind)
}

impl Listing for ReadingListing {
    type Entity = Entity;

    fn fields() -> Fields<Entity> {
        let average =
            "(SELECT AVG(other.points) FROM readings other WHERE other.team = readings.team)";
        let decimal = Kind::Decimal { scale: None };
        Fields::new()
            .add_default(computed(average, "average", Kind::Float64))
            .add(computed(average, "average_single", Kind::Float32))
            .add(computed("readings.points / 3.0", "third", Kind::Float64))
            .add(computed("readings.points * 0.1", "tenth", Kind::Float64))
            .add(computed("readings.ratio / 3", "ratio_decimal", decimal))
            .add(computed("readings.big", "big_float", Kind::Float64))
            .add(computed("readings.huge", "huge_float", Kind::Float64))
            .add(computed("readings.huge", "huge_integer", Kind::Integer))
            .add(computed("readings.points", "points_text", Kind::Text))
            .add(computed("readings.day", "day_moment", Kind::Timestamp))
            .add(computed("readings.local", "local_day", Kind::Date))
    }

    fn sorts() -> Sorts<Entity> {
        Sorts::new()
            .add_default(Column::Single)
            .add(Column::Huge)
            .add(Column::Clock)
            .add(Column::Day)
            .add(Column::Local)
            .add("average")
            .add("average_single")
            .add("third")
            .add("tenth")
            .add("ratio_decimal")
            .add("big_float")
            .add("huge_float")
            .add("huge_integer")
            .add("points_text")
            .add("day_moment")
            .add("local_day")
    }
}

const ROWS: usize = 24;

async fn readings(engine: Engine) -> DatabaseConnection {
    let db = fresh_database(engine).await;
    let (single, ratio, huge, clock, local) = match engine {
        Engine::Postgres => (
            "real",
            "double precision",
            "numeric(20,0)",
            "time",
            "timestamp",
        ),
        Engine::Mysql => ("float", "double", "bigint unsigned", "time", "datetime(6)"),
        Engine::Sqlite => ("real", "real", "numeric", "text", "text"),
    };
    let day = if engine == Engine::Sqlite {
        "text"
    } else {
        "date"
    };
    let table = format!(
        "CREATE TABLE readings (id integer PRIMARY KEY, team integer NOT NULL, points integer NOT NULL, \
         single {single} NOT NULL, ratio {ratio} NOT NULL, big bigint NOT NULL, huge {huge} NOT NULL, \
         clock {clock} NOT NULL, day {day} NOT NULL, local {local} NOT NULL)"
    );
    db.execute_unprepared(&table).await.unwrap();
    let rows: Vec<String> = (0..ROWS)
        .map(|n| {
            let (team, points) = (n % 7, n * n % 11);
            let (single, ratio) = (["0.1", "0.3", "0.5", "16777217"][n % 4], n % 5);
            let big = 9_007_199_254_740_992 + (n * 5 % 3);
            // From 2^63 on, and as far from each other as SQLite's floats are.
            let huge = 9_223_372_036_854_775_808 + (n as u64 % 4) * 4096;
            let clock = ["24:00:00", "00:00:00", "12:30:00"][n % 3];
            let day = n % 6 + 1;
            format!(
                "({n}, {team}, {points}, {single}, {ratio}, {big}, {huge}, '{clock}', '2024-02-0{day}', '2024-02-0{day} 10:00:00')"
            )
        })
        .collect();
    let insert = format!("INSERT INTO readings VALUES {}", rows.join(", "));
    db.execute_unprepared(&insert).await.unwrap();
    db
}

fn listings() -> Listings {
    let builder = Listings::builder(Settings::default());
    builder.add::<Entity>().build().unwrap()
}

async fn page(
    listings: &Listings,
    db: &DatabaseConnection,
    query: &str,
) -> Result<ListPage, Error> {
    let request = ListingRequest::from_query(listings, query)?;
    Entity::find().listing(&request).listing_paginate(db).await
}

fn ids(page: &ListPage) -> Vec<i64> {
    let items: Vec<Value> = serde_json::from_slice(page.items()).unwrap();
    items
        .iter()
        .map(|row| row["id"].as_i64().unwrap())
        .collect()
}

/// Every row by cursor, in the order of the whole list.
async fn walked(engine: Engine, db: &DatabaseConnection, sort: &str) {
    let listings = listings();
    for direction in ["asc", "desc"] {
        let sort = format!("fields=id&sort={sort}:{direction}");
        let whole = page(&listings, db, &format!("{sort}&pagination[limit]=100")).await;
        let whole = ids(&whole.unwrap());
        assert_eq!(whole.len(), ROWS);
        let query = format!("{sort}&pagination[pageSize]=1&pagination[cursor]=");
        let mut read = page(&listings, db, &query).await.unwrap();
        let mut there = ids(&read);
        while let Some(next) = read.next_cursor() {
            assert!(there.len() < ROWS, "{sort} on {engine}: {there:?}");
            let next = page(&listings, db, &format!("{query}{next}")).await;
            read = next.unwrap_or_else(|error| panic!("{sort} on {engine}: {error:?}"));
            there.extend(ids(&read));
        }
        assert_eq!(there, whole, "{sort} on {engine}");
    }
}

fn walked_on_each(sorts: &[&str]) {
    on_each(|engine| {
        run(async {
            let db = readings(engine).await;
            for sort in sorts {
                walked(engine, &db, sort).await;
            }
        });
    });
}

/// Rule b95.
#[test]
fn a_kind_that_is_not_the_databases_loses_no_rows() {
    walked_on_each(&[
        "average",
        "average_single",
        "tenth",
        "third",
        "ratio_decimal",
        "big_float",
        "points_text",
    ]);
}

/// Rule b95.
#[test]
fn numbers_over_the_signed_ones_are_walked_over() {
    walked_on_each(&["huge", "huge_float", "huge_integer"]);
}

/// Rule b95.
#[test]
fn a_single_float_that_holds_a_double_is_walked_over() {
    walked_on_each(&["single"]);
}

/// Rule b95.
#[test]
fn the_midnight_at_a_days_end_is_walked_over() {
    walked_on_each(&["clock"]);
}

/// Rule b95.
#[test]
fn a_day_that_is_declared_a_moment_is_refused_at_once() {
    on_each(|engine| {
        run(async {
            let (db, listings) = (readings(engine).await, listings());
            for sort in ["day_moment", "local_day"] {
                // Both are texts there, and ordered and compared as such.
                if engine == Engine::Sqlite {
                    walked(engine, &db, sort).await;
                    continue;
                }
                let query = format!("sort={sort}&pagination[pageSize]=5");
                assert!(page(&listings, &db, &query).await.is_ok());
                let by_cursor = page(&listings, &db, &format!("{query}&pagination[cursor]=")).await;
                let error = by_cursor.unwrap_err().to_string();
                assert!(error.contains("kind that is declared"), "{error}");
            }
        });
    });
}

/// Rule b95.
#[test]
fn a_zero_date_has_no_cursor() {
    on_each(|engine| {
        // The others have no such dates.
        if engine != Engine::Mysql {
            return;
        }
        run(async {
            let (db, listings) = (readings(engine).await, listings());
            let zero = "UPDATE readings SET day = '0000-00-00', local = '0000-00-00' WHERE id < 4";
            db.execute_unprepared(zero).await.unwrap();
            for sort in ["day", "local"] {
                let query = format!("sort={sort}&pagination[pageSize]=2");
                let first = page(&listings, &db, &query).await.unwrap();
                assert_eq!(ids(&first), [0, 1]);
                let query = format!("{query}&pagination[cursor]=");
                let error = page(&listings, &db, &query).await.unwrap_err().to_string();
                assert!(error.contains("zero date"), "{error}");
                // Where no page begins or ends with one, every row is found.
                let query = format!("sort={sort}&pagination[pageSize]=7&pagination[cursor]=");
                let mut read = page(&listings, &db, &query).await.unwrap();
                let mut there = ids(&read);
                while let Some(next) = read.next_cursor() {
                    read = page(&listings, &db, &format!("{query}{next}"))
                        .await
                        .unwrap();
                    there.extend(ids(&read));
                }
                there.sort_unstable();
                assert!(there.into_iter().eq(0..ROWS as i64));
            }
        });
    });
}
