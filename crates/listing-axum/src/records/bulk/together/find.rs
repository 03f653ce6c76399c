//! Finds and locks the records that items name, with one statement (d126).

use std::collections::HashMap;

use listing::Trashed;
use sea_orm::{DatabaseTransaction, EntityTrait, QueryFilter, QueryOrder, QuerySelect};

use super::super::attempt::Whole;
use super::super::items::Item;
use super::Prepared;
use crate::http::ApiError;
use crate::records::bind::PathId;
use crate::records::change::id_of_row;
use crate::records::resource::{ModelOf, Operation, WritableResource};

/// The records of these items in their order; `None` unless they are all different, exist for the caller, and the caller may do
/// this.
pub(super) async fn by_id<R: WritableResource>(
    items: &[&Item<'_, R>],
    whole: &Whole<'_, R>,
    db: &DatabaseTransaction,
) -> Result<Option<Vec<ModelOf<R>>>, ApiError> {
    let Some(Prepared { key, dialect }) = Prepared::of(whole, db)? else {
        return Ok(None);
    };
    let (mut places, mut keys) = (HashMap::new(), Vec::with_capacity(items.len()));
    let mut operation = Operation::Update;
    for (place, item) in items.iter().enumerate() {
        let id = match item {
            Item::Update { id, .. } => id,
            Item::Delete { id, .. } => {
                operation = Operation::Destroy;
                id
            }
            Item::Create(_) | Item::Upsert { .. } => return Ok(None),
        };
        keys.push(whole.asked(id).key::<R::Entity>()?);
        if places.insert(id.text()?.to_owned(), place).is_some() {
            return Ok(None);
        }
    }
    let listings = whole.listings;
    let are_these = listings.has_one_of_keys::<R::Entity>(&keys, dialect)?;
    let Some(are_these) = are_these else {
        return Ok(None);
    };
    let visible = listings.visible::<R::Entity>(whole.context, Trashed::Without, dialect)?;
    let select = listings.readable::<R::Entity>(R::Entity::find(), dialect)?;
    let select = select
        .filter(are_these)
        .filter(visible)
        .order_by_asc(key)
        .lock_exclusive();
    let rows = select.all(db).await?;
    if !super::may(operation, &rows, whole, db).await? {
        return Ok(None);
    }
    let none = PathId::default();
    let asked = whole.asked(&none);
    let mut placed: Vec<Option<ModelOf<R>>> = items.iter().map(|_| None).collect();
    for row in rows {
        let id = PathId::of(&id_of_row::<R>(&row, &asked));
        let place = places.get(id.text()?).and_then(|at| placed.get_mut(*at));
        if let Some(place) = place {
            *place = Some(row);
        }
    }
    Ok(placed.into_iter().collect())
}
