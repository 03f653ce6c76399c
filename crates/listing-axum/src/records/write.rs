//! Runs changes to records in one transaction and retries one that conflicted with another.

use std::panic::AssertUnwindSafe;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use listing::reply::FieldErrors;
use listing::{Error, ExecuteError, is_outcome_unknown};
use sea_orm::{
    AccessMode, ConnectionTrait, DatabaseConnection, DatabaseTransaction, DbBackend, DbErr,
    IsolationLevel, SqliteTransactionMode, TransactionOptions, TransactionTrait,
};

use tracing::Instrument;

use super::WritableResource;
use super::constraint::violation;
use super::hooks::{Committed, lost_race};
use super::outbox::written;
use crate::http::ApiError;

/// How often a write is tried while other transactions are in its way.
const ATTEMPTS: u32 = 8;

/// A transaction that will write.
pub(super) async fn begin(db: &DatabaseConnection) -> Result<Transaction, ApiError> {
    let is_mysql = db.get_database_backend() == DbBackend::MySql;
    let options = TransactionOptions {
        // What we compare with `If-Match` must be as new as the lock on the row. MySQL by itself reads from a snapshot
        // that can be older; PostgreSQL by itself does not, and SQLite has one writer.
        isolation_level: is_mysql.then_some(IsolationLevel::ReadCommitted),
        // SQLite must know at once: a reader that becomes a writer later can be refused.
        sqlite_transaction_mode: Some(SqliteTransactionMode::Immediate),
        ..TransactionOptions::default()
    };
    Transaction::begin(db, options, "").await
}

/// A transaction in which every statement reads the same state of the database.
pub(super) async fn snapshot(db: &DatabaseConnection) -> Result<Transaction, ApiError> {
    let is_sqlite = db.get_database_backend() == DbBackend::Sqlite;
    let options = if is_sqlite || pooler::forgets_statements(db) {
        // SQLite has no other kind of transaction.
        TransactionOptions::default()
    } else {
        TransactionOptions {
            isolation_level: Some(IsolationLevel::RepeatableRead),
            access_mode: Some(AccessMode::ReadOnly),
            ..TransactionOptions::default()
        }
    };
    let unnamed = "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY; ";
    Transaction::begin(db, options, unnamed).await
}

/// A transaction, which is rolled back unless it is committed.
pub(super) struct Transaction {
    inner: DatabaseTransaction,
    /// Whether its statements would stay in a session that a pooler lends to others (b592).
    leaves_statements: bool,
}

impl Transaction {
    /// SeaORM gives every statement a name. Where a pooler keeps none, another client may have used it in the same session, so
    /// that `unnamed` takes the place of the options.
    async fn begin(
        db: &DatabaseConnection,
        options: TransactionOptions,
        unnamed: &str,
    ) -> Result<Self, ApiError> {
        let transaction = Self {
            leaves_statements: pooler::forgets_statements(db),
            inner: db.begin_with_options(options).await.map_err(undone)?,
        };
        transaction.forget(unnamed).await?;
        Ok(transaction)
    }

    pub(super) fn connection(&self) -> &DatabaseTransaction {
        &self.inner
    }

    /// Commits what was done and tells the resource of each change, or else undoes it.
    ///
    /// # Errors
    /// When it is unknown whether the transaction was committed, the error says so (b593).
    pub(super) async fn finish<R: WritableResource, T>(
        self,
        done: Result<(T, Vec<Committed<R>>), ApiError>,
    ) -> Result<T, ApiError> {
        let (answer, committed) = match done {
            Ok(done) => done,
            Err(error) => {
                // In one message, so that both meet the same session. What fails is rolled back when it is dropped.
                _ = self.forget("ROLLBACK; ").await;
                return Err(error);
            }
        };
        // A task of its own is not cancelled with the request: whatever is committed is told (d123).
        let task: BoxFuture<'static, Result<(), ApiError>> = Box::pin(async move {
            self.commit().await?;
            if !committed.is_empty() && R::events().is_some() {
                written().notify_waiters();
            }
            for committed in committed {
                tell(Box::pin(async move { R::after_commit(committed).await })).await;
            }
            Ok(())
        });
        let ended = tokio::spawn(task.in_current_span()).await;
        ended.map_err(ApiError::internal)?.map(|()| answer)
    }

    async fn commit(self) -> Result<(), ApiError> {
        self.forget("").await?;
        self.inner.commit().await.map_err(|error| {
            if is_outcome_unknown(&error) {
                ApiError::OutcomeUnknown(error)
            } else {
                undone(error)
            }
        })
    }

    /// Ends a transaction that only read, or whose writes are not wanted. What was read is right, however it ends.
    pub(super) async fn close(self) {
        if self.forget("ROLLBACK; ").await.is_ok() {
            _ = self.inner.rollback().await;
        }
    }

    /// Drops all prepared statements of the session, if ours would stay there, after another statement.
    async fn forget(&self, after: &str) -> Result<(), ApiError> {
        if self.leaves_statements {
            let sql = format!("{after}DEALLOCATE ALL");
            self.inner.execute_unprepared(&sql).await.map_err(undone)?;
        }
        Ok(())
    }
}

