//! Equality of text: every character counts, and its case (d36).

use listing_tests::{Engine, on_each_database};
use serde_json::json;

use crate::articles::{asked, assert_found, assert_some, encoded, living, on_one_page, posted};
use crate::bench::on_each_bench;
use crate::samples;

/// Rule d36.
#[test]
fn equality_is_case_sensitive() {
    on_each_database(async |service| {
        for (title, found) in [
            ("Case matters", &[21][..]),
            ("case matters", &[22]),
            ("CASE MATTERS", &[]),
        ] {
            let query = format!("filters[title][$eq]={title}");
            assert_found(&asked(service, &query).await, &query, found);
            let query = format!("filters[title][$ne]={title}");
            assert_some_or_all(&asked(service, &query).await, found);
        }
        for (slug, found) in [
            ("Case-Matters", &[21][..]),
            ("case-matters", &[22]),
            ("CASE-MATTERS", &[]),
        ] {
            let query = format!("filters[slug][$eq]={slug}");
            assert_found(&asked(service, &query).await, &query, found);
            let query = format!("filters[slug][$in][]={slug}");
            assert_found(&asked(service, &query).await, &query, found);
        }
        let reply = posted(
            service,
            &json!({ "slug": { "$in": ["Case-Matters", "CASE-MATTERS"] } }),
        )
        .await;
        assert_found(&reply, "slugs", &[21]);
        for (country, count) in [("DE", 2), ("de", 0), ("De", 0)] {
            let path = format!("/api/authors?filters[country]={country}");
            assert_eq!(service.get(&path).await.total(), count, "{country}");
        }
    });
}

/// All living articles but these.
#[track_caller]
fn assert_some_or_all(reply: &listing_tests::Reply, but: &[i64]) {
    let others: Vec<i64> = living()
        .map(|row| row.id)
        .filter(|id| !but.contains(id))
        .collect();
    assert_found(reply, "others", &others);
}

/// Rule d36.
#[test]
fn accents_signs_and_emoji_are_characters_of_their_own() {
    on_each_database(async |service| {
        // Every title of the demo set finds itself, and nothing that is only like it.
        for title in living().take(24).map(|row| row.title.as_str()) {
            let query = format!("filters[title][$eq]={}", encoded(title));
            assert_some(&asked(service, &query).await, title, |row| {
                row.title == title
            });
        }
        for like in [
            "Cafe culture, resumes and naive questions",
            "Die Strasse nach Grössenwahn: ss in Ortsnamen",
            "Ship it 😴 then sleep 🚀",
            "100_ wool, 0_ regret",
            "%",
            "Istanbul'da bir sabah",
        ] {
            let query = format!("filters[title][$eq]={}", encoded(like));
            assert_found(&asked(service, &query).await, like, &[]);
        }
    });
}

/// The empty text is not null, and `null` is a word.
/// Rules d12, d36.
#[test]
fn empty_text_null_and_the_word_null_are_three_things() {
    on_each_bench(async |bench| {
        for (filters, found) in [
            (json!({ "title": { "$eq": "" } }), &[3_i64][..]),
            (json!({ "title": { "$eq": "null" } }), &[4]),
            (json!({ "title": { "$null": true } }), &[6]),
            (json!({ "title": { "$ne": "" } }), &[1, 2, 4, 5, 6]),
            (json!({ "title": { "$in": ["", "null"] } }), &[3, 4]),
            (json!({ "code": { "$eq": "" } }), &[3]),
            (json!({ "code": { "$eq": "ab" } }), &[1]),
            (json!({ "code": { "$eq": "AB" } }), &[2]),
        ] {
            let reply = bench.post::<samples::Entity>(&filters).await;
            assert_eq!(reply.ids(), found, "{filters}");
        }
        for query in ["filters[title][$eq]=", "filters[title]=", "filters[title]"] {
            let reply = bench.get::<samples::Entity>(query).await;
            assert_eq!(reply.ids(), [3], "{query}");
        }
        let reply = bench.get::<samples::Entity>("filters[title]=null").await;
        assert_eq!(reply.ids(), [4]);
    });
}

/// Blanks count. (Not those at the end on MariaDB: its `utf8mb4_bin` compares text as if padded with them.)
/// Rules d36, b23.
#[test]
fn blanks_around_a_text_count() {
    on_each_database(async |service| {
        let pads = service.engine == Engine::Mysql;
        for (title, at_the_end) in [
            (" Case matters", false),
            ("Case  matters", false),
            ("Case matters\t", false),
            ("Case matters ", true),
        ] {
            let expected: &[i64] = if at_the_end && pads { &[21] } else { &[] };
            let query = format!("filters[title][$eq]={}", encoded(title));
            assert_found(&asked(service, &query).await, title, expected);
        }
    });
}

/// Text that looks like SQL is text.
/// Rule d36.
#[test]
fn text_that_looks_like_sql_is_text() {
    let all = living().count() as u64;
    on_each_database(async |service| {
        for text in [
            "' OR '1'='1",
            "\" OR \"\"=\"",
            "x'); DROP TABLE articles; --",
            "\\' OR 1=1 -- ",
            "$1",
            "?",
            ":id",
            "{}",
            "%(id)s",
            "0x41",
            "CHAR(65)",
        ] {
            let query = format!("filters[title][$eq]={}", encoded(text));
            assert_found(&asked(service, &query).await, text, &[]);
            let query = format!("filters[title][$contains]={}", encoded(text));
            assert_eq!(asked(service, &query).await.status, 200);
            let query = format!("filters[author_country]={}", encoded(text));
            assert_found(&asked(service, &query).await, text, &[]);
        }
        assert_eq!(on_one_page(service).get("/api/articles").await.total(), all);
    });
}
