//! A page by cursor reads a range of an index on every database, at a cost that does not grow with the rows before it (b94).

use blog::entity::article;
use listing::{CountMode, ListingRequest, SelectListing, Statement};
use listing_tests::{Engine, Recorder, Service, on_each_fresh_database};
use sea_orm::{ConnectionTrait, EntityTrait, Statement as SeaStatement, TransactionTrait};
use serde_json::Value;

use crate::many::many_rows;
use crate::walk::cursor;

/// The statements of a page.
pub(crate) async fn statements(service: &Service, query: &str) -> Vec<Statement> {
    let recorder = Recorder::new(service.db.clone());
    let request = ListingRequest::from_query(&service.listings, query).unwrap();
    let articles = article::Entity::find().listing(&request);
    let _ = articles.listing_paginate(&recorder).await.unwrap();
    recorder.take()
}

/// How the database would run a statement.
pub(crate) async fn plan(service: &Service, statement: Statement) -> String {
    plan_on(&service.db, service.engine, statement).await
}

async fn plan_on(db: &impl ConnectionTrait, engine: Engine, statement: Statement) -> String {
    let explain = match engine {
        Engine::Postgres => "EXPLAIN (FORMAT JSON)",
        Engine::Mysql => "EXPLAIN FORMAT=JSON",
        Engine::Sqlite => "EXPLAIN QUERY PLAN",
    };
    let text = format!("{explain} {}", statement.text);
    let backend = db.get_database_backend();
    let statement = SeaStatement::from_sql_and_values(backend, text, statement.values);
    let rows = db.query_all_raw(statement).await.unwrap();
    let line = |row: &sea_orm::QueryResult| match engine {
        Engine::Postgres => row.try_get_by_index::<Value>(0).unwrap().to_string(),
        Engine::Mysql => row.try_get_by_index(0).unwrap(),
        Engine::Sqlite => row.try_get_by_index(3).unwrap(),
    };
    rows.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// The plan searches an index by its first column, and the rows come out of it in order.
fn is_range(engine: Engine, plan: &str, index: &str, nulls: bool) {
    let says = |text: &str| plan.contains(text);
    // Among the nulls the primary key alone orders, and planners can choose it where there are many of them.
    let key = [
        "articles_pkey",
        r#""key": "PRIMARY""#,
        "INTEGER PRIMARY KEY",
    ];
    let by_key = nulls && key.into_iter().any(says);
    assert!(says(index) || by_key, "{plan}");
    match engine {
        Engine::Postgres => assert!(says("Index Cond") && !says("Sort Key"), "{plan}"),
        Engine::Mysql => {
            let range = says(r#""access_type": "range""#) || says(r#""access_type": "ref""#);
            assert!(range && !says("filesort"), "{plan}");
        }
        Engine::Sqlite => assert!(says("SEARCH") && !says("B-TREE"), "{plan}"),
    }
}

/// Rule b94.
#[test]
fn what_is_behind_a_cursor_is_a_range_of_an_index() {
    on_each_fresh_database(async |service| {
        many_rows(&service.db).await;
        let service = service.with_settings(|settings| settings.max_page_size = 500);
        for (sort, index) in [
            ("views:desc", "articles_views"),
            ("created_at", "articles_created_at"),
            ("created_at:desc", "articles_created_at"),
            ("title", "articles_title"),
            ("rating", "articles_rating"),
            ("rating:desc", "articles_rating"),
        ] {
            let mut token = String::new();
            // Of 30,488 rows, 3,050 have no rating: they come first in descending order, and end at the seventh page.
            for page in 0..8 {
                let query = format!(
                    "fields=id&sort={sort}&pagination[cursor]={token}&pagination[pageSize]=500"
                );
                let statements = statements(&service, &query).await;
                if page > 0 {
                    for statement in statements {
                        let nulls = statement.text.contains("rating` IS NULL")
                            || statement.text.contains("rating\" IS NULL");
                        let plan = plan(&service, statement).await;
                        is_range(service.engine, &plan, index, nulls);
                    }
                }
                let reply = service.get(&format!("/api/articles?{query}")).await.ok();
                token = cursor(&reply, "nextCursor").unwrap();
            }
        }
    });
}

/// Rule b94.
#[test]
fn a_page_takes_one_statement_and_two_where_values_end_and_nulls_begin() {
    on_each_fresh_database(async |service| {
        let mut token = String::new();
        let mut counted = Vec::new();
        loop {
            let query = format!(
                "fields=id&sort=rating&pagination[cursor]={token}&pagination[pageSize]=100"
            );
            let statements = statements(service, &query).await;
            counted.push(statements.len());
            let reply = service.get(&format!("/api/articles?{query}")).await.ok();
            match cursor(&reply, "nextCursor") {
                Some(next) => token = next,
                None => break,
            }
        }
        assert_eq!(
            counted.iter().filter(|count| **count == 2).count(),
            1,
            "{counted:?}"
        );
        assert_eq!(counted.iter().max(), Some(&2), "{counted:?}");
    });
}

/// PostgreSQL reads an index alone only after a vacuum, which others can hold up: here it has no other choice, if it can.
/// Rule b445.
#[test]
fn matches_can_be_counted_from_the_index_alone() {
    on_each_fresh_database(async |service| {
        many_rows(&service.db).await;
        let capped = CountMode::Capped(CountMode::DEFAULT_CAP);
        let counting = service.with_settings(|settings| settings.count = capped);
        let session = service.db.begin().await.unwrap();
        if service.engine == Engine::Postgres {
            let alone = "SET LOCAL enable_indexscan = off; SET LOCAL enable_bitmapscan = off; \
                         SET LOCAL enable_seqscan = off";
            session.execute_unprepared(alone).await.unwrap();
        }
        for (filter, index) in [
            ("filters[title][$eq]=Nothing", "articles_title_created_at"),
            ("filters[author_id][$eq]=1", "articles_author"),
        ] {
            let statements = statements(&counting, &format!("fields=id&{filter}")).await;
            let is_count = |statement: &Statement| statement.text.starts_with("SELECT COUNT(*)");
            let count = statements.into_iter().find(is_count).unwrap();
            let plan = plan_on(&session, service.engine, count).await;
            let alone = match service.engine {
                Engine::Postgres => "Index Only Scan",
                Engine::Mysql => r#""using_index": true"#,
                Engine::Sqlite => "USING COVERING INDEX",
            };
            assert!(plan.contains(index) && plan.contains(alone), "{plan}");
        }
    });
}
