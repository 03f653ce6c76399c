//! The traits that a developer implements to serve an entity's records.

use std::future::ready;

use listing::{HasListing, NamedRelations};
use sea_orm::{EntityName, EntityTrait, IntoActiveModel};

use super::hooks::Untold;
use super::{Access, Change, Committed, Events, History, Idempotency, Payload, Titles, Unique};
use crate::http::{ApiError, Denied};

/// An entity with a list and records. [`PublicRead`](super::PublicRead) is a ready-made resource for entities that everyone may
/// read and no caller may write.
///
/// `authorize` has no default: a resource without a decision does not compile. The module [`policy`](super::policy) has the usual
/// decisions, each in one line.
pub trait Resource: Sized + Send + Sync + 'static {
    /// The entity.
    type Entity: HasListing<Model: Sync> + NamedRelations;

    /// Decides whether the caller may do this (d63).
    ///
    /// It is called once before a record is looked up, so that a missing identity is 401 whether or not the record exists. For an
    /// operation on one record it is called a second time with the record, and in the first call only [`Denied::Unauthenticated`]
    /// counts. A decision that never looks at [`Access::record`] holds for every record.
    ///
    /// It may query the database through [`Access::db`]. For a record that is being written, this is the transaction of the
    /// write.
    ///
    /// # Errors
    /// When the caller must be known (401), may not do this (403), or the database does not answer.
    fn authorize(access: &Access<'_, Self>) -> impl Future<Output = Result<(), Denied>> + Send;

    /// Its segment in paths and route names; the name of the table by default.
    #[must_use]
    fn segment() -> &'static str {
        Self::Entity::default().table_name()
    }

    /// Its name in messages; by default `Article` and `Articles` for the table `articles`.
    #[must_use]
    fn titles() -> Titles {
        Titles::of_table(Self::Entity::default().table_name())
    }

    /// The message of a successful response; the contract's own by default.
    #[must_use]
    fn message(operation: Operation) -> Option<String> {
        Some(Self::titles().message(operation))
    }
}

/// A resource whose records can be created, updated and deleted.
pub trait WritableResource: Resource<Entity: WritableEntity> {
    /// The payload that creates a record.
    type Store: Payload<ActiveModel = ActiveModelOf<Self>>;

    /// The payload that updates a record.
    type Update: Payload<ActiveModel = ActiveModelOf<Self>>;

    /// Whether clients may write many records with one request, by `POST …/_bulk` and by filter (d126, d127). Each record is
    /// checked and authorized as if it came alone. All of them are written, or none.
    ///
    /// It is a constant, so that nothing of these endpoints is compiled for resources without them.
    const BULK: bool = false;

    /// Whether records can be created from a file, by `POST …/_import` (d119). Each record is checked and authorized as if it
    /// came alone. All of them are written, or none. `authorize` is also called with [`Operation::Import`].
    const IMPORT: bool = false;

    /// The columns that must be unique among all records, including deleted ones; by default those that the entity marks as
    /// `unique`.
    #[must_use]
    fn unique() -> Vec<Unique<Self::Entity>> {
        Unique::declared()
    }

    /// Whether clients must name the version that they have read with `If-Match` to update or delete a record. Requests without
    /// it get 428 (d121).
    #[must_use]
    fn require_if_match() -> bool {
        false
    }

    /// Whether each change to a record is an event, which a [`Dispatcher`](crate::events::Dispatcher) hands to the application
    /// after the commit, even if the program ends in between (d129). There are no events by default. A migration creates their
    /// tables with [`create_tables`](crate::events::create_tables).
    #[must_use]
    fn events() -> Option<Events<Self>> {
        None
    }

    /// Whether each change to a record is stored with old and new values, for `GET …/{id}/_history` (d131). It is not by default.
    /// A migration creates the table with [`HistoryTable`](listing::migration::HistoryTable).
    #[must_use]
    fn history() -> Option<History> {
        None
    }

    /// The unique key by which `_bulk` finds the records of `upsert`. Without it, `upsert` is not accepted.
    #[must_use]
    fn upsert_by() -> Option<Unique<Self::Entity>> {
        None
    }

    /// Whose requests are carried out once for each `Idempotency-Key` (d128). Without it, the header has no effect.
    #[must_use]
    fn idempotency() -> Option<Idempotency> {
        None
    }

    /// Runs before a new record is written. It can set values that clients do not decide, such as the tenant or a generated key,
    /// report errors in fields, or refuse the write. All hooks run in the transaction. If it conflicts with another one, it is
    /// repeated, and the hooks run again. Hooks do not run for an invalid payload.
    ///
    /// # Errors
    /// The error to answer with; nothing is written then.
    fn before_store(
        _change: &mut Change<'_, Self>,
    ) -> impl Future<Output = Result<(), ApiError>> + Send {
        ready(Ok(()))
    }

