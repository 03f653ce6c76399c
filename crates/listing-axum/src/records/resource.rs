//! The traits that a developer implements to serve an entity's records.

use std::future::ready;

use listing::{HasListing, NamedRelations};
use sea_orm::{EntityName, EntityTrait, IntoActiveModel};

use super::{Access, Change, Committed, Events, Idempotency, Payload, Titles, Unique};
use crate::http::{ApiError, Denied};

/// An entity that is served: its list and its records. [`PublicRead`](super::PublicRead) is a ready one for entities that
/// everybody may read and no caller may write.
///
/// Who may do what has no default: a resource without a decision does not compile. The module [`policy`](super::policy)
/// has the usual decisions, each in one line.
pub trait Resource: Sized + Send + Sync + 'static {
    /// The entity.
    type Entity: HasListing<Model: Sync> + NamedRelations;

    /// Decides whether the caller may do this (d63).
    ///
    /// It is called once before any record is looked for, so that a missing identity is 401 whether or not the record
    /// exists, and for an operation on one record a second time with the record. In the first call of these only
    /// [`Denied::Unauthenticated`] counts. A decision that never looks at [`Access::record`] holds for every record.
    ///
    /// It may ask the database, through [`Access::db`]: about a record that is written, in the transaction of the write.
    ///
    /// # Errors
    /// When the caller must be known (401), may not do this (403), or the database does not answer.
    fn authorize(access: &Access<'_, Self>) -> impl Future<Output = Result<(), Denied>> + Send;

    /// Its segment of the path and of the routes' names: the table's name unless said otherwise.
    #[must_use]
    fn segment() -> &'static str {
        Self::Entity::default().table_name()
    }

    /// What it is called in messages: `Article` and `Articles` for the table `articles`, unless said otherwise.
    #[must_use]
    fn titles() -> Titles {
        Titles::of_table(Self::Entity::default().table_name())
    }

    /// The message of a success. The contract's own by default.
    #[must_use]
    fn message(operation: Operation) -> Option<String> {
        Some(Self::titles().message(operation))
    }
}

/// A resource whose records can be created, changed and deleted.
pub trait WritableResource: Resource<Entity: WritableEntity> {
    /// What a client sends to create a record.
    type Store: Payload<ActiveModel = ActiveModelOf<Self>>;

    /// What a client sends to change a record.
    type Update: Payload<ActiveModel = ActiveModelOf<Self>>;

    /// What must be unique among all records, deleted ones included: the columns that the entity marks as `unique`,
    /// unless said otherwise.
    #[must_use]
    fn unique() -> Vec<Unique<Self::Entity>> {
        Unique::declared()
    }

    /// Whether a record is changed and deleted only by callers who say which version of it they have read, by `If-Match`;
    /// the others get 428 (d121).
    #[must_use]
    fn require_if_match() -> bool {
        false
    }

    /// Whether each change of a record is an event, which a [`Dispatcher`](crate::events::Dispatcher) hands to the application
    /// after it is committed, also when the program ends in between (d129). None by default. The tables of events come from a
    /// migration: [`create_tables`](crate::events::create_tables).
    #[must_use]
    fn events() -> Option<Events<Self>> {
        None
    }

    /// Whether clients may write many records with one request: by `POST …/_bulk`, and by filter (d126, d127). Each of them is
    /// checked and decided about as if it came alone, and all of them are written, or none.
    #[must_use]
    fn bulk() -> bool {
        false
    }

    /// The unique key by which `_bulk` finds the records of its `upsert`: without one it takes no such items.
    #[must_use]
    fn upsert_by() -> Option<Unique<Self::Entity>> {
        None
    }

    /// Whose requests are carried out once for each `Idempotency-Key` (d128). Without it the header has no effect.
    #[must_use]
    fn idempotency() -> Option<Idempotency> {
        None
    }

    /// Runs before a new record is written: completes it with what no client decides, such as its tenant or a generated key,
    /// finds fields wrong, or refuses. Like all hooks it runs in the transaction; where another transaction was in the way, the
    /// change is tried again, and so are they. A payload that is not valid meets no hook.
    ///
    /// # Errors
    /// Whatever should be answered instead; nothing is written then.
    fn before_store(
        _change: &mut Change<'_, Self>,
    ) -> impl Future<Output = Result<(), ApiError>> + Send {
        ready(Ok(()))
    }

    /// The same before a record is changed, by `PUT` or `PATCH`.
    ///
    /// # Errors
    /// Whatever should be answered instead; nothing is written then.
    fn before_update(
        _change: &mut Change<'_, Self>,
    ) -> impl Future<Output = Result<(), ApiError>> + Send {
        ready(Ok(()))
    }

