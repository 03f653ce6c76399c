//! Creates many records by one statement for each thing that is looked for or written, where no hook needs them one by one (d126).
//!
//! Whatever stands in its way is found out again, and told of its item, when the records are written one by one.

use std::collections::HashSet;

use listing::entity::EntityId;
use listing::{Dialect, NamedRelations, Trashed};
use sea_orm::sea_query::{Condition, Expr, ExprTrait, Func, Query, Value};
use sea_orm::{
    ActiveModelTrait, ActiveValue, ColumnTrait, ConnectionTrait, DatabaseTransaction, DbBackend,
    EntityName, EntityTrait, IdenStatic, Iterable, PrimaryKeyToColumn, PrimaryKeyTrait,
    QueryFilter, QuerySelect, QueryTrait, Statement,
};

use super::super::bind::{PathId, dialect_of};
use super::super::change::id_in;
use super::super::hooks::{Change, Committed};
use super::super::resource::{ActiveModelOf, ColumnOf, Operation, WritableResource};
use super::super::stamp::{now, stamp};
use super::super::{access, events, fits, foreign, outbox, zone};
use super::attempt::Whole;
use super::items::Sent;
use crate::http::ApiError;

/// Values that one statement binds at most: SQLite takes 32,766.
const MOST_VALUES: usize = 30_000;

/// New records with their ids; `None` if they are to be written one by one.
type Created<R> = Option<Vec<(serde_json::Value, Committed<R>)>>;

/// Creates the records, if nothing stands in the way. Otherwise the transaction is of no use any more.
pub(super) async fn create<R: WritableResource>(
    news: &[&Sent<R>],
    whole: &Whole<'_, R>,
    transaction: &DatabaseTransaction,
) -> Result<Created<R>, ApiError> {
    let id = PathId::default();
    let asked = whole.asked(&id);
    let dialect = dialect_of(transaction)?;
    let Some(key) = single_key::<R>() else {
        return Ok(None);
    };
    let is_wrong = |new: &&&Sent<R>| !new.errors.is_empty() || new.has_links();
    let has_other_forms = whole
        .listings
        .has_other_forms(EntityId::of::<R::Entity>(), dialect);
    let of_several = whole.unique.iter().any(|rule| rule.names().count() > 1);
    if has_other_forms || of_several || news.iter().any(|new| is_wrong(&new)) {
        return Ok(None);
    }
    if !access::without_database::<R>(Operation::Store, whole.context, transaction).await? {
        return Ok(None);
    }
    let mut changes = Vec::with_capacity(news.len());
    for new in news {
        let record = (None, new.record.clone());
        let names = whole.store_names;
        let mut change = Change::<R>::new(Operation::Store, &asked, names, transaction, record);
        R::before_store(&mut change).await?;
        // It would have seen the records before it.
        if change.has_asked_db() {
            return Ok(None);
        }
        let moment = now();
        stamp::<R::Entity>(&mut change.record, "created_at", moment)?;
        stamp::<R::Entity>(&mut change.record, "updated_at", moment)?;
        zone::to_utc::<R::Entity>(&mut change.record)?;
        let mut errors = change.take_errors();
        fits::check::<R::Entity>(&change.record, names, Some(dialect), &mut errors);
        if !errors.is_empty() {
            return Ok(None);
        }
        changes.push(change);
    }
    let records: Vec<_> = changes.iter().map(|change| &change.record).collect();
    if is_taken::<R>(&records, whole, transaction).await?
        || !references_exist::<R>(&records, whole, dialect, transaction).await?
    {
        return Ok(None);
    }
    let Some(keys) = insert::<R>(&records, key, transaction).await? else {
        return Ok(None);
    };
    if !are_in_scope::<R>(&keys, key, whole, dialect, transaction).await? {
        return Ok(None);
    }
    let (mut created, mut told) = (Vec::with_capacity(changes.len()), Vec::new());
    for (mut change, key) in changes.into_iter().zip(keys) {
        let id = id_in::<R>(&[key], &asked);
        change.names_it(id.clone());
        R::after_store(&mut change).await?;
        change.accept()?;
        told.extend(events::of(&change));
        created.push((id, change.committed()));
    }
    outbox::insert(&told, transaction).await?;
    Ok(Some(created))
}

/// The column of the primary key, if it is one.
fn single_key<R: WritableResource>() -> Option<ColumnOf<R>> {
    let mut key = <R::Entity as EntityTrait>::PrimaryKey::iter();
    match (key.next(), key.next()) {
        (Some(key), None) => Some(key.into_column()),
        _ => None,
    }
}

fn column_of<R: WritableResource>(name: &str) -> Option<ColumnOf<R>> {
    let mut columns = <R::Entity as EntityTrait>::Column::iter();
    columns.find(|known| known.as_str() == name)
}

/// The values that are set in a column, without nulls.
fn values<R: WritableResource>(records: &[&ActiveModelOf<R>], column: ColumnOf<R>) -> Vec<Value> {
    let values = records
        .iter()
        .filter_map(|record| match record.get(column) {
            ActiveValue::Set(value) if value != value.as_null() => Some(value),
            _ => None,
        });
    values.collect()
}

