//! Which plan PostgreSQL uses: one for all values, except for statements that suffer from it (b73).

use std::time::{Duration, Instant};

use listing::{ReadOptions, ReadPool};
use listing_tests::{Engine, fresh_database, run};
use sea_orm::ConnectionTrait;

use crate::base::rows;

/// Says how it was planned, before anything else.
const NEWEST: &str = "SELECT current_setting('plan_cache_mode'), id FROM parcels \
                      WHERE kind = $1 ORDER BY sent DESC LIMIT 5";

async fn planned(reads: &ReadPool, text: &str, value: i32) -> String {
    let mut rows = rows(reads, 1, text, vec![value.into()]).await.unwrap();
    rows.remove(0).remove(0)
}

/// Of 300,000 parcels the five oldest are of a rare kind. A plan for the common kind walks from the newest to the oldest.
#[test]
fn b73_a_statement_that_suffers_from_one_plan_is_planned_for_its_values() {
    run(async {
        let db = fresh_database(Engine::Postgres).await;
        db.execute_unprepared(
            "CREATE TABLE parcels (id INTEGER, kind INTEGER, sent INTEGER);
             INSERT INTO parcels SELECT n, CASE WHEN n <= 5 THEN 2 ELSE 1 END, n FROM generate_series(1, 300000) n;
             CREATE INDEX ON parcels (sent);
             CREATE INDEX ON parcels (kind);
             ANALYZE parcels",
        )
        .await
        .unwrap();
        let reads = ReadPool::alongside(&db, ReadOptions::new().connections(1)).unwrap();
        // From the sixth time on the plan is kept.
        for _ in 0..6 {
            assert_eq!(planned(&reads, NEWEST, 1).await, "auto");
        }
        // Mostly at once; if the machine was so slow that another value was looked into, after the pause.
        let until = Instant::now() + Duration::from_secs(150);
        while Instant::now() < until {
            if planned(&reads, NEWEST, 2).await == "force_custom_plan" {
                // So is every other value from now on, and no other statement.
                assert_eq!(planned(&reads, NEWEST, 1).await, "force_custom_plan");
                let other = NEWEST.replace("LIMIT 5", "LIMIT 4");
                assert_eq!(planned(&reads, &other, 1).await, "auto");
                return;
            }
        }
        panic!("a plan that is wrong for a value was kept");
    });
}

#[test]
fn b73_a_statement_that_is_slow_with_every_plan_is_not_planned_each_time() {
    run(async {
        let db = fresh_database(Engine::Postgres).await;
        let reads = ReadPool::alongside(&db, ReadOptions::new().connections(1)).unwrap();
        let slow = "SELECT current_setting('plan_cache_mode') FROM pg_sleep($1::integer / 1000.0)";
        // Long enough for a look to come to its end.
        for _ in 0..40 {
            assert_eq!(planned(&reads, slow, 10).await, "auto");
        }
    });
}
