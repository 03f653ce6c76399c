//! What an application's hooks see of a change, and what they can do about it (d123).

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};

use listing::reply::FieldErrors;
use listing::{Context, Error, ExecuteError, Listings, Trashed};
use sea_orm::{DatabaseTransaction, DbErr, IdenStatic};

use super::bind::{Asked, Lock, PathId};
use super::constraint::violation;
use super::events;
use super::field_names::FieldNames;
use super::outbox;
use super::resource::{ActiveModelOf, ColumnOf, ModelOf, Operation, WritableResource};
use super::wording::message;
use super::write::{accept, undone};
use crate::http::ApiError;

/// A change of one record, for the hooks of [`WritableResource`] that run in its transaction. What they write through
/// [`db`](Self::db) is committed together with the record, or not at all.
#[non_exhaustive]
pub struct Change<'a, R: WritableResource> {
    /// The record as it will be. What a hook sets before the record is written is checked and written with it.
    pub record: ActiveModelOf<R>,
    operation: Operation,
    context: &'a Context,
    listings: &'a Listings,
    db: &'a DatabaseTransaction,
    old: Option<ModelOf<R>>,
    /// A record that cannot be read may be deleted as long as no hook reads it.
    looked: AtomicBool,
    /// Records that are written together are not there for a hook that looks for them.
    asked_db: AtomicBool,
    id: Option<serde_json::Value>,
    names: FieldNames,
    /// The relations whose links are written with it.
    linked: Vec<String>,
    errors: FieldErrors,
}

impl<'a, R: WritableResource> Change<'a, R> {
    pub(super) fn new(
        operation: Operation,
        asked: &Asked<'a>,
        names: FieldNames,
        db: &'a DatabaseTransaction,
        (old, record): (Option<ModelOf<R>>, ActiveModelOf<R>),
    ) -> Self {
        Self {
            record,
            operation,
            context: asked.context,
            listings: asked.listings,
            db,
            old,
            looked: AtomicBool::new(false),
            asked_db: AtomicBool::new(false),
            id: None,
            names,
            linked: Vec::new(),
            errors: FieldErrors::new(),
        }
    }

    /// What is done with the record.
    #[must_use]
    pub fn operation(&self) -> Operation {
        self.operation
    }

    /// What the application knows about the request, such as the current user.
    #[must_use]
    pub fn context(&self) -> &'a Context {
        self.context
    }

    /// The transaction.
    #[must_use]
    pub fn db(&self) -> &'a DatabaseTransaction {
        self.asked_db.store(true, Ordering::Relaxed);
        self.db
    }

    /// The record as it was; `None` for a new one.
    #[must_use]
    pub fn old(&self) -> Option<&ModelOf<R>> {
        self.looked.store(true, Ordering::Relaxed);
        self.old.as_ref()
    }

    /// The record's `id`, as clients know it; `None` before a new record is written.
    #[must_use]
    pub fn id(&self) -> Option<&serde_json::Value> {
        self.id.as_ref()
    }

    /// The record as the database has it now, which takes a statement. After a new record is written, that includes what the
    /// database filled in.
    ///
    /// # Errors
    /// When there is no such record (yet, or any more), or the database does not answer.
    pub async fn stored(&self) -> Result<ModelOf<R>, ApiError> {
        let id = self.id.as_ref().map(PathId::of).unwrap_or_default();
        let asked = Asked {
            id: &id,
            listings: self.listings,
            context: self.context,
        };
        let found = asked.find::<R::Entity>(self.db(), Trashed::With, Lock::No);
        Ok(found.await?.0)
    }

    /// Says what is wrong with a field: `change.error(Column::Title, "must not be a secret")`. The change is answered with 422
    /// then, and nothing is written.
    pub fn error(&mut self, column: ColumnOf<R>, wrong: impl AsRef<str>) {
        let name = self.shown(column);
        let message = message(&name, wrong.as_ref());
        self.errors.entry(name).or_default().push(message);
    }

    /// The same for our own use, which does not count as looking at it.
    pub(super) fn before(&self) -> Option<&ModelOf<R>> {
        self.old.as_ref()
    }

    pub(super) fn names_it(&mut self, id: serde_json::Value) {
        self.id = Some(id);
    }

    /// The mistakes that hooks have found so far.
    pub(super) fn take_errors(&mut self) -> FieldErrors {
        std::mem::take(&mut self.errors)
    }

    /// Whether a hook asked what the record was.
    pub(super) fn was_looked_at(&self) -> bool {
        self.looked.load(Ordering::Relaxed)
    }

    /// What clients call a column.
    pub(super) fn shown(&self, column: ColumnOf<R>) -> String {
        self.names.shown(column.as_str()).into_owned()
    }

    pub(super) fn links(&mut self, relations: impl Iterator<Item = String>) {
        self.linked = relations.collect();
    }

    pub(super) fn linked(&self) -> &[String] {
        &self.linked
    }

    /// Whether a hook asked the database.
    pub(super) fn has_asked_db(&self) -> bool {
        self.asked_db.load(Ordering::Relaxed)
    }

    /// 422 if a hook found something wrong after the record was written.
    pub(super) fn accept(&mut self) -> Result<(), ApiError> {
        accept(self.take_errors())
    }

    /// Ends the change, but for the commit: writes its event, and returns what is told once it is committed.
    pub(super) async fn close(self) -> Result<Committed<R>, ApiError> {
        if let Some(event) = events::of(&self) {
            outbox::insert(&[event], self.db).await?;
        }
        Ok(self.committed())
    }

    /// What is told once it is committed.
    pub(super) fn committed(self) -> Committed<R> {
        Committed {
            operation: self.operation,
            context: self.context.clone(),
            id: self.id.unwrap_or_default(),
            old: self.old,
            record: self.record,
        }
    }
}

impl<R: WritableResource> fmt::Debug for Change<'_, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Change")
            .field("operation", &self.operation)
            .field("id", &self.id)
            .field("record", &self.record)
            .finish_non_exhaustive()
    }
}

/// A change that is committed, for [`WritableResource::after_commit`].
#[non_exhaustive]
pub struct Committed<R: WritableResource> {
    /// What was done with the record.
    pub operation: Operation,
    /// What the application knows about the request, such as the current user.
    pub context: Context,
    /// The record's `id`, as clients know it.
    pub id: serde_json::Value,
    /// The record as it was; `None` for a new one.
    pub old: Option<ModelOf<R>>,
    /// The record as it was written: what was changed is `Set`. Of a new record it has what was sent and what hooks set.
    pub record: ActiveModelOf<R>,
}

impl<R: WritableResource> fmt::Debug for Committed<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Committed")
            .field("operation", &self.operation)
            .field("id", &self.id)
            .finish_non_exhaustive()
    }
}

/// An error of a hook, which is in a transaction. A constraint that it met is not one of the record that the client sent, so that
/// no field is blamed for it.
pub(super) fn of_hook(error: ApiError) -> ApiError {
    match error {
        ApiError::OutcomeUnknown(error) => undone(error),
        ApiError::List(Error::Execute(ExecuteError::Refused(error))) => ApiError::internal(error),
        other => other,
    }
}

/// Whether a hook lost a race to a constraint.
pub(super) fn lost_race(error: &ApiError) -> bool {
    let ApiError::Internal(error) = error else {
        return false;
    };
    let refused = error.downcast_ref::<DbErr>();
    refused.and_then(violation).is_some()
}
