//! The traits that a developer implements to serve an entity's records.

use listing::{Context, HasListing, NamedRelations};
use sea_orm::{EntityTrait, IntoActiveModel};

use super::{Payload, Unique};
use crate::http::Denied;

/// An entity that is served: its list and its records.
pub trait Resource: Send + Sync + 'static {
    /// The entity.
    type Entity: HasListing + NamedRelations;

    /// Its segment of the path and of the routes' names: `articles`.
    const SEGMENT: &'static str;

    /// What it is called in messages: `Article`, `Articles`.
    const NAMES: (&'static str, &'static str);

    /// Refuses an operation for want of an identity (401), before any record is looked for. Allows all by default.
    ///
    /// # Errors
    /// When an identity is needed.
    fn authenticate(_operation: Operation, _context: &Context) -> Result<(), Denied> {
        Ok(())
    }

    /// Refuses an operation (403). `record` is there for operations on one record. Allows all by default.
    ///
    /// # Errors
    /// When who asks may not do this.
    fn authorize(
        _operation: Operation,
        _context: &Context,
        _record: Option<&ModelOf<Self>>,
    ) -> Result<(), Denied> {
        Ok(())
    }

    /// The message of a success. The contract's own by default.
    #[must_use]
    fn message(operation: Operation) -> Option<String> {
        let (one, many) = Self::NAMES;
        Some(match operation {
            Operation::Index => format!("{many} retrieved."),
            Operation::Show => format!("{one} retrieved."),
            Operation::Store => format!("{one} created."),
            Operation::Update => format!("{one} updated."),
            Operation::Destroy | Operation::ForceDestroy => format!("{one} deleted."),
            Operation::Restore => format!("{one} restored."),
        })
    }
}

/// A resource whose records can be created, changed and deleted.
pub trait WritableResource: Resource<Entity: WritableEntity> {
    /// What a client sends to create a record.
    type Store: Payload<ActiveModel = ActiveModelOf<Self>>;

    /// What a client sends to change a record.
    type Update: Payload<ActiveModel = ActiveModelOf<Self>>;

    /// What must be unique among all records, deleted ones included.
    #[must_use]
    fn unique() -> Vec<Unique<Self::Entity>> {
        Vec::new()
    }

    /// Completes a new record with what no client decides, such as its tenant or a generated key.
    fn before_store(_record: &mut ActiveModelOf<Self>, _context: &Context) {}

    /// Completes a changed record with what no client decides. Where another transaction was in the way, the change is
    /// tried again, and so is this.
    fn before_update(_record: &mut ActiveModelOf<Self>, _context: &Context) {}
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

/// A row of the resource's entity, to be written.
pub type ActiveModelOf<R> = <<R as Resource>::Entity as EntityTrait>::ActiveModel;

/// What can be done with a resource.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Operation {
    /// The list.
    Index,
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
            Self::Show => "show",
            Self::Store => "store",
            Self::Update => "update",
            Self::Destroy => "destroy",
            Self::ForceDestroy => "force_destroy",
            Self::Restore => "restore",
        }
    }
}
