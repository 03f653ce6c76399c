//! Reads one record within the same scope as lists, if it exists for the caller.

use sea_orm::sea_query::{Condition, Expr};
use sea_orm::{ColumnTrait, IdenStatic, Iterable, QuerySelect, Select};

use crate::check::{self, ColumnOf, Comparison, Predicate, Trashed, own};
use crate::define::{
    Context, EntityId, FieldSource, FilterValue, HasListing, Listings, Whitelist, WhitelistField,
};
use crate::envelope::{self, ShownRecord};
use crate::error::Error;
use crate::execute::{self, Reader};
use crate::plan;
use crate::request::{self, Request, RequestError};
use crate::sql::{self, Dialect};
use crate::vocabulary::{Kind, split_id};

impl Listings {
    /// The rows of an entity that exist for the caller: its scope, and its soft delete.
    ///
    /// # Errors
    /// When the entity's listing was not added.
    pub fn visible<E: HasListing>(
        &self,
        context: &Context,
        trashed: Trashed,
        dialect: Dialect,
    ) -> Result<Condition, Error> {
        Ok(visible(self.required::<E>()?, context, trashed, dialect))
    }

    /// The query with its columns in forms that SeaORM can read, whatever SQLite stores in them: SeaORM reads neither an integer
    /// in a column of decimals nor a moment that is stored as a number (b250, b610).
    ///
    /// # Errors
    /// When the entity's listing was not added.
    pub fn readable<E: HasListing>(
        &self,
        select: Select<E>,
        dialect: Dialect,
    ) -> Result<Select<E>, Error> {
        let entity = &self.required::<E>()?.entity;
        if dialect != Dialect::Sqlite {
            return Ok(select);
        }
        let columns = E::Column::iter();
        Ok(columns.fold(select.select_only(), |select, column| {
            // A column that the entity selects in its own way is left alone.
            let own = Expr::col((entity.name.to_string(), column));
            let meta = match column.select_as(own.clone()) == own {
                true => entity.column(column.as_str()),
                false => None,
            };
            let readable = meta.and_then(|at| sql::readable(ColumnOf::new(entity, at), dialect));
            match readable {
                Some(readable) => select.expr_as(readable, column.as_str()),
                None => select.column(column),
            }
        }))
    }

    /// The same for an entity that is known at run time only; `None` if it has no listing.
    #[must_use]
    pub fn visible_by_id(
        &self,
        entity: EntityId,
        context: &Context,
        trashed: Trashed,
        dialect: Dialect,
    ) -> Option<Condition> {
        self.by_id(entity)
            .map(|whitelist| visible(whitelist, context, trashed, dialect))
    }

    /// The record of that key as its listing shows it, as a JSON object; `None` if it does not exist for the caller, or if
    /// `trashed` excludes it.
    ///
    /// # Errors
    /// When the listing was not added, or the database does not answer.
    pub async fn record<E: HasListing>(
        &self,
        key: &RecordKey,
        context: &Context,
        trashed: Trashed,
        db: &impl Reader,
    ) -> Result<Option<Vec<u8>>, Error> {
        let asked = RecordRequest::default();
        let record = self.record_as::<E>(key, &asked, context, trashed, db);
        Ok(record.await?.map(ShownRecord::into_item))
    }

    /// The same with the requested fields and relations (d89).
    ///
    /// # Errors
    /// When the listing was not added, the request does not pass its whitelist, or the database does not answer.
    pub async fn record_as<E: HasListing>(
        &self,
        key: &RecordKey,
        asked: &RecordRequest,
        context: &Context,
        trashed: Trashed,
        db: &impl Reader,
    ) -> Result<Option<ShownRecord>, Error> {
        // Its name is in the error.
        self.required::<E>()?;
        let entity = EntityId::of::<E>();
        self.record_of(entity, key, asked, context, trashed, db)
            .await
    }

    /// The same for an entity that may be known at run time only.
    ///
    /// # Errors
    /// When the listing was not added, the request does not pass its whitelist, or the database does not answer.
    pub async fn record_of(
        &self,
        entity: EntityId,
        key: &RecordKey,
        asked: &RecordRequest,
        context: &Context,
        trashed: Trashed,
        db: &impl Reader,
    ) -> Result<Option<ShownRecord>, Error> {
        let whitelist = self.required_by_id(entity)?;
        let dialect = db.dialect()?;
        let checked = check::record(self, whitelist, &asked.0, context)?;
        let mut conditions = whitelist.has_key(key);
        conditions.push(own(whitelist, context, trashed));
        let predicate = Predicate::All(conditions);
        let plan = plan::record(self, whitelist, checked, predicate, context)?;
        let rows = execute::run(db, dialect, &plan, sql::render(&plan, dialect)).await?;
        Ok(envelope::record(&plan, &rows, asked.is_plain()))
    }

    /// The key that a path segment is; `None` if no record can have it.
    ///
    /// # Errors
    /// When the listing was not added.
    pub fn key<E: HasListing>(&self, text: &str) -> Result<Option<RecordKey>, Error> {
        Ok(self.required::<E>()?.record_key(text))
    }

    /// The same for an entity that may be known at run time only.
    ///
    /// # Errors
    /// When the listing was not added.
    pub fn key_of(&self, entity: EntityId, text: &str) -> Result<Option<RecordKey>, Error> {
        Ok(self.required_by_id(entity)?.record_key(text))
    }

