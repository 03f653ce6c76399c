//! Every kind of value that a list can be sorted by survives a cursor unchanged (b91, b92).
#![expect(
    unreachable_pub,
    reason = "SeaORM and the trait want them public, and nobody else is to have them"
)]

use chrono::{DateTime, NaiveDate, NaiveTime, TimeDelta, Utc};
use listing::reply::ListPage;
use listing::{
    Error, Field, Fields, HasListing, Kind, Listing, ListingRequest, Listings, SelectListing,
    Settings, Sort, Sorts,
};
use listing_tests::{Engine, fresh_database, on_each, run};
use rust_decimal::Decimal;
use sea_orm::entity::prelude::*;
use sea_orm::entity::prelude::{ActiveModelBehavior, DeriveEntityModel, DeriveRelation, EnumIter};
use sea_orm::sea_query::{Expr, Query};
use sea_orm::{ConnectionTrait, DatabaseConnection, IntoActiveModel, Schema};
use serde_json::Value;

#[sea_orm::model]
#[derive(Clone, Debug, PartialEq, DeriveEntityModel, listing::NamedRelations)]
#[sea_orm(table_name = "samples")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub single: Option<f32>,
    pub dual: Option<f64>,
    #[sea_orm(column_type = "Decimal(Some((20, 6)))", nullable)]
    pub price: Option<Decimal>,
    pub day: Option<Date>,
    pub clock: Option<Time>,
    pub moment: Option<DateTimeUtc>,
    pub local: Option<sea_orm::entity::prelude::DateTime>,
    pub flag: Option<bool>,
    pub big: i64,
    #[sea_orm(column_type = "String(StringLen::N(100))")]
    pub name: String,
    pub token: Option<Uuid>,
    #[sea_orm(column_type = "Text", nullable)]
    pub long: Option<String>,
}

impl ActiveModelBehavior for ActiveModel {}

pub struct SampleListing;

impl HasListing for Entity {
    type Listing = SampleListing;
}

fn computed(sql: &'static str, alias: &str, kind: Kind) -> Field {
    Field::computed(move || Query::select().expr(Expr::cust(sql)).take(), alias).kind(kind)
}

impl Listing for SampleListing {
    type Entity = Entity;

    fn fields() -> Fields<Entity> {
        Fields::new()
            .add_default(computed(
                "samples.price * 2",
                "twice",
                Kind::Decimal { scale: None },
            ))
            .add(computed("samples.dual", "copied_dual", Kind::Float64))
            .add(computed("samples.moment", "copied_moment", Kind::Timestamp))
            .add(computed("samples.name", "copied_name", Kind::Text))
            .add(computed("samples.price", "not_whole", Kind::Integer))
            .add(Field::computed(
                || Query::select().expr(Expr::cust("samples.big")).take(),
                "natural",
            ))
    }

    fn sorts() -> Sorts<Entity> {
        Sorts::new()
            .add_default(Column::Single)
            .add(Column::Dual)
            .add(Sort::by("price").nulls_first())
            .add(Column::Day)
            .add(Sort::by("clock").nulls_first())
            .add(Column::Moment)
            .add(Sort::by("local").nulls_last())
            .add(Column::Flag)
            .add(Column::Big)
            .add(Column::Name)
            .add(Column::Token)
            .add(Column::Long)
            .add("twice")
            .add("copied_dual")
            .add("copied_moment")
            .add("copied_name")
            .add("not_whole")
            .add("natural")
    }
}

const SORTS: [&str; 16] = [
    "single",
    "dual",
    "price",
    "day",
    "clock",
    "moment",
    "local",
    "flag",
    "big",
    "name",
    "token",
    "twice",
    "copied_dual",
    "copied_moment",
    "copied_name",
    "not_whole",
];

