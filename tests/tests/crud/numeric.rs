//! Timestamps that SQLite keeps as numbers are what they are shown as (b250); numbers inside JSON keep their digits (b251).

use axum::response::Response;
use axum::routing::post;
use garde::Validate;
use listing::{
    Context, Fields, Filter, FilterOperator, HasListing, Listing, Names, Settings, Sorts,
};
use listing_axum::{
    Access, Api, Config, Denied, Payload, Resource, Valid, WritableResource, policy, update,
};
use listing_tests::{Client, Engine, fresh_database, on_each, reads, run};
use sea_orm::{ConnectionTrait, DatabaseConnection, Schema};
use serde_json::{Value, json};

use self::event::{Column, Entity};

#[allow(dead_code, reason = "the derive makes more items than are used")]
pub mod event {
    use sea_orm::entity::prelude::*;

    #[sea_orm::model]
    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel, listing::NamedRelations)]
    #[sea_orm(table_name = "events")]
    pub struct Model {
        #[sea_orm(primary_key)]
        pub id: i64,
        pub at: Option<DateTimeUtc>,
        /// Without a zone.
        pub plain_at: Option<DateTime>,
        pub data: Option<Json>,
    }

    impl ActiveModelBehavior for ActiveModel {}
}

#[derive(Debug)]
pub struct Events;

impl HasListing for Entity {
    type Listing = Events;
}

impl Listing for Events {
    type Entity = Entity;

    fn fields() -> Fields<Entity> {
        Fields::new().add_defaults([Column::At, Column::PlainAt, Column::Data])
    }

    fn filters() -> Vec<Filter<Entity>> {
        let operators = || {
            FilterOperator::COMPARISONS
                .and(FilterOperator::Between)
                .and(FilterOperator::In)
                .and(FilterOperator::NULLS)
        };
        vec![
            Filter::make(Column::At).allowed_operators(operators()),
            Filter::make(Column::PlainAt).allowed_operators(operators()),
        ]
    }

    fn sorts() -> Sorts<Entity> {
        Sorts::new().add_all([Column::At, Column::PlainAt])
    }

    fn names() -> Option<Names> {
        Some(Names::CamelCase)
    }

