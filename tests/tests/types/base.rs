//! In: the addresses of database servers. Out: an empty database on each, and rows read from it as JSON.

use std::env;
use std::future::{Future as _, poll_fn};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::pin::pin;
use std::sync::atomic::{AtomicU32, Ordering};
use std::task::Poll;

use listing::Kind;
use listing::execute::{Batch, Shape};
use sea_orm::{
    ConnectOptions, ConnectionTrait as _, Database, DatabaseConnection, DbBackend, Statement,
};

use crate::shape;

/// A database of this test's own.
pub(crate) struct Base {
    pub(crate) backend: DbBackend,
    pub(crate) connection: DatabaseConnection,
    /// Where it was made, and its name.
    made: Option<(DatabaseConnection, String)>,
}

/// Those that can be reached.
pub(crate) async fn bases() -> Vec<Base> {
    let mut bases = vec![Base::sqlite().await];
    bases.extend(Base::postgres().await);
    bases.extend(Base::mysql().await);
    bases
}

/// Runs a check on each and removes what was made, also where the check fails.
pub(crate) async fn on_each(bases: impl IntoIterator<Item = Base>, check: impl AsyncFn(&Base)) {
    let mut failure = None;
    for base in bases {
        if failure.is_none() {
            let mut checking = pin!(check(&base));
            let checked = poll_fn(|context| {
                let step = AssertUnwindSafe(|| checking.as_mut().poll(context));
                match catch_unwind(step) {
                    Ok(Poll::Ready(())) => Poll::Ready(None),
                    Ok(Poll::Pending) => Poll::Pending,
                    Err(failure) => Poll::Ready(Some(failure)),
                }
            });
            failure = checked.await;
        }
        base.remove().await;
    }
    if let Some(failure) = failure {
        resume_unwind(failure);
    }
}

impl Base {
    pub(crate) async fn sqlite() -> Self {
        Self {
            backend: DbBackend::Sqlite,
            connection: connect("sqlite::memory:").await,
            made: None,
        }
    }

    pub(crate) async fn postgres() -> Option<Self> {
        Self::server(DbBackend::Postgres, "LISTING_TEST_POSTGRES_URL").await
    }

    pub(crate) async fn mysql() -> Option<Self> {
        Self::server(DbBackend::MySql, "LISTING_TEST_MYSQL_URL").await
    }

    async fn server(backend: DbBackend, variable: &str) -> Option<Self> {
        static MADE: AtomicU32 = AtomicU32::new(0);
        let Ok(url) = env::var(variable) else {
            eprintln!("{variable} is not set: {backend:?} is left out");
            return None;
        };
        let server = connect(&url).await;
        let number = MADE.fetch_add(1, Ordering::Relaxed);
        let name = format!("listing_types_{}_{number}", std::process::id());
        server
            .execute_unprepared(&format!("CREATE DATABASE {name}"))
            .await
            .unwrap();
        let (address, _) = url.rsplit_once('/').unwrap();
        Some(Self {
            backend,
            connection: connect(&format!("{address}/{name}")).await,
            made: Some((server, name)),
        })
    }

    async fn remove(self) {
        self.connection.close().await.unwrap();
        if let Some((server, name)) = self.made {
            server
                .execute_unprepared(&format!("DROP DATABASE {name}"))
                .await
                .unwrap();
        }
    }

    pub(crate) async fn run(&self, sql: &str) {
        self.connection.execute_unprepared(sql).await.unwrap();
    }

    pub(crate) fn statement(&self, sql: &str) -> Statement {
        Statement::from_string(self.backend, sql)
    }

    pub(crate) async fn batch(&self, shape: &Shape, statement: Statement) -> Batch {
        let mut batch = Batch::with_capacity(3);
        for row in self.connection.query_all_raw(statement).await.unwrap() {
            batch.push_result(shape, &row).unwrap();
        }
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

async fn connect(url: &str) -> DatabaseConnection {
    let mut options = ConnectOptions::new(url);
    // One, because a second one would see another database in memory.
    options.max_connections(1).sqlx_logging(false);
    Database::connect(options).await.unwrap()
}
