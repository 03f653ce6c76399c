//! Connections that are busy, with or without somebody still waiting.

use std::task::Poll;
use std::time::Duration;

use listing::execute::Reader;
use listing::render::{Shape, ShapeColumn};
use listing::{ExecuteError, Kind, ReadOptions, ReadPool, Statement};
use listing_tests::{Engine, Service, fresh_database, on_each, run};
use sea_orm::{ConnectionTrait, DatabaseConnection, DatabaseTransaction, TransactionTrait};
use tokio::task::{JoinHandle, JoinSet, yield_now};

use crate::base::value;

/// How many statements wait for the lock.
const STUCK: &str = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted \
                     AND database = (SELECT oid FROM pg_database WHERE datname = current_database())";

/// Two connections, and a lock that readers of the table wait for.
async fn locked() -> (DatabaseConnection, ReadPool, DatabaseTransaction) {
    let db = fresh_database(Engine::Postgres).await;
    let reads = ReadPool::alongside(&db, ReadOptions::new().connections(2))
        .await
        .unwrap();
    let holder = db.begin().await.unwrap();
    holder
        .execute_unprepared("SELECT pg_advisory_lock(7)")
        .await
        .unwrap();
    (db, reads, holder)
}

async fn unlock(holder: DatabaseTransaction) {
    holder
        .execute_unprepared("SELECT pg_advisory_unlock(7)")
        .await
        .unwrap();
    holder.rollback().await.unwrap();
}

/// A read that waits for the lock, once the server says that it and those before it do.
async fn stuck(db: &DatabaseConnection, reads: &ReadPool, in_all: u32) -> JoinHandle<String> {
    let waits = tokio::spawn({
        let reads = reads.clone();
        let text = format!("SELECT pg_advisory_lock_shared(7)::text || 'x' AS n{in_all}");
        async move { value(&reads, &text).await }
    });
    while value(db, STUCK).await != in_all.to_string() {
        yield_now().await;
    }
    waits
}

#[test]
fn one_who_waits_for_a_lock_is_not_in_the_others_way() {
    run(async {
        let (db, reads, holder) = locked().await;
        let waits = stuck(&db, &reads, 1).await;
        for number in 0..20 {
            let text = format!("SELECT {number}");
            assert_eq!(value(&reads, &text).await, number.to_string());
        }
        assert!(!waits.is_finished());
        unlock(holder).await;
        assert_eq!(waits.await.unwrap(), "x");
    });
}

/// Rule b71.
#[test]
fn a_statement_that_nobody_waits_for_is_not_in_the_others_way() {
    run(async {
        let (db, reads, holder) = locked().await;
        let given_up = stuck(&db, &reads, 1).await;
        given_up.abort();
        assert!(given_up.await.unwrap_err().is_cancelled());
        for number in 0..20 {
            let text = format!("SELECT {number}");
            assert_eq!(value(&reads, &text).await, number.to_string());
        }
        // It is ended, whatever it waits for.
        while value(&db, STUCK).await != "0" {
            yield_now().await;
        }
        unlock(holder).await;
        let holder = db.begin().await.unwrap();
        let lock = "SELECT pg_advisory_lock(7)";
        holder.execute_unprepared(lock).await.unwrap();
        // Its place is free again.
        let waits = [stuck(&db, &reads, 1).await, stuck(&db, &reads, 2).await];
        unlock(holder).await;
        for waits in waits {
            assert_eq!(waits.await.unwrap(), "x");
        }
    });
}

/// Rules b330, b670.
#[test]
fn a_statement_that_was_sent_after_an_abandoned_one_is_answered_all_the_same() {
    run(async {
        let db = fresh_database(Engine::Postgres).await;
        let options = patient().connections(1);
        let reads = ReadPool::alongside(&db, options).await.unwrap();
        let abandoned = begin(Engine::Postgres, &reads, 2, false);
        until_running(Engine::Postgres, &db, 1).await;
        // On the same session, and not on another after these were abandoned.
        let mut waits = Box::pin(quick(&reads, false));
        assert!(!is_over(&mut waits).await);
        drop(abandoned);
        waits.await.unwrap();
        until_running(Engine::Postgres, &db, 0).await;
    });
}

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

/// Begins so many statements without an end, in one lane.
fn begin(engine: Engine, reads: &ReadPool, number: usize, is_unindexed: bool) -> JoinSet<()> {
    let mut begun = JoinSet::new();
    for _ in 0..number {
        let reads = reads.clone();
        begun.spawn(async move {
            let statement = Statement::new(endless(engine), Vec::new());
            let shape = Shape {
                columns: vec![ShapeColumn::key(Kind::Natural)],
            };
            let read = reads.read(statement.unindexed(is_unindexed), &shape).await;
            panic!("a statement without an end was over: {:?}", read.err());
        });
    }
    begun
}

/// Nobody waits in vain while a test is running.
fn patient() -> ReadOptions {
    ReadOptions::new().acquire_timeout(Duration::from_mins(10))
}

/// Goes as far as it can at once, and tells whether it is over.
async fn is_over<T>(future: &mut (impl Future<Output = T> + Unpin)) -> bool {
    let mut future = std::pin::Pin::new(future);
    let poll = std::future::poll_fn(|context| Poll::Ready(future.as_mut().poll(context)));
    poll.await.is_ready()
}

