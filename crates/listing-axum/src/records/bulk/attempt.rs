//! Makes one attempt to write many records in one transaction, and says which of them are wrong (d126).

use axum::http::HeaderMap;
use axum::response::Response;
use listing::reply::FieldErrors;
use listing::{Context, Listings};
use sea_orm::DatabaseTransaction;

use super::super::Unique;
use super::super::access::{self, Settled};
use super::super::bind::{Asked, PathId};
use super::super::change::{Draft, insert_in, update_in};
use super::super::field_names::FieldNames;
use super::super::hooks::Committed;
use super::super::idempotency::{Once, Start};
use super::super::removal::delete_in;
use super::super::resource::{Operation, WritableResource};
use super::super::returning::NOTHING;
use super::super::valid::form_of_names;
use super::super::write::accept;
use super::super::writes::soft_delete_column;
use super::decisions::Decisions;
use super::items::{Item, Placed, Sent};
use super::together;
use crate::http::ApiError;

/// How many messages an answer has at most.
pub(super) const MOST_ERRORS: usize = 100;

/// What all items of a request have in common.
pub(super) struct Whole<'a, R: WritableResource> {
    pub(super) listings: &'a Listings,
    pub(super) context: &'a Context,
    pub(super) unique: Vec<Unique<R::Entity>>,
    pub(super) store_names: FieldNames,
    pub(super) update_names: FieldNames,
    soft_delete: Option<String>,
    /// Whether a record has to be read to decide about its deletion.
    deletion: Settled,
}

/// What was done with one record.
pub(super) struct Written {
    pub(super) member: &'static str,
    pub(super) id: serde_json::Value,
    pub(super) result: Option<&'static str>,
}

/// What was done with one record, and the change of it, if there was one.
pub(super) type Done<R> = (
    serde_json::Value,
    Option<&'static str>,
    Option<Committed<R>>,
);

impl<'a, R: WritableResource> Whole<'a, R> {
    pub(super) fn new(listings: &'a Listings, context: &'a Context, decisions: &Decisions) -> Self {
        let form = form_of_names::<R::Entity>(listings);
        Self {
            listings,
            context,
            unique: R::unique(),
            store_names: FieldNames::of::<R::Store>(form),
            update_names: FieldNames::of::<R::Update>(form),
            soft_delete: soft_delete_column::<R>(listings),
            deletion: decisions
                .about(Operation::Destroy)
                .unwrap_or(Settled::DependsOnRecord),
        }
    }

    pub(super) fn asked<'q>(&self, id: &'q PathId) -> Asked<'q>
    where
        'a: 'q,
    {
        Asked {
            id,
            listings: self.listings,
            context: self.context,
        }
    }

    /// A new record, if the caller may create one now.
    pub(super) async fn create(
        &self,
        new: &Sent<R>,
        transaction: &DatabaseTransaction,
    ) -> Result<(serde_json::Value, Committed<R>), ApiError> {
        access::without_record::<R>(Operation::Store, self.context, transaction).await?;
        let id = PathId::default();
        let draft = new.draft(self, self.store_names);
        let asked = self.asked(&id);
        let ((id, _), committed) = insert_in(&draft, &asked, &NOTHING, transaction).await?;
        Ok((id, committed))
    }

    pub(super) async fn delete(
        &self,
        id: &PathId,
        version: &HeaderMap,
        transaction: &DatabaseTransaction,
    ) -> Result<Committed<R>, ApiError> {
        let operation = (Operation::Destroy, self.deletion);
        let soft_delete = self.soft_delete.as_deref();
        delete_in::<R>(
            operation,
            soft_delete,
            &self.asked(id),
            version,
            transaction,
        )
        .await
    }

    async fn one(
        &self,
        item: &Item<'_, R>,
        transaction: &DatabaseTransaction,
    ) -> Result<Done<R>, ApiError> {
        match item {
            Item::Create(new) => {
                let (id, committed) = self.create(new, transaction).await?;
                Ok((id, None, Some(committed)))
            }
            Item::Update {
                id,
                version,
                patch,
                record,
            } => {
                let draft = Draft {
                    record,
                    errors: &FieldErrors::new(),
                    links: &[],
                    patch: Some(patch),
                    unique: &self.unique,
                    names: self.update_names,
                };
                let asked = self.asked(id);
                let updated = update_in(&draft, &asked, version, &NOTHING, transaction);
                let (_, committed) = updated.await?;
                Ok((committed.id.clone(), None, Some(committed)))
            }
            Item::Upsert {
                version,
                new,
                changed,
            } => self.upsert(version, new, changed, transaction).await,
            Item::Delete { id, version } => {
                let committed = self.delete(id, version, transaction).await?;
                Ok((committed.id.clone(), None, Some(committed)))
            }
        }
    }
}

