//! Finds the record that a path's `{id}` names, or answers 404 for any reason (contract 4.2 rule 1).

use std::convert::Infallible;

use axum::extract::{FromRef, FromRequestParts, RawPathParams};
use axum::http::request::Parts;
use listing::entity::EntityId;
use listing::{
    Context, Dialect, ExecuteError, HasListing, Listings, RecordKey, Trashed, WantedParts,
};
use sea_orm::sea_query::{Condition, Expr, Value};
use sea_orm::{
    ColumnTrait, ConnectionTrait, DatabaseConnection, DatabaseTransaction, DbErr, EntityTrait,
    FromQueryResult, IdenStatic, Iterable, PrimaryKeyToColumn, QueryFilter, QuerySelect,
    QueryTrait, RuntimeErr, Select, SqlxError,
};

use super::constraint::invalid;
use super::id::text_of;
use super::row::Row;
use super::{ModelOf, Resource};
use crate::http::{ApiError, RECORD};

/// Extracts the record that the path's `{id}` names, within the caller's scope. The answer is 404 if the record does not exist,
/// is soft-deleted or out of scope, or if the text cannot be an id.
#[derive(Debug)]
pub struct Bound<R: Resource>(pub ModelOf<R>);

impl<R, S> FromRequestParts<S> for Bound<R>
where
    R: Resource,
    Listings: FromRef<S>,
    DatabaseConnection: FromRef<S>,
    S: Send + Sync,
{
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let Ok(id) = PathId::from_request_parts(parts, state).await;
        let context = parts
            .extensions
            .get::<Context>()
            .cloned()
            .unwrap_or_default();
        let listings = Listings::from_ref(state);
        let db = DatabaseConnection::from_ref(state);
        let asked = Asked {
            id: &id,
            listings: &listings,
            context: &context,
        };
        let record = asked.find::<R::Entity>(&db, Trashed::Without).await?;
        Ok(Self(record))
    }
}

/// The path's `{id}`, decoded; `None` if it is not valid text. Extracting it never fails, because the caller is checked first.
/// The path can have other parameters, such as a tenant's.
#[derive(Debug, Clone, Default)]
pub(super) struct PathId(Option<String>);

impl<S: Send + Sync> FromRequestParts<S> for PathId {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Infallible> {
        let params = RawPathParams::from_request_parts(parts, state).await;
        let id = params.ok().and_then(|params| {
            let id = params.iter().find(|(name, _)| *name == "id");
            id.map(|(_, value)| value.to_owned())
        });
        Ok(Self(id))
    }
}

impl PathId {
    /// The id of a record that was just created, as clients know it.
    pub(super) fn of(id: &serde_json::Value) -> Self {
        Self(Some(text_of(id)))
    }

    /// The text; 404 if it is not valid text or begins with `_`. Such segments are reserved for addresses of the list itself
    /// (d108).
    pub(super) fn text(&self) -> Result<&str, ApiError> {
        let text = self.0.as_deref().filter(|text| !text.starts_with('_'));
        text.ok_or(ApiError::NotFound)
    }
}

/// The requested record and its caller.
#[derive(Clone, Copy)]
pub(super) struct Asked<'a> {
    pub(super) id: &'a PathId,
    pub(super) listings: &'a Listings,
    pub(super) context: &'a Context,
}

impl<'a> Asked<'a> {
    /// The key that the path names; 404 if it cannot be the key of a record.
    pub(super) fn key<E: HasListing>(&self) -> Result<RecordKey, ApiError> {
        let key = self.listings.key::<E>(self.id.text()?)?;
        key.ok_or(ApiError::NotFound)
    }

    pub(super) async fn find<E: HasListing>(
        &self,
        db: &impl ConnectionTrait,
        trashed: Trashed,
    ) -> Result<E::Model, ApiError> {
        let found = self.select::<E>(db, trashed)?.one(db).await;
        let record = found.map_err(|error| self.unreadable::<E>(error))?;
        record.ok_or(ApiError::NotFound)
    }

