//! Each way of counting: what it shows, what it costs, and when it says that it is not exact (b80–b84).

use blog::data::demo_rows;
use blog::entity::article;
use listing::execute::Reader;
use listing::reply::ListPage;
use listing::{CountMode, ListingRequest, SelectListing, Unindexed};
use listing_tests::{Recorder, Service, on_each_database, on_each_fresh_database};
use sea_orm::EntityTrait;
use serde_json::{Value, json};

use crate::gate::Gate;
use crate::many::many_rows;

fn living() -> u64 {
    let rows = demo_rows();
    let living = rows.articles.iter().filter(|row| row.deleted_at.is_none());
    living.count() as u64
}

fn counting(service: &Service, mode: CountMode) -> Service {
    service.with_settings(|settings| settings.count = mode)
}

async fn pagination(service: &Service, query: &str) -> Value {
    let reply = service.get(&format!("/api/articles?{query}")).await.ok();
    reply.meta()["pagination"].clone()
}

async fn read(service: &Service, query: &str, reader: &impl Reader) -> ListPage {
    let request = ListingRequest::from_query(&service.listings, query).unwrap();
    let articles = article::Entity::find().listing(&request);
    articles.listing_paginate(reader).await.unwrap()
}

async fn statements(service: &Service, query: &str) -> Vec<String> {
    let recorder = Recorder::new(service.db.clone());
    read(service, query, &recorder).await;
    let statements = recorder.take().into_iter();
    statements.map(|statement| statement.text).collect()
}

/// Rules b82, b83.
#[test]
fn a_capped_count_stops_at_its_cap() {
    on_each_database(async |service| {
        let all = living();
        let capped = counting(service, CountMode::Capped(100));
        assert_eq!(
            pagination(&capped, "pagination[pageSize]=10").await,
            json!({ "page": 1, "pageSize": 10, "total": 100, "totalIsExact": false, "hasMore": true })
        );
        assert_eq!(
            pagination(&capped, "pagination[start]=5&pagination[limit]=10").await,
            json!({ "start": 5, "limit": 10, "total": 100, "totalIsExact": false, "hasMore": true })
        );
        // What the page shows is counted.
        let after = pagination(&capped, "pagination[start]=200&pagination[limit]=10").await;
        assert_eq!(
            (&after["total"], &after["hasMore"]),
            (&json!(210), &json!(true))
        );
        // The end of the list says how many there are, and so does a cap that is not reached.
        let last = format!("pagination[start]={}&pagination[limit]=10", all - 3);
        let exact = json!({ "start": all - 3, "limit": 10, "total": all });
        assert_eq!(pagination(&capped, &last).await, exact);
        for cap in [all, all + 1] {
            let uncapped = counting(service, CountMode::Capped(cap));
            let told = pagination(&uncapped, "pagination[pageSize]=10").await;
            let exact =
                json!({ "page": 1, "pageSize": 10, "pageCount": all.div_ceil(10), "total": all });
            assert_eq!(told, exact, "{cap}");
        }
        let one_less = pagination(&counting(service, CountMode::Capped(all - 1)), "").await;
        assert_eq!(one_less["totalIsExact"], json!(false));
        // After the end nothing is seen.
        let far = pagination(&capped, "pagination[start]=9999").await;
        assert_eq!(
            far,
            json!({ "start": 9999, "limit": 25, "total": 100, "totalIsExact": false, "hasMore": false })
        );
        let run = statements(&capped, "").await;
        assert_eq!(run.len(), 2);
        assert!(run[1].contains("LIMIT 101"), "{}", run[1]);
        // A row after the page is read only where the count does not tell whether there is one.
        assert!(run[0].contains("LIMIT 25"), "{}", run[0]);
        let run = statements(&capped, "pagination[page]=5").await;
        assert!(run[0].contains("LIMIT 26"), "{}", run[0]);
    });
}

/// Rule b81.
#[test]
fn no_count_is_run_where_the_listing_has_none() {
    on_each_database(async |service| {
        let none = counting(service, CountMode::None);
        for asked in [
            "",
            "pagination[withCount]=true",
            "pagination[withCount]=false",
        ] {
            let told = json!({ "page": 1, "pageSize": 25, "hasMore": true });
            assert_eq!(pagination(&none, asked).await, told, "{asked}");
            assert_eq!(statements(&none, asked).await.len(), 1, "{asked}");
        }
        // A client can do without a total whatever the way.
        for mode in [
            CountMode::Capped(5),
            CountMode::Estimated,
            CountMode::Cached(5),
        ] {
            let service = counting(service, mode);
            let asked = "pagination[withCount]=false";
            let told = json!({ "page": 1, "pageSize": 25, "hasMore": true });
            assert_eq!(pagination(&service, asked).await, told, "{mode}");
            assert_eq!(statements(&service, asked).await.len(), 1, "{mode}");
        }
    });
}

/// Rule b82.
#[test]
fn an_exact_count_says_nothing_of_it() {
    on_each_database(async |service| {
        let told = json!({ "page": 1, "pageSize": 25, "pageCount": living().div_ceil(25), "total": living() });
        assert_eq!(pagination(service, "").await, told);
    });
}

