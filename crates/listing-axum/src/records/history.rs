//! Records the changes of a resource's records, in the transaction of each change (d131).

use std::collections::{BTreeMap, HashMap};
use std::fmt;

use listing::{Context, Listings, RecordValues};
use sea_orm::sea_query::{InsertStatement, Query};
use sea_orm::{DatabaseTransaction, EntityName};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::digest::digest;
use super::hooks::Change;
use super::resource::{Operation, Resource, WritableResource};
use super::stamp::now;
use super::writes::soft_delete_column;
use crate::http::ApiError;

pub(super) const TABLE: &str = "listing_history";

/// The most changes that one statement writes. SQLite allows 32,766 values.
const CHANGES_AT_ONCE: usize = 1_000;

/// Enables the history of a resource's records, and says what it holds besides old and new values. A migration creates its table
/// with [`HistoryTable`](listing::migration::HistoryTable).
///
/// ```
/// use listing_axum::History;
///
/// #[derive(Debug)]
/// struct User { name: String }
///
/// let history = History::new().caller(|context| Some(context.get::<User>()?.name.clone()));
/// # let _ = history;
/// ```
#[derive(Clone, Copy)]
#[must_use = "return it from `WritableResource::history`"]
pub struct History {
    caller: fn(&Context) -> Option<String>,
}

impl History {
    /// A history that does not record callers.
    pub fn new() -> Self {
        Self { caller: |_| None }
    }

    /// Also records the caller, taken from the request's context. Everyone who may read the history sees it.
    pub fn caller(mut self, name: fn(&Context) -> Option<String>) -> Self {
        self.caller = name;
        self
    }
}

impl Default for History {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for History {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("History").finish_non_exhaustive()
    }
}

/// Whether a change begins or ends a record's life. Another record can have the same key afterwards.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Edge {
    Within = 0,
    First = 1,
    Last = 2,
}

impl From<Edge> for i32 {
    fn from(edge: Edge) -> Self {
        edge as Self
    }
}

/// Values by column name. Column names stay the same when fields are renamed.
pub(super) type Values = BTreeMap<String, Box<RawValue>>;

/// A change, as it is stored.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Entry {
    pub(super) operation: String,
    pub(super) at: String,
    pub(super) caller: Option<String>,
    /// The old values of what has changed; `None` for a new record.
    pub(super) old: Option<Values>,
    /// The new values of the same columns; `None` for a deleted record.
    pub(super) new: Option<Values>,
    /// The relations whose links were changed.
    pub(super) linked: Vec<String>,
}

/// The key of a record in the table.
pub(super) fn record_key<R: Resource>(id: &str) -> String {
    let entity = R::Entity::default();
    let schema = entity.schema_name().unwrap_or_default();
    digest(&[schema, entity.table_name(), id].map(str::as_bytes))
}

/// The mark of a change to a relation's links. The mark of a column is its name.
pub(super) fn mark_of_relation(name: &str) -> String {
    format!("@{name}")
}

/// Marks a change that is shown whatever it contains.
pub(super) const MARK_OF_ALL: &str = "*";

/// Joins marks as they are stored, so that each of them can be searched for.
pub(super) fn marks(marks: &[String]) -> String {
    format!(",{},", marks.join(","))
}

/// The records of these changes as they are now, by their ids, if the resource has a history.
async fn by_id<'c, 'a: 'c, R: WritableResource>(
    changes: impl Iterator<Item = &'c Change<'a, R>>,
    listings: &Listings,
    db: &DatabaseTransaction,
) -> Result<HashMap<String, RecordValues>, ApiError> {
    if R::history().is_none() {
        return Ok(HashMap::new());
    }
    let keys = changes.map(|change| listings.key::<R::Entity>(&change.id_text()));
    let keys: Vec<_> = keys
        .filter_map(Result::transpose)
        .collect::<Result<_, _>>()?;
    let found = listings.values_of::<R::Entity>(&keys, db).await?;
    let found = found.into_iter();
    Ok(found.map(|record| (record.id.clone(), record)).collect())
}

