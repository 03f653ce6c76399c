//! Which plan PostgreSQL uses: one for all values, or one for each request where the listing says so (b73).

use listing::execute::Reader as _;
use listing::render::{Shape, ShapeColumn};
use listing::{Key, Kind, Plans, ReadOptions, ReadPool, Statement};
use listing_tests::{Engine, fresh_database, run};
use sea_orm::{ConnectionTrait, DatabaseConnection};

/// Of 300,000 parcels the five oldest are of a rare kind. A plan for the common kind walks from the newest to the oldest.
async fn parcels() -> (DatabaseConnection, ReadPool) {
    let db = fresh_database(Engine::Postgres).await;
    db.execute_unprepared(
        "CREATE TABLE parcels (id INTEGER, kind INTEGER, sent INTEGER);
         INSERT INTO parcels SELECT n, CASE WHEN n <= 5 THEN 2 ELSE 1 END, n FROM generate_series(1, 300000) n;
         CREATE INDEX by_sent ON parcels (sent);
         CREATE INDEX by_kind ON parcels (kind);
         ANALYZE parcels",
    )
    .await
    .unwrap();
    let options = ReadOptions::new().connections(1);
    let reads = ReadPool::alongside(&db, options).await.unwrap();
    (db, reads)
}

/// The newest five of a kind; or the plan for them.
async fn newest(reads: &ReadPool, kind: i32, plans: Plans, explain: &str) -> Vec<String> {
    let text = format!(
        "{explain}SELECT {} FROM parcels WHERE kind = $1 ORDER BY sent DESC LIMIT 5",
        if explain.is_empty() { "id::text" } else { "*" }
    );
    let statement = Statement::new(text, vec![kind.into()]).planned(plans);
    let shape = Shape {
        columns: vec![ShapeColumn::key(Kind::Text)],
    };
    let batch = reads.read(statement, &shape).await.unwrap();
    let text = |row| match &batch.keys(row)[0] {
        Key::Text(text) => text.to_string(),
        other => panic!("{other:?}"),
    };
    (0..batch.len()).map(text).collect()
}

/// How often the server planned the prepared statements of the reader's one connection for all values, and for one.
async fn planned(reads: &ReadPool) -> (i64, i64) {
    let statement = Statement::new(
        "SELECT sum(generic_plans)::bigint, sum(custom_plans)::bigint FROM pg_prepared_statements \
         WHERE statement LIKE 'SELECT id%'",
        Vec::new(),
    );
    let shape = Shape {
        columns: vec![ShapeColumn::key(Kind::Integer); 2],
    };
    let batch = reads.read(statement, &shape).await.unwrap();
    match batch.keys(0) {
        [Key::Int(generic), Key::Int(custom)] => (*generic, *custom),
        [Key::Null, Key::Null] => (0, 0),
        other => panic!("{other:?}"),
    }
}

/// Rule b73.
#[test]
fn a_plan_is_shared_by_all_values_as_the_server_thinks_best() {
    run(async {
        let (_db, reads) = parcels().await;
        for _ in 0..8 {
            assert_eq!(newest(&reads, 1, Plans::Shared, "").await.len(), 5);
        }
        let (generic, custom) = planned(&reads).await;
        assert_eq!(generic + custom, 8);
        assert!(generic >= 1, "{generic} {custom}");
    });
}

/// Rule b73.
#[test]
fn a_listing_that_says_so_is_planned_for_the_values_of_each_request() {
    run(async {
        let (_db, reads) = parcels().await;
        // The common kind, often enough for a plan to be kept.
        for _ in 0..8 {
            assert_eq!(newest(&reads, 1, Plans::ForEachRequest, "").await.len(), 5);
        }
        let rare = newest(&reads, 2, Plans::ForEachRequest, "").await;
        assert_eq!(rare, ["5", "4", "3", "2", "1"]);
        // Nothing is kept that could be planned for others.
        assert_eq!(planned(&reads).await, (0, 0));
        for (kind, index) in [(1, "by_sent"), (2, "by_kind")] {
            let plan = newest(&reads, kind, Plans::ForEachRequest, "EXPLAIN ").await;
            assert!(plan.join("\n").contains(index), "{kind}: {plan:?}");
        }
    });
}
