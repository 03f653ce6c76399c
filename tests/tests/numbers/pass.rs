//! On PostgreSQL, facets and totals of the same few rows share one statement (b1260, b1261).

use std::slice;

use blog::entity::article;
use listing::{ListingQuery, ListingRequest};
use listing_tests::{Engine, Recorder, Service, on_each_database, run};
use sea_orm::ConnectionTrait as _;
use serde_json::{Value, json};

const FACETS: [&str; 5] = ["is_active", "author_id", "tags", "views", "created_at"];
const TOTALS: &str = "totals[views]=sum,avg,min,max&totals[rating]=avg,min,max";

/// The facets and totals of these rows.
async fn numbers(service: &Service, asked: &str, filters: &str) -> (Vec<Value>, Value) {
    let target = format!("/api/articles/_facets?{asked}{filters}");
    let meta = service.get(&target).await.ok().meta().clone();
    let facets = meta["facets"].as_array().cloned().unwrap_or_default();
    (facets, meta["totals"].clone())
}

/// Compares numbers that are requested at once with those that are requested one by one.
async fn compare(service: &Service, filters: &str) {
    let all = format!("facets={}&{TOTALS}", FACETS.join(","));
    let (facets, totals) = numbers(service, &all, filters).await;
    assert_eq!(facets.len(), FACETS.len());
    for (at_once, key) in facets.iter().zip(FACETS) {
        let (alone, _) = numbers(service, &format!("facets={key}"), filters).await;
        assert_eq!(slice::from_ref(at_once), alone, "{key} {filters}");
    }
    assert_eq!(
        totals,
        numbers(service, TOTALS, filters).await.1,
        "{filters}"
    );
}

/// Rule b1260.
#[test]
fn numbers_are_the_same_at_once_and_one_by_one() {
    on_each_database(async |service| {
        for filters in [
            "",
            "&filters[views][$gte]=500",
            "&filters[is_active]=false&filters[author_id][$in][0]=1&filters[author_id][$in][1]=2",
            "&filters[tags][id]=2&filters[rating][$null]=true",
            "&filters[created_at][$lt]=2023-06-01",
            "&search=bread",
            "&filters[id]=0",
        ] {
            compare(service, filters).await;
        }
    });
}

/// The statements of a page with numbers, and how many of them are passes.
async fn statements(service: &Service, query: &str) -> (usize, usize) {
    let recorder = Recorder::new(service.db.clone());
    let request = ListingRequest::from_query(&service.listings, query).unwrap();
    let all = ListingQuery::<article::Entity>::all(&request);
    all.listing_paginate(&recorder).await.unwrap();
    let run = recorder.take();
    let is_pass = |statement: &&listing::Statement| statement.text.contains("listing_pass");
    (run.len(), run.iter().filter(is_pass).count())
}

/// Rule b1260.
#[test]
fn only_what_counts_the_same_rows_shares_a_statement() {
    on_each_database(async |service| {
        let shares = service.engine == Engine::Postgres;
        // Each has the page and its count as well. Authors have a default filter, which anonymous callers do not meet.
        for (query, together, separate, passes) in [
            ("facets=is_active,views&totals[views]=sum", 3, 5, 1),
            ("facets=is_active,views", 3, 4, 1),
            ("facets=views&totals[views]=sum&totals[rating]=avg", 3, 4, 1),
            (
                "facets=is_active,views,created_at&filters[is_active]=true",
                4,
                5,
                1,
            ),
            ("facets=is_active,views&filters[is_active]=true", 4, 4, 0),
            ("facets=views", 3, 3, 0),
            ("totals[views]=sum&totals[rating]=avg", 3, 3, 0),
        ] {
            let expected = match shares {
                true => (together, passes),
                false => (separate, 0),
            };
            assert_eq!(statements(service, query).await, expected, "{query}");
        }
    });
}

/// Rule b1261.
#[test]
fn many_rows_are_counted_by_separate_statements() {
    run(async {
        let service = Service::fresh(Engine::Postgres).await;
        let insert = "INSERT INTO articles (title, slug, is_active, views, author_id, created_at, updated_at) \
            SELECT 'Many', 'many-' || n, n % 3 > 0, n, 1 + n % 2, \
            TIMESTAMPTZ '2030-01-01 00:00:00Z' + n * INTERVAL '1 hour', now() FROM generate_series(1, 20001) AS n";
        service.db.execute_unprepared(insert).await.unwrap();
        let asked = format!("facets={}&{TOTALS}", FACETS.join(","));
        for (last, together) in [(20_000, true), (20_001, false)] {
            let filters = format!(
                "&filters[created_at][$gte]=2030-01-01&filters[views][$lte]={last}&filters[title]=Many"
            );
            // Views and times leave out their own filters.
            compare(&service, &filters).await;
            let facets = "facets=is_active,tags&totals[views]=min,max";
            let (number, passes) = statements(&service, &format!("{facets}{filters}")).await;
            // The labels of tags are not read, because these articles have none.
            assert_eq!((number, passes), (if together { 3 } else { 6 }, 1));
            let (facets, totals) = numbers(&service, &asked, &filters).await;
            assert_eq!(totals["views"]["max"], json!(last));
            assert_eq!(facets[0]["values"][1]["count"], json!(last / 3));
            assert_eq!(facets[2]["missing"], json!(last));
        }
    });
}
