//! Statements that the database ends because they take too long.

use std::time::Duration;

use axum::http::StatusCode;
use axum::response::IntoResponse as _;
use listing::execute::Reader;
use listing::{Error, ExecuteError, ReadOptions, ReadPool};
use listing_axum::ApiError;
use listing_tests::{Engine, fresh_database, run};
use sea_orm::{ConnectionTrait, TransactionTrait};

use crate::base::{rows, value};

const ENDLESS: &str = "SELECT count(*) FROM generate_series(1, 1000000000000)";

async fn assert_over_time(reader: &impl Reader, text: &str) {
    let error = rows(reader, 1, text, Vec::new()).await.unwrap_err();
    assert!(matches!(error, ExecuteError::OverTime(_)), "{error:?}");
    let response = ApiError::List(Error::Execute(error)).into_response();
    assert_eq!(response.status(), StatusCode::GATEWAY_TIMEOUT);
}

/// Others share the connection, so the server itself must end what nobody waits for.
/// Rule d53.
#[test]
fn a_statement_over_the_readers_time_limit_is_504() {
    run(async {
        let db = fresh_database(Engine::Postgres).await;
        let limit = Duration::from_millis(500);
        let options = ReadOptions::new().connections(2).statement_timeout(limit);
        let reads = ReadPool::alongside(&db, options).await.unwrap();
        for _ in 0..2 {
            assert_over_time(&reads, ENDLESS).await;
        }
        for _ in 0..2 {
            assert_eq!(value(&reads, "SELECT 1").await, "1");
        }
    });
}

/// While PostgreSQL compiles a statement, it does not look at the time.
/// Rule b264.
#[test]
fn statements_of_readers_are_not_compiled() {
    run(async {
        let db = fresh_database(Engine::Postgres).await;
        let asked = "SELECT current_setting('jit')";
        // The servers of these tests have it off.
        let on = "DO $$BEGIN EXECUTE format('ALTER DATABASE %I SET jit = on', current_database()); END$$";
        db.execute_unprepared(on).await.unwrap();
        db.execute_unprepared("SET jit = on").await.unwrap();
        let reads = ReadPool::alongside(&db, ReadOptions::new().connections(1)).await;
        assert_eq!(value(&reads.unwrap(), asked).await, "off");
    });
}

/// Rule b670.
#[test]
fn parallel_workers_are_the_servers_own_choice() {
    run(async {
        let db = fresh_database(Engine::Postgres).await;
        let asked = "SELECT current_setting('max_parallel_workers_per_gather')";
        let reads = ReadPool::alongside(&db, ReadOptions::new()).await.unwrap();
        assert_ne!(value(&db, asked).await, "0");
        assert_eq!(value(&reads, asked).await, value(&db, asked).await);
    });
}

/// Rule d53.
#[test]
fn a_statement_over_the_servers_time_limit_is_504_through_seaorm_too() {
    run(async {
        let db = fresh_database(Engine::Postgres).await;
        let transaction = db.begin().await.unwrap();
        transaction
            .execute_unprepared("SET LOCAL statement_timeout = 100")
            .await
            .unwrap();
        assert_over_time(&transaction, ENDLESS).await;
    });
}

/// Rule d53.
#[test]
fn a_statement_over_the_time_limit_of_mariadb_is_504() {
    run(async {
        let db = fresh_database(Engine::Mysql).await;
        let reads = ReadPool::alongside(&db, ReadOptions::new().connections(1))
            .await
            .unwrap();
        let endless = "SET STATEMENT max_statement_time = 0.1 FOR \
                       WITH RECURSIVE n AS (SELECT 1 AS i UNION SELECT 1 + i % 1000 FROM n) \
                       SELECT count(*) FROM n a, n b, n c, n d WHERE a.i + b.i + c.i + d.i = 0";
        assert_over_time(&reads, endless).await;
        assert_eq!(value(&reads, "SELECT 1").await, "1");
    });
}
