//! What is particular to PostgreSQL: statements kept on the server, and connections that end.

use std::task::Poll;

use listing::{ExecuteError, ReadOptions, ReadPool};
use listing_tests::{Engine, fresh_database, run};
use sea_orm::{ConnectionTrait, DatabaseConnection, TransactionTrait};
use tokio::task::yield_now;

use crate::base::{rows, value};

const KEPT: &str = "SELECT count(*) FROM pg_prepared_statements WHERE $1 = 1";

/// The value of a statement that has one itself.
async fn of_one(reads: &ReadPool, text: &str) -> String {
    let mut rows = rows(reads, 1, text, vec![1.into()]).await.unwrap();
    rows.remove(0).remove(0)
}

async fn database(options: ReadOptions) -> (DatabaseConnection, ReadPool) {
    let db = fresh_database(Engine::Postgres).await;
    let reads = ReadPool::alongside(&db, options).await.unwrap();
    (db, reads)
}

#[test]
fn no_more_statements_are_kept_than_asked_for() {
    run(async {
        let (_db, reads) = database(ReadOptions::new().connections(1).statements(3)).await;
        for round in 0..2 {
            for number in 0..10 {
                let text = format!("SELECT {number} * $1 AS n");
                assert_eq!(of_one(&reads, &text).await, number.to_string(), "{round}");
            }
        }
        // The three, of which this is one; the one that it replaced is closed after it.
        let kept: u32 = of_one(&reads, KEPT).await.parse().unwrap();
        assert!((3..=4).contains(&kept), "{kept}");
        let again: u32 = of_one(&reads, KEPT).await.parse().unwrap();
        assert_eq!(again, 3);
    });
}

#[test]
fn a_long_text_is_not_kept() {
    run(async {
        let (_db, reads) = database(ReadOptions::new().connections(1)).await;
        assert_eq!(of_one(&reads, KEPT).await, "1");
        let long = format!("SELECT $1 /* {} */", "x".repeat(20_000));
        assert_eq!(of_one(&reads, &long).await, "1");
        assert_eq!(of_one(&reads, &long).await, "1");
        assert_eq!(of_one(&reads, KEPT).await, "1");
    });
}

/// Rule b72.
#[test]
fn a_long_list_is_not_kept() {
    run(async {
        let (_db, reads) = database(ReadOptions::new().connections(1)).await;
        assert_eq!(of_one(&reads, KEPT).await, "1");
        for (values, kept) in [(257, "1"), (300, "1"), (1_000, "1"), (256, "2")] {
            let places: Vec<_> = (1..=values).map(|place| format!("${place}")).collect();
            let text = format!("SELECT count(*) WHERE 1 IN ({})", places.join(","));
            for _ in 0..2 {
                let list = vec![1.into(); values];
                assert_eq!(rows(&reads, 1, &text, list).await.unwrap(), [["1"]]);
            }
            assert_eq!(of_one(&reads, KEPT).await, kept, "{values} values");
        }
    });
}

/// A statement that was given up while it was being prepared would stay on the server for ever.
#[test]
fn requests_that_are_given_up_leave_no_statements_behind() {
    run(async {
        // On a machine that is busy, a connection may be given up with its statements, and nothing is seen.
        for _ in 0..20 {
            let (_db, reads) = database(ReadOptions::new().connections(1).statements(3)).await;
            let (before, _) = kept(&reads).await;
            give_up_many(&reads).await;
            // One that was given up while it was prepared is closed a little later.
            for asked in 1.. {
                let (after, statements) = kept(&reads).await;
                if after != before {
                    break;
                }
                if statements <= 3 {
                    return;
                }
                assert!(asked < 100, "{statements} statements are left");
            }
        }
        panic!("each connection was given up");
    });
}

/// The number of a connection, and of the statements that are kept there.
async fn kept(reads: &ReadPool) -> (String, usize) {
    let text =
        "SELECT pg_backend_pid() || ' ' || count(*) FROM pg_prepared_statements WHERE $1 = 1";
    let kept = of_one(reads, text).await;
    let (connection, statements) = kept.split_once(' ').unwrap();
    (connection.to_owned(), statements.parse().unwrap())
}

/// Begins many statements, and leaves them at various moments.
async fn give_up_many(reads: &ReadPool) {
    for number in 0..200 {
        // Earlier ones are over.
        kept(reads).await;
        let text = format!("SELECT {number} * $1 AS given_up");
        let mut read = Box::pin(rows(reads, 1, &text, vec![1.into()]));
        for _ in 0..number % 5 {
            let poll = std::future::poll_fn(|context| Poll::Ready(read.as_mut().poll(context)));
            if poll.await.is_ready() {
                break;
            }
            yield_now().await;
        }
    }
}

/// Rule b70.
#[test]
fn a_statement_whose_connection_ends_under_it_is_run_again() {
    run(async {
        let (db, reads) = database(ReadOptions::new().connections(2)).await;
        let holder = db.begin().await.unwrap();
        holder
            .execute_unprepared("SELECT pg_advisory_lock(8)")
            .await
            .unwrap();
        let waits = tokio::spawn({
            let reads = reads.clone();
            async move { value(&reads, "SELECT pg_advisory_lock_shared(8)::text || 'x'").await }
        });
        let end = "SELECT count(pg_terminate_backend(pid)) FROM pg_locks \
                   WHERE locktype = 'advisory' AND NOT granted \
                   AND database = (SELECT oid FROM pg_database WHERE datname = current_database())";
        while value(&db, end).await == "0" {
            yield_now().await;
        }
        holder
            .execute_unprepared("SELECT pg_advisory_unlock(8)")
            .await
            .unwrap();
        holder.rollback().await.unwrap();
        assert_eq!(waits.await.unwrap(), "x");
    });
}

/// Rule b72.
#[test]
fn sessions_are_in_utc_and_only_read() {
    run(async {
        let (db, _) = database(ReadOptions::new()).await;
        let name = value(&db, "SELECT current_database()::text").await;
        db.execute_unprepared(&format!(
            "ALTER DATABASE {name} SET TimeZone = 'Asia/Tokyo'"
        ))
        .await
        .unwrap();
        db.execute_unprepared("CREATE TABLE written (a INTEGER)")
            .await
            .unwrap();
        let reads = ReadPool::alongside(&db, ReadOptions::new()).await.unwrap();
        assert_eq!(
            value(&reads, "SELECT current_setting('TimeZone')").await,
            "UTC"
        );
        let write = "INSERT INTO written VALUES (1) RETURNING a";
        let refused = rows(&reads, 1, write, Vec::new()).await;
        assert!(
            matches!(refused, Err(ExecuteError::Refused(_))),
            "{refused:?}"
        );
        assert_eq!(value(&reads, "SELECT count(*) FROM written").await, "0");
    });
}
