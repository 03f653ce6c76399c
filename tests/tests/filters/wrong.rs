//! Values that do not have their column's type are 400 with what was expected, never 500 and never all rows (d9).

use axum::body::Body;
use axum::http::Request;
use listing_tests::on_each_database;
use serde_json::{Value, json};

use crate::articles::{asked, encoded, posted};
use crate::bench::on_each_bench;
use crate::samples::Entity;

const NO_INTEGER: &[&str] = &[
    "",
    "abc",
    "1.5",
    "1.0",
    "1e3",
    "+5",
    " 5",
    "5 ",
    "0x10",
    "--5",
    "-",
    "null",
    "NaN",
    "5,6",
    "5;DROP TABLE articles",
    "٣",
    "18446744073709551616",
    "-9223372036854775809",
    "99999999999999999999999999999999999999",
];

const NO_NUMBER: &[&str] = &[
    "", "abc", "1e3", "NaN", "inf", "-inf", "Infinity", ".5", "5.", "4,5", "1_000", "+4", "4.5.6",
    "0x1p3", "--4", "null",
];

const NO_MOMENT: &[&str] = &[
    "",
    "yesterday",
    "2024-02-30",
    "2023-02-29",
    "2024-13-01",
    "2024-00-10",
    "2024-1-31",
    "01.02.2024",
    "2024/01/31",
    "0000-01-01",
    "10000-01-01",
    "-001-01-01",
    "2024-01-31T",
    "2024-01-31T25:00:00Z",
    "2024-01-31T24:00:00Z",
    "2024-01-31T13:60:00Z",
    "2024-01-31T13:45:60Z",
    "2024-01-31T13:45:00+25:00",
    "2024-01-31T13:45:00.1234567Z",
    "2024-01-31T13:45:00 Europe/Berlin",
    "0001-01-01T00:00:00+05:00",
    "9999-12-31T23:59:59-05:00",
    "1706713500",
    "now()",
    "null",
];

/// Which values each column refuses, and what its error expects.
const REFUSED: &[(&str, &str, &[&str])] = &[
    ("small", "an integer", NO_INTEGER),
    ("medium", "an integer", NO_INTEGER),
    ("big", "an integer", NO_INTEGER),
    ("unsigned", "an integer", NO_INTEGER),
    ("single", "a number", NO_NUMBER),
    ("twofold", "a number", NO_NUMBER),
    ("price", "a decimal number", NO_NUMBER),
    ("flag", "a boolean", &["", "maybe", "2", "null", "yess"]),
    (
        "token",
        "a UUID",
        &[
            "",
            "67e55044",
            "67e55044-10b1-426f-9247-bb680e5fe0cg",
            "1",
            "null",
        ],
    ),
    (
        "day",
        "a date",
        &[
            "",
            "2024-02-30",
            "2024-1-1",
            "today",
            "2024-01-31T00:00:00Z",
            "null",
        ],
    ),
    (
        "clock",
        "a time of day",
        &[
            "",
            "24:00",
            "12",
            "12:60",
            "12:00:61",
            "1:00",
            "12:00:00.1234567",
            "noon",
            "null",
        ],
    ),
    ("local", "a timestamp", NO_MOMENT),
    ("moment", "a timestamp", NO_MOMENT),
    (
        "state",
        "one of the column's values",
        &["", "New", "sold", "sold  out", "NULL", "0"],
    ),
];

/// Rule d9.
#[test]
fn a_value_of_the_wrong_type_is_refused_on_every_kind_of_column() {
    on_each_bench(async |bench| {
        for (column, expected, values) in REFUSED {
            for value in *values {
                for condition in [
                    json!({ "$eq": value }),
                    json!({ "$ne": value }),
                    json!({ "$in": [value] }),
                    json!({ "$notIn": [value] }),
                ] {
                    let reply = bench.post::<Entity>(&json!({ *column: condition })).await;
                    let error = reply.error(400);
                    assert_eq!(error["code"], "filter_wrong_value", "{column} {condition}");
                    assert_eq!(error["details"]["token"], *value);
                    let message = error["message"].as_str().unwrap();
                    assert!(message.contains(&format!("`{column}`")), "{message}");
                    assert!(
                        message.contains(&format!("expected {expected}")),
                        "{message}"
                    );
                }
            }
        }
    });
}

