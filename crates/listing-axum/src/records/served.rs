//! What is known of a resource once its type is forgotten: which operations it has, and for whom.

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
    /// The group of lists among which people find it.
    pub(crate) group: Option<Name>,
    /// Whose listing it has.
    pub(crate) entity: EntityId,
    /// Whether a caller may do this, as far as can be told without a record.
    pub(crate) may: May,
    /// What clients send, where they can send something.
    payload: Option<Payloads>,
    /// Whether a change must say which version of the record it is about.
    requires_if_match: bool,
    /// Whether a repeated request is carried out once.
    pub(crate) remembers_keys: bool,
    /// How many records are written at once, if the resource opts in.
    bulk: Option<Bulk>,
    pub(crate) operations: Vec<ServedOperation>,
    /// The addresses of its list's numbers: `facets`, `groups`.
    pub(crate) numbers: Vec<&'static str>,
}

/// How many records of a resource are written at once.
#[derive(Clone)]
struct Bulk {
    upsert_by: fn(&Listings) -> Vec<String>,
    upserts: bool,
}

/// Decides about one operation, and may ask the database.
pub(crate) type May =
    for<'a> fn(
        Operation,
        &'a Context,
        &'a DatabaseConnection,
    ) -> Pin<Box<dyn Future<Output = Result<bool, ApiError>> + Send + 'a>>;

/// Tells what clients send to store and to update.
type Payloads = fn(Operation, &Listings, &dyn Fn(&Whitelist) -> String) -> Option<SentFields>;

/// The columns and the relations that clients send.
pub(crate) type SentFields = (Vec<PayloadFieldDescription>, Vec<LinksDescription>);

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
            may: |operation, context, db| Box::pin(access::may::<R>(operation, context, db)),
            payload: None,
            requires_if_match: false,
            remembers_keys: false,
            bulk: None,
            operations: Vec::new(),
            numbers: Vec::new(),
        }
    }

    /// A table that everybody may read and no caller may write.
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
            bulk: None,
            operations: Vec::new(),
            numbers: Vec::new(),
        }
    }

    pub(super) fn writable<R: WritableResource>(&mut self) {
        self.payload = Some(payload::<R>);
        self.requires_if_match = R::require_if_match();
        self.remembers_keys = R::idempotency().is_some();
        self.bulk = R::bulk().then_some(Bulk {
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

    /// Whether a change by our handlers must say which version of the record it is about.
    pub(crate) fn requires_if_match(&self, operation: Operation) -> bool {
        let is_change = !operation.is_read() && operation != Operation::Store;
        self.requires_if_match && is_change && self.has_ours(operation)
    }

    /// Whether an operation is served by our handler, and not by one of the application's own.
    pub(crate) fn has_ours(&self, operation: Operation) -> bool {
        let ours = ServedOperation {
            operation,
            own: false,
        };
        self.operations.contains(&ours)
    }

    /// What a request for `_bulk` can have, as far as `may` allows it; nothing where there is no such endpoint.
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

    /// The writes of single records that one of the endpoints for many can do; `None` if it is not served. By filter, that takes our
    /// list: only the application's own handler knows which rows another one shows.
    pub(crate) fn many(&self, by_filter: Option<Operation>) -> Option<Writes> {
        self.bulk.as_ref()?;
        let writes = Writes::new(|operation| self.has_ours(operation));
        let is_served = match by_filter {
            None => !writes.is_empty(),
            // Versions of records that are found by a filter cannot be named.
            Some(operation) => {
                writes.has(operation) && self.has_ours(Operation::Index) && !self.requires_if_match
            }
        };
        is_served.then_some(writes)
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

    /// What clients send; `None` if there is nothing to send, or if the application reads the body itself.
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