/// Rules b80, b602, d153.
#[test]
fn by_default_the_size_of_the_table_at_start_up_decides_how_far_rows_are_counted() {
    on_each_fresh_database(async |service| {
        many_rows(&service.db).await;
        let all = living() + 30_000;
        let exact =
            json!({ "page": 1, "pageSize": 25, "pageCount": all.div_ceil(25), "total": all });
        let capped = json!({ "page": 1, "pageSize": 25, "total": 10_000, "totalIsExact": false, "hasMore": true });
        assert_eq!(service.listings.settings().count, CountMode::Auto);
        // Nothing was read of the catalogue.
        assert_eq!(pagination(service, "").await, exact);
        for unindexed in [Unindexed::Allow, Unindexed::Warn] {
            for (large_from, told) in [(100_000, &exact), (20_000, &capped)] {
                let service = service.with_settings(|settings| {
                    settings.unindexed = unindexed;
                    settings.unindexed_rows = large_from;
                });
                service.listings.inspect_indexes(&service.db).await.unwrap();
                let case = format!("{unindexed}, {large_from}");
                assert_eq!(pagination(&service, "").await, *told, "{case}");
                // A small table of the same service is counted.
                let tags = service.get("/api/tags").await.ok().meta();
                assert!(tags["pagination"].get("totalIsExact").is_none(), "{case}");
                // Pages go on where counting stopped, and the last says how many there are.
                let further = pagination(&service, "pagination[page]=900").await;
                assert_ne!(further.get("hasMore"), Some(&json!(false)), "{case}");
                let last = format!("pagination[page]={}", all.div_ceil(25));
                let last = pagination(&service, &last).await;
                assert_eq!(last["total"], json!(all), "{case}");
                assert!(last.get("totalIsExact").is_none(), "{case}");
                let asked = pagination(&service, "pagination[count]=exact").await;
                assert_eq!(asked, exact, "{case}");
            }
        }
    });
}

/// Rules d153, b604.
#[test]
fn an_exact_total_is_given_on_request_where_the_list_allows_it() {
    on_each_database(async |service| {
        let all = living();
        let exact =
            json!({ "page": 1, "pageSize": 25, "pageCount": all.div_ceil(25), "total": all });
        for mode in [
            CountMode::Auto,
            CountMode::Exact,
            CountMode::Capped(5),
            CountMode::Estimated,
            CountMode::Cached(5),
        ] {
            let service = counting(service, mode);
            let asked = pagination(&service, "pagination[count]=exact").await;
            assert_eq!(asked, exact, "{mode}");
        }
        let capped = counting(service, CountMode::Capped(5));
        let cursor = pagination(&capped, "pagination[cursor]=&pagination[count]=exact").await;
        assert_eq!(cursor["total"], json!(all));
        let body = json!({ "pagination": { "count": "exact" } });
        let reply = capped.post_query("/api/articles", &body).await.ok();
        assert_eq!(reply.meta()["pagination"], exact);
        let closed = service.with_settings(|settings| settings.exact_count = false);
        for service in [counting(service, CountMode::None), closed] {
            let reply = service.get("/api/articles?pagination[count]=exact").await;
            assert_eq!(reply.error_code(400), "no_exact_count");
            let _ = service.get("/api/articles").await.ok();
        }
    });
}

/// Rule b84.
#[test]
fn few_rows_are_counted_even_where_a_guess_would_do() {
    on_each_database(async |service| {
        let estimated = counting(service, CountMode::Estimated);
        for query in ["", "filters[views][$gt]=50&filters[title][$contains]=a"] {
            let exact = pagination(service, query).await;
            assert_eq!(pagination(&estimated, query).await, exact, "{query}");
        }
    });
}

/// Rule b84.
#[test]
fn many_rows_are_guessed_where_the_planner_tells() {
    on_each_fresh_database(async |service| {
        many_rows(&service.db).await;
        let estimated = counting(service, CountMode::Estimated);
        // With and without a bound value.
        for query in ["", "filters[views][$gte]=1000000"] {
            let told = pagination(&estimated, query).await;
            assert_eq!(told["totalIsExact"], json!(false), "{told}");
            assert_eq!(told["hasMore"], json!(true));
            let total = told["total"].as_u64().unwrap();
            let pages = told.get("pageCount").and_then(Value::as_u64);
            let texts = statements(&estimated, query).await;
            let is_told = |piece: &str| texts.iter().any(|text| text.contains(piece));
            match service.engine {
                // Has nobody to ask.
                listing_tests::Engine::Sqlite => {
                    assert_eq!((total, pages), (10_000, None));
                    assert_eq!(texts.len(), 2);
                    assert!(is_told("LIMIT 10001"), "{texts:?}");
                }
                _ => {
                    assert!((10_001..100_000).contains(&total), "{total}");
                    assert_eq!(pages, Some(total.div_ceil(25)));
                    assert_eq!(texts.len(), 2);
                    assert!(is_told("EXPLAIN "), "{texts:?}");
                }
            }
        }
        // Few of many are counted.
        let few = pagination(&estimated, "filters[views][$eq]=1000003").await;
        assert_eq!(few["total"], json!(3_000), "{few}");
        assert_eq!(few.get("totalIsExact"), None);
    });
}

/// Rule b87.
#[test]
fn a_total_is_kept_where_the_reader_shares() {
    on_each_fresh_database(async |service| {
        let service = counting(service, CountMode::Cached(3_600));
        let gate = Gate::open(&service.db);
        let first = read(&service, "", &gate).await;
        assert_eq!(
            (first.total(), first.total_is_exact()),
            (Some(living()), true)
        );
        let _ = service.delete("/api/articles/1").await.ok();
        let second = read(&service, "pagination[page]=2", &gate).await;
        assert_eq!(
            (second.total(), second.total_is_exact()),
            (Some(living()), false)
        );
        assert_eq!(gate.counted(), 1);
        // The end of the list is as it is now.
        let last = format!("pagination[start]={}", living() - 10);
        let last = read(&service, &last, &gate).await;
        assert_eq!(
            (last.total(), last.total_is_exact()),
            (Some(living() - 1), true)
        );
        // Other filters have another total.
        let other = read(&service, "filters[is_active][$eq]=false", &gate).await;
        assert!(other.total().unwrap() < living());
        assert_eq!(gate.counted(), 2);
    });
}
