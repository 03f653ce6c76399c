//! Makes one attempt at a write, in one transaction.

use axum::http::{HeaderMap, header};
use listing::{Dialect, EntityId, FieldErrors, RecordKey, Trashed, Whitelist};
use sea_orm::sea_query::{IntoValueTuple, Value};
use sea_orm::{
    ActiveModelTrait, ActiveValue, ConnectionTrait, DatabaseConnection, DatabaseTransaction,
    EntityName, EntityTrait, IdenStatic, IntoActiveModel, Iterable, PrimaryKeyToColumn,
};

use super::access::Settled;
use super::bind::{Asked, Lock, dialect_of};
use super::field_names::FieldNames;
use super::id::id_of;
use super::resource::{ActiveModelOf, ModelOf, Operation, Resource, WritableResource};
use super::stamp::{now, stamp, stamp_deleted};
use super::write::{accept, begin, undone};
use super::{Unique, access, constraint, fits, foreign, stored, unique, zone};
use crate::http::{ApiError, etag};

/// A record as a payload wants it, and what is wrong with it so far.
pub(super) struct Draft<'a, R: WritableResource> {
    pub(super) record: &'a ActiveModelOf<R>,
    pub(super) errors: &'a FieldErrors,
    pub(super) unique: &'a [Unique<R::Entity>],
    pub(super) names: FieldNames,
}

impl<R: WritableResource> Draft<'_, R> {
    /// What the database refused as 422, where it can be told what is wrong.
    pub(super) fn blamed(&self, error: ApiError) -> ApiError {
        constraint::of_record(error, self.record, self.unique, self.names)
    }
}

/// A new record's key.
pub(super) async fn insert<R>(
    draft: &Draft<'_, R>,
    asked: &Asked<'_>,
    db: &DatabaseConnection,
) -> Result<serde_json::Value, ApiError>
where
    R: WritableResource,
{
    let transaction = begin(db).await?;
    let inserted = insert_in(draft, asked, transaction.connection()).await;
    transaction.end(inserted).await
}

async fn insert_in<R>(
    draft: &Draft<'_, R>,
    asked: &Asked<'_>,
    transaction: &DatabaseTransaction,
) -> Result<serde_json::Value, ApiError>
where
    R: WritableResource,
{
    check::<R>(draft.record, None, draft, asked, transaction).await?;
    let key = match has_other_forms::<R>(asked, transaction)? {
        true => stored::insert::<R::Entity>(draft.record, asked.listings, transaction)
            .await
            .map_err(undone)?,
        false => {
            let inserted = R::Entity::insert(draft.record.clone());
            let inserted = inserted.exec(transaction).await.map_err(undone)?;
            let key = inserted.last_insert_id.into_value_tuple();
            key.into_iter().collect()
        }
    };
    asked
        .keep_in_scope::<R::Entity>(Some(&key), transaction)
        .await?;
    let listing = asked.listings.of::<R::Entity>();
    Ok(id_of(
        &key,
        listing.is_some_and(Whitelist::shows_id_as_text),
    ))
}

/// Gives a record the values that the draft has, and leaves the others.
pub(super) async fn update<R>(
    draft: &Draft<'_, R>,
    asked: &Asked<'_>,
    headers: &HeaderMap,
    db: &DatabaseConnection,
) -> Result<(), ApiError>
where
    R: WritableResource,
{
    let transaction = begin(db).await?;
    let updated = update_in(draft, asked, headers, transaction.connection()).await;
    transaction.end(updated).await
}

async fn update_in<R>(
    draft: &Draft<'_, R>,
    asked: &Asked<'_>,
    headers: &HeaderMap,
    transaction: &DatabaseTransaction,
) -> Result<(), ApiError>
where
    R: WritableResource,
{
    let (operation, trashed) = (Operation::Update, Trashed::Without);
    let mut record = take::<R>(operation, trashed, asked, headers, transaction).await?;
    let own_key = primary_key::<R>(&record);
    for column in <R::Entity as EntityTrait>::Column::iter() {
        if let ActiveValue::Set(value) = draft.record.get(column) {
            record.try_set(column, value)?;
        }
    }
    R::before_update(&mut record, asked.context);
    stamp::<R::Entity>(&mut record, "updated_at", now())?;
    zone::to_utc::<R::Entity>(&mut record)?;
    check::<R>(&record, own_key.as_deref(), draft, asked, transaction).await?;
    write_record::<R>(record, asked, transaction).await?;
    asked
        .keep_in_scope::<R::Entity>(own_key.as_deref(), transaction)
        .await
}

