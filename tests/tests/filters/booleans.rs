//! How a boolean can be written (d9), and what `$null` and `$notNull` take (d29).

use listing_tests::on_each_database;
use serde_json::json;

use crate::articles::{asked, assert_found, assert_some, ids_of, posted};

const TRUE: [&str; 9] = ["true", "1", "t", "yes", "on", "TRUE", "T", "Yes", "oN"];
const FALSE: [&str; 9] = ["false", "0", "f", "no", "off", "FALSE", "F", "No", "oFF"];

/// Rule d9.
#[test]
fn booleans_in_every_spelling() {
    on_each_database(async |service| {
        for (spellings, value) in [(TRUE, true), (FALSE, false)] {
            for spelling in spellings {
                let query = format!("filters[is_active][$eq]={spelling}");
                let reply = asked(service, &query).await;
                assert_some(&reply, &query, |row| row.is_active == value);
                // One spelling is told, whichever was sent.
                assert_eq!(reply.meta()["filters"][0]["value"], value.to_string());
            }
            let reply = posted(service, &json!({ "is_active": value })).await;
            assert_some(&reply, "a JSON boolean", |row| row.is_active == value);
        }
        let reply = posted(service, &json!({ "is_active": { "$eq": 0 } })).await;
        assert_some(&reply, "a JSON number", |row| !row.is_active);
    });
}

/// Rule d9.
#[test]
fn what_is_no_boolean_is_refused() {
    on_each_database(async |service| {
        for wrong in [
            "maybe", "2", "-1", "null", "y", "n", "", "tru", "1.0", "%20true", "01",
        ] {
            let reply = asked(service, &format!("filters[is_active]={wrong}")).await;
            let error = reply.error(400);
            assert_eq!(error["code"], "filter_wrong_value", "{wrong}");
            assert_eq!(error["details"]["allowed"], json!(["true", "false"]));
            let message = error["message"].as_str().unwrap();
            assert!(
                message.contains("`true false 1 0 t f yes no on off`"),
                "{message}"
            );
        }
    });
}

/// Rule d29.
#[test]
fn null_and_not_null_take_a_boolean() {
    on_each_database(async |service| {
        for (operator, null_when) in [("$null", true), ("$notNull", false)] {
            for (spellings, value) in [(TRUE, true), (FALSE, false)] {
                for spelling in spellings {
                    let query = format!("filters[rating][{operator}]={spelling}");
                    let reply = asked(service, &query).await;
                    assert_some(&reply, &query, |row| {
                        row.rating.is_none() == (null_when == value)
                    });
                    let told = &reply.meta()["filters"][0];
                    assert_eq!(told["value"], value.to_string(), "{query}");
                    assert_eq!(told["operator"], operator, "{query}");
                }
                let reply = posted(service, &json!({ "rating": { operator: value } })).await;
                assert_some(&reply, "a JSON boolean", |row| {
                    row.rating.is_none() == (null_when == value)
                });
            }
            // An empty value means yes.
            for query in [
                format!("filters[rating][{operator}]="),
                format!("filters[rating][{operator}]"),
            ] {
                let reply = asked(service, &query).await;
                assert_some(&reply, &query, |row| row.rating.is_none() == null_when);
                assert_eq!(reply.meta()["filters"][0]["value"], "true");
            }
        }
    });
}

/// Rule d29.
#[test]
fn what_is_no_boolean_behind_null_is_refused() {
    on_each_database(async |service| {
        for query in [
            "filters[rating][$null]=maybe",
            "filters[rating][$notNull]=2",
            "filters[rating][$null]=4.00",
            "filters[rating][$null][]=true&filters[rating][$null][]=false",
            "filters[rating][$null]=true&filters[rating][$null]=false",
        ] {
            asked(service, query).await.error(400);
        }
        // In JSON a null is not a boolean either.
        let reply = posted(service, &json!({ "rating": { "$null": null } })).await;
        assert_eq!(reply.error_code(400), "null_filter");
        let reply = posted(service, &json!({ "rating": { "$null": [true] } })).await;
        reply.error(400);
    });
}

/// Rules d29, d30.
#[test]
fn a_row_cannot_be_null_and_not_null() {
    on_each_database(async |service| {
        let query = "filters[rating][$null]=true&filters[rating][$notNull]=true";
        assert_found(&asked(service, query).await, query, &[]);
        let query = "filters[rating][$null]=false&filters[rating][$notNull]=true";
        let there = ids_of(|row| row.rating.is_some());
        assert_found(&asked(service, query).await, query, &there);
    });
}
