//! A search reads the index of words, and neither every row nor every row's text.

use blog::entity::article;
use blog::migration::Migrator;
use listing::Settings;
use listing::{ListingRequest, SelectListing, Statement};
use listing_tests::{Engine, Recorder, Service, fresh_database, on_each, run};
use sea_orm::{ConnectionTrait, EntityTrait, Statement as SeaStatement};
use sea_orm_migration::MigratorTrait;
use serde_json::Value;

async fn statements(service: &Service, query: &str) -> Vec<Statement> {
    let recorder = Recorder::new(service.db.clone());
    let request = ListingRequest::from_query(&service.listings, query).unwrap();
    let articles = article::Entity::find().listing(&request);
    let _ = articles.listing_paginate(&recorder).await.unwrap();
    recorder.take()
}

/// How the database would run a statement.
async fn plan(service: &Service, statement: Statement) -> String {
    let explain = match service.engine {
        Engine::Postgres => "EXPLAIN (FORMAT JSON)",
        Engine::Mysql => "EXPLAIN FORMAT=JSON",
        Engine::Sqlite => "EXPLAIN QUERY PLAN",
    };
    let text = format!("{explain} {}", statement.text);
    let backend = service.db.get_database_backend();
    let statement = SeaStatement::from_sql_and_values(backend, text, statement.values);
    let rows = service.db.query_all_raw(statement).await.unwrap();
    let line = |row: &sea_orm::QueryResult| match service.engine {
        Engine::Postgres => row.try_get_by_index::<Value>(0).unwrap().to_string(),
        Engine::Mysql => row.try_get_by_index(0).unwrap(),
        Engine::Sqlite => row.try_get_by_index(3).unwrap(),
    };
    rows.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// Rule d87.
#[test]
fn a_search_uses_the_index_of_words() {
    on_each(|engine| {
        run(async {
            let db = fresh_database(engine).await;
            Migrator::up(&db, None).await.unwrap();
            blog::data::load_seed(&db, 5_000, |_, _| {}).await.unwrap();
            let service = Service::on(engine, db, Settings::default()).await;
            for query in [
                "search=lighthouse museum&fields=id",
                "search=lighthouse museum&fields=id&sort=relevance",
                "search=\"lighthouse keepers\" -museum&sort=relevance",
            ] {
                let statements = statements(&service, query).await;
                assert_eq!(statements.len(), 2, "the page and the count");
                for statement in statements {
                    let text = statement.text.clone();
                    let plan = plan(&service, statement).await;
                    let says = |part: &str| plan.contains(part);
                    let uses_index = match engine {
                        Engine::Postgres => says("articles_search") && !says("Seq Scan"),
                        Engine::Mysql => says(r#""key": "articles_search""#),
                        Engine::Sqlite => {
                            says("SCAN articles_search VIRTUAL TABLE INDEX")
                                && says("SEARCH articles USING INTEGER PRIMARY KEY")
                        }
                    };
                    assert!(uses_index, "{text}\n{plan}");
                }
            }
        });
    });
}

/// Rule d87.
#[test]
fn a_search_takes_no_statement_more() {
    on_each(|engine| {
        run(async {
            let service = Service::fresh(engine).await;
            let ran = statements(&service, "search=night&sort=relevance").await;
            assert_eq!(ran.len(), 2, "the page and the count");
            for statement in ran {
                assert!(!statement.text.contains("night"), "{}", statement.text);
            }
        });
    });
}