/// Marks a record as deleted in that column, or removes it.
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
    transaction.end(deleted).await
}

async fn delete_in<R>(
    (operation, settled): (Operation, Settled),
    soft_delete: Option<&str>,
    asked: &Asked<'_>,
    headers: &HeaderMap,
    transaction: &DatabaseTransaction,
) -> Result<(), ApiError>
where
    R: WritableResource,
{
    // What is in the bin already can be deleted for good.
    let trashed = if operation == Operation::ForceDestroy {
        Trashed::With
    } else {
        Trashed::Without
    };
    let taken = take::<R>(operation, trashed, asked, headers, transaction).await;
    let record = match taken {
        // Nobody has to read it to decide that it may go (b613).
        Err(ApiError::UnreadableRecord { .. }) if settled == Settled::Allowed => {
            let key = asked.key::<R::Entity>()?;
            fresh::<R>(&key, trashed, asked, headers, transaction).await?;
            None
        }
        taken => Some(taken?),
    };
    match (soft_delete, record) {
        (Some(column), record) if operation == Operation::Destroy => {
            let is_read = record.is_some();
            let mut record = record.unwrap_or_else(<ActiveModelOf<R> as ActiveModelTrait>::default);
            stamp_deleted::<R::Entity>(&mut record, column, Some(now()))?;
            match is_read {
                true => write_record::<R>(record, asked, transaction).await,
                false => write_by_key::<R>(&record, asked, transaction).await,
            }
        }
        (_, Some(record)) if !has_other_forms::<R>(asked, transaction)? => {
            let deleted = R::Entity::delete(record).exec(transaction).await;
            one_row::<R>(deleted.map_err(undone)?.rows_affected)
        }
        _ => {
            let is_it = asked.is_it::<R::Entity>(transaction)?;
            let deleted = stored::delete::<R::Entity>(is_it, transaction).await;
            deleted.map_err(undone)
        }
    }
}

/// Takes a record out of the bin.
pub(super) async fn restore<R>(
    soft_delete: &str,
    asked: &Asked<'_>,
    headers: &HeaderMap,
    db: &DatabaseConnection,
) -> Result<(), ApiError>
where
    R: WritableResource,
{
    let transaction = begin(db).await?;
    let restored = restore_in::<R>(soft_delete, asked, headers, transaction.connection()).await;
    transaction.end(restored).await
}

async fn restore_in<R>(
    soft_delete: &str,
    asked: &Asked<'_>,
    headers: &HeaderMap,
    transaction: &DatabaseTransaction,
) -> Result<(), ApiError>
where
    R: WritableResource,
{
    let (operation, trashed) = (Operation::Restore, Trashed::Only);
    let mut record = take::<R>(operation, trashed, asked, headers, transaction).await?;
    stamp_deleted::<R::Entity>(&mut record, soft_delete, None)?;
    write_record::<R>(record, asked, transaction).await
}

/// The record, locked: 404 where it does not exist for the caller, 403 where the hook refuses, 412 where it has changed.
async fn take<R: Resource>(
    operation: Operation,
    trashed: Trashed,
    asked: &Asked<'_>,
    headers: &HeaderMap,
    transaction: &DatabaseTransaction,
) -> Result<ActiveModelOf<R>, ApiError>
where
    ModelOf<R>: IntoActiveModel<ActiveModelOf<R>>,
{
    let (model, key) = asked
        .find::<R::Entity>(transaction, trashed, Lock::Yes)
        .await?;
    access::with_record::<R>(operation, asked.context, &model)?;
    fresh::<R>(&key, trashed, asked, headers, transaction).await?;
    Ok(model.into_active_model())
}

