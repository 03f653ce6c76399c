//! Makes one attempt to create or update a record, in one transaction.

use axum::http::{HeaderMap, header};
use axum::response::Response;
use listing::reply::{FieldErrors, ShownRecord};
use listing::whitelist::Whitelist;
use listing::{Dialect, RecordKey, RecordRequest, Trashed, WantedParts};
use sea_orm::sea_query::Value;
use sea_orm::{
    ActiveModelTrait, ActiveValue, ConnectionTrait, DatabaseTransaction, EntityTrait,
    IntoActiveModel, Iterable, PrimaryKeyToColumn,
};

use super::bind::{Asked, PathId};
use super::field_names::FieldNames;
use super::hooks::{Change, Committed, of_hook};
use super::id::id_of;
use super::idempotency::{Once, Start};
use super::linked::{self, Work};
use super::links::Links;
use super::payload::{LinksOf, Patch};
use super::resource::{ActiveModelOf, ModelOf, Operation, Resource, WritableResource};
use super::returning::Returning;
use super::row::Row;
use super::stamp::{now, stamp};
use super::write::accept;
use super::written::{after, insert_record, update_record};
use super::{Unique, access, constraint, fits, foreign, unique, zone};
use crate::http::{ApiError, etag};

/// A record as a payload describes it, with the errors found so far.
pub(super) struct Draft<'a, R: WritableResource> {
    pub(super) record: &'a ActiveModelOf<R>,
    pub(super) errors: &'a FieldErrors,
    /// The linked rows that it contains.
    pub(super) links: &'a [(&'static str, Links)],
    /// The fields that were sent, if the other fields keep their values.
    pub(super) patch: Option<&'a Patch<'a>>,
    pub(super) unique: &'a [Unique<R::Entity>],
    /// Whether to look for duplicate values even if the database has an index that refuses them.
    pub(super) looks_for_taken: bool,
    pub(super) names: FieldNames,
}

/// No errors were found yet.
static NO_ERRORS: FieldErrors = FieldErrors::new();

impl<'a, R: WritableResource> Draft<'a, R> {
    /// A draft without errors and without links.
    pub(super) fn of(
        record: &'a ActiveModelOf<R>,
        unique: &'a [Unique<R::Entity>],
        names: FieldNames,
    ) -> Self {
        Self {
            record,
            errors: &NO_ERRORS,
            links: &[],
            patch: None,
            unique,
            looks_for_taken: false,
            names,
        }
    }

    /// Converts a database error to 422 if its cause is known.
    pub(super) fn blamed(&self, error: ApiError) -> ApiError {
        constraint::of_record(error, self.record, self.unique, self.names)
    }

    /// Sets the sent values in a record, and returns their errors.
    pub(super) fn write(
        &self,
        record: &mut ActiveModelOf<R>,
    ) -> Result<(FieldErrors, LinksOf), ApiError> {
        if let Some(patch) = self.patch {
            return Ok(patch.write::<R::Update>(record));
        }
        for column in <R::Entity as EntityTrait>::Column::iter() {
            if let ActiveValue::Set(value) = self.record.get(column) {
                record.try_set(column, value)?;
            }
        }
        Ok((self.errors.clone(), self.links.to_vec()))
    }
}

/// A new record's id, and the record itself if the response contains it.
pub(super) type Inserted = (serde_json::Value, Option<ShownRecord>);

/// Creates a record, once for each idempotency key.
pub(super) async fn insert<R>(
    draft: &Draft<'_, R>,
    asked: &Asked<'_>,
    returning: &Returning,
    once: &Once<'_>,
    answer: impl FnOnce(Inserted) -> Response,
) -> Result<Response, ApiError>
where
    R: WritableResource,
{
    let transaction = match once.start().await? {
        Start::First(transaction) => transaction,
        Start::Again(response) => return Ok(response),
    };
    let inserted = insert_in(draft, asked, returning, transaction.connection()).await;
    let inserted = inserted.map(|(inserted, committed)| (inserted, vec![committed]));
    once.finish(transaction, inserted, answer).await
}

