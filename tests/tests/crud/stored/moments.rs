//! Moments as text of every shape, and as numbers.

use chrono::{DateTime, FixedOffset};
use garde::Validate;
use listing::Context;
use listing::prelude::*;
use listing_axum::{Access, Api, Denied, Payload, Resource, WritableResource, policy};
use listing_tests::{Client, Engine, fresh_database, run};
use sea_orm::{ConnectionTrait, DatabaseConnection, Statement};
use serde_json::json;

use self::visit::{Column, Entity};
use super::{started, walked};

#[allow(dead_code, reason = "the derive makes more items than are used")]
pub mod visit {
    use sea_orm::entity::prelude::*;

    #[sea_orm::model]
    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel, listing::NamedRelations)]
    #[sea_orm(table_name = "visits")]
    pub struct Model {
        #[sea_orm(primary_key)]
        pub id: i64,
        pub at: Option<DateTimeUtc>,
        /// Without a zone.
        pub plain_at: Option<DateTime>,
        pub day: Option<Date>,
        pub paid: Option<bool>,
    }

    impl ActiveModelBehavior for ActiveModel {}
}

#[derive(Debug)]
pub struct Visits;

impl HasListing for Entity {
    type Listing = Visits;
}

impl Listing for Visits {
    type Entity = Entity;

    fn fields() -> Fields<Entity> {
        Fields::new().add_defaults([Column::At, Column::PlainAt, Column::Day, Column::Paid])
    }

    fn filters() -> Vec<Filter<Entity>> {
        let operators = || {
            FilterOperator::COMPARISONS
                .and(FilterOperator::Between)
                .and(FilterOperator::In)
                .and(FilterOperator::NotIn)
                .and(FilterOperator::NULLS)
        };
        vec![
            Filter::make(Column::At).allowed_operators(operators()),
            Filter::make(Column::PlainAt).allowed_operators(operators()),
            Filter::make(Column::Day).allowed_operators(operators()),
            Filter::make(Column::Paid).allowed_operators(FilterOperator::Equal),
        ]
    }

    fn sorts() -> Sorts<Entity> {
        Sorts::new().add_all([Column::At, Column::PlainAt, Column::Day, Column::Id])
    }
}

impl Resource for Visits {
    type Entity = Entity;

    async fn authorize(_: &Access<'_, Self>) -> Result<(), Denied> {
        policy::allow_all()
    }
}

impl WritableResource for Visits {
    type Store = VisitPayload;
    type Update = VisitPayload;
}

#[derive(Debug, Payload, Validate)]
#[payload(active_model = visit::ActiveModel)]
#[garde(allow_unvalidated)]
pub struct VisitPayload {
    at: Option<chrono::DateTime<chrono::Utc>>,
    plain_at: Option<chrono::NaiveDateTime>,
}

/// Milliseconds since 1970; two rows are of one moment.
const MOMENTS: [i64; 7] = [
    1_717_149_600_000,
    1_717_149_600_250,
    1_717_149_600_000,
    1_717_113_599_999,
    1_717_113_600_000,
    -1_500,
    1_717_236_000_000,
];

/// How a moment is kept: a number of digits, or `None` for as few as SeaORM writes.
#[derive(Debug, Clone, Copy)]
struct Shape {
    between: &'static str,
    digits: Option<usize>,
    zone: &'static str,
}

impl Shape {
    const fn new(between: &'static str, digits: Option<usize>, zone: &'static str) -> Self {
        Self {
            between,
            digits,
            zone,
        }
    }

    fn literal(self, millis: i64) -> String {
        let moment = DateTime::from_timestamp_millis(millis).unwrap();
        let hours = if self.zone.contains("+02") { 2 } else { 0 };
        let moment = moment.with_timezone(&FixedOffset::east_opt(hours * 3_600).unwrap());
        let micros = format!("{:09}", moment.timestamp_subsec_nanos());
        let fraction = match self.digits {
            None if millis % 1_000 == 0 => String::new(),
            None => format!(".{}", &micros[..3]),
            Some(0) => String::new(),
            Some(digits) => format!(".{}", &micros[..digits]),
        };
        let (day, time) = (moment.format("%Y-%m-%d"), moment.format("%H:%M:%S"));
        format!("'{day}{}{time}{fraction}{}'", self.between, self.zone)
    }
}

const OURS: [Shape; 2] = [Shape::new("T", None, "+00:00"), Shape::new(" ", None, "")];

