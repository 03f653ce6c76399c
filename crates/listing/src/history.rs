//! The parts of a listing that the history of records uses: values of visible columns, and pages of changes (d131).

use std::fmt;

use sea_orm::DbErr;
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

use crate::check::{self, CheckedRecord, Page, Predicate};
use crate::define::{Context, FieldSource, HasListing, Listings, Whitelist, WhitelistField};
use crate::envelope;
use crate::error::Error;
use crate::execute::{self, ExecuteError, Reader};
use crate::plan;
use crate::record::RecordKey;
use crate::request;
use crate::sql;

/// How many records one statement reads: SQLite limits how deep conditions are.
const RECORDS_AT_ONCE: usize = 100;

/// The values that a record has in the columns that its listing shows, by the names of the columns.
#[derive(Debug, Clone)]
pub struct RecordValues {
    /// The record's `id`, as text.
    pub id: String,
    /// In the order of definition, each in the form in which lists show it.
    pub values: Vec<(String, Box<RawValue>)>,
}

impl RecordValues {
    /// Reads a record as it is rendered.
    pub(crate) fn of_json(item: &[u8]) -> Result<Self, Error> {
        serde_json::from_slice(item).map_err(|error| unreadable(&error))
    }
}

impl Listings {
    /// The values of the records with these keys, independent of the caller: what is stored is not what a caller sees. Missing
    /// records are left out.
    ///
    /// # Errors
    /// When the listing was not added, or the database does not answer.
    pub async fn values_of<E: HasListing>(
        &self,
        keys: &[RecordKey],
        db: &impl Reader,
    ) -> Result<Vec<RecordValues>, Error> {
        let whitelist = self.required::<E>()?;
        let mut found = Vec::with_capacity(keys.len());
        for keys in keys.chunks(RECORDS_AT_ONCE) {
            found.extend(self.some_values(whitelist, keys, db).await?);
        }
        Ok(found)
    }

    async fn some_values(
        &self,
        whitelist: &Whitelist,
        keys: &[RecordKey],
        db: &impl Reader,
    ) -> Result<Vec<RecordValues>, Error> {
        let dialect = db.dialect()?;
        let keys = keys
            .iter()
            .map(|key| Predicate::All(whitelist.has_key(key)));
        let predicate = Predicate::Any(keys.collect());
        let columns = whitelist.recorded_columns();
        let context = Context::default();
        let nothing = CheckedRecord::default();
        let mut plan = plan::record(self, whitelist, nothing, predicate, &context)?;
        plan.columns = plan::of_fields(self, &whitelist.entity, columns.iter(), &context)?;
        plan.page = Page::Offset {
            start: 0,
            limit: RECORDS_AT_ONCE as u64,
        };
        let rows = execute::run(db, dialect, &plan, sql::render(&plan, dialect)).await?;
        let values = envelope::plain_items(&rows);
        values.map(|item| RecordValues::of_json(&item)).collect()
    }

    /// The part of a record's history that a query string asks for.
    ///
    /// # Errors
    /// When the listing was not added, or the text asks for anything but a page.
    pub fn history_page<E: HasListing>(&self, query: &str) -> Result<Page, Error> {
        let whitelist = self.required::<E>()?;
        let asked = request::parse_history_query(query, &self.settings().bounds)?;
        Ok(check::fitted(whitelist, asked))
    }
}

impl Whitelist {
    /// `id`, and every plain column that lists or records show, under its own name.
    pub(crate) fn recorded_columns(&self) -> &[WhitelistField] {
        self.recorded.get_or_init(|| {
            let id = self.fields.first().cloned();
            let columns = self.plain_fields().into_iter().map(|(name, field)| {
                let alias = name.to_owned();
                WhitelistField {
                    alias,
                    ..field.clone()
                }
            });
            id.into_iter().chain(columns).collect()
        })
    }

    /// The columns that lists or records show, each with the name under which they do.
    pub fn shown_columns(&self) -> impl Iterator<Item = (&str, &str)> {
        let columns = self.plain_fields().into_iter();
        columns.map(|(name, field)| (name, field.alias.as_str()))
    }

    /// The relations that can be populated: the entity's name of each, and that of clients.
    pub fn shown_relations(&self) -> impl Iterator<Item = (&str, &str)> {
        let relations = self.relations.iter();
        relations.map(|relation| (&*relation.meta.name, relation.name.as_str()))
    }

    /// The fields with a column, once for each column. `id` is in the address of a history.
    fn plain_fields(&self) -> Vec<(&str, &WhitelistField)> {
        let mut columns: Vec<(&str, &WhitelistField)> = Vec::new();
        let fields = self.fields.iter().skip(1);
        for field in fields.chain(self.show.iter().skip(1)) {
            let FieldSource::Column(column) = field.source else {
                continue;
            };
            let name = &*self.entity.columns[column].name;
            if columns.iter().all(|(known, _)| *known != name) {
                columns.push((name, field));
            }
        }
        columns
    }
}

fn unreadable(error: &serde_json::Error) -> Error {
    ExecuteError::from(DbErr::Json(error.to_string())).into()
}

impl<'de> Deserialize<'de> for RecordValues {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Values)
    }
}

/// Reads a record as it is rendered: its `id`, then its columns, one of which can be called `id` too.
struct Values;

impl<'de> Visitor<'de> for Values {
    type Value = RecordValues;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a record")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<RecordValues, A::Error> {
        let id = members.next_entry::<String, serde_json::Value>()?;
        let id = match id.map(|(_, id)| id).unwrap_or_default() {
            serde_json::Value::String(text) => text,
            other => other.to_string(),
        };
        let mut values = Vec::with_capacity(members.size_hint().unwrap_or_default());
        while let Some(value) = members.next_entry()? {
            values.push(value);
        }
        Ok(RecordValues { id, values })
    }
}