pub(super) async fn insert_in<R>(
    draft: &Draft<'_, R>,
    asked: &Asked<'_>,
    returning: &Returning,
    transaction: &DatabaseTransaction,
) -> Result<(Inserted, Committed<R>), ApiError>
where
    R: WritableResource,
{
    let new = (None, draft.record.clone());
    let mut change = Change::<R>::new(Operation::Store, asked, draft.names, transaction, new);
    let mut errors = draft.errors.clone();
    if errors.is_empty() {
        R::before_store(&mut change).await.map_err(of_hook)?;
        errors = change.take_errors();
    }
    let moment = now();
    stamp::<R::Entity>(&mut change.record, "created_at", moment)?;
    stamp::<R::Entity>(&mut change.record, "updated_at", moment)?;
    zone::to_utc::<R::Entity>(&mut change.record)?;
    let (work, errors) = link::<R>(draft.links.to_vec(), errors, asked, transaction).await?;
    check::<R>(&change.record, errors, None, draft, asked, transaction).await?;
    let inserted = insert_record::<R>(&change.record, returning, asked, transaction);
    let (key, row) = inserted.await?;
    change.links(linked::names(&work));
    linked::write(&work, key.first(), transaction).await?;
    asked
        .keep_in_scope::<R::Entity>(Some(&key), transaction)
        .await?;
    let id = id_in::<R>(&key, asked);
    change.names_it(id.clone());
    R::after_store(&mut change).await.map_err(of_hook)?;
    change.accept()?;
    let created = Asked {
        id: &PathId::of(&id),
        ..*asked
    };
    let row = after(&change, row, returning, &created, transaction).await?;
    let shown = returning
        .read::<R>(&created, row.as_ref(), transaction)
        .await?;
    Ok(((id, shown), change.close(row).await?))
}

/// The `id` of the record with this key, as clients know it.
pub(super) fn id_in<R: Resource>(key: &[Value], asked: &Asked<'_>) -> serde_json::Value {
    let listing = asked.listings.of::<R::Entity>();
    id_of(key, listing.is_some_and(Whitelist::shows_id_as_text))
}

/// The `id` of a row that was read.
pub(super) fn id_of_row<R: WritableResource>(
    row: &ModelOf<R>,
    asked: &Asked<'_>,
) -> serde_json::Value {
    let key = primary_key::<R>(&row.clone().into_active_model());
    id_in::<R>(&key.unwrap_or_default(), asked)
}

/// Updates a record with the values of the draft. Other values stay as they are.
pub(super) async fn update<R>(
    draft: &Draft<'_, R>,
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
    let updated = update_in(draft, asked, headers, returning, transaction.connection()).await;
    let updated = updated.map(|(shown, committed)| (shown, vec![committed]));
    once.finish(transaction, updated, answer).await
}

pub(super) async fn update_in<R>(
    draft: &Draft<'_, R>,
    asked: &Asked<'_>,
    headers: &HeaderMap,
    returning: &Returning,
    transaction: &DatabaseTransaction,
) -> Result<(Option<ShownRecord>, Committed<R>), ApiError>
where
    R: WritableResource,
{
    let (operation, trashed) = (Operation::Update, Trashed::Without);
    let (old, row) = take::<R>(operation, trashed, asked, headers, transaction).await?;
    update_taken(draft, (old, Some(row)), asked, returning, transaction).await
}

/// Updates a record that was read and locked, with its row if that was kept.
pub(super) async fn update_taken<'a, R>(
    draft: &Draft<'_, R>,
    (old, row): (ModelOf<R>, Option<Row<'a>>),
    asked: &Asked<'a>,
    returning: &Returning,
    transaction: &DatabaseTransaction,
) -> Result<(Option<ShownRecord>, Committed<R>), ApiError>
where
    R: WritableResource,
{
    let operation = Operation::Update;
    let mut record = old.clone().into_active_model();
    let own_key = primary_key::<R>(&record);
    let own = own_key.as_deref();
    let (mut errors, links) = draft.write(&mut record)?;
    let mut change = Change::<R>::new(
        operation,
        asked,
        draft.names,
        transaction,
        (Some(old), record),
    );
    change.was_read(row);
    change.names_it(id_in::<R>(own.unwrap_or_default(), asked));
    if errors.is_empty() {
        R::before_update(&mut change).await.map_err(of_hook)?;
        errors = change.take_errors();
    }
    stamp::<R::Entity>(&mut change.record, "updated_at", now())?;
    zone::to_utc::<R::Entity>(&mut change.record)?;
    let (work, errors) = link::<R>(links, errors, asked, transaction).await?;
    check::<R>(&change.record, errors, own, draft, asked, transaction).await?;
    change.remember().await?;
    let row = update_record::<R>(change.record.clone(), returning, asked, transaction).await?;
    // A hook can have chosen another record.
    let row = row.filter(|_| primary_key::<R>(&change.record) == own_key);
    change.links(linked::names(&work));
    linked::write(&work, own.and_then(<[Value]>::first), transaction).await?;
    asked.keep_in_scope::<R::Entity>(own, transaction).await?;
    R::after_update(&mut change).await.map_err(of_hook)?;
    change.accept()?;
    let row = after(&change, row, returning, asked, transaction).await?;
    let shown = returning
        .read::<R>(asked, row.as_ref(), transaction)
        .await?;
    Ok((shown, change.close(row).await?))
}

