//! Connections that are busy, with or without somebody still waiting.

use std::collections::HashSet;
use std::task::Poll;
use std::time::Duration;

use listing::{ExecuteError, ReadOptions, ReadPool};
use listing_tests::{Engine, fresh_database, run};
use sea_orm::{ConnectionTrait, DatabaseConnection, DatabaseTransaction, TransactionTrait};
use tokio::task::{JoinHandle, JoinSet, unconstrained, yield_now};
use tokio::time::{sleep, timeout};

use crate::base::{rows, value};

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
        // Each its own text, which nobody knows to be slow.
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

#[test]
fn b71_a_statement_that_nobody_waits_for_is_not_in_the_others_way() {
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
        // Its connection is used again when it is free, as much as the other.
        let mut used = HashSet::new();
        for _ in 0..10_000 {
            used.insert(value(&reads, "SELECT pg_backend_pid()").await);
            if used.len() == 2 {
                return;
            }
        }
        panic!("one connection is not used any more");
    });
}

#[test]
fn b330_b332_statements_that_only_wait_for_their_turn_are_neither_moved_nor_cancelled() {
    run(async {
        let db = fresh_database(Engine::Postgres).await;
        let options = ReadOptions::new().connections(2);
        let reads = ReadPool::alongside(&db, options).await.unwrap();
        // Each is quick, and each waits for a dozen others.
        let one = async |number: usize| {
            let text = format!("SELECT {number}::text || 'x' FROM pg_sleep(0.012)");
            value(&reads, &text).await
        };
        for _ in 0..5 {
            let all = futures_util::future::join_all((0..64).map(one)).await;
            let expected: Vec<_> = (0..64).map(|number| format!("{number}x")).collect();
            assert_eq!(all, expected);
        }
    });
}

#[test]
fn b332_a_statement_that_waits_for_a_slow_one_moves_to_another_connection() {
    run(async {
        let (db, reads, holder) = locked().await;
        // Sent at the same time, before anybody can know that the first are slow.
        let slow = async || value(&reads, "SELECT pg_advisory_lock_shared(7)::text || 'x'").await;
        let quick = async |number: usize| value(&reads, &format!("SELECT {number}")).await;
        let quick = futures_util::future::join_all((0..20).map(quick));
        let all = async {
            tokio::select! {
                biased;
                _ = slow() => panic!("the lock was not held"),
                _ = slow() => panic!("the lock was not held"),
                all = quick => all,
            }
        };
        let expected: Vec<_> = (0..20).map(|number| number.to_string()).collect();
        assert_eq!(all.await, expected);
        drop(db);
        unlock(holder).await;
    });
}

#[test]
fn b330_what_somebody_waits_for_is_not_cancelled_with_what_nobody_waits_for() {
    run(async {
        let db = fresh_database(Engine::Postgres).await;
        let options = ReadOptions::new().connections(1);
        let reads = ReadPool::alongside(&db, options).await.unwrap();
        assert_eq!(value(&reads, "SELECT 1").await, "1");
        // Both are sent on the same connection, and the second is given up while the first is running.
        let wanted = value(&reads, "SELECT 'x' FROM pg_sleep(0.5)");
        let given_up = value(&reads, "SELECT 'y' FROM pg_sleep(600)");
        let given_up = timeout(Duration::from_millis(50), given_up);
        let (wanted, given_up) = tokio::join!(wanted, given_up);
        assert_eq!(wanted, "x");
        assert!(given_up.is_err());
    });
}

#[test]
fn b331_a_statement_that_is_known_to_be_slow_has_a_connection_of_its_own() {
    run(async {
        let db = fresh_database(Engine::Postgres).await;
        let options = ReadOptions::new().connections(1).slow(1);
        let reads = ReadPool::alongside(&db, options).await.unwrap();
        let shared = value(&reads, "SELECT pg_backend_pid()::text").await;
        let slow = "SELECT pg_backend_pid()::text FROM pg_sleep(0.2)";
        // Nobody knows it the first time.
        assert_eq!(value(&reads, slow).await, shared);
        assert_ne!(value(&reads, slow).await, shared);
        let other = "SELECT pg_backend_pid()::text AS other";
        assert_eq!(value(&reads, other).await, shared);
    });
}

/// Counts as far as that in SQLite; without a number, for ever. A small number takes longer than what is read in place (b440).
fn counting(number: &str) -> String {
    format!(
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n {number}) SELECT max(i) FROM n"
    )
}

/// Nobody knows that they are slow when they come, and each takes longer than the test.
#[test]
fn b331_many_equal_slow_statements_at_once_leave_connections_to_quick_ones() {
    run(async {
        let quick = |number: usize| (format!("SELECT 'q{number}'"), format!("q{number}"));
        let counted = |number: usize| {
            let number = 10_000 + number;
            let text = counting(&format!("WHERE i < {number}"));
            (text, number.to_string())
        };
        let endless = counting("");
        let engines: [(_, _, fn(usize) -> _); 3] = [
            (Engine::Postgres, "SELECT 'x' FROM pg_sleep(600)", quick),
            (Engine::Mysql, "SELECT SLEEP(600)", quick),
            (Engine::Sqlite, &endless, counted),
        ];
        for (engine, slow, quick) in engines {
            let db = fresh_database(engine).await;
            let options = ReadOptions::new().connections(3).slow(1);
            let reads = ReadPool::alongside(&db, options).await.unwrap();
            let wave = futures_util::future::join_all((0..40).map(|_| value(&reads, slow)));
            let others = async {
                sleep(Duration::from_millis(20)).await;
                for number in 0..20 {
                    // For longer than the others wait for the first of them.
                    sleep(Duration::from_millis(25)).await;
                    let (text, expected) = quick(number);
                    assert_eq!(value(&reads, &text).await, expected);
                }
            };
            let others = timeout(Duration::from_secs(8), others);
            tokio::select! {
                _ = wave => panic!("{engine:?}: a slow statement was over"),
                others = others => assert!(others.is_ok(), "{engine:?}: quick statements wait"),
            }
        }
    });
}