    /// The same before a record is deleted, for good or not ([`Change::operation`] tells).
    ///
    /// # Errors
    /// Whatever should be answered instead; nothing is written then.
    fn before_destroy(
        _change: &mut Change<'_, Self>,
    ) -> impl Future<Output = Result<(), ApiError>> + Send {
        ready(Ok(()))
    }

    /// The same before a deleted record is brought back.
    ///
    /// # Errors
    /// Whatever should be answered instead; nothing is written then.
    fn before_restore(
        _change: &mut Change<'_, Self>,
    ) -> impl Future<Output = Result<(), ApiError>> + Send {
        ready(Ok(()))
    }

    /// Runs after a new record was written, before it is committed: what else belongs to it can be written now.
    ///
    /// # Errors
    /// Whatever should be answered instead; nothing is written then.
    fn after_store(
        _change: &mut Change<'_, Self>,
    ) -> impl Future<Output = Result<(), ApiError>> + Send {
        ready(Ok(()))
    }

    /// The same after a record was changed.
    ///
    /// # Errors
    /// Whatever should be answered instead; nothing is written then.
    fn after_update(
        _change: &mut Change<'_, Self>,
    ) -> impl Future<Output = Result<(), ApiError>> + Send {
        ready(Ok(()))
    }

    /// The same after a record was deleted.
    ///
    /// # Errors
    /// Whatever should be answered instead; nothing is written then.
    fn after_destroy(
        _change: &mut Change<'_, Self>,
    ) -> impl Future<Output = Result<(), ApiError>> + Send {
        ready(Ok(()))
    }

    /// The same after a record was brought back.
    ///
    /// # Errors
    /// Whatever should be answered instead; nothing is written then.
    fn after_restore(
        _change: &mut Change<'_, Self>,
    ) -> impl Future<Output = Result<(), ApiError>> + Send {
        ready(Ok(()))
    }

    /// Runs once for each change that is committed, and never for one that was rolled back or tried again. The client waits for
    /// it; a client that goes away does not keep it from running, and a panic in it does not undo the change.
    fn after_commit(_committed: Committed<Self>) -> impl Future<Output = ()> + Send + 'static {
        ready(())
    }
}

/// An entity whose rows can be written: every one that SeaORM derives.
pub trait WritableEntity:
    EntityTrait<Model: IntoActiveModel<<Self as EntityTrait>::ActiveModel>, ActiveModel: Send + Sync>
{
}

impl<E> WritableEntity for E where
    E: EntityTrait<
            Model: IntoActiveModel<<E as EntityTrait>::ActiveModel>,
            ActiveModel: Send + Sync,
        >
{
}

/// A row of the resource's entity.
pub type ModelOf<R> = <<R as Resource>::Entity as EntityTrait>::Model;

/// A column of the resource's entity.
pub(super) type ColumnOf<R> = <<R as Resource>::Entity as EntityTrait>::Column;

/// A row of the resource's entity, to be written.
pub type ActiveModelOf<R> = <<R as Resource>::Entity as EntityTrait>::ActiveModel;

/// What can be done with a resource.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Operation {
    /// The list.
    Index,
    /// All rows of the list as a file, where the listing allows that (d110).
    Export,
    /// One record.
    Show,
    /// A new record.
    Store,
    /// A changed record.
    Update,
    /// A deleted record; soft-deleted where the listing says so.
    Destroy,
    /// A record deleted for good, though the listing soft-deletes.
    ForceDestroy,
    /// A soft-deleted record brought back.
    Restore,
}

impl Operation {
    /// The last part of the route's name: `index`, `store`, …
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Index => "index",
            Self::Export => "export",
            Self::Show => "show",
            Self::Store => "store",
            Self::Update => "update",
            Self::Destroy => "destroy",
            Self::ForceDestroy => "force_destroy",
            Self::Restore => "restore",
        }
    }

    pub(super) fn of_name(name: &str) -> Option<Self> {
        let all = [
            Self::Index,
            Self::Export,
            Self::Show,
            Self::Store,
            Self::Update,
            Self::Destroy,
            Self::ForceDestroy,
            Self::Restore,
        ];
        all.into_iter().find(|operation| operation.name() == name)
    }

    /// Whether it reads a page or one record. To take all rows away is a right of its own, which the usual policies do not give
    /// to everyone who may read.
    #[must_use]
    pub const fn is_read(self) -> bool {
        matches!(self, Self::Index | Self::Show)
    }
}
