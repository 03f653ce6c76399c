//! What is MariaDB's and MySQL's alone: statements that are dropped all at once.

use listing::{ReadOptions, ReadPool};
use listing_tests::{Engine, fresh_database, run};

use crate::base::{rows, value};

#[test]
fn no_more_statements_are_kept_than_asked_for() {
    run(async {
        let db = fresh_database(Engine::Mysql).await;
        let options = ReadOptions::new().connections(1).statements(5);
        let reads = ReadPool::beside(&db, options).unwrap();
        for round in 0..3 {
            for number in 0..10 {
                let text = format!("SELECT {number} AS n");
                assert_eq!(value(&reads, &text).await, number.to_string(), "{round}");
            }
        }
        let status = "SELECT CAST(variable_value AS SIGNED) FROM information_schema.session_status \
                      WHERE variable_name IN ('com_stmt_prepare', 'com_stmt_close') ORDER BY variable_name";
        let counts = rows(&reads, 1, status, Vec::new()).await.unwrap();
        let count = |at: usize| counts[at][0].parse::<i64>().unwrap();
        let (closed, prepared) = (count(0), count(1));
        // Each was pushed out before it came again; some are kept now.
        assert!(prepared > 30, "{prepared}");
        assert!(
            (0..=6).contains(&(prepared - closed)),
            "{prepared} - {closed}"
        );
    });
}