/// A text that was quick is not expected to be slow, and is for some values: as for a word that hardly any row has.
#[test]
fn b332_slow_values_of_a_text_that_was_quick_leave_connections_to_others() {
    run(async {
        let db = fresh_database(Engine::Postgres).await;
        let options = ReadOptions::new().connections(2).slow(1);
        let reads = ReadPool::alongside(&db, options).await.unwrap();
        let read = {
            let reads = reads.clone();
            move |seconds: f64| {
                let reads = reads.clone();
                async move {
                    let text = "SELECT 'x' FROM pg_sleep($1)";
                    rows(&reads, 1, text, vec![seconds.into()]).await
                }
            }
        };
        read(0.0).await.unwrap();
        // Each in its own task, as requests are.
        let mut slow = JoinSet::new();
        for _ in 0..9 {
            slow.spawn(read(600.0));
        }
        // Those that were sent to the same connection have moved by then.
        sleep(Duration::from_secs(1)).await;
        for number in 0..20 {
            let text = format!("SELECT 'q{number}'");
            let quick = timeout(Duration::from_secs(5), value(&reads, &text));
            assert_eq!(quick.await.expect("it waits"), format!("q{number}"));
        }
        assert_eq!(slow.len(), 9);
        assert!(slow.try_join_next().is_none(), "a slow statement was over");
    });
}

/// Statements that turn out to be slow make room for others, for which more connections are opened than are kept.
#[test]
fn b333_connections_that_are_no_longer_needed_are_closed() {
    run(async {
        let db = fresh_database(Engine::Mysql).await;
        let reads = ReadPool::alongside(&db, ReadOptions::new().connections(2))
            .await
            .unwrap();
        // Everything else is asked here: a pool that is asked twice in a row may open a connection for each.
        let holder = db.begin().await.unwrap();
        let others = db.get_mysql_connection_pool().size();
        let open = async || {
            let connections = "SELECT CAST(COUNT(*) AS CHAR) FROM information_schema.processlist \
                               WHERE db = DATABASE()";
            let connections: u32 = value(&holder, connections).await.parse().unwrap();
            connections - others
        };
        let until = async |is_so: fn(u32) -> bool| {
            while !is_so(open().await) {
                sleep(Duration::from_millis(20)).await;
            }
        };
        value(&holder, "SELECT GET_LOCK(DATABASE(), 0)").await;
        let slow = futures_util::future::join_all((0..4).map(|number| {
            let text =
                format!("SELECT GET_LOCK(DATABASE(), 60), RELEASE_LOCK(DATABASE()), {number}");
            let reads = reads.clone();
            async move { value(&reads, &text).await }
        }));
        let room = async {
            let room = timeout(Duration::from_secs(30), until(|open| open >= 4)).await;
            value(&holder, "SELECT RELEASE_LOCK(DATABASE())").await;
            room.expect("no room was made");
        };
        tokio::join!(slow, room);
        let closed = timeout(Duration::from_secs(30), until(|open| open <= 2)).await;
        closed.expect("they are not closed");
    });
}

#[test]
fn connections_that_are_as_free_as_each_other_take_turns() {
    run(async {
        let (_db, reads, _holder) = locked().await;
        let mut used = HashSet::new();
        for _ in 0..2 {
            used.insert(value(&reads, "SELECT pg_backend_pid()").await);
        }
        assert_eq!(used.len(), 2);
    });
}

#[test]
fn b71_more_than_a_thousand_statements_do_not_wait_on_a_connection() {
    run(async {
        let (db, reads, holder) = locked().await;
        // Two connections, and eight more while those are held.
        let connections: u32 = 2 + 8;
        let mut held = Vec::new();
        for in_all in 1..=connections {
            held.push(stuck(&db, &reads, in_all).await);
        }
        let mut waiting = Vec::new();
        let one_more = loop {
            // Each its own text: on a machine that is busy, one text may become known as slow.
            let text = format!("SELECT {}", waiting.len());
            let read = async {
                let text = text;
                rows(&reads, 1, &text, Vec::new()).await
            };
            // Each goes as far as it can; as one task they would have to take turns with others.
            let mut read = Box::pin(unconstrained(read));
            let poll = std::future::poll_fn(|context| Poll::Ready(read.as_mut().poll(context)));
            match poll.await {
                Poll::Ready(done) => break done,
                Poll::Pending => waiting.push(read),
            }
        };
        // One or two that moved to another connection are still counted on the first; one that held a connection may have
        // one of those for slow statements by now.
        let number = u32::try_from(waiting.len()).unwrap();
        let most = connections * 1_000;
        assert!(
            (most - 3 * connections..=most).contains(&number),
            "{number}"
        );
        let Err(error @ ExecuteError::Unavailable(_)) = one_more else {
            panic!("{one_more:?}");
        };
        assert!(error.to_string().contains("too many"), "{error}");
        unlock(holder).await;
        for (number, read) in waiting.into_iter().enumerate() {
            assert_eq!(read.await.unwrap(), [[number.to_string()]]);
        }
        for read in held {
            assert_eq!(read.await.unwrap(), "x");
        }
        assert_eq!(value(&reads, "SELECT 1").await, "1");
    });
}
