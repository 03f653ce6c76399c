//! Creates or changes many records that are found by their unique key, with one statement for each (d126).

use std::collections::HashMap;

use listing::Trashed;
use sea_orm::{
    ActiveModelTrait, ActiveValue, ColumnTrait, DatabaseTransaction, EntityTrait, IdenStatic,
    Iterable, ModelTrait, QueryFilter, QueryOrder, QuerySelect,
};

use super::super::attempt::Whole;
use super::super::items::{Item, Sent};
use super::super::upsert::is_same;
use super::{Prepared, Together, create, update};
use crate::http::ApiError;
use crate::records::bind::PathId;
use crate::records::change::id_of_row;
use crate::records::resource::{ActiveModelOf, ColumnOf, ModelOf, Operation, WritableResource};

pub(super) async fn upsert<R: WritableResource>(
    items: &[&Item<'_, R>],
    whole: &Whole<'_, R>,
    transaction: &DatabaseTransaction,
) -> Result<Together<R>, ApiError> {
    if R::require_if_match() {
        return Ok(None);
    }
    let Some((column, places)) = keys(items, whole) else {
        return Ok(None);
    };
    let Some(rows) = found(column, &places, items.len(), whole, transaction).await? else {
        return Ok(None);
    };
    let sent: Vec<_> = items
        .iter()
        .filter_map(|item| match item {
            Item::Upsert { new, changed, .. } => Some((new, changed)),
            _ => None,
        })
        .collect();
    let drafts: Vec<_> = sent
        .iter()
        .map(|(_, changed)| changed.draft(whole, whole.update_names))
        .collect();
    let (mut news, mut turns, mut results) = (Vec::new(), Vec::new(), Vec::new());
    let id = PathId::default();
    let asked = whole.asked(&id);
    for ((row, (new, changed)), draft) in rows.into_iter().zip(&sent).zip(&drafts) {
        let Some(row) = row else {
            news.push(*new);
            results.push(Outcome::Created);
            continue;
        };
        if is_same::<R>(&row, &changed.record) {
            results.push(Outcome::Unchanged(id_of_row::<R>(&row, &asked)));
        } else {
            turns.push((row, draft));
            results.push(Outcome::Updated);
        }
    }
    let created = match news.is_empty() {
        true => Some(Vec::new()),
        false => create::create::<R>(&news, whole, transaction).await?,
    };
    let Some(created) = created else {
        return Ok(None);
    };
    let Some(updated) = update(turns, whole, transaction).await? else {
        return Ok(None);
    };
    let (mut created, mut updated) = (created.into_iter(), updated.into_iter());
    let done = results.into_iter().map(|result| {
        let (done, name) = match result {
            Outcome::Created => (created.next()?, "created"),
            Outcome::Updated => (updated.next()?, "updated"),
            Outcome::Unchanged(id) => ((id, None, None), "unchanged"),
        };
        let (id, _, change) = done;
        Some((id, Some(name), change))
    });
    Ok(done.collect())
}

/// The result for an item.
enum Outcome {
    Created,
    Updated,
    Unchanged(serde_json::Value),
}

/// The column of the key, and the index of each item by its value; `None` if two items have the same value.
fn keys<R: WritableResource>(
    items: &[&Item<'_, R>],
    whole: &Whole<'_, R>,
) -> Option<(ColumnOf<R>, HashMap<sea_orm::Value, usize>)> {
    let rule = R::upsert_by()?;
    let mut names = rule.names();
    let name = names.next().filter(|name| whole.store_names.has(name))?;
    if names.next().is_some() {
        return None;
    }
    let mut columns = <R::Entity as EntityTrait>::Column::iter();
    let column = columns.find(|known| known.as_str() == name)?;
    let mut places = HashMap::new();
    for (place, item) in items.iter().enumerate() {
        let Item::Upsert { new, .. } = item else {
            return None;
        };
        let value = key_of(new, column)?;
        if places.insert(value, place).is_some() {
            return None;
        }
    }
    Some((column, places))
}

fn key_of<R: WritableResource>(new: &Sent<R>, column: ColumnOf<R>) -> Option<sea_orm::Value> {
    let record: &ActiveModelOf<R> = &new.record;
    match record.get(column) {
        ActiveValue::Set(value) if value != value.as_null() => Some(value),
        _ => None,
    }
}

/// The record of each item, locked, if the caller can see it. `None` if the caller may not change one of them, or if a
/// case-insensitive database found one by a different spelling.
async fn found<R: WritableResource>(
    column: ColumnOf<R>,
    places: &HashMap<sea_orm::Value, usize>,
    count: usize,
    whole: &Whole<'_, R>,
    db: &DatabaseTransaction,
) -> Result<Option<Vec<Option<ModelOf<R>>>>, ApiError> {
    let Some(Prepared { key, dialect }) = Prepared::of(whole, db)? else {
        return Ok(None);
    };
    let listings = whole.listings;
    let visible = listings.visible::<R::Entity>(whole.context, Trashed::Without, dialect)?;
    let select = listings.readable::<R::Entity>(R::Entity::find(), dialect)?;
    let select = select
        .filter(column.is_in(places.keys().cloned()))
        .filter(visible)
        .order_by_asc(key)
        .lock_exclusive();
    let rows = select.all(db).await?;
    if !super::may(Operation::Update, &rows, whole, db).await? {
        return Ok(None);
    }
    let mut placed: Vec<Option<ModelOf<R>>> = (0..count).map(|_| None).collect();
    for row in rows {
        let place = places.get(&row.get(column));
        match place.and_then(|at| placed.get_mut(*at)) {
            Some(place) if place.is_none() => *place = Some(row),
            _ => return Ok(None),
        }
    }
    Ok(Some(placed))
}
