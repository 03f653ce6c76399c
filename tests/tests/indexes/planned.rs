//! The plan of a list's page, in the database's own words.

use listing::{HasListing, ListingRequest, Listings, SelectListing};
use listing_tests::{Engine, Recorder};
use sea_orm::{ConnectionTrait, DatabaseConnection, Statement, TransactionTrait};
use serde_json::Value;

/// The plans of all statements of a list: the page first.
pub(crate) async fn plans<E: HasListing>(
    engine: Engine,
    db: &DatabaseConnection,
    listings: &Listings,
    query: &str,
) -> Vec<String> {
    let recorder = Recorder::new(db.clone());
    let request = ListingRequest::from_query(listings, query).unwrap();
    let list = E::find().listing(&request);
    let _ = list.listing_paginate(&recorder).await.unwrap();
    let mut plans = Vec::new();
    for statement in recorder.take() {
        let explain = match engine {
            Engine::Postgres => "EXPLAIN (FORMAT JSON)",
            Engine::Mysql => "EXPLAIN FORMAT=JSON",
            Engine::Sqlite => "EXPLAIN QUERY PLAN",
        };
        // A connection to SQLite hears of new indexes when it runs a statement, and not when it explains one.
        let same = db.begin().await.unwrap();
        let asked = async |text: String| {
            let backend = db.get_database_backend();
            let values = statement.values.clone();
            let statement = Statement::from_sql_and_values(backend, text, values);
            same.query_all_raw(statement).await.unwrap()
        };
        asked(statement.text.clone()).await;
        let rows = asked(format!("{explain} {}", statement.text)).await;
        let line = |row: &sea_orm::QueryResult| match engine {
            Engine::Postgres => row.try_get_by_index::<Value>(0).unwrap().to_string(),
            Engine::Mysql => row.try_get_by_index(0).unwrap(),
            Engine::Sqlite => row.try_get_by_index(3).unwrap(),
        };
        plans.push(rows.iter().map(line).collect::<Vec<_>>().join("\n"));
    }
    plans
}

/// Whether rows are sorted after they are found.
pub(crate) fn sorts(engine: Engine, plan: &str) -> bool {
    plan.contains(match engine {
        Engine::Postgres => "Sort Key",
        Engine::Mysql => "filesort",
        Engine::Sqlite => "TEMP B-TREE",
    })
}
