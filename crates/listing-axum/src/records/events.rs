//! Defines which changes of a resource become events, and their content (d129).

use std::fmt;

use listing::Context;
use sea_orm::sea_query::sea_value_to_json_value;
use sea_orm::{ActiveModelTrait, ActiveValue, IntoActiveModel, Iterable};
use serde_json::Map;

use super::hooks::Change;
use super::outbox::Event;
use super::resource::{ColumnOf, WritableResource};
use super::stamp::now;
use crate::http::RequestId;

/// The content of a resource's events, besides the operation, the record and the names of the changed fields.
#[must_use = "return it from `WritableResource::events`"]
pub struct Events<R: WritableResource> {
    values: Vec<ColumnOf<R>>,
    caller: fn(&Context) -> Option<String>,
}

impl<R: WritableResource> Events<R> {
    /// Events without values and without a caller.
    pub fn new() -> Self {
        Self {
            values: Vec::new(),
            caller: |_| None,
        }
    }

    /// Adds the values of these columns after the change, as far as they were written or read. Everyone who receives the events
    /// sees them, whatever else they may read.
    pub fn values(mut self, columns: impl IntoIterator<Item = ColumnOf<R>>) -> Self {
        self.values = columns.into_iter().collect();
        self
    }

    /// The same with the caller, as the request's context knows it:
    /// `.caller(|context| Some(context.get::<CurrentUser>()?.name.clone()))`.
    pub fn caller(mut self, name: fn(&Context) -> Option<String>) -> Self {
        self.caller = name;
        self
    }
}

impl<R: WritableResource> Default for Events<R> {
    fn default() -> Self {
        Self::new()
    }
}

impl<R: WritableResource> fmt::Debug for Events<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Events")
            .field("values", &self.values)
            .finish_non_exhaustive()
    }
}

/// The event of a change that is written, if the resource has events.
pub(super) fn of<R: WritableResource>(change: &Change<'_, R>) -> Option<Event> {
    let events = R::events()?;
    let values = events.values.iter().filter_map(|column| {
        let value = value_of(change.record.get(*column))?;
        Some((change.shown(*column), sea_value_to_json_value(&value)))
    });
    let request_id = change.context().get::<RequestId>();
    Some(Event {
        id: 0,
        resource: R::segment().to_owned(),
        record: change.id().cloned().unwrap_or_default(),
        operation: change.operation(),
        changed: changed(change),
        values: Map::from_iter(values),
        caller: (events.caller)(change.context()),
        request_id: request_id.map(|RequestId(id)| id.clone()),
        at: now(),
        attempts: 0,
    })
}

/// The columns whose values differ from the earlier ones, and the relations whose links were written.
fn changed<R: WritableResource>(change: &Change<'_, R>) -> Vec<String> {
    let old = change.before().map(|old| old.clone().into_active_model());
    let columns = ColumnOf::<R>::iter().filter(|column| {
        let ActiveValue::Set(value) = change.record.get(*column) else {
            return false;
        };
        let before = old.as_ref().and_then(|old| value_of(old.get(*column)));
        before != Some(value)
    });
    let columns = columns.map(|column| change.shown(column));
    columns.chain(change.linked().iter().cloned()).collect()
}

fn value_of<V: Into<sea_orm::Value>>(value: ActiveValue<V>) -> Option<V> {
    match value {
        ActiveValue::Set(value) | ActiveValue::Unchanged(value) => Some(value),
        ActiveValue::NotSet => None,
    }
}
