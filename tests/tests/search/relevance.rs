//! `sort=relevance`: the best rows first, each row on one page, and no word of hidden rows in it.

use listing::{Context, ListingQuery, ListingRequest};
use listing_tests::on_each_database;
use serde_json::Value;

use crate::notes::{Notes, on_notes, words};

const NOTES: &[(&str, Option<&str>)] = &[
    ("Gardens", Some("rust")),
    ("Gardens", Some("rust rust rust rust")),
    ("Rust", Some("gardens")),
    ("Rust and rust", Some("rust gardens")),
    ("Nothing", None),
    ("Rust", Some("gardens")),
];

/// Rule d87.
#[test]
fn relevance_shows_the_best_rows_first() {
    on_notes(NOTES, async |notes| {
        let found = notes.by_relevance("rust").await;
        assert_eq!(found, [4, 3, 6, 2, 1], "the title counts most");
        let found = notes.by_relevance("rust gardens").await;
        assert_eq!(found.len(), 5);
        assert_eq!(notes.by_relevance("rust -gardens").await, [0; 0]);
    });
}

/// Rule d87.
#[test]
fn rows_that_fit_alike_are_in_the_order_of_their_keys() {
    on_notes(NOTES, async |notes| {
        let found = notes.by_relevance("rust").await;
        let place = |id: i64| found.iter().position(|found| *found == id).unwrap();
        assert_eq!(place(3) + 1, place(6));
    });
}

/// Rule b242.
#[test]
fn relevance_in_descending_order_shows_the_worst_first() {
    on_notes(NOTES, async |notes| {
        let sorted = async |sort: &str| {
            let query = format!("search=rust&sort={sort}");
            notes.ids::<words::Entity>(&query).await
        };
        let best_first = sorted("relevance").await;
        assert_eq!(sorted("relevance:asc").await, best_first);
        let mut reversed = sorted("relevance:desc").await;
        reversed.reverse();
        assert_eq!(reversed, best_first);
    });
}

/// Rule b242.
#[test]
fn without_words_to_look_for_relevance_has_no_effect() {
    on_each_database(async |service| {
        let default = service.get("/api/articles").await.ok();
        for query in [
            "sort=relevance",
            "sort=relevance&search=",
            "sort=relevance:desc&_q=%20",
        ] {
            let reply = service.get(&format!("/api/articles?{query}")).await.ok();
            assert_eq!(reply.text(), default.text(), "{query}");
            let strict = service.with_settings(|settings| settings.strict = true);
            let _ = strict.get(&format!("/api/articles?{query}")).await.ok();
        }
        let by_title = service.get("/api/articles?sort=title").await.ok();
        let reply = service.get("/api/articles?sort=relevance,title").await.ok();
        assert_eq!(reply.text(), by_title.text());
        // Rows without a word all fit alike, too.
        let excluded = service.get("/api/articles?search=-night").await.ok();
        let reply = service.get("/api/articles?search=-night&sort=relevance");
        assert_eq!(reply.await.ok().text(), excluded.text());
    });
}

/// Rule d87.
#[test]
fn a_walk_by_pages_in_order_of_relevance_shows_each_row_once() {
    on_each_database(async |service| {
        let page = async |number: usize| -> Vec<Value> {
            let query = format!(
                "search=the&sort=relevance&pagination[page]={number}&pagination[pageSize]=7"
            );
            let reply = service.get(&format!("/api/articles?{query}")).await.ok();
            reply.json()["data"].as_array().unwrap().clone()
        };
        let mut seen = Vec::new();
        for number in 1.. {
            let rows = page(number).await;
            if rows.is_empty() {
                break;
            }
            seen.extend(rows.iter().map(|row| row["id"].as_i64().unwrap()));
        }
        let all = service.get("/api/articles?search=the&pagination[pageSize]=1");
        let total = all.await.ok().json()["meta"]["pagination"]["total"].clone();
        assert_eq!(total, seen.len());
        assert!(seen.len() > 50, "{}", seen.len());
        seen.sort_unstable();
        seen.dedup();
        assert_eq!(total, seen.len(), "none twice");
    });
}

/// Rule b244.
#[test]
fn there_is_no_cursor_into_an_order_by_relevance() {
    on_each_database(async |service| {
        let reply = service.get("/api/articles?search=night&sort=relevance&pagination[cursor]=");
        assert_eq!(reply.await.error_code(400), "cursor_sort");
        let reply = service.get("/api/articles?search=night&pagination[cursor]=");
        let _ = reply.await.ok();
    });
}

/// Rule b243.
#[test]
fn the_order_tells_nothing_of_the_words_in_hidden_rows() {
    const SEEN: &[(&str, Option<&str>)] = &[
        ("One", Some("apple apple apple pear")),
        ("Two", Some("apple pear pear pear")),
        (
            "Three",
            Some("apple apple pear pear pear and much more of this and that"),
        ),
    ];
    on_notes(SEEN, async |notes: &Notes| {
        let answer = async || {
            let mut told = Vec::new();
            for search in ["apple pear", "pear", "apple", "apple -plum"] {
                let query = format!("search={search}&sort=relevance&fields=title,body");
                let request = ListingRequest::from_query(&notes.listings, &query).unwrap();
                let request = request.with_context(Context::new());
                let page = ListingQuery::<words::Entity>::all(&request)
                    .listing_paginate(&notes.reads)
                    .await
                    .unwrap();
                told.push(String::from_utf8(page.body(200, None, true)).unwrap());
            }
            told
        };
        let before = answer().await;
        // Another tenant's notes make `apple` a frequent word, and every other note a short one.
        for id in 100..140 {
            let body = "apple plum ".repeat(usize::try_from(id).unwrap());
            notes.add(id, 2, "Apple", Some(&body)).await;
        }
        assert_eq!(answer().await, before);
    });
}
