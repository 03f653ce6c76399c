//! `$between`: exactly two values, both ends included (d28).

use listing_tests::on_each_database;
use serde_json::json;

use crate::articles::{asked, assert_found, assert_some, living, posted};
use crate::bench::on_each_bench;
use crate::samples;

/// Rule d28.
#[test]
fn both_ends_are_included() {
    assert!(living().any(|row| row.views == 100) && living().any(|row| row.views == 500));
    on_each_database(async |service| {
        for query in [
            "filters[views][$between][0]=100&filters[views][$between][1]=500",
            "filters[views][$between][]=100&filters[views][$between][]=500",
            "filters[views][$between]=100&filters[views][$between]=500",
            // The indexes say which is which.
            "filters[views][$between][1]=500&filters[views][$between][0]=100",
        ] {
            let reply = asked(service, query).await;
            assert_some(&reply, query, |row| (100..=500).contains(&row.views));
            let told = reply.meta()["filters"].clone();
            let one = |value: &str| json!({ "key": "views", "value": value, "label": value, "operator": "$between" });
            assert_eq!(told, json!([one("100"), one("500")]));
        }
        let reply = posted(service, &json!({ "views": { "$between": [500, "500"] } })).await;
        assert_some(&reply, "one number", |row| row.views == 500);
    });
}

/// Rule d28.
#[test]
fn reversed_ends_match_nothing() {
    on_each_database(async |service| {
        for query in [
            "filters[views][$between][]=500&filters[views][$between][]=100",
            "filters[created_at][$between][]=2025-01-01&filters[created_at][$between][]=2024-01-01",
            "filters[created_at][$between][]=2024-06-02&filters[created_at][$between][]=2024-06-01",
        ] {
            let reply = asked(service, query).await;
            assert_found(&reply, query, &[]);
            assert_eq!(reply.meta()["filters"].as_array().unwrap().len(), 2);
        }
    });
}

/// Rule d28.
#[test]
fn another_number_of_values_is_refused() {
    on_each_database(async |service| {
        for (values, given) in [
            (json!([]), "0"),
            (json!([1]), "1"),
            (json!(5), "1"),
            (json!([1, 2, 3]), "3"),
        ] {
            let reply = posted(service, &json!({ "views": { "$between": values } })).await;
            let error = reply.error(400);
            assert_eq!(error["code"], "filter_wrong_number_of_values", "{values}");
            assert_eq!(error["details"]["parameter"], "filters[views][$between]");
            assert_eq!(error["details"]["token"], given);
            assert_eq!(error["details"]["allowed"], json!(["exactly two values"]));
            let message = error["message"].as_str().unwrap();
            assert!(
                message.ends_with(&format!("takes exactly two values, not {given}.")),
                "{message}"
            );
        }
        for query in [
            "filters[views][$between]=5",
            "filters[views][$between]=1,5",
            "filters[views][$between][]=1",
            "filters[views][$between][0]=1&filters[views][$between][1]=2&filters[views][$between][2]=3",
        ] {
            let reply = asked(service, query).await;
            assert_eq!(
                reply.error_code(400),
                "filter_wrong_number_of_values",
                "{query}"
            );
        }
        // Names are not indexes.
        let query = "filters[views][$between][from]=1&filters[views][$between][to]=2";
        assert_eq!(asked(service, query).await.error_code(400), "bad_index");
    });
}

/// Rules d28, d30.
#[test]
fn between_and_another_operator_must_both_hold() {
    on_each_database(async |service| {
        let query =
            "filters[views][$between][]=100&filters[views][$between][]=500&filters[views][$ne]=100";
        assert_some(&asked(service, query).await, query, |row| {
            row.views > 100 && row.views <= 500
        });
    });
}

/// Nulls are in no range.
/// Rule d28.
#[test]
fn between_never_has_nulls() {
    on_each_bench(async |bench| {
        for (column, low, high) in [
            ("small", "-32768", "32767"),
            ("unsigned", "0", "18446744073709551615"),
            ("price", "-9999999999.9999", "9999999999.9999"),
            ("day", "0001-01-01", "9999-12-31"),
            ("moment", "0001-01-01", "9999-12-31"),
            ("clock", "00:00", "23:59:59.999999"),
            ("token", &"0".repeat(32), &"f".repeat(32)),
        ] {
            let filters = json!({ column: { "$between": [low, high] } });
            let reply = bench.post::<samples::Entity>(&filters).await;
            assert_eq!(reply.ids(), [1, 2, 3, 4, 5], "{column}");
        }
    });
}
