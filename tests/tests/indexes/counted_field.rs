//! A counter as a field shows what a count of related rows shows, and an index serves the sort by it (b263).

use listing::{ListingRequest, Listings, SelectListing, Settings};
use listing_tests::{Engine, on_each, run};
use sea_orm::{ConnectionTrait, DatabaseConnection, EntityTrait};
use serde_json::Value;

use crate::planned::{plans, sorts};
use crate::posts::{counters, post, reply, tables};

const POSTS: i64 = 2_000;

async fn filled(engine: Engine) -> DatabaseConnection {
    let db = tables(engine).await;
    counters()[0].create(&db).await.unwrap();
    let posts: Vec<_> = (1..=POSTS).map(|id| format!("({id})")).collect();
    let replies = (1..=POSTS * 3).map(|id| {
        let hidden = if id % 5 == 0 { "TRUE" } else { "FALSE" };
        format!("({id}, {}, {hidden})", id * id % POSTS + 1)
    });
    let replies: Vec<_> = replies.collect();
    for sql in [
        format!("INSERT INTO posts (id) VALUES {}", posts.join(",")),
        format!(
            "INSERT INTO replies (id, post_id, is_hidden) VALUES {}",
            replies.join(",")
        ),
        "CREATE INDEX posts_replies_count ON posts (replies_count, id)".to_owned(),
        "CREATE INDEX replies_post_id ON replies (post_id, id)".to_owned(),
    ] {
        db.execute_unprepared(&sql).await.unwrap();
    }
    if engine != Engine::Mysql {
        db.execute_unprepared("ANALYZE").await.unwrap();
    }
    db
}

fn listings() -> Listings {
    Listings::builder(Settings::default())
        .add::<post::Entity>()
        .add::<reply::Entity>()
        .build()
        .unwrap()
}

/// Rule b263.
#[test]
fn a_counter_shows_what_a_count_shows_and_an_index_sorts_by_it() {
    on_each(|engine| {
        run(async {
            let (db, listings) = (filled(engine).await, listings());
            let items = async |sort: &str| -> Value {
                let query = format!("sort={sort}&pagination[pageSize]=100");
                let request = ListingRequest::from_query(&listings, &query).unwrap();
                let list = post::Entity::find().listing(&request);
                let page = list.listing_paginate(&db).await.unwrap();
                serde_json::from_slice(page.items()).unwrap()
            };
            for direction in ["asc", "desc"] {
                let kept = items(&format!("replies_count:{direction}")).await;
                assert_eq!(kept, items(&format!("counted:{direction}")).await);
                for item in kept.as_array().unwrap() {
                    assert_eq!(item["replies_count"], item["counted"], "{item}");
                }
            }
            let most = items("replies_count:desc").await[0]["replies_count"].clone();
            assert!(most.as_i64().unwrap() > 3, "{most}");
            // MariaDB reads two thousand rows and sorts them as quickly.
            for direction in ["asc", "desc"] {
                if engine == Engine::Mysql {
                    break;
                }
                let query = format!("fields=replies_count&sort=replies_count:{direction}");
                let plans = plans::<post::Entity>(engine, &db, &listings, &query).await;
                let plan = &plans[0];
                assert!(plan.contains("posts_replies_count"), "{engine}: {plan}");
                assert!(!sorts(engine, plan), "{engine}: {plan}");
            }
        });
    });
}
