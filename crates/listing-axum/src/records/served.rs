//! What is known of a resource once its type is forgotten: which operations it has, and for whom.

use std::fmt;

use listing::{Context, EntityId, Listings, Name, Whitelist};

use super::access;
use super::payload_description::{self, PayloadFieldDescription};
use super::{Operation, Resource, Titles, WritableResource};

/// A resource as it is served.
#[derive(Clone)]
pub(crate) struct Served {
    /// The segment of its path.
    pub(crate) segment: Name,
    /// Its list's path.
    pub(crate) path: String,
    pub(crate) titles: Titles,
    /// The group of lists among which people find it.
    pub(crate) group: Option<Name>,
    /// Whose listing it has.
    pub(crate) entity: EntityId,
    /// Whether a caller may do this, as far as can be told without a record.
    pub(crate) may: fn(Operation, &Context) -> bool,
    /// What clients send, where they can send something.
    payload: Option<Payloads>,
    pub(crate) operations: Vec<ServedOperation>,
}

/// Tells what clients send to store and to update.
type Payloads =
    fn(Operation, &Listings, &dyn Fn(&Whitelist) -> String) -> Option<Vec<PayloadFieldDescription>>;

/// An operation of a resource.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ServedOperation {
    pub(crate) operation: Operation,
    /// Whether the application has its own handler: what it takes is not known.
    pub(crate) own: bool,
}

impl Served {
    pub(super) fn read<R: Resource>() -> Self {
        Self {
            segment: R::segment().into(),
            path: String::new(),
            titles: R::titles(),
            group: None,
            entity: EntityId::of::<R::Entity>(),
            may: access::may::<R>,
            payload: None,
            operations: Vec::new(),
        }
    }

    /// A table that everybody may read and nobody may write.
    pub(super) fn table(segment: &str, titles: Titles, entity: EntityId) -> Self {
        Self {
            segment: segment.to_owned().into(),
            path: String::new(),
            titles,
            group: None,
            entity,
            may: |operation, _| operation.is_read(),
            payload: None,
            operations: Vec::new(),
        }
    }

    pub(super) fn writable<R: WritableResource>(&mut self) {
        self.payload = Some(payload::<R>);
    }

    /// The same, with its list at a path.
    pub(super) fn at(self, path: &str) -> Self {
        Self {
            path: path.to_owned(),
            ..self
        }
    }

    /// Adds an operation, in the place of an earlier one.
    pub(super) fn add(&mut self, operation: Operation, own: bool) {
        self.remove(operation);
        self.operations.push(ServedOperation { operation, own });
    }

    pub(super) fn remove(&mut self, operation: Operation) {
        self.operations.retain(|known| known.operation != operation);
    }

    /// What clients send; none where there is nothing to send, or where the application reads it by itself.
    pub(crate) fn payload(
        &self,
        operation: Operation,
        listings: &Listings,
        name: &dyn Fn(&Whitelist) -> String,
    ) -> Option<Vec<PayloadFieldDescription>> {
        let served = self
            .operations
            .iter()
            .find(|known| known.operation == operation)?;
        if served.own {
            return None;
        }
        self.payload?(operation, listings, name)
    }
}

fn payload<R: WritableResource>(
    operation: Operation,
    listings: &Listings,
    name: &dyn Fn(&Whitelist) -> String,
) -> Option<Vec<PayloadFieldDescription>> {
    match operation {
        Operation::Store => Some(payload_description::describe::<R, R::Store>(listings, name)),
        Operation::Update => Some(payload_description::describe::<R, R::Update>(
            listings, name,
        )),
        _ => None,
    }
}

impl fmt::Debug for Served {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Served")
            .field("segment", &self.segment)
            .field("path", &self.path)
            .field("operations", &self.operations)
            .finish_non_exhaustive()
    }
}

impl PartialEq for Served {
    fn eq(&self, other: &Self) -> bool {
        let of = |served: &Self| {
            (
                served.segment.clone(),
                served.path.clone(),
                served.operations.clone(),
            )
        };
        of(self) == of(other)
    }
}

impl Eq for Served {}