const UNIFORM: [Shape; 5] = [
    Shape::new(" ", Some(3), ""),
    Shape::new("T", Some(3), "Z"),
    Shape::new("T", Some(6), ""),
    Shape::new("T", Some(6), "+00:00"),
    Shape::new(" ", Some(3), "Z"),
];

const MIXED: [Shape; 8] = [
    Shape::new("T", None, "Z"),
    Shape::new(" ", Some(9), ""),
    Shape::new("T", Some(3), "+02:00"),
    Shape::new(" ", Some(3), " +02:00"),
    Shape::new("T", Some(6), "+00:00"),
    Shape::new(" ", None, " UTC"),
    Shape::new(" ", Some(3), "+02"),
    Shape::new(" ", Some(3), "+0200"),
];

async fn filled(literal: impl Fn(usize, usize, i64) -> String) -> DatabaseConnection {
    let db = fresh_database(Engine::Sqlite).await;
    let table = "CREATE TABLE visits (id integer PRIMARY KEY, at datetime, plain_at datetime, day date, paid boolean);
        CREATE INDEX visits_at ON visits (at); CREATE INDEX visits_plain_at ON visits (plain_at)";
    db.execute_unprepared(table).await.unwrap();
    for (row, millis) in MOMENTS.into_iter().enumerate() {
        let (at, plain_at) = (literal(row, 0, millis), literal(row, 1, millis));
        let row = format!("INSERT INTO visits (at, plain_at) VALUES ({at}, {plain_at})");
        db.execute_unprepared(&row).await.unwrap();
    }
    db.execute_unprepared("INSERT INTO visits (at) VALUES (NULL)")
        .await
        .unwrap();
    db
}

async fn client(db: &DatabaseConnection) -> Client {
    started(Api::new("/api").crud::<Visits>(), db, &Context::new()).await
}

fn requests() -> Vec<String> {
    let mut requests = Vec::new();
    for column in ["at", "plain_at"] {
        let filter = |condition: &str| format!("/api/visits?sort=id&filters[{column}]{condition}");
        let between = DateTime::from_timestamp_micros(1_717_149_600_000_001).unwrap();
        let moments = MOMENTS.map(|millis| DateTime::from_timestamp_millis(millis).unwrap());
        for moment in moments.into_iter().chain([between]) {
            let asked = moment.format("%Y-%m-%dT%H:%M:%S%.6fZ");
            for operator in ["$eq", "$ne", "$gt", "$gte", "$lt", "$lte"] {
                requests.push(filter(&format!("[{operator}]={asked}")));
            }
            for operator in ["$in", "$notIn"] {
                requests.push(filter(&format!(
                    "[{operator}][0]={asked}&filters[{column}][{operator}][1]=1969-12-31T23:59:58.5Z"
                )));
            }
        }
        requests.extend([
            filter("[$eq]=2024-05-31"),
            filter("[$ne]=2024-05-31"),
            filter("[$lte]=2024-05-30"),
            filter("[$in][]=2024-05-30"),
            filter(&format!(
                "[$between][0]=2024-05-31T00:00:00Z&filters[{column}][$between][1]=2024-05-31T10:00:00.1Z"
            )),
            filter("[$null]=true"),
            format!("/api/visits?sort={column},id"),
            format!("/api/visits?sort={column}:desc,id"),
        ]);
    }
    requests.extend((1..=8).map(|id| format!("/api/visits/{id}")));
    requests
}

async fn answers(client: &Client) -> Vec<(String, serde_json::Value)> {
    let mut answers = Vec::new();
    for request in requests() {
        answers.push((request.clone(), client.get(&request).await.ok().json()));
    }
    for list in [
        "sort=at",
        "sort=at:desc",
        "sort=plain_at",
        "sort=plain_at:desc",
    ] {
        let list = format!("/api/visits?{list}");
        let ids = walked(client, &list).await;
        answers.push((list, json!(ids)));
    }
    answers
}

async fn same(
    db: &DatabaseConnection,
    expected: &[(String, serde_json::Value)],
    how: &str,
) -> Client {
    let client = client(db).await;
    let found = answers(&client).await;
    for ((request, expected), (_, found)) in expected.iter().zip(&found) {
        assert_eq!(found, expected, "{how}: {request}");
    }
    client
}

async fn as_seaorm_writes() -> Vec<(String, serde_json::Value)> {
    let db = filled(|_, column, millis| OURS[column].literal(millis)).await;
    let expected = answers(&client(&db).await).await;
    let first = &expected[0].1["meta"]["pagination"]["total"];
    assert_eq!(*first, 2, "two rows are of the first moment");
    expected
}

