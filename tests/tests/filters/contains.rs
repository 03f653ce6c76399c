//! `$contains`: a substring in any case, in which nothing means more than itself (d26).

use listing_tests::{Engine, on_each_database};
use serde_json::json;

use crate::articles::{asked, assert_found, assert_some, encoded, ids_of, posted};
use crate::bench::on_each_bench;
use crate::samples;

/// What every database agrees on: ASCII letters in any case, all else as it is.
fn within(text: &str, part: &str) -> bool {
    text.to_ascii_lowercase()
        .contains(&part.to_ascii_lowercase())
}

/// Rule d26.
#[test]
fn contains_takes_every_character_literally() {
    on_each_database(async |service| {
        for part in [
            "%",
            "_",
            "\\",
            "100%",
            "% ",
            "snake_case",
            "e_c",
            "__",
            "__init__",
            "C:\\temp",
            "\\ a percent % and",
            "\"",
            "\"Quoted\"",
            "'",
            "It's",
            "`",
            "; --",
            "<b>",
            "&",
            "?",
            "$",
            "*",
            "+",
            "=",
            "(",
            ":",
            ", ",
            " ",
            "日本",
            "駅",
            "🚀",
            "🚀 then",
            "ß",
            "Жизнь",
            "Ελληνικά",
        ] {
            let query = format!("filters[title][$contains]={}", encoded(part));
            let reply = asked(service, &query).await;
            let expected = ids_of(|row| within(&row.title, part));
            assert_found(&reply, part, &expected);
            assert_eq!(reply.meta()["filters"][0]["value"], part);
            let reply = posted(service, &json!({ "title": { "$contains": part } })).await;
            assert_found(&reply, part, &expected);
        }
        // These would find more if they were patterns.
        for (part, only) in [
            ("snake_case", &[4][..]),
            ("100%", &[1]),
            ("C:\\", &[7]),
            ("%w", &[]),
            ("w__l", &[]),
            ("\\%", &[]),
            ("\\_", &[]),
            ("!%", &[]),
            ("[a-z]", &[]),
            (".*", &[]),
        ] {
            let query = format!("filters[title][$contains]={}", encoded(part));
            assert_found(&asked(service, &query).await, part, only);
        }
    });
}

/// Rule d26.
#[test]
fn contains_ignores_the_case_of_ascii_letters() {
    on_each_database(async |service| {
        for part in ["case matters", "CASE MATTERS", "cAsE mAtTeRs"] {
            let query = format!("filters[title][$contains]={part}");
            assert_found(&asked(service, &query).await, part, &[21, 22]);
        }
        for part in ["BREAD", "bReAd", "Bread"] {
            let query = format!("filters[title][$contains]={part}");
            assert_some(&asked(service, &query).await, &query, |row| {
                row.title.contains("bread")
            });
        }
        for part in ["QUOTED", "quoted"] {
            let query = format!("filters[body][$contains]={part}");
            assert_some(&asked(service, &query).await, &query, |row| {
                row.body.as_ref().is_some_and(|body| within(body, part))
            });
        }
    });
}

/// An accent makes another letter, on every database.
/// Rules d26, b24.
#[test]
fn contains_tells_accents_apart() {
    on_each_database(async |service| {
        for part in ["cafe", "resume", "naive", "Strasse"] {
            let query = format!("filters[title][$contains]={part}");
            assert_found(&asked(service, &query).await, part, &[]);
        }
        let query = format!("filters[title][$contains]={}", encoded("Café"));
        assert!(asked(service, &query).await.ids().contains(&13));
        let query = format!("filters[title][$contains]={}", encoded("CAFÉ"));
        assert!(asked(service, &query).await.ids().contains(&14));
    });
}

/// What is one letter in two cases, outside ASCII, is each database's own rule.
/// Rule b24.
#[test]
fn the_case_of_other_letters_counts_as_the_database_has_it() {
    on_each_database(async |service| {
        let query = format!("filters[title][$contains]={}", encoded("CAFÉ"));
        let found = asked(service, &query).await.ids();
        assert!(found.contains(&14));
        match service.engine {
            Engine::Sqlite => assert!(!found.contains(&13)),
            Engine::Mysql => assert!(found.contains(&13)),
            // By the locale of the database.
            Engine::Postgres => {}
        }
    });
}