/// Remembers the records as they are before they are written.
pub(super) async fn remember<R: WritableResource>(
    changes: &mut [Change<'_, R>],
    listings: &Listings,
    db: &DatabaseTransaction,
) -> Result<(), ApiError> {
    let mut found = by_id::<R>(changes.iter(), listings, db).await?;
    for change in changes {
        let was = found.remove(&change.id_text());
        change.showed(was);
    }
    Ok(())
}

/// The statements that store the changes, if the resource has a history. Their records are already written.
pub(super) async fn lines<R: WritableResource>(
    changes: &[&Change<'_, R>],
    listings: &Listings,
    db: &DatabaseTransaction,
) -> Result<Vec<InsertStatement>, ApiError> {
    let Some(history) = R::history() else {
        return Ok(Vec::new());
    };
    let is_soft = soft_delete_column::<R>(listings).is_some();
    let is_gone = |change: &Change<'_, R>| match change.operation() {
        Operation::ForceDestroy => true,
        operation => operation == Operation::Destroy && !is_soft,
    };
    let is_unknown = |change: &&Change<'_, R>| change.is().is_none() && !is_gone(change);
    let there = changes.iter().copied().filter(is_unknown);
    let mut found = by_id::<R>(there, listings, db).await?;
    let entries = changes.iter().filter_map(|change| {
        let edge = match change.operation() {
            Operation::Store => Edge::First,
            _ if is_gone(change) => Edge::Last,
            _ => Edge::Within,
        };
        let read = found.remove(&change.id_text());
        let new = change.is().or(read.as_ref());
        let id = change.was().or(new).map(|record| &record.id);
        let record = record_key::<R>(id?);
        let (names, entry) = entry(change, new, history)?;
        let body = serde_json::to_string(&entry).map_err(ApiError::internal);
        Some(body.map(|body| (record, edge, names, body)))
    });
    let entries: Vec<_> = entries.collect::<Result<_, _>>()?;
    let moment = now().timestamp();
    let inserts = entries.chunks(CHANGES_AT_ONCE).map(|entries| {
        let mut insert = Query::insert();
        insert
            .into_table(TABLE)
            .columns(["record", "edge", "written_at", "names", "body"]);
        for (record, edge, names, body) in entries {
            insert.values_panic([
                record.as_str().into(),
                i32::from(*edge).into(),
                moment.into(),
                names.as_str().into(),
                body.as_str().into(),
            ]);
        }
        insert
    });
    Ok(inserts.collect())
}

/// The entry of a change and its marks; `None` for an update that changed no visible value.
fn entry<R: WritableResource>(
    change: &Change<'_, R>,
    new: Option<&RecordValues>,
    history: History,
) -> Option<(String, Entry)> {
    let old = change.was();
    let of = |record: Option<&RecordValues>, other: Option<&RecordValues>| -> Option<Values> {
        let values = record?.values.iter();
        let differs = |(name, value): &&(String, Box<RawValue>)| {
            let mut others = other.into_iter().flat_map(|other| &other.values);
            !others.any(|(known, other)| known == name && other.get() == value.get())
        };
        Some(values.filter(differs).cloned().collect())
    };
    let (old, new) = (of(old, new), of(new, old));
    let mut names = vec![MARK_OF_ALL.to_owned()];
    if change.operation() == Operation::Update {
        let columns = new.iter().flatten().map(|(name, _)| name.clone());
        let linked = change.linked().iter().map(|name| mark_of_relation(name));
        names = columns.chain(linked).collect();
        if names.is_empty() {
            return None;
        }
    }
    let entry = Entry {
        operation: change.operation().name().to_owned(),
        at: now().format("%Y-%m-%dT%H:%M:%S%.6fZ").to_string(),
        caller: (history.caller)(change.context()),
        old,
        new,
        linked: change.linked().to_vec(),
    };
    Some((marks(&names), entry))
}
