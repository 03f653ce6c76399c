//! Runs changes to records in one transaction, and repeats it if it conflicts with another one.

use std::panic::AssertUnwindSafe;
use std::time::Duration;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use listing::reply::FieldErrors;
use listing::{Error, ExecuteError, is_outcome_unknown};
use sea_orm::{
    AccessMode, ConnectionTrait, DatabaseConnection, DatabaseTransaction, DbBackend, DbErr,
    IsolationLevel, RuntimeErr, SqliteTransactionMode, TransactionOptions, TransactionTrait,
};

use tokio::time::timeout;
use tracing::Instrument;

use super::WritableResource;
use super::constraint::violation;
use super::hooks::{Committed, lost_race};
use super::outbox::written;
use crate::http::ApiError;

/// The most attempts to write while other transactions conflict.
const ATTEMPTS: u32 = 8;

/// How long COMMIT may take. The task that waits for it is not cancelled with its request. If the host vanished, it would
/// otherwise occupy its connection for as long as the system waits (b1153).
const WAIT_FOR_COMMIT: Duration = Duration::from_secs(15);

/// Begins a transaction that will write.
pub(super) async fn begin(db: &DatabaseConnection) -> Result<Transaction, ApiError> {
    let is_mysql = db.get_database_backend() == DbBackend::MySql;
    let options = TransactionOptions {
        // The record that is compared with `If-Match` must be as new as the lock on its row. By default, MySQL reads from a
        // snapshot, which can be older. PostgreSQL does not, and SQLite has only one writer.
        isolation_level: is_mysql.then_some(IsolationLevel::ReadCommitted),
        // SQLite must know at the beginning: a reader that becomes a writer later can be refused.
        sqlite_transaction_mode: Some(SqliteTransactionMode::Immediate),
        ..TransactionOptions::default()
    };
    Transaction::begin(db, options, "").await
}

/// Begins a transaction in which every statement reads the same state of the database.
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
    /// Begins a transaction. SeaORM names every statement. If a pooler does not track prepared statements, another client may
    /// have used the same name in the same session, so `unnamed` is used instead of the options.
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

    /// Commits and tells the resource about each change, or rolls back.
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
                // One message, so that both run in the same session. A transaction for which this fails is rolled back when it is
                // dropped.
                _ = self.forget("ROLLBACK; ").await;
                return Err(error);
            }
        };
        // A separate task is not cancelled with the request, so every committed change is reported (d123).
        let task: BoxFuture<'static, Result<(), ApiError>> = Box::pin(async move {
            self.commit().await?;
            if R::events().is_some() {
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
        let committed = timeout(WAIT_FOR_COMMIT, self.inner.commit()).await;
        let unanswered = |_| {
            let text = "the database did not answer COMMIT in time".to_owned();
            ApiError::OutcomeUnknown(DbErr::Conn(RuntimeErr::Internal(text)))
        };
        committed.map_err(unanswered)?.map_err(|error| {
            if is_outcome_unknown(&error) {
                ApiError::OutcomeUnknown(error)
            } else {
                undone(error)
            }
        })
    }

    /// Ends a transaction that only read, or whose writes are discarded. The values that were read stay valid, however it ends.
    pub(super) async fn close(self) {
        if self.forget("ROLLBACK; ").await.is_ok() {
            _ = self.inner.rollback().await;
        }
    }

    /// Drops all prepared statements of the session after another statement, if they would stay there otherwise.
    async fn forget(&self, after: &str) -> Result<(), ApiError> {
        if self.leaves_statements {
            let sql = format!("{after}DEALLOCATE ALL");
            self.inner.execute_unprepared(&sql).await.map_err(undone)?;
        }
        Ok(())
    }
}

/// Tells a resource about a committed change. A panic cannot undo it any more.
async fn tell(after_commit: BoxFuture<'static, ()>) {
    if AssertUnwindSafe(after_commit).catch_unwind().await.is_err() {
        tracing::error!("`after_commit` panicked; the change is committed");
    }
}

/// The error of a statement in a transaction that will not be committed.
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

/// 422 if there are errors.
pub(super) fn accept(errors: FieldErrors) -> Result<(), ApiError> {
    if errors.is_empty() {
        Ok(())
    } else {
        Err(ApiError::Invalid(errors))
    }
}

/// Counts the attempts of a write.
#[derive(Debug, Default)]
pub(super) struct Attempts {
    failed: u32,
    /// Which record of a request lost a race to a constraint in the last attempt.
    refused_at: Option<usize>,
}

impl Attempts {
    /// The outcome of one attempt; `None` if the write should be tried again.
    pub(super) fn outcome<T>(&mut self, tried: Result<T, ApiError>) -> Result<Option<T>, ApiError> {
        self.outcome_at(0, tried)
    }

    /// The same for an attempt that reached this one of several records.
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

    /// Whether to repeat the write after one of several records found its value taken.
    pub(super) fn lost_race(&mut self, at: usize) -> bool {
        self.failed += 1;
        self.failed < ATTEMPTS && self.refused_at.replace(at) != Some(at)
    }

    fn is_worth_another(&mut self, at: usize, error: &ApiError) -> bool {
        // If the write lost a race to a constraint, our own checks now see the winner and name the error (d58).
        let lost = refusal(error).and_then(violation).is_some() || lost_race(error);
        if lost {
            return self.refused_at.replace(at) != Some(at);
        }
        matches!(error, ApiError::List(Error::Execute(error)) if error.is_conflict())
    }
}

/// The database error, if the database refused a statement.
pub(super) fn refusal(error: &ApiError) -> Option<&DbErr> {
    match error {
        ApiError::List(Error::Execute(ExecuteError::Refused(error))) => Some(error),
        _ => None,
    }
}