    fn numeric_timestamps() -> Vec<Column> {
        vec![Column::At, Column::PlainAt]
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
#[payload(active_model = event::ActiveModel)]
#[garde(allow_unvalidated)]
pub struct EventPayload {
    at: Option<chrono::DateTime<chrono::Utc>>,
    plain_at: Option<chrono::NaiveDateTime>,
    data: Option<Value>,
}

#[derive(Clone, axum::extract::FromRef)]
struct App {
    db: DatabaseConnection,
    reads: listing::ReadPool,
    listings: listing::Listings,
}

async fn preview(Valid(payload): Valid<EventPayload>) -> Response {
    update(&*format!("{:?}", payload.plain_at))
}

const PATH: &str = "/api/events";

async fn client(db: &DatabaseConnection) -> Client {
    let api = Api::new("/api").crud::<Events>();
    let api = api.build(Settings::default()).unwrap();
    let router = api.router.route("/preview", post(preview));
    let router = router.with_state(App {
        reads: reads(db).await,
        db: db.clone(),
        listings: api.listings,
    });
    Client::of(router, &Context::new(), &Config::default())
}

/// What is stored, what is shown, and the microseconds that it means.
const ROWS: [(&str, Option<&str>); 9] = [
    ("1717149600", Some("2024-05-31T10:00:00.000000Z")),
    ("1717149600250", Some("2024-05-31T10:00:00.250000Z")),
    ("1717149600250001", Some("2024-05-31T10:00:00.250001Z")),
    ("1717149600000000", Some("2024-05-31T10:00:00.000000Z")),
    ("-1500", Some("1969-12-31T23:35:00.000000Z")),
    ("-62135596799999", Some("0001-01-01T00:00:00.001000Z")),
    ("2460461.916666667", Some("2024-05-31T10:00:00.000000Z")),
    ("'text'", Some("2024-05-31T09:59:59.999999Z")),
    ("NULL", None),
];

async fn numbers() -> Client {
    let db = fresh_database(Engine::Sqlite).await;
    // As other programs declare them: the column takes numbers as well as text.
    let table =
        "CREATE TABLE events (id integer PRIMARY KEY, at datetime, plain_at datetime, data json)";
    db.execute_unprepared(table).await.unwrap();
    for (stored, _) in ROWS {
        let (at, plain_at) = match stored {
            "'text'" => (
                "'2024-05-31T09:59:59.999999+00:00'",
                "'2024-05-31 09:59:59.999999'",
            ),
            number => (number, number),
        };
        let row = format!("INSERT INTO events (at, plain_at) VALUES ({at}, {plain_at})");
        db.execute_unprepared(&row).await.unwrap();
    }
    client(&db).await
}

/// The rows for which the test holds, by their keys.
fn those(test: impl Fn(&str) -> bool) -> Vec<i64> {
    let rows = (1_i64..).zip(ROWS);
    let met = rows.filter(|(_, (_, shown))| shown.is_some_and(&test));
    met.map(|(id, _)| id).collect()
}

async fn check_lists(client: &Client) {
    for column in ["at", "plainAt"] {
        let list = client.get(&format!("{PATH}?sort=id")).await.ok();
        let shown: Vec<_> = ROWS.iter().map(|(_, shown)| json!(shown)).collect();
        assert_eq!(list.column(column), shown);
        type Test = fn(&str, &str) -> bool;
        let tests: [(&str, Test); 6] = [
            ("$eq", |have, asked| have == asked),
            ("$ne", |have, asked| have != asked),
            ("$gt", |have, asked| have > asked),
            ("$gte", |have, asked| have >= asked),
            ("$lt", |have, asked| have < asked),
            ("$lte", |have, asked| have <= asked),
        ];
        for asked in ROWS.iter().filter_map(|(_, shown)| *shown) {
            for (operator, test) in tests {
                let query = format!("{PATH}?sort=id&filters[{column}][{operator}]={asked}");
                let mut expected = those(|have| test(have, asked));
                if operator == "$ne" {
                    // A null is not equal to it either (d24).
                    expected.push(9);
                }
                let ids = client.get(&query).await.ok().ids();
                assert_eq!(ids, expected, "{query}");
            }
        }
        let (from, to) = ("2024-05-31T10:00:00Z", "2024-05-31T10:00:00.25Z");
        let query = format!(
            "{PATH}?sort=id&filters[{column}][$between][0]={from}&filters[{column}][$between][1]={to}"
        );
        assert_eq!(client.get(&query).await.ok().ids(), [1, 2, 4, 7]);
        // A whole day.
        let query = format!("{PATH}?sort=id&filters[{column}][$eq]=2024-05-31");
        assert_eq!(client.get(&query).await.ok().ids(), [1, 2, 3, 4, 7, 8]);
        let query = format!("{PATH}?sort=id&filters[{column}][$in][]=1969-12-31");
        assert_eq!(client.get(&query).await.ok().ids(), [5]);

        let ascending = [6, 5, 8, 1, 4, 7, 2, 3, 9];
        let query = format!("{PATH}?sort={column}");
        assert_eq!(client.get(&query).await.ok().ids(), ascending);
        for (direction, order) in [("asc", ascending), ("desc", [9, 3, 2, 7, 4, 1, 8, 5, 6])] {
            let walk = format!("{PATH}?sort={column}:{direction}&pagination[pageSize]=2");
            let (mut cursor, mut seen) = (String::new(), Vec::new());
            for _ in 0..5 {
                let query = format!("{walk}&pagination[cursor]={cursor}");
                let page = client.get(&query).await.ok();
                seen.extend(page.ids());
                let next = page.meta()["pagination"]["nextCursor"].clone();
                cursor = next.as_str().unwrap_or_default().to_owned();
            }
            assert_eq!(seen, order, "{walk}");
            assert!(cursor.is_empty(), "five pages are all");
        }
    }
}

/// Rule b250.
#[test]
fn numbers_of_sqlite_are_compared_and_sorted_as_moments() {
    run(async { check_lists(&numbers().await).await });
}

/// Rule b250.
#[test]
fn a_row_with_numbers_is_shown_and_written_back_twice() {
    run(async {
        let client = numbers().await;
        for (id, (_, shown)) in (1..).zip(ROWS) {
            let one = format!("{PATH}/{id}");
            let record = json!({ "id": id, "at": shown, "plainAt": shown, "data": null });
            for _ in 0..2 {
                assert_eq!(client.get(&one).await.ok().json()["data"], record);
                let _ = client.put(&one, &record).await.ok();
            }
            assert_eq!(client.get(&one).await.ok().json()["data"], record);
            // Rows that hold text by now stand among rows that hold numbers.
            if id % 4 == 0 {
                check_lists(&client).await;
            }
        }
        check_lists(&client).await;
    });
}

/// Rule b251.
#[test]
fn numbers_inside_json_keep_their_digits_or_are_refused() {
    on_each(|engine| {
        run(async {
            let db = fresh_database(engine).await;
            let schema = Schema::new(db.get_database_backend());
            let table = schema.create_table_from_entity(Entity);
            db.execute(&table).await.unwrap();
            let client = client(&db).await;
            let sent = |data: &str| format!(r#"{{"at": null, "plainAt": null, "data": {data}}}"#);
            let kept = r#"{"a":[1,-2.5,18446744073709551615,0.1],"b":"12345678901234567.89"}"#;
            let id = client.json("POST", PATH, sent(kept)).await.created();
            let one = format!("{PATH}/{id}");
            let expected: Value = serde_json::from_str(kept).unwrap();
            assert_eq!(client.get(&one).await.ok().json()["data"]["data"], expected);
            for (method, path) in [("POST", PATH), ("PUT", &one)] {
                for number in ["12345678901234567.89", "0.12345678901234567890"] {
                    let body = sent(&format!(r#"{{"a": [{number}]}}"#));
                    let reply = client.json(method, path, body).await;
                    let text = format!(
                        "data must be JSON whose numbers fit into 64 bits; {number} would lose \
                         digits (send it as a string)."
                    );
                    assert_eq!(reply.invalid()["data"], [text]);
                }
            }
            // What another program has stored comes out as it is.
            let exact = r#"{"a": 12345678901234567.89}"#;
            let table = if engine == Engine::Mysql {
                "`events`"
            } else {
                "\"events\""
            };
            let update = format!("UPDATE {table} SET data = '{exact}' WHERE id = {id}");
            db.execute_unprepared(&update).await.unwrap();
            let text = client.get(&one).await.ok().text();
            assert!(
                text.contains(r#""data":{"a":12345678901234567.89}"#),
                "{text}"
            );
        });
    });
}

/// Rule d91.
#[test]
fn the_validation_of_a_payload_alone_has_the_listings_own_names() {
    run(async {
        let client = numbers().await;
        let reply = client
            .post("/preview", &json!({ "plainAt": "never" }))
            .await;
        assert_eq!(reply.invalid_fields(), ["plainAt"]);
        let body = json!({ "plainAt": "2024-05-31T10:00:00Z" });
        let reply = client.post("/preview", &body).await.ok();
        assert!(
            reply.text().contains("2024-05-31T10:00:00"),
            "{}",
            reply.text()
        );
    });
}
