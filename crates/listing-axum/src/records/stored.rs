//! Writes records in the forms in which columns of SQLite keep their values (b612).
//!
//! SeaORM writes a UUID as bytes and a moment as its own text. In a column that holds other forms they would be new ones, which
//! no foreign key finds.

use listing::entity::EntityId;
use listing::{Dialect, Listings};
use sea_orm::sea_query::{Condition, Expr, Query, Value};
use sea_orm::{
    ActiveModelTrait, ActiveValue, ColumnTrait, ConnectionTrait, DbErr, EntityTrait, IdenStatic,
    Iterable, PrimaryKeyToColumn,
};

/// The values of a record that are to be written, each in the form of its column.
fn values<E: EntityTrait>(
    record: &E::ActiveModel,
    listings: &Listings,
) -> impl Iterator<Item = (E::Column, Expr)> {
    E::Column::iter().filter_map(|column| {
        let ActiveValue::Set(value) = record.get(column) else {
            return None;
        };
        let entity = EntityId::of::<E>();
        let value = listings.stored_value(entity, column.as_str(), value, Dialect::Sqlite);
        Some((column, column.save_as(Expr::val(value))))
    })
}

/// Adds a record; its key.
pub(super) async fn insert<E: EntityTrait>(
    record: &E::ActiveModel,
    listings: &Listings,
    db: &impl ConnectionTrait,
) -> Result<Vec<Value>, DbErr> {
    let (columns, values): (Vec<_>, Vec<_>) = values::<E>(record, listings).unzip();
    let mut query = Query::insert();
    query.into_table(E::default().table_ref()).columns(columns);
    query
        .values(values)
        .map_err(|error| DbErr::Query(internal(&error)))?;
    query.or_default_values();
    let inserted = db.execute(&query).await?;
    let key = E::PrimaryKey::iter().map(|part| match record.get(part.into_column()) {
        ActiveValue::Set(value) => Ok(value),
        _ => i64::try_from(inserted.last_insert_id())
            .map(Value::from)
            .map_err(|error| DbErr::Query(internal(&error))),
    });
    key.collect()
}

/// Gives the record that meets the condition the values that are set, without those of its key.
pub(super) async fn update<E: EntityTrait>(
    record: &E::ActiveModel,
    is_it: Condition,
    listings: &Listings,
    db: &impl ConnectionTrait,
) -> Result<(), DbErr> {
    let is_key = |column: &str| {
        let mut key = E::PrimaryKey::iter().map(PrimaryKeyToColumn::into_column);
        key.any(|part| part.as_str() == column)
    };
    let values = values::<E>(record, listings);
    let values: Vec<_> = values
        .filter(|(column, _)| !is_key(column.as_str()))
        .collect();
    if values.is_empty() {
        return Ok(());
    }
    let mut query = Query::update();
    query
        .table(E::default().table_ref())
        .values(values)
        .cond_where(is_it);
    let updated = db.execute(&query).await?;
    only_one(updated.rows_affected(), DbErr::RecordNotUpdated)
}

/// Removes the record that meets the condition.
pub(super) async fn delete<E: EntityTrait>(
    is_it: Condition,
    db: &impl ConnectionTrait,
) -> Result<(), DbErr> {
    let mut query = Query::delete();
    query.from_table(E::default().table_ref()).cond_where(is_it);
    let deleted = db.execute(&query).await?;
    only_one(
        deleted.rows_affected(),
        DbErr::RecordNotFound(String::new()),
    )
}

fn only_one(rows: u64, none: DbErr) -> Result<(), DbErr> {
    match rows {
        0 => Err(none),
        1 => Ok(()),
        rows => {
            let message = format!("a write to one record met {rows} rows, and was undone");
            Err(DbErr::Query(sea_orm::RuntimeErr::Internal(message)))
        }
    }
}

fn internal(error: &dyn std::fmt::Display) -> sea_orm::RuntimeErr {
    sea_orm::RuntimeErr::Internal(error.to_string())
}
