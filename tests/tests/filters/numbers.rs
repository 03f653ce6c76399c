//! Numbers that are larger than their column, or than any column: compared, never wrapped around, never a failure (d9).

use listing_tests::on_each_database;
use serde_json::json;

use crate::articles::{asked, assert_found, ids_of, posted};
use crate::bench::on_each_bench;
use crate::samples;

const LARGE: [&str; 5] = [
    "2147483648",
    "9007199254740993",
    "9223372036854775807",
    "9223372036854775808",
    "18446744073709551615",
];
const SMALL: [&str; 3] = ["-2147483649", "-9007199254740993", "-9223372036854775808"];

/// Rules d9, b16.
#[test]
fn integers_beyond_their_column_are_compared_as_numbers() {
    let all = ids_of(|_| true);
    on_each_database(async |service| {
        for (numbers, below) in [(&LARGE[..], true), (&SMALL[..], false)] {
            for number in numbers {
                for (operator, holds) in [
                    ("$eq", false),
                    ("$ne", true),
                    ("$lt", below),
                    ("$lte", below),
                    ("$gt", !below),
                    ("$gte", !below),
                ] {
                    let query = format!("filters[views][{operator}]={number}");
                    let expected = if holds { &all[..] } else { &[] };
                    let reply = asked(service, &query).await;
                    assert_found(&reply, &query, expected);
                    assert_eq!(reply.meta()["filters"][0]["value"], *number);
                }
                let reply = posted(service, &json!({ "id": { "$in": [1, number, 2] } })).await;
                assert_found(&reply, number, &[1, 2]);
                let reply = posted(service, &json!({ "id": { "$notIn": [number] } })).await;
                assert_found(&reply, number, &all);
                let reply = posted(service, &json!({ "author_id": { "$eq": number } })).await;
                assert_found(&reply, number, &[]);
            }
        }
        let reply = posted(
            service,
            &json!({ "views": { "$between": [SMALL[2], LARGE[4]] } }),
        )
        .await;
        assert_found(&reply, "all there are", &all);
        let reply = posted(
            service,
            &json!({ "views": { "$between": [LARGE[3], LARGE[4]] } }),
        )
        .await;
        assert_found(&reply, "none there are", &[]);
    });
}

/// The bits of 2^64 - 1 are those of -1: a database that compares bits would find it.
/// Rule d9.
#[test]
fn a_number_is_not_taken_for_a_negative_one_of_the_same_bits() {
    on_each_bench(async |bench| {
        for column in ["small", "medium", "big"] {
            let minus_one = json!({ column: { "$eq": -1 } });
            let reply = bench.post::<samples::Entity>(&minus_one).await;
            assert_eq!(reply.ids(), [5], "{column}");
            for filters in [
                json!({ column: { "$eq": "18446744073709551615" } }),
                json!({ column: { "$in": ["18446744073709551615"] } }),
                json!({ column: { "$in": ["18446744073709551615", "18446744073709551614"] } }),
                json!({ column: { "$gte": "18446744073709551615" } }),
                json!({ column: { "$between": ["9223372036854775808", "18446744073709551615"] } }),
            ] {
                let reply = bench.post::<samples::Entity>(&filters).await;
                assert_eq!(reply.ids(), [0; 0], "{filters}");
            }
            let mixed = json!({ column: { "$in": ["18446744073709551615", "-1", "7"] } });
            let reply = bench.post::<samples::Entity>(&mixed).await;
            assert_eq!(reply.ids(), [5], "{mixed}");
            let below = json!({ column: { "$lt": "18446744073709551615" } });
            let reply = bench.post::<samples::Entity>(&below).await;
            assert_eq!(reply.ids(), [1, 2, 3, 4, 5], "{below}");
        }
    });
}

/// A column without negative numbers is greater than all of them.
/// Rule d9.
#[test]
fn negative_numbers_on_an_unsigned_column() {
    on_each_bench(async |bench| {
        for (condition, found) in [
            (json!({ "$eq": -1 }), &[][..]),
            (json!({ "$ne": -1 }), &[1_i64, 2, 3, 4, 5, 6]),
            (json!({ "$gt": -1 }), &[1, 2, 3, 4, 5]),
            (json!({ "$gte": i64::MIN }), &[1, 2, 3, 4, 5]),
            (json!({ "$lt": -1 }), &[]),
            (json!({ "$in": [-1, 7] }), &[2]),
            (json!({ "$in": [-1, 7, "18446744073709551615"] }), &[2]),
            (json!({ "$notIn": [-1, 7] }), &[1, 3, 4, 5, 6]),
            (json!({ "$between": [-5, 5] }), &[3, 5]),
            (json!({ "$lte": "18446744073709551615" }), &[1, 2, 3, 4, 5]),
            (json!({ "$gte": "9223372036854775807" }), &[4]),
            (json!({ "$gt": "9223372036854775807" }), &[]),
        ] {
            let filters = json!({ "unsigned": condition });
            let reply = bench.post::<samples::Entity>(&filters).await;
            assert_eq!(reply.status, 200, "{filters}: {}", reply.text());
            assert_eq!(reply.ids(), found, "{filters}");
        }
    });
}

/// Numbers over 2^53 keep their last digit.
/// Rule d9.
#[test]
fn large_integers_are_exact() {
    on_each_bench(async |bench| {
        for (number, found) in [
            (9_007_199_254_740_992_i64, &[2_i64][..]),
            (9_007_199_254_740_993, &[1]),
            (9_007_199_254_740_994, &[]),
            (i64::MAX, &[4]),
            (i64::MAX - 1, &[]),
            (i64::MIN, &[3]),
            (i64::MIN + 1, &[]),
        ] {
            for condition in [
                json!({ "$eq": number }),
                json!({ "$in": [number, 3] }),
                json!({ "$between": [number, number] }),
            ] {
                let filters = json!({ "big": condition });
                let reply = bench.post::<samples::Entity>(&filters).await;
                assert_eq!(reply.ids(), found, "{filters}");
            }
        }
    });
}

/// A column of single precision has no number like this; it is still smaller or larger than all of them.
/// Rule d9.
#[test]
fn numbers_beyond_single_precision() {
    let huge = format!("1{}", "0".repeat(50));
    on_each_bench(async |bench| {
        for (number, above) in [(huge.clone(), true), (format!("-{huge}"), false)] {
            for (operator, holds) in [
                ("$eq", false),
                ("$lt", above),
                ("$lte", above),
                ("$gt", !above),
                ("$gte", !above),
            ] {
                let filters = json!({ "single": { operator: number } });
                let reply = bench.post::<samples::Entity>(&filters).await;
                assert_eq!(reply.status, 200, "{operator}: {}", reply.text());
                let expected: &[i64] = if holds { &[1, 2, 3, 4, 5] } else { &[] };
                assert_eq!(reply.ids(), expected, "{operator} {number}");
            }
            let filters = json!({ "single": { "$ne": number } });
            let reply = bench.post::<samples::Entity>(&filters).await;
            assert_eq!(reply.ids(), [1, 2, 3, 4, 5, 6]);
            let filters = json!({ "single": { "$in": [number, "1.5"] } });
            let reply = bench.post::<samples::Entity>(&filters).await;
            assert_eq!(reply.ids(), [2]);
        }
        // Beyond double precision there is no number to compare with.
        let beyond = format!("1{}", "0".repeat(400));
        for column in ["single", "twofold"] {
            let filters = json!({ column: { "$lt": beyond } });
            let reply = bench.post::<samples::Entity>(&filters).await;
            assert_eq!(reply.error_code(400), "filter_wrong_value");
        }
    });
}