/// 412 where the client has seen another state of the record than there is now.
async fn fresh<R: Resource>(
    key: &RecordKey,
    trashed: Trashed,
    asked: &Asked<'_>,
    headers: &HeaderMap,
    transaction: &DatabaseTransaction,
) -> Result<(), ApiError> {
    let is_conditional = [header::IF_MATCH, header::IF_NONE_MATCH]
        .iter()
        .any(|name| headers.contains_key(name));
    if !is_conditional {
        return Ok(());
    }
    let json = asked
        .listings
        .record::<R::Entity>(key, asked.context, trashed, transaction)
        .await?;
    let tag = etag::etag(&json.ok_or(ApiError::NotFound)?);
    let is_stale = etag::names(headers.get_all(header::IF_MATCH), &tag) == Some(false)
        || etag::names(headers.get_all(header::IF_NONE_MATCH), &tag) == Some(true);
    if is_stale {
        return Err(ApiError::Stale);
    }
    Ok(())
}

/// 422 where the payload was wrong, or a value is taken, or a reference leads nowhere: all of it at once.
async fn check<R>(
    record: &ActiveModelOf<R>,
    own_key: Option<&[Value]>,
    draft: &Draft<'_, R>,
    asked: &Asked<'_>,
    transaction: &DatabaseTransaction,
) -> Result<(), ApiError>
where
    R: WritableResource,
{
    let mut errors = draft.errors.clone();
    let names = draft.names;
    let dialect = Dialect::of(transaction.get_database_backend());
    fits::check::<R::Entity>(record, names, dialect, &mut errors);
    unique::check(
        draft.unique,
        record,
        own_key,
        names,
        asked.listings,
        transaction,
        &mut errors,
    )
    .await?;
    let Asked {
        listings, context, ..
    } = *asked;
    foreign::check::<R::Entity>(record, listings, context, names, transaction, &mut errors).await?;
    accept(errors)
}

async fn write_record<R: Resource>(
    record: ActiveModelOf<R>,
    asked: &Asked<'_>,
    transaction: &DatabaseTransaction,
) -> Result<(), ApiError> {
    if has_other_forms::<R>(asked, transaction)? {
        return write_by_key::<R>(&record, asked, transaction).await;
    }
    let update = R::Entity::update(record);
    let updated = update.exec_without_returning(transaction).await;
    one_row::<R>(updated.map_err(undone)?.rows_affected)
}

/// 500 where a write met several rows, before anything is committed: what the entity calls its key does not tell the rows of
/// its table apart (d152).
fn one_row<R: Resource>(rows: u64) -> Result<(), ApiError> {
    if rows <= 1 {
        return Ok(());
    }
    let table = R::Entity::default();
    let key = <R::Entity as EntityTrait>::PrimaryKey::iter();
    let key: Vec<_> = key.map(|part| part.into_column().as_str()).collect();
    Err(ApiError::internal(format!(
        "the write was rolled back, because it met {rows} rows of `{}`: `{}` is the primary key in the entity, and not in the \
         table",
        table.table_name(),
        key.join("`, `"),
    )))
}

/// Writes what is set, each value in the form of its column.
async fn write_by_key<R: Resource>(
    record: &ActiveModelOf<R>,
    asked: &Asked<'_>,
    transaction: &DatabaseTransaction,
) -> Result<(), ApiError> {
    let is_it = asked.is_it::<R::Entity>(transaction)?;
    let updated = stored::update::<R::Entity>(record, is_it, asked.listings, transaction).await;
    updated.map_err(undone)
}

/// Whether the database keeps values of the record in other forms than SeaORM's.
fn has_other_forms<R: Resource>(
    asked: &Asked<'_>,
    transaction: &DatabaseTransaction,
) -> Result<bool, ApiError> {
    let entity = EntityId::of::<R::Entity>();
    let dialect = dialect_of(transaction)?;
    Ok(asked.listings.has_other_forms(entity, dialect))
}

/// The value of each column of the key.
fn primary_key<R: Resource>(record: &ActiveModelOf<R>) -> Option<Vec<Value>> {
    type Key<R> = <<R as Resource>::Entity as EntityTrait>::PrimaryKey;
    let parts = Key::<R>::iter().map(|part| match record.get(part.into_column()) {
        ActiveValue::Set(value) | ActiveValue::Unchanged(value) => Some(value),
        ActiveValue::NotSet => None,
    });
    parts.collect()
}
