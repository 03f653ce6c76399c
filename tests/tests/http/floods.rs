//! Requests as wide and as deep as the bounds allow: answered, refused or given up in time, and never a fault.

use std::time::{Duration, Instant};

use blog::migration::Migrator;
use listing::{ReadOptions, ReadPool, Settings};
use listing_tests::{Engine, Reply, Service, fresh_database, on_each, on_each_database, run};
use sea_orm_migration::MigratorTrait;
use serde_json::{Value, json};

/// As many conditions as one request may have.
const MOST: usize = 100;

/// A condition that no row meets, at the end of three relations.
fn far(number: usize, quantifier: &str) -> Value {
    let inside = json!({ "author_name": { "$contains": format!("nobody {number}") } });
    let comments = match quantifier {
        "" => inside,
        _ => json!({ quantifier: inside }),
    };
    json!({ "author": { "articles": { "comments": comments } } })
}

/// Requests that would keep a database busy for long.
fn bombs() -> Vec<(&'static str, Value)> {
    let all = |quantifier: &'static str| (0..MOST).map(move |number| far(number, quantifier));
    let list = |quantifier| all(quantifier).collect::<Vec<_>>();
    let under_not = all("")
        .map(|part| json!({ "$not": part }))
        .collect::<Vec<_>>();
    let mixed = (0..MOST / 2).map(|number| {
        json!({ "$or": [far(number, "$every"), { "title": { "$contains": format!("x{number}") } }] })
    });
    let deep = (0..3).fold(
        json!({ "$or": list("$none") }),
        |part, _| json!({ "$not": { "$and": [part] } }),
    );
    let in_one = json!({ "author": { "articles": { "comments": { "$or":
        (0..MOST).map(|number| json!({ "author_name": { "$contains": format!("nobody {number}") } })).collect::<Vec<_>>() } } } });
    let tags = (0..MOST)
        .map(|number| json!({ "tags": { "name": { "$contains": format!("none {number}") } } }));
    vec![
        ("$or of some", json!({ "$or": list("") })),
        ("$or of every", json!({ "$or": list("$every") })),
        ("$and of none", json!({ "$and": list("$none") })),
        ("$and of some", json!({ "$and": list("") })),
        ("$and of $not", json!({ "$and": under_not })),
        ("$and of $or", json!({ "$and": mixed.collect::<Vec<_>>() })),
        ("$or in one relation", in_one),
        (
            "$or through a junction",
            json!({ "$or": tags.collect::<Vec<_>>() }),
        ),
        ("$not of $not of $not", deep),
    ]
}

/// Rules d66, d77.
#[test]
fn bombs_of_a_hundred_conditions_over_three_relations_end_in_time() {
    let limit = 2;
    on_each(|engine| {
        run(async {
            let db = fresh_database(engine).await;
            Migrator::up(&db, None).await.unwrap();
            blog::data::load_seed(&db, 3_000, |_, _| {}).await.unwrap();
            // As the service itself reads: the database ends what takes longer than a request may.
            let options = ReadOptions::new()
                .connections(2)
                .statement_timeout(Duration::from_secs(limit));
            let reads = ReadPool::alongside(&db, options).await.unwrap();
            let service = Service::on(engine, db, Settings::default()).await;
            let mut service = service.with_config(|config| config.request_timeout_seconds = limit);
            service.reads = reads;
            for (name, filters) in bombs() {
                let begun = Instant::now();
                let body = json!({ "filters": filters, "search": "night", "populate": "*" });
                let reply = service.post_query("/api/articles", &body).await;
                let took = begun.elapsed();
                assert_in_time(engine, name, &reply, took, limit);
                // The statements of a request that was given up end in time too, and others are answered again.
                let again = Instant::now();
                loop {
                    let next = service.get("/api/articles?pagination[pageSize]=1").await;
                    if next.status == 200 {
                        break;
                    }
                    let waited = again.elapsed();
                    let most = Duration::from_secs(3 * limit + 4);
                    assert!(waited < most, "{engine}, after {name}: {waited:?}");
                }
            }
        });
    });
}

#[track_caller]
fn assert_in_time(engine: Engine, name: &str, reply: &Reply, took: Duration, limit: u64) {
    let status = reply.status.as_u16();
    assert!(
        matches!(status, 200 | 400 | 503 | 504),
        "{engine}, {name}: {status} {}",
        reply.text()
    );
    // With room for a machine that does other things.
    let most = Duration::from_secs(limit + 8);
    assert!(took < most, "{engine}, {name}: {status} after {took:?}");
}

/// Rules d66, d77, d81.
#[test]
fn one_more_than_the_bounds_is_refused() {
    let nested =
        |levels: usize| (0..levels).fold(json!({ "id": 1 }), |part, _| json!({ "$not": part }));
    let wide = |count: usize| {
        let parts = (0..count).map(|id| json!({ "id": id }));
        json!({ "$or": parts.collect::<Vec<_>>() })
    };
    let author = json!({ "author": { "articles": { "author": { "articles": { "id": 1 } } } } });
    let no_article =
        json!({ "author": { "articles": { "author": { "articles": { "$null": true } } } } });
    on_each_database(async |service| {
        let ask = async |body: Value| service.post_query("/api/articles", &body).await;
        let no_author = json!({ "author": { "articles": { "author": { "$null": true } } } });
        for filters in [nested(5), wide(MOST), no_author] {
            let _ = ask(json!({ "filters": filters })).await.ok();
        }
        for (code, body) in [
            ("groups_too_deep", json!({ "filters": nested(6) })),
            ("too_deep", json!({ "filters": nested(100) })),
            ("too_many_conditions", json!({ "filters": wide(MOST + 1) })),
            ("too_many_conditions", json!({ "filters": wide(20_000) })),
            ("filter_too_many_relations", json!({ "filters": author })),
            (
                "filter_too_many_relations",
                json!({ "filters": no_article }),
            ),
            // Conditions of `populate` count, too.
            (
                "too_many_conditions",
                json!({ "filters": wide(60), "populate": { "author": { "filters": { "$or":
                    vec![json!({ "name": "x" }); 50] } } } }),
            ),
        ] {
            assert_eq!(ask(body).await.error_code(400), code);
        }
    });
}