    /// The same before a record is updated, by `PUT` or `PATCH`.
    ///
    /// # Errors
    /// The error to answer with; nothing is written then.
    fn before_update(
        _change: &mut Change<'_, Self>,
    ) -> impl Future<Output = Result<(), ApiError>> + Send {
        ready(Ok(()))
    }

    /// The same before a record is deleted, permanently or not ([`Change::operation`] tells).
    ///
    /// # Errors
    /// The error to answer with; nothing is written then.
    fn before_destroy(
        _change: &mut Change<'_, Self>,
    ) -> impl Future<Output = Result<(), ApiError>> + Send {
        ready(Ok(()))
    }

    /// The same before a deleted record is restored.
    ///
    /// # Errors
    /// The error to answer with; nothing is written then.
    fn before_restore(
        _change: &mut Change<'_, Self>,
    ) -> impl Future<Output = Result<(), ApiError>> + Send {
        ready(Ok(()))
    }

    /// Runs after a new record is written and before the commit. It can write other rows that belong to the record.
    ///
    /// # Errors
    /// The error to answer with; nothing is written then.
    fn after_store(
        _change: &mut Change<'_, Self>,
    ) -> impl Future<Output = Result<(), ApiError>> + Send {
        ready(Ok(()))
    }

    /// The same after a record is updated.
    ///
    /// # Errors
    /// The error to answer with; nothing is written then.
    fn after_update(
        _change: &mut Change<'_, Self>,
    ) -> impl Future<Output = Result<(), ApiError>> + Send {
        ready(Ok(()))
    }

    /// The same after a record is deleted.
    ///
    /// # Errors
    /// The error to answer with; nothing is written then.
    fn after_destroy(
        _change: &mut Change<'_, Self>,
    ) -> impl Future<Output = Result<(), ApiError>> + Send {
        ready(Ok(()))
    }

    /// The same after a record is restored.
    ///
    /// # Errors
    /// The error to answer with; nothing is written then.
    fn after_restore(
        _change: &mut Change<'_, Self>,
    ) -> impl Future<Output = Result<(), ApiError>> + Send {
        ready(Ok(()))
    }

    /// Runs once for each committed change, and never for one that was rolled back or repeated. The client waits for it. It also
    /// runs if the client disconnects, and a panic in it does not undo the change.
    fn after_commit(_committed: Committed<Self>) -> impl Future<Output = ()> + Send + 'static {
        Untold
    }
}

/// An entity whose rows can be written; SeaORM derives everything it needs.
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

/// A row of the resource's entity that is to be written.
pub type ActiveModelOf<R> = <<R as Resource>::Entity as EntityTrait>::ActiveModel;

/// An operation on a resource.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Operation {
    /// The list.
    Index,
    /// Create many records from a file, if the resource allows it (d119). Each record also needs the permission for `Store`.
    Import,
    /// Export all rows of the list as a file, if the listing allows it (d110).
    Export,
    /// One record.
    Show,
    /// Create a record.
    Store,
    /// Update a record.
    Update,
    /// Delete a record, or soft-delete it if the listing says so.
    Destroy,
    /// Delete a record permanently although the listing soft-deletes.
    ForceDestroy,
    /// Restore a soft-deleted record.
    Restore,
    /// Show the earlier values of a record and who changed them, if the resource has a history (d131).
    History,
}

impl Operation {
    /// The last part of the route's name: `index`, `store`, …
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Index => "index",
            Self::Export => "export",
            Self::Import => "import",
            Self::Show => "show",
            Self::Store => "store",
            Self::Update => "update",
            Self::Destroy => "destroy",
            Self::ForceDestroy => "force_destroy",
            Self::Restore => "restore",
            Self::History => "history",
        }
    }

    pub(super) fn of_name(name: &str) -> Option<Self> {
        let all = [
            Self::Index,
            Self::Export,
            Self::Import,
            Self::Show,
            Self::Store,
            Self::Update,
            Self::Destroy,
            Self::ForceDestroy,
            Self::Restore,
            Self::History,
        ];
        all.into_iter().find(|operation| operation.name() == name)
    }

    /// Whether it reads a page or a single record. Exporting all rows and reading the history need separate permissions, which
    /// the usual policies do not give to everyone who may read.
    #[must_use]
    pub const fn is_read(self) -> bool {
        matches!(self, Self::Index | Self::Show)
    }
}
