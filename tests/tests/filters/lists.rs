//! `$in` and `$notIn`: every spelling of a list, one scalar, none (d27), and nulls (d25).

use listing_tests::on_each_database;
use serde_json::{Value, json};

use crate::articles::{asked, assert_found, assert_some, ids_of, living, posted};
use crate::bench::on_each_bench;
use crate::samples;

fn told(meta: &Value) -> Vec<&str> {
    let filters = meta["filters"].as_array().unwrap();
    let value = |filter: &'_ Value| filter["value"].as_str().map(str::to_owned);
    assert!(filters.iter().all(|filter| value(filter).is_some()));
    filters
        .iter()
        .map(|filter| filter["value"].as_str().unwrap())
        .collect()
}

/// Rule d27.
#[test]
fn a_list_in_every_spelling() {
    on_each_database(async |service| {
        for query in [
            "filters[id][$in][0]=3&filters[id][$in][1]=1&filters[id][$in][2]=2",
            "filters[id][$in][]=3&filters[id][$in][]=1&filters[id][$in][]=2",
            "filters[id][$in]=3&filters[id][$in]=1&filters[id][$in]=2",
            "filters[id][$in][7]=1&filters[id][$in][900]=2&filters[id][$in][2]=3",
            "filters%5Bid%5D%5B%24in%5D%5B0%5D=3&filters%5Bid%5D%5B%24in%5D%5B1%5D=1&filters%5Bid%5D%5B%24in%5D%5B2%5D=2",
        ] {
            let reply = asked(service, query).await;
            assert_found(&reply, query, &[1, 2, 3]);
            // In the order of the list, not of the rows.
            assert_eq!(told(&reply.meta()), ["3", "1", "2"], "{query}");
            let query = query.replace("$in", "$notIn").replace("%24in", "%24notIn");
            assert_some(&asked(service, &query).await, &query, |row| row.id > 3);
        }
        let reply = posted(service, &json!({ "id": { "$in": ["3", 1, "002"] } })).await;
        assert_found(&reply, "JSON", &[1, 2, 3]);
        assert_eq!(told(&reply.meta()), ["3", "1", "2"]);
    });
}

/// Rule d27.
#[test]
fn one_scalar_is_a_list_of_one() {
    on_each_database(async |service| {
        for query in ["filters[id][$in]=3", "filters[id][$in][]=3"] {
            assert_found(&asked(service, query).await, query, &[3]);
        }
        let reply = posted(service, &json!({ "id": { "$in": 3 } })).await;
        assert_found(&reply, "JSON", &[3]);
        assert_eq!(told(&reply.meta()), ["3"]);
        let query = "filters[id][$notIn]=3";
        assert_some(&asked(service, query).await, query, |row| row.id != 3);
    });
}

/// Rules d27, b3.
#[test]
fn commas_do_not_split() {
    on_each_database(async |service| {
        for query in ["filters[id][$in]=1,2", "filters[id][$in][]=1,2"] {
            let error = asked(service, query).await.error(400);
            assert_eq!(error["code"], "filter_wrong_value");
            assert_eq!(error["details"]["token"], "1,2");
        }
        let two: Vec<_> = living().take(2).map(|row| row.slug.as_str()).collect();
        let query = format!("filters[slug][$in]={}", two.join(","));
        let reply = asked(service, &query).await;
        assert_found(&reply, &query, &[]);
        assert_eq!(told(&reply.meta()), [two.join(",")]);
    });
}