/// The record, locked, and its row: 404 if the caller cannot see it, 403 if it is denied, 412 if it has changed.
pub(super) async fn take<'a, R: WritableResource>(
    operation: Operation,
    trashed: Trashed,
    asked: &Asked<'a>,
    headers: &HeaderMap,
    transaction: &DatabaseTransaction,
) -> Result<(ModelOf<R>, Row<'a>), ApiError> {
    let whole = RecordRequest::default();
    let wanted = WantedParts {
        recorded: R::history().is_some(),
        shown: is_conditional(headers).then_some(&whole),
    };
    let (model, row) = asked
        .lock::<R::Entity>(transaction, trashed, wanted)
        .await?;
    access::with_record::<R>(operation, asked.context, &model, transaction).await?;
    if row.has_shown() {
        is_current(row.shown(Trashed::With)?, headers)?;
    } else {
        let key = asked.key::<R::Entity>()?;
        fresh::<R>(&key, trashed, asked, headers, transaction).await?;
    }
    Ok((model, row))
}

/// 412 if the record has changed since the client read it.
pub(super) async fn fresh<R: Resource>(
    key: &RecordKey,
    trashed: Trashed,
    asked: &Asked<'_>,
    headers: &HeaderMap,
    transaction: &DatabaseTransaction,
) -> Result<(), ApiError> {
    if !is_conditional(headers) {
        return Ok(());
    }
    let whole = RecordRequest::default();
    let shown =
        asked
            .listings
            .record_as::<R::Entity>(key, &whole, asked.context, trashed, transaction);
    is_current(shown.await?, headers)
}

fn is_conditional(headers: &HeaderMap) -> bool {
    [header::IF_MATCH, header::IF_NONE_MATCH]
        .iter()
        .any(|name| headers.contains_key(name))
}

/// 412 if the client knows another version of the record.
fn is_current(shown: Option<ShownRecord>, headers: &HeaderMap) -> Result<(), ApiError> {
    let shown = shown.ok_or(ApiError::NotFound)?;
    let tag = etag::etag(shown.item());
    let is_stale = etag::names(headers.get_all(header::IF_MATCH), &tag) == Some(false)
        || etag::names(headers.get_all(header::IF_NONE_MATCH), &tag) == Some(true);
    if is_stale {
        return Err(ApiError::Stale);
    }
    Ok(())
}

/// The changes to linked rows, with their errors.
async fn link<'a, R: WritableResource>(
    links: LinksOf,
    mut errors: FieldErrors,
    asked: &Asked<'a>,
    transaction: &DatabaseTransaction,
) -> Result<(Vec<Work<'a>>, FieldErrors), ApiError> {
    let work = linked::check::<R::Entity>(links, asked, transaction, &mut errors).await?;
    Ok((work, errors))
}

/// 422 with all errors at once: invalid values, duplicate values, and references to records that do not exist.
async fn check<R>(
    record: &ActiveModelOf<R>,
    mut errors: FieldErrors,
    own_key: Option<&[Value]>,
    draft: &Draft<'_, R>,
    asked: &Asked<'_>,
    transaction: &DatabaseTransaction,
) -> Result<(), ApiError>
where
    R: WritableResource,
{
    let names = draft.names;
    let dialect = Dialect::of(transaction.get_database_backend());
    fits::check::<R::Entity>(record, names, dialect, &mut errors);
    let Asked {
        listings, context, ..
    } = *asked;
    let mut nowhere = errors.clone();
    foreign::check::<R::Entity>(record, listings, context, names, transaction, &mut nowhere)
        .await?;
    // If the database refuses the values, duplicates are looked up afterwards, to report all errors at once (b1220).
    let refuses = !draft.looks_for_taken && nowhere.is_empty();
    let looks = |rule: &&Unique<R::Entity>| !refuses || !rule.is_kept_by_index(listings);
    unique::check(
        draft.unique.iter().filter(looks),
        record,
        own_key,
        names,
        listings,
        transaction,
        &mut errors,
    )
    .await?;
    errors.extend(nowhere);
    accept(errors)
}

/// The value of each column of the key.
pub(super) fn primary_key<R: Resource>(record: &ActiveModelOf<R>) -> Option<Vec<Value>> {
    type Key<R> = <<R as Resource>::Entity as EntityTrait>::PrimaryKey;
    let parts = Key::<R>::iter().map(|part| match record.get(part.into_column()) {
        ActiveValue::Set(value) | ActiveValue::Unchanged(value) => Some(value),
        ActiveValue::NotSet => None,
    });
    parts.collect()
}
