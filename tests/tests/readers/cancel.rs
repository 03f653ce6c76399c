//! Statements end when nobody waits for them any more.

use std::time::Duration;

use listing::observe::TALLY;
use listing::{ReadOptions, ReadPool};
use listing_tests::{Engine, fresh_database, on_each, run};
use sea_orm::DatabaseConnection;
use tokio::task::{JoinSet, yield_now};
use tokio::time::{sleep, timeout};

use crate::base::value;

/// A statement without an end, as far as a test is concerned.
fn endless(engine: Engine) -> &'static str {
    match engine {
        Engine::Postgres => "SELECT pg_sleep(600)::text",
        Engine::Mysql => "SELECT SLEEP(600)",
        Engine::Sqlite => {
            "WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n) SELECT count(*) FROM n"
        }
    }
}

/// How many of them a server is running.
async fn running(engine: Engine, db: &DatabaseConnection) -> String {
    let sql = match engine {
        Engine::Postgres => {
            "SELECT count(*)::text FROM pg_stat_activity \
             WHERE datname = current_database() AND state = 'active' AND query LIKE '%pg_sleep(600)::text'"
        }
        Engine::Mysql => {
            "SELECT CAST(COUNT(*) AS CHAR) FROM information_schema.processlist \
             WHERE db = DATABASE() AND info LIKE 'SELECT SLEEP(600)%'"
        }
        // There is no server to ask.
        Engine::Sqlite => return String::new(),
    };
    value(db, sql).await
}

/// Rule b330.
#[test]
fn after_fifty_abandoned_statements_the_next_is_answered_at_once() {
    on_each(|engine| {
        run(async {
            let db = fresh_database(engine).await;
            let options = ReadOptions::new().connections(2);
            let reads = ReadPool::alongside(&db, options).await.unwrap();
            assert_eq!(value(&reads, "SELECT 1").await, "1");
            let before = TALLY.statements_cancelled.get();
            let mut abandoned = JoinSet::new();
            for _ in 0..50 {
                let reads = reads.clone();
                abandoned.spawn(async move { value(&reads, endless(engine)).await });
            }
            // Begun, as the server says; SQLite has none to ask.
            while running(engine, &db).await == "0" {
                yield_now().await;
            }
            if engine == Engine::Sqlite {
                sleep(Duration::from_secs(1)).await;
            }
            abandoned.shutdown().await;
            // Far less than it would take any of them to end by itself.
            let next = timeout(Duration::from_secs(10), value(&reads, "SELECT 2")).await;
            assert_eq!(next.expect("not answered at once"), "2");
            let ended = async {
                while !matches!(running(engine, &db).await.as_str(), "0" | "") {
                    yield_now().await;
                }
                // b257: and is counted.
                while TALLY.statements_cancelled.get() == before {
                    yield_now().await;
                }
            };
            let ended = timeout(Duration::from_secs(30), ended).await;
            ended.expect("they are still running");
        });
    });
}

/// Rule b330.
#[test]
fn a_server_ends_what_takes_longer_than_a_request_may() {
    run(async {
        for (engine, asked, chosen, usual) in [
            (
                Engine::Mysql,
                "SELECT CAST(CAST(@@max_statement_time AS DOUBLE) AS CHAR)",
                "1.5",
                "30",
            ),
            (
                Engine::Postgres,
                "SELECT current_setting('statement_timeout')",
                "1500ms",
                "30s",
            ),
        ] {
            let db = fresh_database(engine).await;
            let options = ReadOptions::new().statement_timeout(Duration::from_millis(1_500));
            let reads = ReadPool::alongside(&db, options).await.unwrap();
            assert_eq!(value(&reads, asked).await, chosen);
            let reads = ReadPool::alongside(&db, ReadOptions::new()).await.unwrap();
            assert_eq!(value(&reads, asked).await, usual);
        }
    });
}