/// Rules d12, d26.
#[test]
fn the_empty_text_is_in_every_text_that_is_not_null() {
    assert!(ids_of(|row| row.body.as_deref() == Some("")).contains(&4));
    on_each_database(async |service| {
        for query in ["filters[body][$contains]=", "filters[body][$contains]"] {
            let reply = asked(service, query).await;
            assert_some(&reply, query, |row| row.body.is_some());
            assert_eq!(reply.meta()["filters"][0]["value"], "");
        }
        let reply = posted(service, &json!({ "title": { "$contains": "" } })).await;
        assert_found(&reply, "all titles", &ids_of(|_| true));
    });
}

/// Rule d26.
#[test]
fn contains_goes_over_lines_and_tabs() {
    on_each_database(async |service| {
        for part in [
            ".\nSecond line.\tTab.",
            "under_scored\\ and \"QUOTED\"",
            "100% OF IT",
        ] {
            let reply = posted(service, &json!({ "body": { "$contains": part } })).await;
            assert_found(&reply, part, &[5]);
        }
    });
}

/// A text that is longer than any pattern that SQLite takes is not an error: it just does not occur.
/// Rule d26.
#[test]
fn long_texts_are_searched_for_without_error() {
    on_each_database(async |service| {
        for unit in ["a", "%", "_", "\\", "'", "é", "🚀", "!"] {
            let part = unit.repeat(60_000);
            let reply = posted(service, &json!({ "title": { "$contains": part } })).await;
            assert_found(&reply, unit, &[]);
            let reply = posted(service, &json!({ "body": { "$contains": part } })).await;
            assert_found(&reply, unit, &[]);
        }
        let part = "ab".repeat(400_000);
        let reply = posted(service, &json!({ "body": { "$contains": part } })).await;
        assert_found(&reply, "800,000 characters", &[]);
        // As long as a title can be, and one longer.
        let reply = posted(
            service,
            &json!({ "title": { "$contains": "X".repeat(255) } }),
        )
        .await;
        assert_found(&reply, "255", &ids_of(|row| row.title == "x".repeat(255)));
        let reply = posted(
            service,
            &json!({ "title": { "$contains": "x".repeat(256) } }),
        )
        .await;
        assert_found(&reply, "256", &[]);
    });
}

/// Rules d2, d26.
#[test]
fn containsi_is_contains() {
    on_each_database(async |service| {
        let reply = asked(service, "filters[title][$containsi]=CASE MATTERS").await;
        assert_found(&reply, "$containsi", &[21, 22]);
        assert_eq!(reply.meta()["filters"][0]["operator"], "$contains");
        // Only where `$contains` is allowed.
        let reply = asked(service, "filters[slug][$containsi]=x").await;
        assert_eq!(reply.error_code(400), "filter_operator_not_allowed");
    });
}

/// Rule d26.
#[test]
fn contains_on_text_of_a_fixed_length_and_with_emoji() {
    on_each_bench(async |bench| {
        for (column, part, expected) in [
            ("code", "B", &[1_i64, 2, 4, 5][..]),
            ("code", "cde", &[4]),
            ("code", "", &[1, 2, 3, 4, 5]),
            ("title", "🚀", &[1, 2]),
            ("title", "SHIP 🚀 it", &[1, 2]),
            ("title", "\\ 100%_", &[5]),
            ("title", "'s \"Q", &[5]),
            ("title", "null", &[4]),
        ] {
            let filters = json!({ column: { "$contains": part } });
            let reply = bench.post::<samples::Entity>(&filters).await;
            assert_eq!(reply.ids(), expected, "{column} {part}");
        }
    });
}

/// PostgreSQL fills the column up with spaces, of which nobody knows.
/// Rule b514.
#[test]
fn the_end_of_a_text_of_fixed_length() {
    on_each_bench(async |bench| {
        for (query, found) in [
            ("filters[code][$endsWith]=b", &[1_i64, 5][..]),
            ("filters[code][$endsWithi]=B", &[1, 2, 5]),
            ("filters[code][$endsWith]=%20", &[]),
            ("filters[code][$contains]=b%20", &[]),
            ("filters[code][$startsWith]=ab", &[1, 4]),
        ] {
            let reply = bench.get::<samples::Entity>(query).await;
            assert_eq!(reply.ids(), found, "{query}");
        }
    });
}