    /// The condition that a row has this key, for a query of the application's own; `None` if the database cannot store such a
    /// number.
    ///
    /// # Errors
    /// When the listing was not added.
    pub fn has_key<E: HasListing>(
        &self,
        key: &RecordKey,
        dialect: Dialect,
    ) -> Result<Option<Condition>, Error> {
        let whitelist = self.required::<E>()?;
        let is_number = |value: &FilterValue| !matches!(value, FilterValue::UInt(_));
        if dialect != Dialect::Mysql && !key.0.iter().all(is_number) {
            return Ok(None);
        }
        let predicate = Predicate::All(whitelist.has_key(key));
        Ok(sql::expression(&predicate, dialect).map(|is_it| Condition::all().add(is_it)))
    }

    /// The same for any of several keys of an entity whose key is one column; `None` if it has several columns, too.
    ///
    /// # Errors
    /// When the listing was not added.
    pub fn has_one_of_keys<E: HasListing>(
        &self,
        keys: &[RecordKey],
        dialect: Dialect,
    ) -> Result<Option<Condition>, Error> {
        let whitelist = self.required::<E>()?;
        let values = keys.iter().flat_map(|key| key.0.iter().cloned());
        let values: Vec<_> = values.collect();
        let is_number = |value: &FilterValue| !matches!(value, FilterValue::UInt(_));
        let [key] = whitelist.key[..] else {
            return Ok(None);
        };
        if dialect != Dialect::Mysql && !values.iter().all(is_number) {
            return Ok(None);
        }
        let predicate = Predicate::OneOf {
            column: ColumnOf::new(&whitelist.entity, key),
            values,
            negated: false,
        };
        Ok(sql::expression(&predicate, dialect).map(|is_it| Condition::all().add(is_it)))
    }

    pub(crate) fn required_by_id(&self, entity: EntityId) -> Result<&Whitelist, Error> {
        self.by_id(entity).ok_or(Error::NotAdded {
            entity: "an entity that is known at run time",
        })
    }

    pub(crate) fn required<E: HasListing>(&self) -> Result<&Whitelist, Error> {
        self.of::<E>().ok_or_else(|| Error::NotAdded {
            entity: std::any::type_name::<E>(),
        })
    }
}

fn visible(
    whitelist: &Whitelist,
    context: &Context,
    trashed: Trashed,
    dialect: Dialect,
) -> Condition {
    let predicate = own(whitelist, context, trashed);
    let visible = sql::expression(&predicate, dialect);
    visible.map_or_else(Condition::all, |visible| Condition::all().add(visible))
}

impl Whitelist {
    fn record_key(&self, text: &str) -> Option<RecordKey> {
        let value = |part: &str, column: usize| {
            let kind = &self.entity.columns[column].kind;
            let value = FilterValue::parse(part, kind).ok()?;
            // `007` is not a second address of record 7, a day is not a moment, and no database holds a NUL in text.
            let canonical = *kind == Kind::Uuid || value.canonical() == part;
            let whole = !matches!(value, FilterValue::Day(_)) && !part.contains('\0');
            (canonical && whole).then_some(value)
        };
        if self.key.is_empty() {
            return None;
        }
        if let [key] = self.key[..] {
            return Some(RecordKey(vec![value(text, key)?]));
        }
        let parts = split_id(text, self.key.len())?;
        let values = parts.iter().zip(&self.key);
        let values: Option<_> = values.map(|(part, key)| value(part, *key)).collect();
        values.map(RecordKey)
    }

    /// The condition that a row has this key, column by column.
    pub(crate) fn has_key(&self, key: &RecordKey) -> Vec<Predicate<'_>> {
        let parts = self.key.iter().zip(&key.0);
        let is_it = parts.map(|(column, value)| Predicate::Compare {
            column: ColumnOf::new(&self.entity, *column),
            comparison: Comparison::Equal,
            value: value.clone(),
        });
        is_it.collect()
    }

    /// The columns of integers that are shown as text, and may be written as text (d93).
    #[must_use]
    pub fn integers_as_text(&self) -> Vec<String> {
        let fields = self.fields.iter().chain(&self.show);
        let columns = fields.filter_map(|field| match field.source {
            FieldSource::Column(column) if field.kind == Kind::IntegerText => Some(column),
            _ => None,
        });
        columns
            .map(|column| self.entity.columns[column].name.to_string())
            .collect()
    }

    /// Whether lists show the primary key as text, though it is an integer.
    #[must_use]
    pub fn shows_id_as_text(&self) -> bool {
        let of_key = |field: &WhitelistField| matches!(field.source, FieldSource::Column(column) if self.key == [column]);
        let mut fields = self.fields.iter();
        fields.any(|field| of_key(field) && field.kind == Kind::IntegerText)
    }

    /// The column that marks a row as deleted, if the entity opted in.
    #[must_use]
    pub fn soft_delete_column(&self) -> Option<&str> {
        self.soft_delete
            .map(|column| self.entity.columns[column].name.as_ref())
    }
}

/// The request for one record: `fields` and `populate`, as in a list (d89). By default, the fields of its listing.
#[derive(Debug, Clone, Default)]
pub struct RecordRequest(Request);

impl RecordRequest {
    /// Reads a query string, without its question mark.
    ///
    /// # Errors
    /// When the text cannot be understood, or has a parameter that only lists take.
    pub fn from_query(listings: &Listings, query: &str) -> Result<Self, RequestError> {
        let asked = request::parse_query(query, &listings.settings().bounds)?;
        match asked.of_lists() {
            Some(parameter) => Err(RequestError::ForLists { parameter }),
            None => Ok(Self(asked)),
        }
    }

    pub(crate) fn request(&self) -> &Request {
        &self.0
    }

    /// Whether neither fields nor relations were requested.
    pub(crate) fn is_plain(&self) -> bool {
        self.0.fields.is_none() && self.0.populate.is_none()
    }
}

/// The primary key of one record, typed: a value for each of its columns.
#[derive(Debug, Clone, PartialEq)]
pub struct RecordKey(Vec<FilterValue>);
