//! The change that an application's hooks see and can influence (d123).

use std::any::TypeId;
use std::fmt;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{self, Poll};

use listing::reply::FieldErrors;
use listing::{Context, Error, ExecuteError, Listings, RecordValues, Trashed};
use sea_orm::{DatabaseTransaction, DbErr, IdenStatic};

use super::bind::{Asked, PathId};
use super::constraint::violation;
use super::field_names::FieldNames;
use super::history;
use super::kept;
use super::resource::{ActiveModelOf, ColumnOf, ModelOf, Operation, WritableResource};
use super::row::Row;
use super::wording::message;
use super::write::{accept, undone};
use crate::http::ApiError;

/// A change to one record, for the hooks of [`WritableResource`] that run in its transaction. Their writes through
/// [`db`](Self::db) are committed together with the record, or not at all.
#[non_exhaustive]
pub struct Change<'a, R: WritableResource> {
    /// The record as it will be. Values that a hook sets before the record is written are checked and written with it.
    pub record: ActiveModelOf<R>,
    operation: Operation,
    context: &'a Context,
    listings: &'a Listings,
    db: &'a DatabaseTransaction,
    old: Option<ModelOf<R>>,
    /// A record that cannot be read may be deleted if no hook reads it.
    looked: AtomicBool,
    /// Records that are written together are not visible yet to a hook that queries them.
    asked_db: AtomicBool,
    id: Option<serde_json::Value>,
    names: FieldNames,
    /// The relations whose links are written with it.
    linked: Vec<String>,
    /// The row before the write, if it was kept.
    row: Option<Row<'a>>,
    /// The visible values before the write, if there is a history.
    was: Option<RecordValues>,
    /// The visible values after the write, if its row was kept.
    is: Option<RecordValues>,
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
            row: None,
            was: None,
            is: None,
            errors: FieldErrors::new(),
        }
    }

    /// The operation.
    #[must_use]
    pub fn operation(&self) -> Operation {
        self.operation
    }

    /// The application's data about the request, such as the current user.
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

    /// The record before the change; `None` for a new one.
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

    /// The record as it is in the database now, which takes a statement. After a new record is written, it includes the values
    /// that the database filled in.
    ///
    /// # Errors
    /// When the record does not exist (yet, or any more), or the database does not answer.
    pub async fn stored(&self) -> Result<ModelOf<R>, ApiError> {
        let id = self.id.as_ref().map(PathId::of).unwrap_or_default();
        let asked = Asked {
            id: &id,
            listings: self.listings,
            context: self.context,
        };
        let found = asked.find::<R::Entity>(self.db(), Trashed::With);
        found.await
    }

    /// Reports an error in a field: `change.error(Column::Title, "must not be a secret")`. The request is answered with 422, and
    /// nothing is written.
    pub fn error(&mut self, column: ColumnOf<R>, wrong: impl AsRef<str>) {
        let name = self.shown(column);
        let message = message(&name, wrong.as_ref());
        self.errors.entry(name).or_default().push(message);
    }

    /// The same for internal use, which does not count as reading it.
    pub(super) fn before(&self) -> Option<&ModelOf<R>> {
        self.old.as_ref()
    }

    pub(super) fn names_it(&mut self, id: serde_json::Value) {
        self.id = Some(id);
    }

    /// The errors that hooks have reported so far.
    pub(super) fn take_errors(&mut self) -> FieldErrors {
        std::mem::take(&mut self.errors)
    }

    /// Whether a hook read the old record.
    pub(super) fn was_looked_at(&self) -> bool {
        self.looked.load(Ordering::Relaxed)
    }

    /// The name of a column in the API.
    pub(super) fn shown(&self, column: ColumnOf<R>) -> String {
        self.names.shown(column.as_str()).into_owned()
    }

    pub(super) fn links(&mut self, relations: impl Iterator<Item = String>) {
        self.linked = relations.collect();
    }

    pub(super) fn linked(&self) -> &[String] {
        &self.linked
    }

    pub(super) fn was_read(&mut self, row: Option<Row<'a>>) {
        self.row = row;
    }

    /// Remembers the visible values before the write, for the history. A hook that queried the database may have changed them.
    pub(super) async fn remember(&mut self) -> Result<(), ApiError> {
        if let Some(row) = self.row.take()
            && !self.has_asked_db()
        {
            self.was = row.recorded()?;
            return Ok(());
        }
        let (listings, db) = (self.listings, self.db);
        history::remember(std::slice::from_mut(self), listings, db).await
    }

    pub(super) fn showed(&mut self, was: Option<RecordValues>) {
        self.was = was;
    }

    pub(super) fn was(&self) -> Option<&RecordValues> {
        self.was.as_ref()
    }

    pub(super) fn is(&self) -> Option<&RecordValues> {
        self.is.as_ref()
    }

    pub(super) fn id_text(&self) -> String {
        let id = self.id.as_ref();
        id.map(super::id::text_of).unwrap_or_default()
    }

    /// Whether a hook queried the database.
    pub(super) fn has_asked_db(&self) -> bool {
        self.asked_db.load(Ordering::Relaxed)
    }

    /// 422 if a hook reported an error after the record was written.
    pub(super) fn accept(&mut self) -> Result<(), ApiError> {
        accept(self.take_errors())
    }

    /// Completes the change, except for the commit: writes its event and its history, and returns what `after_commit` gets.
    pub(super) async fn close(mut self, row: Option<Row<'_>>) -> Result<Committed<R>, ApiError> {
        if let Some(row) = row {
            let is = row.recorded()?;
            self.is = is.filter(|record| record.id == self.id_text());
        }
        kept::write(&[&self], self.listings, self.db).await?;
        Ok(self.committed())
    }

    /// The value for `after_commit`.
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

/// A committed change, for [`WritableResource::after_commit`].
#[non_exhaustive]
pub struct Committed<R: WritableResource> {
    /// The operation.
    pub operation: Operation,
    /// The application's data about the request, such as the current user.
    pub context: Context,
    /// The record's `id`, as clients know it.
    pub id: serde_json::Value,
    /// The record before the change; `None` for a new one.
    pub old: Option<ModelOf<R>>,
    /// The record as it was written. Changed values are `Set`. A new record has the values that were sent and those that hooks
    /// set.
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

/// The return type of the default `after_commit`. Applications cannot create it, so it identifies resources without such a hook.
pub(super) struct Untold;

impl Future for Untold {
    type Output = ();

    fn poll(self: Pin<&mut Self>, _: &mut task::Context<'_>) -> Poll<()> {
        Poll::Ready(())
    }
}

/// Whether a resource has an `after_commit` hook. If not, changes need not be kept for it.
pub(super) fn is_told<R: WritableResource>() -> bool {
    fn of_output<A, F: Future + 'static>(_: fn(A) -> F) -> TypeId {
        TypeId::of::<F>()
    }
    of_output(R::after_commit) != TypeId::of::<Untold>()
}

/// Converts an error of a hook. A constraint that it violated need not belong to the record that the client sent, so no field is
/// blamed.
pub(super) fn of_hook(error: ApiError) -> ApiError {
    match error {
        ApiError::OutcomeUnknown(error) => undone(error),
        ApiError::List(Error::Execute(ExecuteError::Refused(error))) => ApiError::internal(error),
        other => other,
    }
}

/// Whether a hook lost a race and violated a constraint.
pub(super) fn lost_race(error: &ApiError) -> bool {
    let ApiError::Internal(error) = error else {
        return false;
    };
    let refused = error.downcast_ref::<DbErr>();
    refused.and_then(violation).is_some()
}