/// Tells a resource of a change that is committed. A panic cannot undo it any more.
async fn tell(after_commit: BoxFuture<'static, ()>) {
    if AssertUnwindSafe(after_commit).catch_unwind().await.is_err() {
        tracing::error!("`after_commit` panicked; the change is committed");
    }
}

/// The error of a statement in a transaction, which is not committed then.
pub(super) fn undone(error: DbErr) -> ApiError {
    ApiError::List(ExecuteError::from(error).into())
}

#[cfg(feature = "postgres")]
mod pooler {
    use listing::PostgresPooler;
    use sea_orm::{DatabaseConnection, DbBackend};

    pub(super) fn forgets_statements(db: &DatabaseConnection) -> bool {
        db.get_database_backend() == DbBackend::Postgres && PostgresPooler::is_expected_by(db)
    }
}

#[cfg(not(feature = "postgres"))]
mod pooler {
    pub(super) fn forgets_statements(_: &sea_orm::DatabaseConnection) -> bool {
        false
    }
}

/// 422 if something is wrong.
pub(super) fn accept(errors: FieldErrors) -> Result<(), ApiError> {
    if errors.is_empty() {
        Ok(())
    } else {
        Err(ApiError::Invalid(errors))
    }
}

/// Counts how often a write was tried.
#[derive(Debug, Default)]
pub(super) struct Attempts {
    failed: u32,
    /// Which of the records of a request lost a race to a constraint the last time.
    refused_at: Option<usize>,
}

impl Attempts {
    /// The outcome of one attempt; `None` if the write should be tried again.
    pub(super) fn outcome<T>(&mut self, tried: Result<T, ApiError>) -> Result<Option<T>, ApiError> {
        self.outcome_at(0, tried)
    }

    /// The same for an attempt that came to this one of several records.
    pub(super) fn outcome_at<T>(
        &mut self,
        at: usize,
        tried: Result<T, ApiError>,
    ) -> Result<Option<T>, ApiError> {
        let error = match tried {
            Ok(done) => return Ok(Some(done)),
            Err(error) => error,
        };
        self.failed += 1;
        if self.failed < ATTEMPTS && self.is_worth_another(at, &error) {
            tracing::debug!(%error, attempts = self.failed, "a write is tried again");
            return Ok(None);
        }
        Err(error)
    }

    /// Whether one of several records is tried again that found its value taken.
    pub(super) fn lost_race(&mut self, at: usize) -> bool {
        self.failed += 1;
        self.failed < ATTEMPTS && self.refused_at.replace(at) != Some(at)
    }

    fn is_worth_another(&mut self, at: usize, error: &ApiError) -> bool {
        // A race that was lost to a constraint: our own checks see the winner now, and say what is wrong (d58).
        let lost = refusal(error).and_then(violation).is_some() || lost_race(error);
        if lost {
            return self.refused_at.replace(at) != Some(at);
        }
        matches!(error, ApiError::List(Error::Execute(error)) if error.is_conflict())
    }
}

/// What the database refused, if that is what happened.
pub(super) fn refusal(error: &ApiError) -> Option<&DbErr> {
    match error {
        ApiError::List(Error::Execute(ExecuteError::Refused(error))) => Some(error),
        _ => None,
    }
}
