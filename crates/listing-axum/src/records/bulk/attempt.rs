//! Makes one attempt to write many records in one transaction, and reports which of them are invalid (d126).

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

/// The most messages in an answer.
pub(super) const MOST_ERRORS: usize = 100;

/// The parts that all items of a request share.
pub(super) struct Whole<'a, R: WritableResource> {
    pub(super) listings: &'a Listings,
    pub(super) context: &'a Context,
    pub(super) unique: Vec<Unique<R::Entity>>,
    pub(super) store_names: FieldNames,
    pub(super) update_names: FieldNames,
    pub(super) soft_delete: Option<String>,
    /// Whether a record must be read before deciding about its deletion.
    deletion: Settled,
}

/// The result for one record.
pub(super) struct Written {
    pub(super) member: &'static str,
    pub(super) id: serde_json::Value,
    pub(super) result: Option<&'static str>,
}

/// The result for one record, and its change, if it was changed.
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

    pub(super) async fn one(
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
                    patch: Some(patch),
                    looks_for_taken: true,
                    ..Draft::of(record, &self.unique, self.update_names)
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

/// Writes all items or none. `at` is the current item.
pub(super) async fn write<R: WritableResource>(
    items: &[Placed<'_, R>],
    whole: &Whole<'_, R>,
    once: &Once<'_>,
    at: &mut usize,
    answer: impl FnOnce(Vec<Written>) -> Response,
) -> Result<Response, ApiError> {
    // The members whose items are written one by one, to get messages for each item.
    let mut apart = Vec::new();
    loop {
        let transaction = match once.start().await? {
            Start::First(transaction) => transaction,
            Start::Again(response) => return Ok(response),
        };
        let connection = transaction.connection();
        match write_in(items, &apart, whole, connection, at).await {
            Ok(Ok(written)) => return once.finish(transaction, Ok(written), answer).await,
            Ok(Err(Apart(member))) => {
                transaction.close().await;
                apart.push(member);
            }
            Err(error) => return once.finish::<R, _>(transaction, Err(error), answer).await,
        }
    }
}

/// The items of this member cannot be written together.
pub(super) struct Apart(&'static str);

/// The results and the changes of all items.
type AllDone<R> = (Vec<Written>, Vec<Committed<R>>);

/// Writes all items. Those of each member are written together, unless they must be written one by one.
pub(super) async fn write_in<R: WritableResource>(
    items: &[Placed<'_, R>],
    apart: &[&'static str],
    whole: &Whole<'_, R>,
    transaction: &DatabaseTransaction,
    at: &mut usize,
) -> Result<Result<AllDone<R>, Apart>, ApiError> {
    let (mut written, mut committed) = (Vec::new(), Vec::new());
    let mut errors = FieldErrors::new();
    let mut index = 0;
    'all: for run in items.chunk_by(|one, next| one.item.member() == next.item.member()) {
        let Some(member) = run.first().map(|placed| placed.item.member()) else {
            continue;
        };
        if errors.is_empty() && !apart.contains(&member) && together::is_possible(run) {
            let Ok(Some(done)) = together::write(run, whole, transaction).await else {
                return Ok(Err(Apart(member)));
            };
            for (id, result, change) in done {
                written.push(Written { member, id, result });
                committed.extend(change);
            }
            index += run.len();
            continue;
        }
        for Placed { place, item } in run {
            *at = index;
            index += 1;
            match whole.one(item, transaction).await {
                Ok((id, result, change)) => {
                    written.push(Written { member, id, result });
                    committed.extend(change);
                }
                Err(ApiError::Invalid(wrong)) => errors.extend(placed(wrong, place)),
                // A hook may have broken this transaction.
                Err(_) if !errors.is_empty() => break 'all,
                Err(error) => return Err(at_place(error, place)),
            }
            if errors.len() >= MOST_ERRORS {
                break 'all;
            }
        }
    }
    accept(errors)?;
    Ok(Ok((written, committed)))
}

/// The errors of one record, reported at its item: `create.3.title must not be empty.`
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

/// The reason why one record cannot be written, with the position of its item. Internal errors and database errors have no
/// position.
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
