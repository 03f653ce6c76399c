//! Long lists: every value counts up to the bounds, and past what a database can bind there is an error, not a failure.

use std::ops::Range;

use listing::Dialect;
use listing_tests::{Engine, Reply, Service, on_each_database};
use serde_json::{Value, json};

use crate::articles::{DEMO, asked, assert_found, assert_some, ids_of, posted};
use crate::bench::on_each_bench;
use crate::samples;

/// So many days in a row, none of which any sample has.
fn days(numbers: Range<u64>) -> Vec<String> {
    let first: chrono::NaiveDate = "2025-01-01".parse().unwrap();
    let day = |number| first + chrono::Days::new(number);
    // Every second one, so that they are no single range.
    numbers.map(|number| day(2 * number).to_string()).collect()
}

/// Rules d3, d27.
#[test]
fn a_thousand_values_in_a_query_string() {
    on_each_database(async |service| {
        let values = |first: i64| {
            let ids = (first..1_000_000).take(999).chain([2]);
            ids.map(|id| format!("filters[id][$in]={id}"))
                .collect::<Vec<_>>()
                .join("&")
        };
        let service = service.with_settings(|settings| settings.bounds.pairs = 1_100);
        let reply = asked(&service, &values(600_000)).await;
        assert_found(&reply, "1,000 values", &[2]);
        assert_eq!(reply.meta()["filters"].as_array().unwrap().len(), 1_000);
        let reply = asked(&service, &format!("{}&filters[id][$in]=3", values(600_000))).await;
        let error = reply.error(400);
        assert_eq!(error["code"], "too_many_values");
        assert!(error["message"].as_str().unwrap().contains("POST"));
    });
}

/// Rules d13, d27.
#[test]
fn ten_thousand_values_in_a_body() {
    let ids: Vec<i64> = (1_000_001..=1_009_999).chain([7]).collect();
    let slugs: Vec<String> = (1..10_000)
        .map(|number| format!("none-{number}"))
        .chain(["case-matters".to_owned()])
        .collect();
    on_each_database(async |service| {
        let reply = posted(service, &json!({ "id": { "$in": ids } })).await;
        assert_found(&reply, "ids", &[7]);
        let told = reply.meta()["filters"].clone();
        assert_eq!(told.as_array().unwrap().len(), 10_000);
        assert_eq!(told[9_999]["value"], "7");
        let reply = posted(service, &json!({ "id": { "$notIn": ids } })).await;
        assert_some(&reply, "ids", |row| row.id != 7);
        let reply = posted(service, &json!({ "slug": { "$in": slugs } })).await;
        assert_found(&reply, "slugs", &[22]);
        let mut one_more = ids.clone();
        one_more.push(8);
        let reply = posted(service, &json!({ "id": { "$in": one_more } })).await;
        assert_eq!(reply.error_code(400), "too_many_values");
    });
}

/// Ten thousand values in a filter with labels from the database, and in a custom one.
/// Rules d27, d34.
#[test]
fn ten_thousand_values_with_labels_and_in_a_custom_filter() {
    let ids: Vec<i64> = (1_000_001..=1_009_999).chain([1]).collect();
    let codes: Vec<String> = (1..10_000)
        .map(|number| format!("{number}"))
        .chain(["DE".to_owned()])
        .collect();
    let germans = [1, 17];
    on_each_database(async |service| {
        let reply = posted(service, &json!({ "author_id": { "$in": ids } })).await;
        assert_some(&reply, "authors", |row| row.author_id == Some(1));
        assert_eq!(reply.meta()["filters"][9_999]["label"], "Anna Köhler");
        let reply = posted(service, &json!({ "author_country": { "$in": codes } })).await;
        assert_some(&reply, "countries", |row| {
            row.author_id.is_some_and(|id| germans.contains(&id))
        });
    });
}

/// Each day is a condition of its own; SQLite takes only so many inside each other.
/// Rules d9, d27.
#[test]
fn a_thousand_days_in_one_list() {
    let mut list = days(0..999);
    list.push("2024-02-29".to_owned());
    on_each_bench(async |bench| {
        for column in ["moment", "local"] {
            let filters = json!({ column: { "$in": list } });
            let reply = bench.post::<samples::Entity>(&filters).await;
            let found: &[i64] = if column == "moment" { &[1] } else { &[1, 5] };
            assert_eq!(reply.ids(), found, "{column} $in");
            let filters = json!({ column: { "$notIn": list } });
            let reply = bench.post::<samples::Entity>(&filters).await;
            let others: Vec<i64> = (1..=6).filter(|id| !found.contains(id)).collect();
            assert_eq!(reply.ids(), others, "{column} $notIn");
        }
        let query: Vec<_> = list
            .iter()
            .map(|day| format!("filters[local][$in]={day}"))
            .collect();
        let reply = bench.get::<samples::Entity>(&query.join("&")).await;
        assert_eq!(reply.ids(), [1, 5]);
    });
}

