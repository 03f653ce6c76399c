//! A reader that shares and records its counts, and lets each one through only when told to.

use std::sync::Arc;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use listing::execute::{Counts, ReadFuture, Reader, SharedReader};
use listing::render::Shape;
use listing::{Dialect, ExecuteError, Statement};
use sea_orm::{DatabaseConnection, DbErr};
use tokio::sync::Semaphore;

/// A pool as a service has it, but for its gate.
#[derive(Clone)]
pub(crate) struct Gate(Arc<Inner>);

struct Inner {
    db: DatabaseConnection,
    counts: Arc<Counts>,
    counted: Mutex<Vec<Statement>>,
    read: Semaphore,
    through: Semaphore,
    fails: AtomicBool,
}

impl Gate {
    pub(crate) fn open(db: &DatabaseConnection) -> Self {
        let gate = Self::closed(db);
        gate.let_through(1_000);
        gate
    }

    pub(crate) fn closed(db: &DatabaseConnection) -> Self {
        Self(Arc::new(Inner {
            db: db.clone(),
            counts: Arc::default(),
            counted: Mutex::default(),
            read: Semaphore::new(0),
            through: Semaphore::new(0),
            fails: AtomicBool::new(false),
        }))
    }

    /// So many counts may go on.
    pub(crate) fn let_through(&self, counts: usize) {
        self.0.through.add_permits(counts);
    }

    /// Waits until so many counts have their numbers from the database.
    pub(crate) async fn until_read(&self, counts: u32) {
        self.0.read.acquire_many(counts).await.unwrap().forget();
    }

    /// The next count fails.
    pub(crate) fn fail_once(&self) {
        self.0.fails.store(true, Ordering::SeqCst);
    }

    /// How many counts were begun.
    pub(crate) fn counted(&self) -> usize {
        self.0.counted.lock().unwrap().len()
    }

    pub(crate) fn statements(&self) -> Vec<Statement> {
        self.0.counted.lock().unwrap().clone()
    }

    /// How many are under way, and how many are kept.
    pub(crate) fn state(&self) -> String {
        format!("{:?}", self.0.counts)
    }
}

impl Reader for Gate {
    fn dialect(&self) -> Result<Dialect, ExecuteError> {
        self.0.db.dialect()
    }

    fn read<'a>(&'a self, statement: Statement, shape: &'a Shape) -> ReadFuture<'a> {
        let is_count = statement.text.contains("COUNT(*)") || statement.text.starts_with("EXPLAIN");
        if !is_count {
            return self.0.db.read(statement, shape);
        }
        self.0.counted.lock().unwrap().push(statement.clone());
        Box::pin(async move {
            let counted = self.0.db.read(statement, shape).await;
            self.0.read.add_permits(1);
            self.0.through.acquire().await.unwrap().forget();
            if self.0.fails.swap(false, Ordering::SeqCst) {
                let away = DbErr::Conn(sea_orm::RuntimeErr::Internal("away".to_owned()));
                return Err(ExecuteError::from(away));
            }
            counted
        })
    }

    fn shared(&self) -> Option<SharedReader> {
        Some(SharedReader::new(
            Arc::new(self.clone()),
            self.0.counts.clone(),
        ))
    }
}
