//! Looks for duplicates of unique values before a record is written (d58).

use listing::entity::EntityId;
use listing::reply::FieldErrors;
use listing::{Dialect, Listings};
use sea_orm::sea_query::{Condition, Value};
use sea_orm::{
    ActiveModelTrait, ActiveValue, ConnectionTrait, DbBackend, DbErr, EntityTrait, IdenStatic,
    Iterable, PrimaryKeyToColumn, QueryFilter, QuerySelect, Schema,
};

use super::bind::{has_key, holds};
use super::field_names::FieldNames;

/// Columns whose combination of values is unique. The database's own unique index decides. This check comes first, for a friendly
/// message.
#[derive(Debug, Clone)]
#[must_use = "return it from `WritableResource::unique`"]
pub struct Unique<E: EntityTrait> {
    columns: Vec<E::Column>,
}

impl<E: EntityTrait> Unique<E> {
    /// Every column that the entity marks as `unique`.
    #[must_use]
    pub fn declared() -> Vec<Self> {
        let schema = Schema::new(DbBackend::Sqlite);
        E::Column::iter()
            .filter(|column| {
                let declared = schema.get_column_def::<E>(*column);
                declared.get_column_spec().unique
            })
            .map(Self::column)
            .collect()
    }

    /// One column, unique among all records of all scopes.
    pub fn column(column: E::Column) -> Self {
        Self {
            columns: vec![column],
        }
    }

    /// Makes it unique only within the same value of another column, such as the tenant's. The message names the first column.
    pub fn within(mut self, column: E::Column) -> Self {
        self.columns.push(column);
        self
    }

    fn name(&self) -> &'static str {
        self.columns.first().map_or("", |column| column.as_str())
    }

    /// Every column that it covers.
    pub(super) fn names(&self) -> impl Iterator<Item = &'static str> {
        self.columns.iter().map(|column| column.as_str())
    }

    /// The field and the message about it.
    pub(super) fn taken(&self, names: FieldNames) -> (String, String) {
        let name = names.shown(self.name());
        (name.to_string(), Self::message(&name))
    }

    /// The message, which reveals nothing about the other record.
    pub(super) fn message(name: &str) -> String {
        format!("{name} has already been taken.")
    }

    /// The condition that a record has the values that were sent. Columns that clients do not send are left out, because the
    /// caller's scope determines them. `None` if a value is missing or null.
    pub(super) fn sent(
        &self,
        record: &E::ActiveModel,
        names: FieldNames,
        listings: &Listings,
        dialect: Dialect,
    ) -> Option<Condition> {
        let mut columns = self
            .columns
            .iter()
            .filter(|column| names.has(column.as_str()));
        let same = columns.try_fold(Condition::all(), |same, column| match record.get(*column) {
            ActiveValue::Set(value) if !is_null(&value) => {
                Some(same.add(holds::<E>(*column, value, listings, dialect)))
            }
            _ => None,
        });
        same.filter(|same| !same.is_empty())
    }

    /// Whether the database has an index that enforces this rule.
    pub(super) fn is_kept_by_index(&self, listings: &Listings) -> bool {
        let columns: Vec<_> = self.names().collect();
        listings.keeps_unique(EntityId::of::<E>(), &columns)
    }

    /// Whether another record has these values. Nulls are never equal.
    async fn is_taken(
        &self,
        record: &E::ActiveModel,
        except: Option<&[Value]>,
        listings: &Listings,
        db: &impl ConnectionTrait,
    ) -> Result<bool, DbErr> {
        let Some(dialect) = Dialect::of(db.get_database_backend()) else {
            return Ok(false);
        };
        // A value that stays the same was checked when it was written.
        let is_set = |column: &E::Column| matches!(record.get(*column), ActiveValue::Set(_));
        if !self.columns.iter().any(is_set) {
            return Ok(false);
        }
        let mut same = Condition::all();
        for column in &self.columns {
            match record.get(*column) {
                ActiveValue::Set(value) | ActiveValue::Unchanged(value) if !is_null(&value) => {
                    same = same.add(holds::<E>(*column, value, listings, dialect));
                }
                _ => return Ok(false),
            }
        }
        let Some(key) = E::PrimaryKey::iter()
            .next()
            .map(PrimaryKeyToColumn::into_column)
        else {
            return Ok(false);
        };
        if let Some(except) = except {
            same = same.add(has_key::<E>(except, listings, dialect).not());
        }
        let other = E::find().select_only().column(key).filter(same).limit(1);
        Ok(db
            .query_one(sea_orm::QueryTrait::as_query(&other))
            .await?
            .is_some())
    }
}

/// Adds a message for each value that is taken.
pub(super) async fn check<'r, E: EntityTrait>(
    rules: impl Iterator<Item = &'r Unique<E>>,
    record: &E::ActiveModel,
    except: Option<&[Value]>,
    names: FieldNames,
    listings: &Listings,
    db: &impl ConnectionTrait,
    errors: &mut FieldErrors,
) -> Result<(), DbErr>
where
    Unique<E>: 'r,
{
    for rule in rules {
        let (field, message) = rule.taken(names);
        // A value with an error is not checked.
        let is_wrong = rule
            .names()
            .any(|column| errors.contains_key(&*names.shown(column)));
        if !is_wrong && rule.is_taken(record, except, listings, db).await? {
            errors.entry(field).or_default().push(message);
        }
    }
    Ok(())
}

fn is_null(value: &Value) -> bool {
    *value == value.as_null()
}
