//! Writes the row of a record, and finds out what it is afterwards.

use listing::entity::EntityId;
use listing::{RowParts, WantedParts};
use sea_orm::sea_query::{IntoValueTuple, Query, Value};
use sea_orm::{
    ColumnTrait, ConnectionTrait, DatabaseTransaction, DbErr, EntityName, EntityTrait, IdenStatic,
    Iterable, PrimaryKeyToColumn, PrimaryKeyTrait, QueryFilter, QuerySelect, QueryTrait,
};

use super::bind::{Asked, dialect_of};
use super::hooks::Change;
use super::resource::{ActiveModelOf, Resource, WritableResource};
use super::returning::Returning;
use super::row::Row;
use super::stored;
use super::write::undone;
use crate::http::ApiError;

type KeyOf<R> =
    <<<R as Resource>::Entity as EntityTrait>::PrimaryKey as PrimaryKeyTrait>::ValueType;

/// The row after it is written and its hooks have run. `None` if nothing of it is needed, or if a hook may have changed what the
/// caller sees of it.
pub(super) async fn after<'a, R: WritableResource>(
    change: &Change<'_, R>,
    returned: Option<Row<'a>>,
    returning: &Returning,
    asked: &Asked<'a>,
    transaction: &DatabaseTransaction,
) -> Result<Option<Row<'a>>, ApiError> {
    if change.has_asked_db() {
        return Ok(None);
    }
    // The database may change a row when its links are changed.
    if let Some(row) = returned.filter(|_| change.linked().is_empty()) {
        return Ok(Some(row));
    }
    let parts = needed::<R>(returning, 0, asked, transaction)?;
    if parts.is_empty() {
        return Ok(None);
    }
    let mut select = R::Entity::find().select_only();
    for (at, part) in parts.selected().enumerate() {
        select = select.expr_as(part, format!("listing_{at}"));
    }
    let select = select.filter(asked.is_it::<R::Entity>(transaction)?);
    let row = transaction.query_one(select.as_query()).await?;
    Ok(row.map(|row| Row::new(parts, row)))
}

/// What is needed of a row after it is written, with this many other columns before it.
fn needed<'a, R: WritableResource>(
    returning: &Returning,
    after: usize,
    asked: &Asked<'a>,
    transaction: &DatabaseTransaction,
) -> Result<RowParts<'a>, ApiError> {
    let wanted = WantedParts {
        recorded: R::history().is_some(),
        shown: returning.request(),
    };
    let dialect = dialect_of(transaction)?;
    Ok(asked
        .listings
        .row_parts::<R::Entity>(wanted, asked.context, after, dialect)?)
}

/// The same if the database returns it with the write, as it is afterwards (b1241).
fn returned<'a, R: WritableResource>(
    returning: &Returning,
    after: usize,
    asked: &Asked<'a>,
    transaction: &DatabaseTransaction,
) -> Result<Option<RowParts<'a>>, ApiError> {
    let entity = EntityId::of::<R::Entity>();
    if !dialect_of(transaction)?.returns_rows() || !asked.listings.stays_as_written(entity) {
        return Ok(None);
    }
    let parts = needed::<R>(returning, after, asked, transaction)?;
    Ok((!parts.is_empty()).then_some(parts))
}