/// Writes every item, or none. `at` is the one that is being written.
pub(super) async fn write<R: WritableResource>(
    items: &[Placed<'_, R>],
    whole: &Whole<'_, R>,
    once: &Once<'_>,
    at: &mut usize,
    answer: impl FnOnce(Vec<Written>) -> Response,
) -> Result<Response, ApiError> {
    let creates = items.iter().filter_map(|placed| match &placed.item {
        Item::Create(new) => Some(new),
        _ => None,
    });
    let creates: Vec<_> = creates.collect();
    let mut transaction = match once.start().await? {
        Start::First(transaction) => transaction,
        Start::Again(response) => return Ok(response),
    };
    let mut done = Vec::new();
    if creates.len() > 1 {
        match together::create(&creates, whole, transaction.connection()).await {
            Ok(Some(created)) => done = created,
            // One by one, each is told what is wrong with it.
            Ok(None) | Err(_) => {
                transaction.close().await;
                transaction = match once.start().await? {
                    Start::First(transaction) => transaction,
                    Start::Again(response) => return Ok(response),
                };
            }
        }
    }
    let written = write_in(items, done, whole, transaction.connection(), at).await;
    once.finish(transaction, written, answer).await
}

/// Writes every item but the first ones, if these are done.
async fn write_in<R: WritableResource>(
    items: &[Placed<'_, R>],
    done: Vec<(serde_json::Value, Committed<R>)>,
    whole: &Whole<'_, R>,
    transaction: &DatabaseTransaction,
    at: &mut usize,
) -> Result<(Vec<Written>, Vec<Committed<R>>), ApiError> {
    let (mut written, mut committed) = (Vec::new(), Vec::new());
    let first = done.len();
    for ((id, change), Placed { item, .. }) in done.into_iter().zip(items) {
        let (member, result) = (item.member(), None);
        written.push(Written { member, id, result });
        committed.push(change);
    }
    let mut errors = FieldErrors::new();
    for (index, Placed { place, item }) in items.iter().enumerate().skip(first) {
        *at = index;
        match whole.one(item, transaction).await {
            Ok((id, result, change)) => {
                let member = item.member();
                written.push(Written { member, id, result });
                committed.extend(change);
            }
            Err(ApiError::Invalid(wrong)) => errors.extend(placed(wrong, place)),
            // A hook may have made this transaction useless.
            Err(_) if !errors.is_empty() => break,
            Err(error) => return Err(at_place(error, place)),
        }
        if errors.len() >= MOST_ERRORS {
            break;
        }
    }
    accept(errors)?;
    Ok((written, committed))
}

/// What is wrong with one record, told of the item: `create.3.title must not be empty.`
pub(super) fn placed(errors: FieldErrors, place: &str) -> FieldErrors {
    let placed = errors.into_iter().map(|(field, messages)| {
        let told = |message: String| match message.strip_prefix(&field) {
            Some(words) => format!("{place}.{field}{words}"),
            None => format!("{place}: {message}"),
        };
        let messages = messages.into_iter().map(told).collect();
        (format!("{place}.{field}"), messages)
    });
    placed.collect()
}

/// The reason why one record cannot be written, with the place of its item. An error of our own, or of the database, is about none.
fn at_place(error: ApiError, place: &str) -> ApiError {
    match error {
        ApiError::NotFound | ApiError::Denied(_) | ApiError::Stale | ApiError::VersionMissing => {
            ApiError::Item {
                place: place.to_owned(),
                error: Box::new(error),
            }
        }
        error => error,
    }
}
