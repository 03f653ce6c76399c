//! A read that a replica ends, because of what it has to replay, is run once more on the primary.

use std::time::Duration;

use listing::execute::Reader;
use listing::render::{Shape, ShapeColumn};
use listing::{Kind, Statement};
use listing_tests::Engine;
use sea_orm::ConnectionTrait;

use crate::servers::on_replicated;

/// Rule b1133.
#[test]
fn a_read_that_conflicts_with_recovery_is_run_on_the_primary() {
    on_replicated(Engine::Postgres, async |servers| {
        let service = servers.service().await;
        let shape = Shape {
            columns: vec![ShapeColumn::key(Kind::Natural)],
        };
        // It takes seconds on a replica, however late the conflict is there, and no time on the primary.
        let text = "SELECT count(*) FROM tags \
                    WHERE CASE WHEN pg_is_in_recovery() THEN pg_sleep(0.25) IS NOT NULL ELSE false END";
        let statement = Statement::new(text, Vec::new());
        let reads = service.reads.clone();
        let reading = tokio::spawn(async move { reads.read(statement, &shape).await });
        while !service.reads.replicas().iter().any(|one| one.running > 0) {
            tokio::task::yield_now().await;
        }
        // The replica must lock the table to replay this, and ends whoever reads it by then.
        while !reading.is_finished() {
            for change in ["ADD COLUMN more int", "DROP COLUMN more"] {
                let sql = format!("ALTER TABLE tags {change}");
                service.db.execute_unprepared(&sql).await.unwrap();
            }
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
        let batch = reading.await.unwrap().unwrap();
        // On the primary no row is counted.
        assert_eq!(batch.keys(0)[0].to_string(), "0");
        let failed: u64 = service.reads.replicas().iter().map(|one| one.failed).sum();
        assert_eq!(failed, 1);
    });
}
