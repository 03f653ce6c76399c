//! What is particular to MariaDB and MySQL: prepared statements that are all dropped at once.

use listing::{ReadOptions, ReadPool};
use listing_tests::{Engine, fresh_database, run};

use crate::base::{rows, value};

/// How many statements the one connection has prepared, and how many of them it has closed.
async fn prepared_and_closed(reads: &ReadPool) -> (i64, i64) {
    let status = "SELECT CAST(variable_value AS SIGNED) FROM information_schema.session_status \
                  WHERE variable_name IN ('com_stmt_prepare', 'com_stmt_close') ORDER BY variable_name";
    let counts = rows(reads, 1, status, Vec::new()).await.unwrap();
    let count = |at: usize| counts[at][0].parse::<i64>().unwrap();
    (count(1), count(0))
}

#[test]
fn a_long_list_is_not_kept() {
    run(async {
        let db = fresh_database(Engine::Mysql).await;
        let reads = ReadPool::alongside(&db, ReadOptions::new().connections(1))
            .await
            .unwrap();
        let (prepared, closed) = prepared_and_closed(&reads).await;
        let open = prepared - closed;
        for (values, kept) in [(257, 0), (300, 0), (1_000, 0), (256, 1)] {
            let text = format!("SELECT 1 IN ({})", vec!["?"; values].join(","));
            for _ in 0..2 {
                let list = vec![1.into(); values];
                assert_eq!(rows(&reads, 1, &text, list).await.unwrap(), [["1"]]);
            }
            let (prepared, closed) = prepared_and_closed(&reads).await;
            assert_eq!(prepared - closed, open + kept, "{values} values");
        }
    });
}

#[test]
fn no_more_statements_are_kept_than_asked_for() {
    run(async {
        let db = fresh_database(Engine::Mysql).await;
        let options = ReadOptions::new().connections(1).statements(5);
        let reads = ReadPool::alongside(&db, options).await.unwrap();
        for round in 0..3 {
            for number in 0..10 {
                let text = format!("SELECT {number} AS n");
                assert_eq!(value(&reads, &text).await, number.to_string(), "{round}");
            }
        }
        let (prepared, closed) = prepared_and_closed(&reads).await;
        // Each was pushed out before it came again; some are kept now.
        assert!(prepared > 30, "{prepared}");
        assert!(
            (0..=6).contains(&(prepared - closed)),
            "{prepared} - {closed}"
        );
    });
}