/// Rule b611.
#[test]
fn moments_of_one_shape_are_compared_and_sorted_as_moments() {
    run(async {
        let expected = as_seaorm_writes().await;
        for shape in UNIFORM {
            let db = filled(|_, _, millis| shape.literal(millis)).await;
            let _ = same(&db, &expected, &format!("{shape:?}")).await;
        }
    });
}

/// Rule b611.
#[test]
fn moments_of_several_shapes_are_compared_and_sorted_as_moments() {
    run(async {
        let expected = as_seaorm_writes().await;
        for first in 0..MIXED.len() {
            let mixed = |row: usize, column: usize| MIXED[(first + row + column) % MIXED.len()];
            let db = filled(|row, column, millis| mixed(row, column).literal(millis)).await;
            let _ = same(&db, &expected, &format!("{first}")).await;
        }
        let number = |row: usize, millis: i64| match row % 2 {
            0 => (millis * 1_000).to_string(),
            _ => OURS[0].literal(millis),
        };
        let db = filled(|row, _, millis| number(row, millis)).await;
        let _ = same(&db, &expected, "numbers").await;
    });
}

async fn shapes(db: &DatabaseConnection) -> String {
    let sql = "SELECT group_concat(DISTINCT length(at) || substr(at, 11, 1) || substr(at, 24)) FROM visits";
    let statement = Statement::from_string(db.get_database_backend(), sql);
    let row = db.query_one_raw(statement).await.unwrap().unwrap();
    row.try_get_by_index(0).unwrap()
}

/// Rules b610, b612.
#[test]
fn a_row_is_written_back_in_the_shape_of_its_column() {
    run(async {
        let expected = as_seaorm_writes().await;
        let shape = UNIFORM[1];
        let uniform = filled(|_, _, millis| shape.literal(millis)).await;
        let mixed = |row: usize| MIXED[row % MIXED.len()];
        let mixed = filled(|row, _, millis| mixed(row).literal(millis)).await;
        for db in [&uniform, &mixed] {
            let client = same(db, &expected, "before").await;
            for id in 1..=8 {
                let one = format!("/api/visits/{id}");
                let record = client.get(&one).await.ok().json()["data"].clone();
                let body = json!({ "at": record["at"], "plain_at": record["plain_at"] });
                let _ = client.put(&one, &body).await.ok();
            }
            let again = answers(&client).await;
            assert_eq!(again, expected, "after");
            let body = json!({ "at": "2024-05-31T10:00:00.25Z", "plain_at": null });
            let id = client.post("/api/visits", &body).await.created();
            let list = "/api/visits?sort=id&filters[at]=2024-05-31T10:00:00.25Z";
            assert_eq!(client.get(list).await.ok().ids(), [2, id]);
            for id in [id, 3] {
                let _ = client.delete(&format!("/api/visits/{id}")).await.ok();
            }
        }
        assert_eq!(shapes(&uniform).await, "24TZ");
    });
}

/// Rule b611.
#[test]
fn days_and_booleans_are_found_in_whichever_form_they_are_kept() {
    run(async {
        let db = filled(|_, column, millis| OURS[column].literal(millis)).await;
        let update = "UPDATE visits SET day = CASE id % 3 WHEN 0 THEN '2024-05-31' WHEN 1 THEN '2024-05-31 00:00:00'
            ELSE '2024-05-30T00:00:00.000' END, paid = CASE id % 3 WHEN 0 THEN 'true' WHEN 1 THEN 1 ELSE 'f' END";
        db.execute_unprepared(update).await.unwrap();
        let client = client(&db).await;
        let found = async |condition: &str| {
            let list = format!("/api/visits?sort=id&{condition}");
            client.get(&list).await.ok().ids()
        };
        assert_eq!(found("filters[day]=2024-05-31").await, [1, 3, 4, 6, 7]);
        assert_eq!(found("filters[day][$lt]=2024-05-31").await, [2, 5, 8]);
        assert_eq!(found("filters[paid]=true").await, [1, 3, 4, 6, 7]);
        assert_eq!(found("filters[paid]=false").await, [2, 5, 8]);
        let sorted = client.get("/api/visits?sort=day,id").await.ok().ids();
        assert_eq!(sorted, [2, 5, 8, 1, 3, 4, 6, 7]);
        for id in 1..=8 {
            let body = json!({ "at": null, "plain_at": null });
            let _ = client.put(&format!("/api/visits/{id}"), &body).await.ok();
            let _ = client.delete(&format!("/api/visits/{id}")).await.ok();
        }
    });
}
