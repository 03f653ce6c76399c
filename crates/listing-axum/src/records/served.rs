//! Describes a resource without its type: its operations, and who may use them.

use std::fmt;
use std::future::ready;
use std::pin::Pin;

use listing::entity::{EntityId, Name};
use listing::whitelist::Whitelist;
use listing::{Context, Listings};
use sea_orm::DatabaseConnection;

use super::access;
use super::bulk;
use super::field_names::FieldNames;
use super::payload_description::{self, LinksDescription, PayloadFieldDescription};
use super::valid::form_of_names;
use super::{Operation, Resource, Titles, Unique, WritableResource, Writes};
use crate::http::ApiError;

/// A resource as it is served.
#[derive(Clone)]
pub(crate) struct Served {
    /// The segment of its path.
    pub(crate) segment: Name,
    /// Its list's path.
    pub(crate) path: String,
    pub(crate) titles: Titles,
    /// The group that its list belongs to.
    pub(crate) group: Option<Name>,
    /// The entity whose listing it serves.
    pub(crate) entity: EntityId,
    /// Whether a caller may do this, as far as it can be decided without a record.
    pub(crate) may: May,
    /// The payloads, if clients can send any.
    payload: Option<Payloads>,
    /// Whether an update must name the version of the record.
    requires_if_match: bool,
    /// Whether a repeated request with the same key has no further effect.
    pub(crate) remembers_keys: bool,
    /// Whether its changes are events.
    #[cfg(feature = "webhooks")]
    pub(crate) has_events: bool,
    /// How to write many records at once, if the resource opts in.
    bulk: Option<Bulk>,
    pub(crate) operations: Vec<ServedOperation>,
    /// The addresses of its list's numbers: `facets`, `groups`.
    pub(crate) numbers: Vec<&'static str>,
}

/// How many records of a resource can be written at once.
#[derive(Clone)]
struct Bulk {
    upsert_by: fn(&Listings) -> Vec<String>,
    upserts: bool,
}

/// Decides about one operation, possibly with the database.
pub(crate) type May =
    for<'a> fn(
        Operation,
        &'a Context,
        &'a DatabaseConnection,
    ) -> Pin<Box<dyn Future<Output = Result<bool, ApiError>> + Send + 'a>>;

/// The fields that clients send to create and to update a record.
type Payloads = fn(Operation, &Listings, &dyn Fn(&Whitelist) -> String) -> Option<SentFields>;

/// The columns and relations that clients send.
pub(crate) type SentFields = (Vec<PayloadFieldDescription>, Vec<LinksDescription>);

