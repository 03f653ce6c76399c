//! Runs changes to records in one transaction and retries one that conflicted with another.

use listing::{Error, ExecuteError, FieldErrors};
use sea_orm::{
    AccessMode, DatabaseConnection, DatabaseTransaction, DbBackend, DbErr, IsolationLevel,
    SqliteTransactionMode, TransactionOptions, TransactionTrait,
};

use super::constraint::violation;
use crate::http::ApiError;

/// How often a write is tried while other transactions are in its way.
const ATTEMPTS: u32 = 8;

/// A transaction that will write.
pub(super) async fn begin(db: &DatabaseConnection) -> Result<DatabaseTransaction, DbErr> {
    let is_mysql = db.get_database_backend() == DbBackend::MySql;
    db.begin_with_options(TransactionOptions {
        // What we compare with `If-Match` must be as new as the lock on the row. MySQL by itself reads from a snapshot
        // that can be older; PostgreSQL by itself does not, and SQLite has one writer.
        isolation_level: is_mysql.then_some(IsolationLevel::ReadCommitted),
        // SQLite must know at once: a reader that becomes a writer later can be refused.
        sqlite_transaction_mode: Some(SqliteTransactionMode::Immediate),
        ..TransactionOptions::default()
    })
    .await
}

/// A transaction in which every statement reads the same state of the database.
pub(super) async fn snapshot(db: &DatabaseConnection) -> Result<DatabaseTransaction, DbErr> {
    let is_sqlite = db.get_database_backend() == DbBackend::Sqlite;
    db.begin_with_options(TransactionOptions {
        // SQLite has no other kind of transaction.
        isolation_level: (!is_sqlite).then_some(IsolationLevel::RepeatableRead),
        access_mode: (!is_sqlite).then_some(AccessMode::ReadOnly),
        ..TransactionOptions::default()
    })
    .await
}

/// 422 where something is wrong.
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
    was_refused: bool,
}

impl Attempts {
    /// The outcome of one attempt; none where the write should be tried again.
    pub(super) fn outcome<T>(&mut self, tried: Result<T, ApiError>) -> Result<Option<T>, ApiError> {
        let error = match tried {
            Ok(done) => return Ok(Some(done)),
            Err(error) => error,
        };
        self.failed += 1;
        if self.failed < ATTEMPTS && self.is_worth_another(&error) {
            tracing::debug!(%error, attempts = self.failed, "a write is tried again");
            return Ok(None);
        }
        Err(error)
    }

    fn is_worth_another(&mut self, error: &ApiError) -> bool {
        // A race that was lost to a constraint: our own checks see the winner now, and say what is wrong (d58).
        let lost = refusal(error).and_then(violation).is_some();
        if lost {
            return !std::mem::replace(&mut self.was_refused, true);
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