/// Rule d27.
#[test]
fn an_empty_list_is_in_nothing_and_not_in_is_everything() {
    on_each_database(async |service| {
        for column in ["id", "slug", "author_id", "author_country"] {
            let reply = posted(service, &json!({ column: { "$in": [] } })).await;
            assert_found(&reply, column, &[]);
            assert_eq!(reply.meta()["filters"], json!([]), "{column}");
        }
        let reply = posted(service, &json!({ "id": { "$notIn": [] } })).await;
        assert_found(&reply, "$notIn", &ids_of(|_| true));
        assert_eq!(reply.meta()["filters"], json!([]));
        // Beside others, each still counts.
        let reply = posted(service, &json!({ "id": { "$in": [], "$eq": 1 } })).await;
        assert_found(&reply, "$in and $eq", &[]);
        let reply = posted(service, &json!({ "id": { "$notIn": [], "$eq": 1 } })).await;
        assert_found(&reply, "$notIn and $eq", &[1]);
    });
    on_each_bench(async |bench| {
        for column in [
            "medium", "price", "token", "moment", "day", "state", "title",
        ] {
            let reply = bench
                .post::<samples::Entity>(&json!({ column: { "$in": [] } }))
                .await;
            assert_eq!(reply.ids(), [0; 0], "{column}");
            let reply = bench
                .post::<samples::Entity>(&json!({ column: { "$notIn": [] } }))
                .await;
            assert_eq!(reply.ids(), [1, 2, 3, 4, 5, 6], "{column}");
        }
    });
}

/// Rule d25.
#[test]
fn not_in_keeps_nulls_and_in_never_has_them() {
    on_each_bench(async |bench| {
        for (column, value, is, others) in [
            ("small", "-5", 1, [2, 3, 4, 5, 6]),
            ("price", "12.5", 1, [2, 3, 4, 5, 6]),
            ("title", "", 3, [1, 2, 4, 5, 6]),
            ("title", "null", 4, [1, 2, 3, 5, 6]),
            ("state", "gone \"away\"", 4, [1, 2, 3, 5, 6]),
            (
                "token",
                "00000000-0000-0000-0000-000000000000",
                3,
                [1, 2, 4, 5, 6],
            ),
        ] {
            for (operator, expected) in [
                ("$in", &[is][..]),
                ("$eq", &[is]),
                ("$notIn", &others),
                ("$ne", &others),
            ] {
                let filters = json!({ column: { operator: value } });
                let reply = bench.post::<samples::Entity>(&filters).await;
                assert_eq!(reply.ids(), expected, "{filters}");
            }
        }
        // The row of nulls alone is left.
        let filters = json!({ "flag": { "$notIn": ["true", "false"] } });
        let reply = bench.post::<samples::Entity>(&filters).await;
        assert_eq!(reply.ids(), [6]);
    });
}

/// Rule d27.
#[test]
fn a_value_twice_finds_each_row_once() {
    on_each_database(async |service| {
        let reply = posted(service, &json!({ "id": { "$in": [5, 5, "05"] } })).await;
        assert_found(&reply, "twice", &[5]);
        assert_eq!(told(&reply.meta()), ["5", "5", "5"]);
    });
}

/// Rules d12, d27.
#[test]
fn an_empty_value_in_a_list() {
    on_each_database(async |service| {
        // Text: the empty one, which no slug is.
        let query = "filters[slug][$in][]=&filters[slug][$in][]=case-matters";
        let reply = asked(service, query).await;
        assert_found(&reply, query, &[22]);
        assert_eq!(told(&reply.meta()), ["", "case-matters"]);
        // Anything else has no empty value.
        let reply = asked(service, "filters[id][$in][]=").await;
        assert_eq!(reply.error_code(400), "filter_wrong_value");
    });
}

/// Rules c2_4_r4, d27.
#[test]
fn a_hundred_and_first_value_is_not_lost() {
    on_each_database(async |service| {
        // Only the last values are of articles that are there.
        for count in [21, 99, 100, 101, 102, 150, 256] {
            let query: Vec<_> = (1..=count)
                .map(|at| {
                    let id = if at == count { 1 } else { 1_000_000 + at };
                    format!("filters[id][$in][{at}]={id}")
                })
                .collect();
            let reply = asked(service, &query.join("&")).await;
            assert_found(&reply, &format!("{count} values"), &[1]);
            assert_eq!(told(&reply.meta()).len(), count);
            let query = query.join("&").replace("$in", "$notIn");
            assert_some(&asked(service, &query).await, "$notIn", |row| row.id != 1);
        }
    });
}