/// Values that lie as near to each other as their types allow, some of them equal and some null.
fn rows() -> Vec<Model> {
    let start: DateTime<Utc> = DateTime::from_timestamp_micros(1_767_225_599_999_998).unwrap();
    let duals = [
        0.1,
        0.1 + 0.2,
        0.3,
        -0.0,
        0.0,
        1e300,
        -1e300,
        5e-324,
        3.0,
        1.1,
        9_007_199_254_740_993.0,
        1e-7,
    ];
    let singles = [0.1_f32, 1.1, 16_777_216.0, -0.5, 3.4e38, 1e-40, 0.3];
    let prices = [
        "0.1",
        "0.100001",
        "12345678901234.123456",
        "12345678901234.123457",
        "-7",
        "7",
        "0",
    ];
    let names = [
        "", "a", "A", "ä", "z", "%", "\\", "'", "a b", "日本", "aa", "Z",
    ];
    (0..40_u128)
        .map(|at| {
            let n = at as usize;
            let micros = TimeDelta::microseconds((n % 5) as i64);
            let some = |every: usize| !n.is_multiple_of(every);
            Model {
                id: Uuid::from_u128(at * 0x1111_2222_3333_4444_5555_6666),
                single: some(6).then(|| singles[n % singles.len()]),
                dual: some(7).then(|| duals[n % duals.len()]),
                price: some(4).then(|| prices[n % prices.len()].parse().unwrap()),
                day: some(5)
                    .then(|| NaiveDate::from_ymd_opt(1969 + (n % 4) as i32, 12, 31).unwrap()),
                clock: some(9).then(|| {
                    NaiveTime::from_hms_micro_opt(23, 59, 59, 999_990 + (n % 5) as u32).unwrap()
                }),
                moment: some(8).then_some(start + micros),
                local: some(3).then(|| (start + micros).naive_utc()),
                flag: [None, Some(true), Some(false)][n % 3],
                big: [i64::MIN, i64::MAX, 0, 9_007_199_254_740_993, -1][n % 5],
                name: names[n % names.len()].to_owned(),
                token: some(10).then(|| Uuid::from_u128(u128::MAX / (at % 4 + 1))),
                long: Some("x".repeat(n * 1_000)),
            }
        })
        .collect()
}

async fn samples(engine: Engine) -> DatabaseConnection {
    let db = fresh_database(engine).await;
    let schema = Schema::new(db.get_database_backend());
    let table = schema.create_table_from_entity(Entity);
    db.execute(&table).await.unwrap();
    if engine == Engine::Mysql {
        // SeaORM has no fraction of a second for MariaDB, and its moments begin in 1970.
        let precise = "ALTER TABLE samples MODIFY clock TIME(6), MODIFY moment DATETIME(6), MODIFY local DATETIME(6)";
        db.execute_unprepared(precise).await.unwrap();
    }
    let rows = rows()
        .into_iter()
        .map(|row| row.into_active_model().reset_all());
    Entity::insert_many(rows)
        .exec_without_returning(&db)
        .await
        .unwrap();
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

fn ids(page: &ListPage) -> Vec<String> {
    let items: Vec<Value> = serde_json::from_slice(page.items()).unwrap();
    let id = |item: &Value| item["id"].as_str().unwrap().to_owned();
    items.iter().map(id).collect()
}

#[test]
fn values_of_every_kind_come_back_as_they_were() {
    on_each(|engine| {
        run(async {
            let (db, listings) = (samples(engine).await, listings());
            for sort in SORTS {
                for direction in ["asc", "desc"] {
                    let sort = format!("sort={sort}:{direction}");
                    let whole =
                        page(&listings, &db, &format!("{sort}&pagination[limit]=100")).await;
                    let whole = ids(&whole.unwrap());
                    assert_eq!(whole.len(), 40);
                    for fields in ["id", "*"] {
                        let query = format!(
                            "{sort}&fields={fields}&pagination[pageSize]=3&pagination[cursor]="
                        );
                        let mut read = page(&listings, &db, &query).await.unwrap();
                        let (mut there, mut back) = (ids(&read), Vec::new());
                        while let Some(next) = read.next_cursor() {
                            read = page(&listings, &db, &format!("{query}{next}"))
                                .await
                                .unwrap();
                            there.extend(ids(&read));
                        }
                        assert_eq!(there, whole, "{sort} on {engine}");
                        while let Some(previous) = read.prev_cursor() {
                            back.splice(0..0, ids(&read));
                            read = page(&listings, &db, &format!("{query}{previous}"))
                                .await
                                .unwrap();
                        }
                        back.splice(0..0, ids(&read));
                        assert_eq!(back, whole, "{sort} backwards on {engine}");
                    }
                }
            }
        });
    });
}

#[test]
fn a_sort_that_cannot_be_compared_has_no_cursor() {
    on_each(|engine| {
        run(async {
            let (db, listings) = (samples(engine).await, listings());
            let error = page(&listings, &db, "sort=natural&pagination[cursor]=")
                .await
                .unwrap_err();
            assert_eq!(error.complaint().unwrap().code, "cursor_sort");
            assert!(page(&listings, &db, "sort=natural").await.is_ok());
            // Short texts have one, long ones do not.
            let query = "sort=long&pagination[pageSize]=5&pagination[cursor]=";
            let mut read = page(&listings, &db, query).await.unwrap();
            let mut pages = 1;
            let error = loop {
                let next = read.next_cursor().unwrap().to_owned();
                match page(&listings, &db, &format!("{query}{next}")).await {
                    Ok(page) => read = page,
                    Err(error) => break error,
                }
                pages += 1;
            };
            assert_eq!(error.complaint().unwrap().code, "cursor_too_long");
            assert_eq!(pages, 3, "at most 18,000 bytes");
        });
    });
}
