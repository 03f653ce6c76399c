//! Checks many records before and after they are written, with one statement for each rule and each relation (d58, d126).

use std::collections::{HashMap, HashSet};

use listing::{Dialect, NamedRelations, Trashed};
use sea_orm::sea_query::{Condition, Expr, ExprTrait, Func, Query, Value};
use sea_orm::{
    ActiveModelTrait, ActiveValue, ColumnTrait, ConnectionTrait, DatabaseTransaction, EntityTrait,
    IdenStatic, Iterable, ModelTrait, QueryFilter, QuerySelect, QueryTrait,
};

use super::super::attempt::Whole;
use crate::http::ApiError;
use crate::records::foreign;
use crate::records::hooks::Change;
use crate::records::resource::{ColumnOf, WritableResource};

fn column_of<R: WritableResource>(name: &str) -> Option<ColumnOf<R>> {
    let mut columns = <R::Entity as EntityTrait>::Column::iter();
    columns.find(|known| known.as_str() == name)
}

/// The value of a column, if it is not null.
fn value<R: WritableResource>(change: &Change<'_, R>, column: ColumnOf<R>) -> Option<Value> {
    match change.record.get(column) {
        ActiveValue::Set(value) | ActiveValue::Unchanged(value) if value != value.as_null() => {
            Some(value)
        }
        _ => None,
    }
}

/// Whether a column is set to a value that it does not have yet.
fn is_new<R: WritableResource>(change: &Change<'_, R>, column: ColumnOf<R>) -> bool {
    match change.record.get(column) {
        ActiveValue::Set(value) => change.before().is_none_or(|old| old.get(column) != value),
        _ => false,
    }
}

/// Whether another record has one of the unique values, or two of these records share one.
pub(super) async fn is_taken<R: WritableResource>(
    changes: &[Change<'_, R>],
    whole: &Whole<'_, R>,
    db: &DatabaseTransaction,
) -> Result<bool, ApiError> {
    for rule in &whole.unique {
        let columns: Vec<_> = rule.names().filter_map(column_of::<R>).collect();
        let Some((first, others)) = columns.split_first() else {
            return Ok(true);
        };
        // Grouped by the values of the other columns, which are mostly the same, such as the tenant's.
        let mut firsts: HashMap<Vec<Value>, HashSet<Value>> = HashMap::new();
        for change in changes {
            if !columns.iter().any(|column| is_new(change, *column)) {
                continue;
            }
            let others: Option<Vec<_>> = others.iter().map(|one| value(change, *one)).collect();
            if let (Some(first), Some(others)) = (value(change, *first), others)
                && !firsts.entry(others).or_default().insert(first)
            {
                return Ok(true);
            }
        }
        if firsts.is_empty() {
            continue;
        }
        let taken = firsts.into_iter().map(|(values, firsts)| {
            let others = others.iter().zip(values);
            others.fold(
                Condition::all().add(first.is_in(firsts)),
                |all, (column, value)| all.add(column.eq(value)),
            )
        });
        let other = R::Entity::find()
            .select_only()
            .expr(Expr::cust("1"))
            .filter(taken.fold(Condition::any(), Condition::add))
            .limit(1);
        if db.query_one(other.as_query()).await?.is_some() {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Whether the database takes unique values of two of these records, which are written, for the same one. Values that differ for a
/// program can be the same for a database, which may ignore case, or round (b1280).
pub(super) async fn share_values<R: WritableResource>(
    changes: &[Change<'_, R>],
    keys: &[Value],
    key: ColumnOf<R>,
    whole: &Whole<'_, R>,
    db: &DatabaseTransaction,
) -> Result<bool, ApiError> {
    // An index has compared them already.
    let rules = whole.unique.iter();
    for rule in rules.filter(|rule| !rule.is_kept_by_index(whole.listings)) {
        let columns: Vec<_> = rule.names().filter_map(column_of::<R>).collect();
        let written = changes.iter().zip(keys).filter_map(|(change, own)| {
            let is_new = columns.iter().any(|column| is_new(change, *column));
            is_new.then(|| own.clone())
        });
        let written: Vec<_> = written.collect();
        if written.len() < 2 {
            continue;
        }
        let several = Func::count(Expr::cust("*")).gt(1);
        let mut shared = R::Entity::find()
            .select_only()
            .expr(Expr::cust("1"))
            .filter(key.is_in(written))
            .having(several)
            .limit(1);
        for column in columns {
            shared = shared.filter(column.is_not_null()).group_by(column);
        }
        if db.query_one(shared.as_query()).await?.is_some() {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Whether every foreign key refers to a record that the caller can see.
pub(super) async fn references_exist<R: WritableResource>(
    changes: &[Change<'_, R>],
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
        let is_set =
            |change: &&Change<'_, R>| matches!(change.record.get(column), ActiveValue::Set(_));
        let keys = changes.iter().filter(is_set);
        let keys: HashSet<_> = keys.filter_map(|change| value(change, column)).collect();
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

/// Whether the caller can see all of these records.
pub(super) async fn are_in_scope<R: WritableResource>(
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