/// Rule d9.
#[test]
fn every_operator_refuses_a_wrong_value() {
    on_each_database(async |service| {
        for operator in ["$eq", "$ne", "$lt", "$lte", "$gt", "$gte"] {
            for (column, value) in [
                ("views", "abc"),
                ("views", "1.5"),
                ("rating", "good"),
                ("created_at", "soon"),
            ] {
                let reply = asked(service, &format!("filters[{column}][{operator}]={value}")).await;
                let error = reply.error(400);
                assert_eq!(error["code"], "filter_wrong_value");
                let parameter = format!("filters[{column}][{operator}]");
                assert_eq!(error["details"]["parameter"], parameter);
            }
        }
        // One wrong value among many right ones, wherever it stands.
        for wrong in [0, 1, 2] {
            let mut values = ["1", "2", "3"];
            values[wrong] = "x";
            let reply = posted(service, &json!({ "id": { "$in": values } })).await;
            assert_eq!(reply.error(400)["details"]["token"], "x");
            let reply = posted(service, &json!({ "id": { "$notIn": values } })).await;
            reply.error(400);
        }
        for values in [["1", "x"], ["x", "1"]] {
            let reply = posted(service, &json!({ "views": { "$between": values } })).await;
            assert_eq!(reply.error_code(400), "filter_wrong_value");
        }
    });
}

/// Rule d9.
#[test]
fn a_value_that_an_enumeration_lacks_is_refused_with_those_it_has() {
    on_each_bench(async |bench| {
        for (wrong, nearest) in [
            ("New", json!("new")),
            ("sold-out", json!("sold out")),
            ("zzz", Value::Null),
        ] {
            let reply = bench.post::<Entity>(&json!({ "state": wrong })).await;
            let details = &reply.error(400)["details"];
            assert_eq!(
                details["allowed"],
                json!(["new", "sold out", "gone \"away\""])
            );
            assert_eq!(details["nearest"], nearest, "{wrong}");
        }
    });
}

/// Rule d9.
#[test]
fn json_values_are_held_to_the_same_types() {
    on_each_database(async |service| {
        for filters in [
            json!({ "views": { "$eq": 1.5 } }),
            json!({ "views": { "$eq": true } }),
            json!({ "is_active": { "$eq": "maybe" } }),
            json!({ "is_active": { "$eq": 2 } }),
            json!({ "created_at": { "$eq": 5 } }),
            json!({ "rating": { "$gt": true } }),
        ] {
            let reply = posted(service, &filters).await;
            assert_eq!(reply.error_code(400), "filter_wrong_value", "{filters}");
        }
        for filters in [
            json!({ "views": { "$eq": null } }),
            json!({ "views": null }),
            json!({ "id": { "$in": [1, null] } }),
        ] {
            let reply = posted(service, &filters).await;
            assert_eq!(reply.error_code(400), "null_filter", "{filters}");
        }
        for filters in [
            json!({ "views": { "$eq": [1] } }),
            json!({ "views": { "$eq": {} } }),
            json!({ "id": { "$in": [[1]] } }),
            json!({ "id": { "$in": [{ "a": 1 }] } }),
            json!({ "views": [1, 2] }),
            json!({ "views": {} }),
            json!([1]),
            json!("views"),
        ] {
            posted(service, &filters).await.error(400);
        }
    });
}

/// No database takes a NUL in text; all of them get to see none.
/// Rules d4, d9.
#[test]
fn a_nul_in_a_value_is_refused() {
    on_each_database(async |service| {
        for query in [
            "filters[title][$eq]=a%00b",
            "filters[title][$contains]=%00",
            "filters[slug][$in][]=ok&filters[slug][$in][]=a%00",
            "filters[author_country]=%00",
            "filters[ti%00tle]=a",
        ] {
            let reply = asked(service, query).await;
            assert_eq!(reply.error_code(400), "nul", "{query}");
        }
        for filters in [
            r#"{"title": {"$eq": "a\u0000b"}}"#,
            r#"{"title": {"$contains": "\u0000"}}"#,
            r#"{"slug": {"$in": ["ok", "a\u0000"]}}"#,
            r#"{"author_country": "\u0000"}"#,
            r#"{"ti\u0000tle": "a"}"#,
        ] {
            let request = Request::post("/api/articles/query")
                .header("content-type", "application/json")
                .body(Body::from(format!("{{\"filters\": {filters}}}")))
                .unwrap();
            let reply = service.send(request).await;
            assert_eq!(reply.error_code(400), "nul", "{filters}");
        }
    });
}

/// Text takes everything else.
/// Rules d9, d12.
#[test]
fn text_takes_every_other_character() {
    let strange = "\u{1}\u{7f}\u{85}\u{2028}\u{fffd}\u{feff}\u{10ffff}'\"`;--/*\\%_\r\n\t\u{301}";
    on_each_database(async |service| {
        for operator in ["$eq", "$contains"] {
            let query = format!("filters[title][{operator}]={}", encoded(strange));
            let reply = asked(service, &query).await;
            assert_eq!(reply.ids(), [0; 0]);
            assert_eq!(reply.meta()["filters"][0]["value"], strange);
        }
        let reply = posted(
            service,
            &json!({ "author_country": { "$in": [strange, "'"] } }),
        )
        .await;
        assert_eq!(reply.ids(), [0; 0]);
    });
}
