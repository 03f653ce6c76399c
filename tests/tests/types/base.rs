//! Creates an empty database on an engine, and reads its rows as JSON.

use listing::execute::Reader as _;
use listing::render::{Batch, Shape};
use listing::{Kind, ReadOptions, ReadPool};
use listing_tests::{Engine, fresh_database, run};
use sea_orm::{ConnectionTrait as _, DatabaseConnection, DbBackend, Statement};

use crate::shape;

/// A database of one test's own.
pub(crate) struct Base {
    pub(crate) engine: Engine,
    pub(crate) connection: DatabaseConnection,
    pub(crate) reads: ReadPool,
}

/// Runs a check on each engine.
pub(crate) fn on_each(check: impl AsyncFn(&Base)) {
    for engine in Engine::ALL {
        on(engine, &check);
    }
}

/// Runs a check on one engine.
pub(crate) fn on(engine: Engine, check: impl AsyncFn(&Base)) {
    eprintln!("on {engine}:");
    run(async {
        let connection = fresh_database(engine).await;
        // Not `reads` of the harness: both ways are compared here, whatever the environment says.
        let reads = ReadPool::alongside(&connection, ReadOptions::new())
            .await
            .unwrap();
        check(&Base {
            engine,
            connection,
            reads,
        })
        .await;
    });
}

impl Base {
    pub(crate) fn backend(&self) -> DbBackend {
        self.connection.get_database_backend()
    }

    pub(crate) async fn run(&self, sql: &str) {
        self.connection.execute_unprepared(sql).await.unwrap();
    }

    pub(crate) fn statement(&self, sql: &str) -> Statement {
        Statement::from_string(self.backend(), sql)
    }

    /// Read by the fast reader, and once more through SeaORM: their bytes and keys must be the same.
    pub(crate) async fn batch(&self, shape: &Shape, statement: Statement) -> Batch {
        let values = statement.values.clone();
        let values = values.map_or_else(Vec::new, |values| values.0);
        let fast = listing::Statement::new(statement.sql.clone(), values);
        let fast = self.reads.read(fast, shape).await.unwrap();
        let mut batch = Batch::default();
        for row in self.connection.query_all_raw(statement).await.unwrap() {
            batch.push_result(shape, &row).unwrap();
        }
        assert_eq!(fast, batch, "{}", self.engine);
        batch
    }

    /// Each row, without its closing brace; with it, it must be JSON.
    pub(crate) async fn rows(&self, shape: &Shape, statement: Statement) -> Vec<String> {
        let batch = self.batch(shape, statement).await;
        let rows = (0..batch.len()).map(|index| {
            let row = String::from_utf8(batch.row(index).to_vec()).unwrap();
            let _: serde_json::Value = serde_json::from_str(&format!("{row}}}")).unwrap();
            row
        });
        rows.collect()
    }

    pub(crate) async fn row(&self, sql: &str, columns: &[(&str, Kind)]) -> String {
        let mut rows = self.rows(&shape(columns), self.statement(sql)).await;
        assert_eq!(rows.len(), 1, "{sql}");
        rows.remove(0)
    }
}