/// Rules d9, d27.
#[test]
fn ten_thousand_days_in_one_list() {
    let mut list = days(0..9_999);
    list.push("2024-02-29".to_owned());
    on_each_bench(async |bench| {
        let filters = json!({ "moment": { "$in": list } });
        let reply = bench.post::<samples::Entity>(&filters).await;
        assert_eq!(reply.ids(), [1]);
        let filters = json!({ "moment": { "$notIn": list } });
        let reply = bench.post::<samples::Entity>(&filters).await;
        assert_eq!(reply.ids(), [2, 3, 4, 5, 6]);
        let both = json!({ "$in": list });
        let filters = json!({ "moment": both, "local": both });
        let reply = bench.post::<samples::Entity>(&filters).await;
        assert_eq!(reply.ids(), [1]);
        // Together more than SQLite binds, and no failure.
        let both = json!({ "$in": list, "$notIn": days(0..9_999) });
        let filters = json!({ "moment": both, "local": both });
        let reply = bench.post::<samples::Entity>(&filters).await;
        match bench.engine {
            Engine::Sqlite => assert_too_many(&reply, 39_998, Dialect::Sqlite),
            Engine::Postgres | Engine::Mysql => assert_eq!(reply.ids(), [1]),
        }
    });
}

/// A long list is asked for in another way than a short one: the first and last microsecond are the same.
/// Rules d9, d27.
#[test]
fn days_mean_the_same_in_lists_of_every_length() {
    on_each_bench(async |bench| {
        for count in [0, 98, 99, 100, 101, 500] {
            for (day, moments, locals) in [
                ("2024-02-28", &[5_i64][..], &[][..]),
                ("2024-02-29", &[1], &[1_i64, 5]),
                ("2024-03-01", &[2], &[2]),
                ("1000-01-01", &[3], &[3]),
                ("9999-12-31", &[4], &[4]),
                ("2024-03-02", &[], &[]),
            ] {
                let mut list = days(0..count);
                list.push(day.to_owned());
                for (column, found) in [("moment", moments), ("local", locals)] {
                    let filters = json!({ column: { "$in": list } });
                    let reply = bench.post::<samples::Entity>(&filters).await;
                    assert_eq!(reply.ids(), found, "{column} $in {count} and {day}");
                    let filters = json!({ column: { "$notIn": list } });
                    let reply = bench.post::<samples::Entity>(&filters).await;
                    let others: Vec<i64> = (1..=6).filter(|id| !found.contains(id)).collect();
                    assert_eq!(reply.ids(), others, "{column} $notIn {count} and {day}");
                }
                // With a moment among them.
                list.push("2024-03-01T00:00:00Z".to_owned());
                let filters = json!({ "moment": { "$in": list, "$ne": "2024-03-01T00:00:00Z" } });
                let reply = bench.post::<samples::Entity>(&filters).await;
                let found: Vec<i64> = moments.iter().copied().filter(|id| *id != 2).collect();
                assert_eq!(reply.ids(), found, "{count}, {day} and a moment");
            }
        }
    });
}

fn dialect(engine: Engine) -> Dialect {
    match engine {
        Engine::Sqlite => Dialect::Sqlite,
        Engine::Postgres => Dialect::Postgres,
        Engine::Mysql => Dialect::Mysql,
    }
}

#[track_caller]
fn assert_too_many(reply: &Reply, given: usize, dialect: Dialect) {
    let error = reply.error(400);
    assert_eq!(error["code"], "too_many_values");
    let details = &error["details"];
    assert_eq!(details["parameter"], "filters");
    assert_eq!(details["token"], given.to_string());
    let most = format!("at most {} values", dialect.most_values());
    assert_eq!(details["allowed"], json!([most]));
}

/// The service with room for lists of any length.
fn with_long_lists(service: &Service) -> Service {
    service.with_settings(|settings| settings.bounds.body_in_values = 100_000)
}

fn ids(count: usize) -> Vec<usize> {
    (1..=count).collect()
}

/// Rules d13, d53, b22.
#[test]
fn more_values_than_the_database_binds_are_refused() {
    on_each_database(async |service| {
        let most = dialect(service.engine).most_values();
        let service = with_long_lists(service);
        let reply = posted(&service, &json!({ "id": { "$in": ids(most) } })).await;
        assert_found(&reply, "as many as can be", &ids_of(|_| true));
        let reply = posted(&service, &json!({ "id": { "$in": ids(most + 1) } })).await;
        assert_too_many(&reply, most + 1, dialect(service.engine));
    });
}

/// Lists that are within their own bounds can be too many together.
/// Rules d13, d53, b22.
#[test]
fn lists_that_are_too_many_together_are_refused() {
    let list: Vec<usize> = ids(10_000);
    let others: Vec<usize> = (10_001..=20_000).collect();
    let known = DEMO.articles.iter().map(|row| row.slug.clone());
    let slugs: Vec<String> = (501..=10_000).map(|n| n.to_string()).chain(known).collect();
    on_each_database(async |service| {
        let four = json!({
            "id": { "$in": list, "$notIn": others },
            "slug": { "$in": slugs },
            "author_id": { "$in": list },
        });
        let reply = posted(service, &four).await;
        match service.engine {
            Engine::Sqlite => assert_too_many(&reply, 40_000, Dialect::Sqlite),
            Engine::Postgres | Engine::Mysql => {
                assert_some(&reply, "40,000", |row| row.author_id.is_some());
            }
        }
        // The custom filter's values count too.
        let more: Value = json!(ids(30_000));
        let three = json!({
            "id": { "$in": more, "$notIn": more },
            "author_country": { "$in": more },
        });
        let reply = posted(&with_long_lists(service), &three).await;
        assert_too_many(&reply, 90_000, dialect(service.engine));
    });
}
