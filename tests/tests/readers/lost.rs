//! Connections that the server closes, and tables that change under prepared statements.

use listing::{ReadOptions, ReadPool};
use listing_tests::{Engine, fresh_database, on_each, run};
use sea_orm::{ConnectionTrait, DatabaseConnection, Statement};
use tokio::task::JoinSet;

use crate::base::{rows, value};

const NUMBER: &str = "SELECT 41 + 1";

/// Ends every connection of the readers that the server knows, and tells how many there were.
async fn end_readers(engine: Engine, db: &DatabaseConnection) -> usize {
    let (find, end) = match engine {
        Engine::Postgres => (
            "SELECT pid::int8 FROM pg_stat_activity \
             WHERE datname = current_database() AND application_name = 'listing'",
            "SELECT pg_terminate_backend({})",
        ),
        // SQLite has no server.
        Engine::Sqlite => return 0,
        Engine::Mysql => (
            "SELECT CAST(id AS SIGNED) FROM information_schema.processlist \
             WHERE db = DATABASE() AND id <> CONNECTION_ID()",
            "KILL CONNECTION {}",
        ),
    };
    let backend = db.get_database_backend();
    let found = db
        .query_all_raw(Statement::from_string(backend, find))
        .await;
    let found = found.unwrap();
    for row in &found {
        let id: i64 = row.try_get_by_index(0).unwrap();
        // It may have ended by itself meanwhile.
        let _ = db
            .execute_unprepared(&end.replace("{}", &id.to_string()))
            .await;
    }
    found.len()
}

/// Opens as many connections as there can be.
async fn busy(reads: &ReadPool) {
    let mut all = JoinSet::new();
    for _ in 0..20 {
        let reads = reads.clone();
        all.spawn(async move { value(&reads, NUMBER).await });
    }
    for number in all.join_all().await {
        assert_eq!(number, "42");
    }
}

#[test]
fn a_request_that_meets_a_lost_connection_is_answered_on_another() {
    on_each(|engine| {
        run(async {
            let db = fresh_database(engine).await;
            let reads = ReadPool::alongside(&db, ReadOptions::new().connections(3))
                .await
                .unwrap();
            for _ in 0..3 {
                busy(&reads).await;
                let ended = end_readers(engine, &db).await;
                assert!(ended > 0 || engine == Engine::Sqlite);
                // At once, while some of them may still be on their way out.
                assert_eq!(value(&reads, NUMBER).await, "42");
                busy(&reads).await;
            }
        });
    });
}

#[test]
fn what_was_prepared_follows_the_table() {
    on_each(|engine| {
        run(async {
            let db = fresh_database(engine).await;
            let reads = ReadPool::alongside(&db, ReadOptions::new().connections(1))
                .await
                .unwrap();
            let change = async |sql: &str| {
                db.execute_unprepared(sql).await.unwrap();
            };
            let list = "SELECT a FROM changing";
            change("CREATE TABLE changing (a INTEGER)").await;
            change("INSERT INTO changing VALUES (1)").await;
            for _ in 0..14 {
                // PostgreSQL keeps a plan after the fifth time, and there are two connections to it.
                assert_eq!(value(&reads, list).await, "1");
            }
            change("DROP TABLE changing").await;
            assert!(rows(&reads, 1, list, Vec::new()).await.is_err());
            change("CREATE TABLE changing (b INTEGER, a VARCHAR(9))").await;
            change("INSERT INTO changing (b, a) VALUES (7, 'text')").await;
            assert_eq!(value(&reads, list).await, "text");
            change("ALTER TABLE changing ADD COLUMN c INTEGER").await;
            assert_eq!(value(&reads, list).await, "text");
            if engine == Engine::Postgres {
                change("ALTER TABLE changing ALTER a TYPE numeric USING 1.50").await;
                assert_eq!(value(&reads, list).await, "1.50");
                // Somebody, such as a proxy, forgets what was prepared.
                for _ in 0..2 {
                    rows(&reads, 0, "DEALLOCATE ALL", Vec::new()).await.unwrap();
                }
                for _ in 0..2 {
                    assert_eq!(value(&reads, list).await, "1.50");
                }
            }
        });
    });
}
