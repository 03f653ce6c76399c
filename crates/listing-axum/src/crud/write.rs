//! In: changes to records. Out: they happen in one transaction or not at all.

use listing::FieldErrors;
use sea_orm::{
    DatabaseConnection, DatabaseTransaction, DbErr, SqlErr, SqliteTransactionMode,
    TransactionOptions, TransactionTrait,
};

use super::Unique;
use crate::ApiError;

/// A transaction that will write. SQLite must know at once: a reader that becomes a writer later can be refused.
pub(super) async fn begin(db: &DatabaseConnection) -> Result<DatabaseTransaction, DbErr> {
    db.begin_with_options(TransactionOptions {
        sqlite_transaction_mode: Some(SqliteTransactionMode::Immediate),
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

/// What the database's own constraints refused: the loser of a race is told what every other one is (d58).
pub(super) fn refused<E: sea_orm::EntityTrait>(error: DbErr, unique: &[Unique<E>]) -> ApiError {
    let mut errors = FieldErrors::new();
    match error.sql_err() {
        Some(SqlErr::UniqueConstraintViolation(text)) => {
            // The database names its index, and an index's name mostly names its column.
            let named = unique.iter().find(|rule| text.contains(&rule.taken().0));
            let Some((field, message)) = named.or(unique.first()).map(Unique::taken) else {
                return error.into();
            };
            errors.entry(field).or_default().push(message);
        }
        Some(SqlErr::ForeignKeyConstraintViolation(_)) => {
            let message = "The record points to nothing, or others point to it.".to_owned();
            errors.entry(String::new()).or_default().push(message);
        }
        _ => return error.into(),
    }
    ApiError::Invalid(errors)
}