    /// The record, locked until the transaction ends, and the wanted parts of its row.
    pub(super) async fn lock<E: HasListing>(
        &self,
        transaction: &DatabaseTransaction,
        trashed: Trashed,
        wanted: WantedParts<'_>,
    ) -> Result<(E::Model, Row<'a>), ApiError> {
        let (own, dialect) = (E::Column::iter().count(), dialect_of(transaction)?);
        let parts = self
            .listings
            .row_parts::<E>(wanted, self.context, own, dialect)?;
        let mut select = self.select::<E>(transaction, trashed)?;
        for (at, part) in parts.selected().enumerate() {
            select = select.expr_as(part, format!("listing_{at}"));
        }
        let select = select.limit(1).lock_exclusive();
        let found = transaction.query_one(select.as_query()).await?;
        let row = found.ok_or(ApiError::NotFound)?;
        let record = E::Model::from_query_result(&row, "");
        let record = record.map_err(|error| self.unreadable::<E>(error))?;
        Ok((record, Row::new(parts, row)))
    }

    /// Selects the record that the path names, if it exists for the caller.
    fn select<E: HasListing>(
        &self,
        db: &impl ConnectionTrait,
        trashed: Trashed,
    ) -> Result<Select<E>, ApiError> {
        let dialect = dialect_of(db)?;
        let visible = self.listings.visible::<E>(self.context, trashed, dialect)?;
        let select = self.listings.readable::<E>(E::find(), dialect)?;
        Ok(select.filter(self.is_it::<E>(db)?).filter(visible))
    }

    /// The condition that matches the row that the path names.
    pub(super) fn is_it<E: HasListing>(
        &self,
        db: &impl ConnectionTrait,
    ) -> Result<Condition, ApiError> {
        let key = self.key::<E>()?;
        let is_it = self.listings.has_key::<E>(&key, dialect_of(db)?)?;
        is_it.ok_or(ApiError::NotFound)
    }

    /// Returns a separate error if the record exists but contains a value that its field cannot hold (b613).
    fn unreadable<E: EntityTrait>(&self, error: DbErr) -> ApiError {
        let is_of_value = match &error {
            DbErr::Query(RuntimeErr::SqlxError(error)) => {
                matches!(**error, SqlxError::ColumnDecode { .. })
            }
            DbErr::Type(_) | DbErr::TryIntoErr { .. } => true,
            _ => false,
        };
        if !is_of_value {
            return error.into();
        }
        ApiError::UnreadableRecord {
            table: E::default().table_name().to_owned(),
            id: self.id.0.clone().unwrap_or_default(),
            error,
        }
    }

    /// 422 if a record that was just written is outside the caller's own scope: callers may not give away what they could not
    /// take back. The transaction is not committed then. (A soft delete is allowed.)
    pub(super) async fn keep_in_scope<E: HasListing>(
        &self,
        key: Option<&[Value]>,
        db: &impl ConnectionTrait,
    ) -> Result<(), ApiError> {
        let dialect = dialect_of(db)?;
        let scope = self
            .listings
            .visible::<E>(self.context, Trashed::With, dialect)?;
        let Some(key) = key.filter(|_| !scope.is_empty()) else {
            return Ok(());
        };
        let seen = E::find()
            .select_only()
            .expr(Expr::cust("1"))
            .filter(has_key::<E>(key, self.listings, dialect))
            .filter(scope);
        if db.query_one(seen.as_query()).await?.is_some() {
            return Ok(());
        }
        let message = "This change would move the record out of your reach.".to_owned();
        Err(invalid(RECORD.to_owned(), message))
    }
}

pub(super) fn dialect_of(db: &impl ConnectionTrait) -> Result<Dialect, ApiError> {
    let dialect = Dialect::of(db.get_database_backend());
    Ok(dialect.ok_or_else(|| listing::Error::from(ExecuteError::UnknownDatabase))?)
}

/// The condition that matches the key of a record that SeaORM wrote, column by column.
pub(super) fn has_key<E: EntityTrait>(
    key: &[Value],
    listings: &Listings,
    dialect: Dialect,
) -> Condition {
    let columns = E::PrimaryKey::iter().map(PrimaryKeyToColumn::into_column);
    let parts = columns.zip(key);
    parts.fold(Condition::all(), |all, (column, value)| {
        all.add(holds::<E>(column, value.clone(), listings, dialect))
    })
}

/// The condition that a column holds a value that SeaORM would write, in any form in which it can be stored (b612).
pub(super) fn holds<E: EntityTrait>(
    column: E::Column,
    value: Value,
    listings: &Listings,
    dialect: Dialect,
) -> Expr {
    let entity = EntityId::of::<E>();
    let holds = listings.holds(entity, column.as_str(), value.clone(), dialect);
    holds.unwrap_or_else(|| column.eq(value))
}
