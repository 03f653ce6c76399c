//! Sums and averages have the same digits on every database, however large they are (d105).

use listing::{ListingQuery, ListingRequest, Listings};
use listing_tests::{Engine, fresh_database, on_each, patient, reads, run};
use sea_orm::ConnectionTrait;
use serde_json::{Value, json};

pub mod ledger {
    use listing::prelude::*;
    use sea_orm::entity::prelude::*;

    #[sea_orm::model]
    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel, listing::NamedRelations)]
    #[sea_orm(table_name = "ledger")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub id: i64,
        #[sea_orm(nullable)]
        pub amount: Option<i64>,
        #[sea_orm(column_type = "Decimal(Some((12, 4)))", nullable)]
        pub price: Option<Decimal>,
        pub kind: String,
        #[sea_orm(column_type = "Date", nullable)]
        pub paid_on: Option<Date>,
    }

    impl ActiveModelBehavior for ActiveModel {}

    impl HasListing for Entity {
        type Listing = Ledger;
    }

    pub struct Ledger;

    impl Listing for Ledger {
        type Entity = Entity;

        fn fields() -> Fields<Entity> {
            Fields::new()
                .add(Column::Amount)
                .add(Field::column(Column::Amount).alias("text").as_text())
                .add_all([Column::Price, Column::Kind, Column::PaidOn])
        }

        fn filters() -> Vec<Filter<Entity>> {
            use FilterOperator::{Between, Equal, LessThan};
            vec![
                Filter::make(Column::Id).allowed_operators(LessThan),
                Filter::make(Column::Kind).allowed_operators(Equal),
                Filter::make(Column::Price).allowed_operators(Equal),
                Filter::make(Column::PaidOn).allowed_operators(Between),
            ]
        }

        fn facets() -> Vec<Facet<Entity>> {
            vec![
                Facet::of(Column::Kind).narrowing(),
                Facet::of(Column::Price),
                Facet::calendar(Column::PaidOn),
            ]
        }

        fn aggregates() -> Vec<Aggregate<Entity>> {
            use AggregateFunction::{Average, Count, CountDistinct, Max, Min, Sum};
            let all = [Count, CountDistinct, Sum, Average, Min, Max];
            vec![
                Aggregate::of("amount").allow(all),
                Aggregate::of("text").allow([Sum, Max]),
                Aggregate::of(Column::Price).allow(all),
                Aggregate::of(Column::Kind).allow([Count, CountDistinct]),
                Aggregate::of(Column::PaidOn).allow([Min, Max]),
            ]
        }

        fn sorts() -> Sorts<Entity> {
            Sorts::new().add_default(Column::Id)
        }
    }
}

/// The `meta` of a list of these rows.
async fn meta(engine: Engine, queries: &[&str]) -> Vec<Value> {
    let db = fresh_database(engine).await;
    let decimal = if engine == Engine::Sqlite {
        "REAL"
    } else {
        "DECIMAL(12, 4)"
    };
    let day = if engine == Engine::Sqlite {
        "TEXT"
    } else {
        "DATE"
    };
    let options = if engine == Engine::Mysql {
        " CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci"
    } else {
        ""
    };
    let create = format!(
        "CREATE TABLE ledger (id BIGINT NOT NULL PRIMARY KEY, amount BIGINT, price {decimal}, \
         kind VARCHAR(20) NOT NULL, paid_on {day}){options}"
    );
    db.execute_unprepared(&create).await.unwrap();
    db.execute_unprepared(
        "INSERT INTO ledger VALUES \
         (1, 9223372036854775807, 0.1000, 'b', '2023-12-31'), \
         (2, 9223372036854775807, 0.2000, 'Z', '2024-01-01'), \
         (3, -7, -12345678.9012, 'a', '2024-02-29'), \
         (4, 9223372036854775807, NULL, 'b', NULL), \
         (5, NULL, 0.0005, 'é', '2024-12-30'), \
         (6, 3, 0.0005, 'Z', '2024-12-29')",
    )
    .await
    .unwrap();
    let listings = Listings::builder(patient())
        .add::<ledger::Entity>()
        .build()
        .unwrap();
    let reads = reads(&db).await;
    let mut answers = Vec::new();
    for query in queries {
        let request = ListingRequest::from_query(&listings, query).unwrap();
        let page = ListingQuery::<ledger::Entity>::all(&request);
        let page = page.listing_paginate(&reads).await.unwrap();
        let body: Value = serde_json::from_slice(&page.body(200, None, true)).unwrap();
        answers.push(body["meta"].clone());
    }
    answers
}

/// Rules d104, d105.
#[test]
fn sums_are_exact_beyond_64_bits_and_averages_have_six_places() {
    let all = "count,countDistinct,sum,avg,min,max";
    let queries = [
        format!("totals[amount]={all}&totals[text]=sum,max&totals[price]={all}&totals[kind]=count,countDistinct&totals[paid_on]=min,max"),
        "filters[id][$lt]=0&totals[amount]=count,sum&totals[text]=sum&totals[price]=countDistinct,sum,avg".to_owned(),
        "filters[id][$lt]=2&totals[amount]=sum&totals[text]=sum".to_owned(),
    ];
    let queries = queries.each_ref().map(String::as_str);
    on_each(|engine| {
        let found = run(meta(engine, &queries));
        assert_eq!(
            found[0]["totals"],
            json!({
                "amount": {
                    "count": 5,
                    "countDistinct": 3,
                    "sum": "27670116110564327417",
                    "avg": "5534023222112865483.400000",
                    "min": -7,
                    "max": i64::MAX,
                },
                "text": { "sum": "27670116110564327417", "max": "9223372036854775807" },
                "price": {
                    "count": 5,
                    "countDistinct": 4,
                    "sum": "-12345678.6002",
                    "avg": "-2469135.720040",
                    "min": "-12345678.9012",
                    "max": "0.2000",
                },
                "kind": { "count": 6, "countDistinct": 4 },
                "paid_on": { "min": "2023-12-31", "max": "2024-12-30" },
            })
        );
        assert_eq!(
            found[1]["totals"],
            json!({
                "amount": { "count": 0, "sum": 0 },
                "text": { "sum": "0" },
                "price": { "countDistinct": 0, "sum": "0.0000", "avg": null },
            })
        );
        assert_eq!(
            found[2]["totals"],
            json!({ "amount": { "sum": i64::MAX }, "text": { "sum": i64::MAX.to_string() } })
        );
    });
}