/// Inserts the row. Returns its key, and what is needed of the row if the database does.
pub(super) async fn insert_record<'a, R: WritableResource>(
    record: &ActiveModelOf<R>,
    returning: &Returning,
    asked: &Asked<'a>,
    transaction: &DatabaseTransaction,
) -> Result<(Vec<Value>, Option<Row<'a>>), ApiError> {
    if has_other_forms::<R>(asked, transaction)? {
        let inserted = stored::insert::<R::Entity>(record, asked.listings, transaction).await;
        return Ok((inserted.map_err(undone)?, None));
    }
    let insert = R::Entity::insert(record.clone());
    let columns = <R::Entity as EntityTrait>::PrimaryKey::iter().count();
    let Some(parts) = returned::<R>(returning, columns, asked, transaction)? else {
        let inserted = insert.exec(transaction).await.map_err(undone)?;
        let key = inserted.last_insert_id.into_value_tuple();
        return Ok((key.into_iter().collect(), None));
    };
    let backend = transaction.get_database_backend();
    let key = <R::Entity as EntityTrait>::PrimaryKey::iter().map(PrimaryKeyToColumn::into_column);
    let key = key.map(|column| column.select_as(column.into_returning_expr(backend)));
    let mut insert = insert.into_query();
    insert.returning(Query::returning().exprs(key.chain(parts.selected())));
    let row = transaction.query_one(&insert).await.map_err(undone)?;
    let row = row.ok_or_else(|| undone(DbErr::RecordNotInserted))?;
    let key: KeyOf<R> = row.try_get_many_by_index().map_err(undone)?;
    let key = key.into_value_tuple().into_iter().collect();
    Ok((key, Some(Row::new(parts, row))))
}

/// Updates the row. Returns what is needed of it if the database does.
pub(super) async fn update_record<'a, R: WritableResource>(
    record: ActiveModelOf<R>,
    returning: &Returning,
    asked: &Asked<'a>,
    transaction: &DatabaseTransaction,
) -> Result<Option<Row<'a>>, ApiError> {
    if has_other_forms::<R>(asked, transaction)? {
        write_by_key::<R>(&record, asked, transaction).await?;
        return Ok(None);
    }
    let update = R::Entity::update(record).validate().map_err(undone)?;
    let Some(parts) = returned::<R>(returning, 0, asked, transaction)? else {
        let updated = update.exec_without_returning(transaction).await;
        one_row::<R>(updated.map_err(undone)?.rows_affected)?;
        return Ok(None);
    };
    let mut update = update.into_query();
    if update.get_values().is_empty() {
        return Ok(None);
    }
    update.returning(Query::returning().exprs(parts.selected()));
    let mut rows = transaction.query_all(&update).await.map_err(undone)?;
    one_row::<R>(rows.len() as u64)?;
    let row = rows.pop().ok_or_else(|| undone(DbErr::RecordNotUpdated))?;
    Ok(Some(Row::new(parts, row)))
}

/// 500 if a write affected several rows, before anything is committed. It means that the entity's key does not identify the rows
/// of its table (d152).
pub(super) fn one_row<R: Resource>(rows: u64) -> Result<(), ApiError> {
    if rows <= 1 {
        return Ok(());
    }
    let table = R::Entity::default();
    let key = <R::Entity as EntityTrait>::PrimaryKey::iter();
    let key: Vec<_> = key.map(|part| part.into_column().as_str()).collect();
    Err(ApiError::internal(format!(
        "the write was rolled back, because it met {rows} rows of `{}`: `{}` is the primary key in the entity, and not in the \
         table",
        table.table_name(),
        key.join("`, `"),
    )))
}

/// Writes the values that are set, each in the form of its column.
pub(super) async fn write_by_key<R: Resource>(
    record: &ActiveModelOf<R>,
    asked: &Asked<'_>,
    transaction: &DatabaseTransaction,
) -> Result<(), ApiError> {
    let is_it = asked.is_it::<R::Entity>(transaction)?;
    let updated = stored::update::<R::Entity>(record, is_it, asked.listings, transaction).await;
    updated.map_err(undone)
}

/// Whether the database stores values of the record in other forms than SeaORM.
pub(super) fn has_other_forms<R: Resource>(
    asked: &Asked<'_>,
    transaction: &DatabaseTransaction,
) -> Result<bool, ApiError> {
    let entity = EntityId::of::<R::Entity>();
    let dialect = dialect_of(transaction)?;
    Ok(asked.listings.has_other_forms(entity, dialect))
}