/// An operation of a resource.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ServedOperation {
    pub(crate) operation: Operation,
    /// Whether the application has its own handler, whose payload is not known.
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
            may: |operation, context, db| Box::pin(access::may::<R>(operation, context, db)),
            payload: None,
            requires_if_match: false,
            remembers_keys: false,
            #[cfg(feature = "webhooks")]
            has_events: false,
            bulk: None,
            operations: Vec::new(),
            numbers: Vec::new(),
        }
    }

    /// A table that every caller may read and no caller may write.
    pub(super) fn table(segment: &str, titles: Titles, entity: EntityId) -> Self {
        Self {
            segment: segment.to_owned().into(),
            path: String::new(),
            titles,
            group: None,
            entity,
            may: |operation, _, _| Box::pin(ready(Ok(operation.is_read()))),
            payload: None,
            requires_if_match: false,
            remembers_keys: false,
            #[cfg(feature = "webhooks")]
            has_events: false,
            bulk: None,
            operations: Vec::new(),
            numbers: Vec::new(),
        }
    }

    pub(super) fn writable<R: WritableResource>(&mut self) {
        self.payload = Some(payload::<R>);
        self.requires_if_match = R::require_if_match();
        self.remembers_keys = R::idempotency().is_some();
        #[cfg(feature = "webhooks")]
        {
            self.has_events = R::events().is_some();
        }
        self.bulk = R::BULK.then_some(Bulk {
            upsert_by: |listings| {
                let names = FieldNames::of::<R::Store>(form_of_names::<R::Entity>(listings));
                let key = R::upsert_by();
                let columns = key.iter().flat_map(Unique::names);
                let sent = columns.filter(|column| names.has(column));
                sent.map(|column| names.shown(column).into_owned())
                    .collect()
            },
            upserts: R::upsert_by().is_some(),
        });
    }

    /// Whether an update with our handler must name the version of the record.
    pub(crate) fn requires_if_match(&self, operation: Operation) -> bool {
        let is_read = operation.is_read() || operation == Operation::History;
        let is_change = !is_read && operation != Operation::Store;
        self.requires_if_match && is_change && self.has_ours(operation)
    }

    /// Whether an operation uses our handler rather than one of the application's own.
    pub(crate) fn has_ours(&self, operation: Operation) -> bool {
        let ours = ServedOperation {
            operation,
            own: false,
        };
        self.operations.contains(&ours)
    }

    /// The members of a `_bulk` request that `may` allows; empty if there is no such endpoint.
    pub(crate) fn bulk_items(&self, may: &dyn Fn(Operation) -> bool) -> Vec<&'static str> {
        let Some(bulk) = &self.bulk else {
            return Vec::new();
        };
        let writes = Writes::new(|operation| self.has_ours(operation));
        let items = bulk::NAMES.into_iter().filter(|name| {
            let mut needed = bulk::operations(name).iter();
            needed.all(|operation| writes.has(*operation) && may(*operation))
        });
        items
            .filter(|name| *name != "upsert" || bulk.upserts)
            .collect()
    }

    /// The names of the fields by which `upsert` finds records.
    pub(crate) fn upsert_by(&self, listings: &Listings) -> Vec<String> {
        let bulk = self.bulk.as_ref();
        bulk.map(|bulk| (bulk.upsert_by)(listings))
            .unwrap_or_default()
    }

    /// The writes of single records that an endpoint for many records can do; `None` if it does not exist. Writing by filter
    /// needs our list, because only a custom handler knows which rows it shows.
    pub(crate) fn many(&self, by_filter: Option<Operation>) -> Option<Writes> {
        self.bulk.as_ref()?;
        let writes = Writes::new(|operation| self.has_ours(operation));
        let is_served = match by_filter {
            None => !writes.is_empty(),
            // A client cannot name the versions of records that a filter matches.
            Some(operation) => {
                writes.has(operation) && self.has_ours(Operation::Index) && !self.requires_if_match
            }
        };
        is_served.then_some(writes)
    }

    /// The same resource, with its list at this path.
    pub(super) fn at(self, path: &str) -> Self {
        Self {
            path: path.to_owned(),
            ..self
        }
    }

    /// Adds an operation, replacing an earlier one.
    pub(super) fn add(&mut self, operation: Operation, own: bool) {
        self.remove(operation);
        self.operations.push(ServedOperation { operation, own });
    }

    pub(super) fn remove(&mut self, operation: Operation) {
        self.operations.retain(|known| known.operation != operation);
    }

    /// The fields that clients send; `None` if there are none, or if the application reads the body itself.
    pub(crate) fn payload(
        &self,
        operation: Operation,
        listings: &Listings,
        name: &dyn Fn(&Whitelist) -> String,
    ) -> Option<SentFields> {
        if !self.has_ours(operation) {
            return None;
        }
        self.payload?(operation, listings, name)
    }
}

fn payload<R: WritableResource>(
    operation: Operation,
    listings: &Listings,
    name: &dyn Fn(&Whitelist) -> String,
) -> Option<SentFields> {
    match operation {
        Operation::Store => Some((
            payload_description::describe::<R, R::Store>(listings, name),
            payload_description::links::<R, R::Store>(listings, name),
        )),
        Operation::Update => Some((
            payload_description::describe::<R, R::Update>(listings, name),
            payload_description::links::<R, R::Update>(listings, name),
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