/// Rules d98, d99, d101, d103.
#[test]
fn values_are_ordered_by_their_bytes_and_dates_have_calendars() {
    let queries = [
        "facets=kind,price",
        "facets[kind][sort]=value&filters[kind]=b",
        "facets[paid_on][unit]=week",
        "facets[paid_on][unit]=quarter",
        "facets[kind][limit]=2&facets[price][search]=.1",
    ];
    on_each(|engine| {
        let found = run(meta(engine, &queries));
        let values = |at: usize, facet: usize| {
            let facet = &found[at]["facets"][facet];
            let values = facet["values"].as_array().unwrap();
            let pair = |one: &Value| json!([one["value"], one["count"]]);
            values.iter().map(pair).collect::<Vec<_>>()
        };
        assert_eq!(
            values(0, 0),
            [
                json!(["Z", 2]),
                json!(["b", 2]),
                json!(["a", 1]),
                json!(["é", 1])
            ]
        );
        assert_eq!(
            values(0, 1),
            [
                json!(["0.0005", 2]),
                json!(["-12345678.9012", 1]),
                json!(["0.1000", 1]),
                json!(["0.2000", 1])
            ]
        );
        assert_eq!(found[0]["facets"][1]["missing"], 1);
        // Its own filter holds.
        assert_eq!(values(1, 0), [json!(["b", 2])]);
        assert_eq!(found[1]["facets"][0]["values"][0]["selected"], true);
        let weeks = &found[2]["facets"][0];
        assert_eq!(weeks["values"].as_array().unwrap().len(), 54);
        assert_eq!(
            weeks["values"][0],
            json!({ "value": "2023-12-25", "from": "2023-12-25", "to": "2024-01-01", "count": 1 })
        );
        assert_eq!(weeks["values"][53]["value"], "2024-12-30");
        assert_eq!(weeks["missing"], 1);
        assert_eq!(
            values(3, 0),
            [
                json!(["2023-10-01", 1]),
                json!(["2024-01-01", 2]),
                json!(["2024-04-01", 0]),
                json!(["2024-07-01", 0]),
                json!(["2024-10-01", 2]),
            ]
        );
        assert_eq!(values(4, 0), [json!(["Z", 2]), json!(["b", 2])]);
        assert_eq!(found[4]["facets"][0]["others"], 2);
        assert_eq!(values(4, 1), [json!(["0.1000", 1])]);
        assert_eq!(found[4]["facets"][1]["others"], 4);
    });
}

/// Rules d106, d107.
#[test]
fn more_than_10000_groups_are_refused() {
    on_each(|engine| {
        run(async {
            let db = fresh_database(engine).await;
            let day = if engine == Engine::Sqlite {
                "TEXT"
            } else {
                "DATE"
            };
            let create = format!(
                "CREATE TABLE ledger (id BIGINT NOT NULL PRIMARY KEY, amount BIGINT, price DECIMAL(12, 4), \
                 kind VARCHAR(20) NOT NULL, paid_on {day})"
            );
            db.execute_unprepared(&create).await.unwrap();
            for some in 0..11_i64 {
                let row = |id: i64| format!("({id}, {id}, NULL, 'k{id}', NULL)");
                let rows: Vec<_> = (some * 1_000..(some + 1) * 1_000).map(row).collect();
                let insert = format!("INSERT INTO ledger VALUES {}", rows.join(", "));
                db.execute_unprepared(&insert).await.unwrap();
            }
            let listings = Listings::builder(patient())
                .add::<ledger::Entity>()
                .build()
                .unwrap();
            let reads = reads(&db).await;
            let groups = async |query: &str| {
                let request = ListingRequest::groups_from_query(&listings, query).unwrap();
                ListingQuery::<ledger::Entity>::all(&request)
                    .listing_groups(&reads)
                    .await
            };
            let error = groups("by=kind").await.unwrap_err();
            let listing::Error::Execute(error) = error else {
                panic!("{error}");
            };
            assert_eq!(error.complaint().unwrap().code, "too_many_groups");
            let few = groups("by=kind&filters[id][$lt]=10000").await.unwrap();
            assert_eq!(few.total(), 10_000);
            // A facet of as many values is cut, unless its labels decide.
            let facet = async |query: &str| {
                let request = ListingRequest::from_query(&listings, query).unwrap();
                ListingQuery::<ledger::Entity>::all(&request)
                    .listing_numbers(&reads)
                    .await
            };
            assert!(facet("facets[kind][limit]=3").await.is_ok());
            assert!(facet("facets[kind][sort]=label").await.is_err());
        });
    });
}
