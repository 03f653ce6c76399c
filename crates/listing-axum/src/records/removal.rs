//! Makes one attempt to delete or restore a record, in one transaction.

use axum::http::HeaderMap;
use axum::response::Response;
use listing::Trashed;
use listing::reply::ShownRecord;
use sea_orm::{
    ActiveModelTrait, DatabaseConnection, DatabaseTransaction, EntityTrait, IntoActiveModel,
};

use super::access::Settled;
use super::bind::Asked;
use super::change::{fresh, id_in, primary_key, take};
use super::field_names::FieldNames;
use super::hooks::{Change, Committed, of_hook};
use super::idempotency::{Once, Start};
use super::resource::{ActiveModelOf, ModelOf, Operation, WritableResource};
use super::returning::{NOTHING, Returning};
use super::row::Row;
use super::stamp::{now, stamp_deleted};
use super::valid::form_of_names;
use super::write::{begin, undone};
use super::written::{has_other_forms, one_row, update_record, write_by_key};
use super::{stored, zone};
use crate::http::ApiError;

/// Marks a record as deleted in this column, or removes it.
pub(super) async fn delete<R>(
    operation: (Operation, Settled),
    soft_delete: Option<&str>,
    asked: &Asked<'_>,
    headers: &HeaderMap,
    db: &DatabaseConnection,
) -> Result<(), ApiError>
where
    R: WritableResource,
{
    let transaction = begin(db).await?;
    let connection = transaction.connection();
    let deleted = delete_in::<R>(operation, soft_delete, asked, headers, connection).await;
    let deleted = deleted.map(|committed| ((), vec![committed]));
    transaction.finish(deleted).await
}

pub(super) async fn delete_in<R>(
    (operation, settled): (Operation, Settled),
    soft_delete: Option<&str>,
    asked: &Asked<'_>,
    headers: &HeaderMap,
    transaction: &DatabaseTransaction,
) -> Result<Committed<R>, ApiError>
where
    R: WritableResource,
{
    // A soft-deleted record can still be deleted permanently.
    let trashed = if operation == Operation::ForceDestroy {
        Trashed::With
    } else {
        Trashed::Without
    };
    let soft_delete = soft_delete.filter(|_| operation == Operation::Destroy);
    let taken = take::<R>(operation, trashed, asked, headers, transaction).await;
    let (old, unreadable) = match taken {
        Ok(taken) => (Some(taken), None),
        // Whether it may be removed does not depend on its values (b613).
        Err(error @ ApiError::UnreadableRecord { .. }) if settled == Settled::Allowed => {
            let key = asked.key::<R::Entity>()?;
            fresh::<R>(&key, trashed, asked, headers, transaction).await?;
            (None, Some(error))
        }
        Err(error) => return Err(error),
    };
    let is_read = old.is_some();
    let mut change = changed::<R>(operation, asked, transaction, old)?;
    if let Some(column) = soft_delete {
        stamp_deleted::<R::Entity>(&mut change.record, column, Some(now()))?;
    }
    R::before_destroy(&mut change).await.map_err(of_hook)?;
    change.accept()?;
    // A hook that needed to read the record cannot have allowed its deletion.
    if let Some(error) = unreadable.filter(|_| change.was_looked_at()) {
        return Err(error);
    }
    zone::to_utc::<R::Entity>(&mut change.record)?;
    change.remember().await?;
    let mut row = None;
    match (soft_delete, is_read) {
        (Some(_), true) => {
            let record = change.record.clone();
            row = update_record::<R>(record, &NOTHING, asked, transaction).await?;
        }
        (Some(_), false) => write_by_key::<R>(&change.record, asked, transaction).await?,
        (None, true) if !has_other_forms::<R>(asked, transaction)? => {
            let deleted = R::Entity::delete(change.record.clone()).exec(transaction);
            one_row::<R>(deleted.await.map_err(undone)?.rows_affected)?;
        }
        (None, _) => {
            let is_it = asked.is_it::<R::Entity>(transaction)?;
            let deleted = stored::delete::<R::Entity>(is_it, transaction).await;
            deleted.map_err(undone)?;
        }
    }
    R::after_destroy(&mut change).await.map_err(of_hook)?;
    change.accept()?;
    let row = row.filter(|_| !change.has_asked_db());
    change.close(row).await
}

/// Restores a soft-deleted record.
pub(super) async fn restore<R>(
    soft_delete: &str,
    asked: &Asked<'_>,
    headers: &HeaderMap,
    returning: &Returning,
    once: &Once<'_>,
    answer: impl FnOnce(Option<ShownRecord>) -> Response,
) -> Result<Response, ApiError>
where
    R: WritableResource,
{
    let transaction = match once.start().await? {
        Start::First(transaction) => transaction,
        Start::Again(response) => return Ok(response),
    };
    let connection = transaction.connection();
    let restored = restore_in::<R>(soft_delete, asked, headers, returning, connection).await;
    let restored = restored.map(|(shown, committed)| (shown, vec![committed]));
    once.finish(transaction, restored, answer).await
}

async fn restore_in<R>(
    soft_delete: &str,
    asked: &Asked<'_>,
    headers: &HeaderMap,
    returning: &Returning,
    transaction: &DatabaseTransaction,
) -> Result<(Option<ShownRecord>, Committed<R>), ApiError>
where
    R: WritableResource,
{
    let (operation, trashed) = (Operation::Restore, Trashed::Only);
    let old = take::<R>(operation, trashed, asked, headers, transaction).await?;
    let mut change = changed::<R>(operation, asked, transaction, Some(old))?;
    stamp_deleted::<R::Entity>(&mut change.record, soft_delete, None)?;
    R::before_restore(&mut change).await.map_err(of_hook)?;
    change.accept()?;
    zone::to_utc::<R::Entity>(&mut change.record)?;
    change.remember().await?;
    let record = change.record.clone();
    let row = update_record::<R>(record, &NOTHING, asked, transaction).await?;
    R::after_restore(&mut change).await.map_err(of_hook)?;
    change.accept()?;
    let row = row.filter(|_| !change.has_asked_db());
    let shown = returning.read::<R>(asked, None, transaction).await?;
    Ok((shown, change.close(row).await?))
}

fn changed<'a, R: WritableResource>(
    operation: Operation,
    asked: &Asked<'a>,
    transaction: &'a DatabaseTransaction,
    taken: Option<(ModelOf<R>, Row<'a>)>,
) -> Result<Change<'a, R>, ApiError> {
    let (old, row) = taken.unzip();
    let names = FieldNames::of::<R::Update>(form_of_names::<R::Entity>(asked.listings));
    let record = match &old {
        Some(old) => old.clone().into_active_model(),
        None => <ActiveModelOf<R> as ActiveModelTrait>::default(),
    };
    let id = match primary_key::<R>(&record) {
        Some(key) => id_in::<R>(&key, asked),
        None => asked.id.text()?.into(),
    };
    let mut change = Change::new(operation, asked, names, transaction, (old, record));
    change.names_it(id);
    change.was_read(row);
    Ok(change)
}