/// A statement without an end that no index serves.
async fn unindexed_without_end(engine: Engine, reads: &ReadPool) -> Result<(), ExecuteError> {
    let statement = Statement::new(endless(engine), Vec::new()).unindexed(true);
    reads.read(statement, &Shape::default()).await.map(drop)
}

/// A quick statement, in one lane.
async fn quick(reads: &ReadPool, is_unindexed: bool) -> Result<(), ExecuteError> {
    let statement = Statement::new("SELECT 1", Vec::new()).unindexed(is_unindexed);
    let columns = vec![ShapeColumn::key(Kind::Natural)];
    reads.read(statement, &Shape { columns }).await.map(drop)
}

/// Waits until a server runs so many statements without an end; SQLite has none to ask.
async fn until_running(engine: Engine, db: &DatabaseConnection, number: usize) {
    let sql = match engine {
        Engine::Postgres => {
            "SELECT count(*)::text FROM pg_stat_activity \
             WHERE datname = current_database() AND state = 'active' AND query LIKE '%pg_sleep(600)::text'"
        }
        Engine::Mysql => {
            "SELECT CAST(COUNT(*) AS CHAR) FROM information_schema.processlist \
             WHERE db = DATABASE() AND info LIKE 'SELECT SLEEP(600)%'"
        }
        Engine::Sqlite => return,
    };
    while value(db, sql).await != number.to_string() {
        yield_now().await;
    }
}

/// Rule b670.
#[test]
fn as_many_statements_run_at_the_same_time_as_there_are_connections() {
    on_each(|engine| {
        run(async {
            let db = fresh_database(engine).await;
            let options = patient().connections(10).unindexed(2);
            let reads = ReadPool::alongside(&db, options).await.unwrap();
            let mut slow = begin(engine, &reads, 16, false);
            until_running(engine, &db, 10).await;
            // The others wait, and what no index serves does not wait for them.
            for _ in 0..20 {
                quick(&reads, true).await.unwrap();
            }
            until_running(engine, &db, 10).await;
            assert!(slow.try_join_next().is_none(), "{engine}");
        });
    });
}

/// Rule b670.
#[test]
fn statements_that_no_index_serves_leave_connections_to_all_others() {
    on_each(|engine| {
        run(async {
            let db = fresh_database(engine).await;
            let options = patient().connections(2).unindexed(3);
            let reads = ReadPool::alongside(&db, options).await.unwrap();
            let mut slow = begin(engine, &reads, 40, true);
            until_running(engine, &db, 3).await;
            for _ in 0..20 {
                quick(&reads, false).await.unwrap();
            }
            until_running(engine, &db, 3).await;
            assert!(slow.try_join_next().is_none(), "{engine}");
            // When nobody waits for them any more, their places are free.
            slow.shutdown().await;
            quick(&reads, true).await.unwrap();
        });
    });
}

/// Rule b670.
#[test]
fn a_statement_waits_for_a_connection_for_as_long_as_the_options_say() {
    on_each(|engine| {
        run(async {
            let db = fresh_database(engine).await;
            let options = ReadOptions::new()
                .unindexed(1)
                .acquire_timeout(Duration::from_millis(500));
            let reads = ReadPool::alongside(&db, options).await.unwrap();
            let mut slow = Box::pin(unindexed_without_end(engine, &reads));
            assert!(!is_over(&mut slow).await);
            let late = quick(&reads, true).await.unwrap_err();
            assert!(matches!(late, ExecuteError::Unavailable(_)), "{late}");
            assert!(late.to_string().contains("timed out"), "{late}");
        });
    });
}

/// One list waits while the only place in the lane of those that no index serves is taken, and another does not.
async fn waits_in_its_lane(service: &Service, unindexed: &str, indexed: &str) {
    let mut service = service.clone();
    let (engine, options) = (service.engine, patient().connections(1).unindexed(1));
    service.reads = ReadPool::alongside(&service.db, options).await.unwrap();
    let reads = service.reads.clone();
    let mut slow = Box::pin(unindexed_without_end(engine, &reads));
    assert!(!is_over(&mut slow).await);
    let mut list = Box::pin(service.get(unindexed));
    for _ in 0..20 {
        assert!(!is_over(&mut list).await, "{engine}: {unindexed}");
        drop(service.get(indexed).await.ok());
    }
    drop(slow);
    drop(list.await.ok());
}

/// Rule b671.
#[test]
fn a_list_that_no_index_serves_on_a_large_table_has_connections_of_its_own() {
    on_each(|engine| {
        run(async {
            let service = Service::fresh(engine).await;
            let service = service.with_settings(|settings| settings.unindexed_rows = 10);
            service.listings.inspect_indexes(&service.db).await.unwrap();
            let unindexed = "/api/articles?filters[body][$contains]=night";
            let indexed = "/api/articles?filters[author_id]=1";
            waits_in_its_lane(&service, unindexed, indexed).await;
        });
    });
}

/// Rule b671.
#[test]
fn a_list_of_a_view_has_connections_of_its_own() {
    on_each(|engine| {
        run(async {
            let service = Service::fresh(engine).await;
            for change in [
                "ALTER TABLE tags RENAME TO kept_tags",
                "CREATE VIEW tags AS SELECT * FROM kept_tags",
            ] {
                service.db.execute_unprepared(change).await.unwrap();
            }
            let service = service.with_settings(|_| {});
            service.listings.inspect_indexes(&service.db).await.unwrap();
            let indexed = "/api/authors?pagination[withCount]=false";
            waits_in_its_lane(&service, "/api/tags", indexed).await;
        });
    });
}