/// Whether another record has one of the unique values. Two of these records that have the same meet in the database.
async fn is_taken<R: WritableResource>(
    records: &[&ActiveModelOf<R>],
    whole: &Whole<'_, R>,
    db: &DatabaseTransaction,
) -> Result<bool, ApiError> {
    for rule in &whole.unique {
        let Some(column) = rule.names().next().and_then(column_of::<R>) else {
            return Ok(true);
        };
        let values = values::<R>(records, column);
        if values.is_empty() {
            continue;
        }
        let other = R::Entity::find()
            .select_only()
            .expr(Expr::cust("1"))
            .filter(column.is_in(values))
            .limit(1);
        if db.query_one(other.as_query()).await?.is_some() {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Whether every foreign key references a record that exists for the caller.
async fn references_exist<R: WritableResource>(
    records: &[&ActiveModelOf<R>],
    whole: &Whole<'_, R>,
    dialect: Dialect,
    db: &DatabaseTransaction,
) -> Result<bool, ApiError> {
    for relation in R::Entity::named_relations() {
        let Some((column, target)) = foreign::key_columns(&relation) else {
            continue;
        };
        let Some(column) = column_of::<R>(column) else {
            continue;
        };
        let keys: HashSet<_> = values::<R>(records, column).into_iter().collect();
        if keys.is_empty() {
            continue;
        }
        let id = relation.target.id;
        if whole.listings.has_other_forms(id, dialect) {
            return Ok(false);
        }
        let visible = whole
            .listings
            .visible_by_id(id, whole.context, Trashed::Without, dialect)
            .unwrap_or_else(Condition::all);
        let key = Expr::col((relation.target.name.to_string(), target.to_owned()));
        let count = keys.len();
        let found = Query::select()
            .expr(Func::count_distinct(key.clone()))
            .from(relation.target.table.clone())
            .and_where(key.is_in(keys))
            .cond_where(visible)
            .take();
        let row = db.query_one(&found).await?;
        let found: Option<i64> = row.and_then(|row| row.try_get_by_index(0).ok());
        if found.and_then(|found| usize::try_from(found).ok()) != Some(count) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The keys of the rows that are written, in their order; `None` if they cannot be written together.
async fn insert<R: WritableResource>(
    records: &[&ActiveModelOf<R>],
    key: ColumnOf<R>,
    db: &DatabaseTransaction,
) -> Result<Option<Vec<Value>>, ApiError> {
    type Key<R> = <<R as super::super::resource::Resource>::Entity as EntityTrait>::PrimaryKey;
    let is_set =
        |record: &ActiveModelOf<R>, column| matches!(record.get(column), ActiveValue::Set(_));
    let columns = <R::Entity as EntityTrait>::Column::iter();
    let Some(first) = records.first() else {
        return Ok(None);
    };
    let columns: Vec<_> = columns.filter(|column| is_set(first, *column)).collect();
    let is_alike = |record: &&&ActiveModelOf<R>| {
        let mut all = <R::Entity as EntityTrait>::Column::iter();
        all.all(|column| is_set(record, column) == is_set(first, column))
    };
    let makes_keys = !is_set(first, key);
    if columns.is_empty()
        || !records.iter().all(|record| is_alike(&record))
        || makes_keys && !Key::<R>::auto_increment()
    {
        return Ok(None);
    }
    let mut keys = Vec::with_capacity(records.len());
    for records in records.chunks((MOST_VALUES / columns.len()).max(1)) {
        let mut query = Query::insert();
        query
            .into_table(R::Entity::default().table_ref())
            .columns(columns.clone());
        for record in records {
            let values = columns
                .iter()
                .filter_map(|column| match record.get(*column) {
                    ActiveValue::Set(value) => Some(column.save_as(Expr::val(value))),
                    _ => None,
                });
            query.values(values).map_err(ApiError::internal)?;
        }
        if !makes_keys {
            db.execute(&query).await?;
            keys.extend(values::<R>(records, key));
            continue;
        }
        let made = match db.get_database_backend() {
            DbBackend::MySql => {
                let inserted = db.execute(&query).await?;
                // They are given together, from the first one on.
                let step =
                    Statement::from_string(DbBackend::MySql, "SELECT @@auto_increment_increment");
                let step = db.query_one_raw(step).await?;
                let step: u64 = step
                    .and_then(|row| row.try_get_by_index(0).ok())
                    .unwrap_or(1);
                let first = inserted.last_insert_id();
                let count = u64::try_from(records.len()).unwrap_or_default();
                let all = (0..count).map(|at| first + at * step);
                all.filter_map(|made| i64::try_from(made).ok()).collect()
            }
            _ => {
                query.returning(Query::returning().column(key));
                let rows = db.query_all(&query).await?;
                let mut made: Vec<i64> = rows
                    .iter()
                    .filter_map(super::super::linked::integer)
                    .collect();
                // They rise from row to row, and need not be returned in this order.
                made.sort_unstable();
                made
            }
        };
        if made.len() != records.len() {
            return Ok(None);
        }
        keys.extend(made.into_iter().map(Value::from));
    }
    Ok(Some(keys))
}

/// Whether the caller sees all of these records.
async fn are_in_scope<R: WritableResource>(
    keys: &[Value],
    key: ColumnOf<R>,
    whole: &Whole<'_, R>,
    dialect: Dialect,
    db: &DatabaseTransaction,
) -> Result<bool, ApiError> {
    let listings = whole.listings;
    let scope = listings.visible::<R::Entity>(whole.context, Trashed::With, dialect)?;
    if scope.is_empty() {
        return Ok(true);
    }
    let seen = R::Entity::find()
        .select_only()
        .expr(Func::count(Expr::cust("*")))
        .filter(key.is_in(keys.to_vec()))
        .filter(scope);
    let row = db.query_one(seen.as_query()).await?;
    let seen: Option<i64> = row.and_then(|row| row.try_get_by_index(0).ok());
    Ok(seen.and_then(|seen| usize::try_from(seen).ok()) == Some(keys.len()))
}
