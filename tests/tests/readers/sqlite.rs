//! What is particular to SQLite: reader threads, each with its own connection to the file.

use std::path::{Path, PathBuf};
use std::task::Poll;

use listing::{ExecuteError, ReadOptions, ReadPool};
use listing_tests::{Engine, fresh_database, run};
use sea_orm::{ConnectionTrait, DatabaseConnection};
use tokio::task::JoinSet;

use crate::base::{rows, value};

async fn database(options: ReadOptions) -> (DatabaseConnection, ReadPool) {
    let db = fresh_database(Engine::Sqlite).await;
    let reads = ReadPool::alongside(&db, options).await.unwrap();
    (db, reads)
}

/// Rule b443.
#[test]
fn sqlite_does_not_count_its_memory() {
    run(async {
        let (_db, reads) = database(ReadOptions::new()).await;
        let option = "SELECT sqlite_compileoption_used('DEFAULT_MEMSTATUS=0')";
        assert_eq!(value(&reads, option).await, "1");
    });
}

/// Rule b72.
#[test]
fn a_committed_write_is_seen_at_once() {
    run(async {
        let (db, reads) = database(ReadOptions::new()).await;
        db.execute_unprepared("CREATE TABLE seen (a INTEGER)")
            .await
            .unwrap();
        for number in 1..=50 {
            db.execute_unprepared("INSERT INTO seen VALUES (1)")
                .await
                .unwrap();
            let count = value(&reads, "SELECT count(*) FROM seen").await;
            assert_eq!(count, number.to_string());
        }
        let write = rows(&reads, 0, "INSERT INTO seen VALUES (1)", Vec::new()).await;
        assert!(matches!(write, Err(ExecuteError::Refused(_))), "{write:?}");
        assert_eq!(value(&reads, "SELECT count(*) FROM seen").await, "50");
    });
}

/// Rule b75.
#[test]
fn a_database_in_memory_is_read_on_its_own_connection() {
    run(async {
        let db = blog::connect::connect("sqlite::memory:", 1).await.unwrap();
        let reads = ReadPool::alongside(&db, ReadOptions::new()).await.unwrap();
        db.execute_unprepared("CREATE TABLE here (a INTEGER)")
            .await
            .unwrap();
        assert_eq!(value(&reads, "SELECT count(*) FROM here").await, "0");
    });
}

/// On a pool of one thread, the next request would wait forever.
#[test]
fn a_statement_that_nobody_waits_for_is_ended() {
    run(async {
        let (_db, reads) = database(ReadOptions::new().connections(1)).await;
        let endless =
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n";
        for _ in 0..3 {
            let mut read = Box::pin(rows(&reads, 1, endless, Vec::new()));
            let poll = std::future::poll_fn(|context| Poll::Ready(read.as_mut().poll(context)));
            assert!(poll.await.is_pending());
            drop(read);
            assert_eq!(value(&reads, "SELECT 1").await, "1");
        }
    });
}

/// How many connections of this process have the file open.
fn open_files(file: &Path) -> usize {
    let files = std::fs::read_dir("/proc/self/fd").unwrap();
    let targets = files.filter_map(|entry| std::fs::read_link(entry.ok()?.path()).ok());
    targets.filter(|target| target == file).count()
}

#[cfg(target_os = "linux")]
#[test]
fn threads_are_as_many_as_asked_for_and_end_with_the_pool() {
    run(async {
        let (db, _) = database(ReadOptions::new()).await;
        db.execute_unprepared("CREATE TABLE here (a INTEGER)")
            .await
            .unwrap();
        let file = value(&db, "SELECT file FROM pragma_database_list").await;
        let file = PathBuf::from(file).canonicalize().unwrap();
        // Closed first, so that what is open is the readers'.
        db.close().await.unwrap();
        let url = format!("sqlite:{}", file.display());
        let reads = ReadPool::connect(&url, ReadOptions::new().connections(3).unindexed(1))
            .await
            .unwrap();
        let mut all = JoinSet::new();
        for _ in 0..100 {
            let reads = reads.clone();
            // Longer than what is read in place (b440).
            let text = "WITH RECURSIVE n(i) AS (SELECT count(*) FROM here UNION ALL SELECT i + 1 FROM n WHERE i < 10000) \
                        SELECT max(i) FROM n";
            all.spawn(async move { value(&reads, text).await });
        }
        all.join_all().await;
        // Three threads, one for statements that no index serves, and three places for what is read in place.
        assert!(
            (1..=7).contains(&open_files(&file)),
            "{}",
            open_files(&file)
        );
        drop(reads);
        for _ in 0..1_000_000 {
            if open_files(&file) == 0 {
                return;
            }
            std::thread::yield_now();
        }
        panic!("{} connections are still open", open_files(&file));
    });
}
