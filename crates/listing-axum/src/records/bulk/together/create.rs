//! Creates many records with one statement for each kind of check and each write (d126).

use sea_orm::sea_query::{Expr, Query, Value};
use sea_orm::{
    ActiveModelTrait, ActiveValue, ColumnTrait, ConnectionTrait, DatabaseTransaction, DbBackend,
    EntityName, EntityTrait, Iterable, PrimaryKeyTrait, Statement,
};

use super::super::attempt::Whole;
use super::super::items::Sent;
use super::checks::{are_in_scope, is_taken, references_exist, share_values};
use super::{MOST_VALUES, Prepared, Together, finish, is_ready};
use crate::http::ApiError;
use crate::records::access;
use crate::records::bind::PathId;
use crate::records::change::id_in;
use crate::records::hooks::Change;
use crate::records::linked::integer;
use crate::records::resource::{ActiveModelOf, ColumnOf, Operation, Resource, WritableResource};
use crate::records::stamp::{now, stamp};
use crate::records::write::undone;

/// Whether these payloads can be created together.
pub(super) fn is_possible<R: WritableResource>(news: &[&Sent<R>]) -> bool {
    news.iter()
        .all(|new| new.errors.is_empty() && !new.has_links())
}

/// Creates the records, if they can be written together.
pub(super) async fn create<R: WritableResource>(
    news: &[&Sent<R>],
    whole: &Whole<'_, R>,
    transaction: &DatabaseTransaction,
) -> Result<Together<R>, ApiError> {
    let Some(Prepared { key, dialect }) = Prepared::of(whole, transaction)? else {
        return Ok(None);
    };
    let store = Operation::Store;
    if !access::without_database::<R>(store, whole.context, None, transaction).await? {
        return Ok(None);
    }
    let id = PathId::default();
    let asked = whole.asked(&id);
    let moment = now();
    let mut changes = Vec::with_capacity(news.len());
    for new in news {
        let record = (None, new.record.clone());
        let names = whole.store_names;
        let mut change = Change::<R>::new(store, &asked, names, transaction, record);
        R::before_store(&mut change).await?;
        stamp::<R::Entity>(&mut change.record, "created_at", moment)?;
        stamp::<R::Entity>(&mut change.record, "updated_at", moment)?;
        if !is_ready(&mut change, names, dialect)? {
            return Ok(None);
        }
        changes.push(change);
    }
    if is_taken(&changes, whole, transaction).await?
        || !references_exist(&changes, whole, dialect, transaction).await?
    {
        return Ok(None);
    }
    let records: Vec<_> = changes.iter().map(|change| &change.record).collect();
    let Some(keys) = insert::<R>(&records, key, transaction).await? else {
        return Ok(None);
    };
    if share_values(&changes, &keys, key, whole, transaction).await?
        || !are_in_scope(&keys, key, whole, dialect, transaction).await?
    {
        return Ok(None);
    }
    for (change, key) in changes.iter_mut().zip(keys) {
        change.names_it(id_in::<R>(&[key], &asked));
        R::after_store(change).await?;
    }
    finish(changes, whole, transaction).await
}

/// Inserts the rows and returns their keys in the same order; `None` if they cannot be written together.
async fn insert<R: WritableResource>(
    records: &[&ActiveModelOf<R>],
    key: ColumnOf<R>,
    db: &DatabaseTransaction,
) -> Result<Option<Vec<Value>>, ApiError> {
    type Key<R> = <<R as Resource>::Entity as EntityTrait>::PrimaryKey;
    // A hook may have copied values from another record.
    let value = |record: &ActiveModelOf<R>, column| match record.get(column) {
        ActiveValue::Set(value) | ActiveValue::Unchanged(value) => Some(value),
        ActiveValue::NotSet => None,
    };
    let is_set = |record: &ActiveModelOf<R>, column| value(record, column).is_some();
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
                .filter_map(|column| Some(column.save_as(Expr::val(value(record, *column)?))));
            query.values(values).map_err(ApiError::internal)?;
        }
        if !makes_keys {
            db.execute(&query).await.map_err(undone)?;
            keys.extend(records.iter().filter_map(|record| value(record, key)));
            continue;
        }
        let made = match db.get_database_backend() {
            DbBackend::MySql => {
                let inserted = db.execute(&query).await.map_err(undone)?;
                // They are given together, from the first one on.
                let step =
                    Statement::from_string(DbBackend::MySql, "SELECT @@auto_increment_increment");
                let step = db.query_one_raw(step).await.map_err(undone)?;
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
                let rows = db.query_all(&query).await.map_err(undone)?;
                let mut made: Vec<i64> = rows.iter().filter_map(integer).collect();
                // The keys are ascending in the order of the rows, but need not be returned in that order.
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
