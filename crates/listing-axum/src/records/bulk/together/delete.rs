//! Deletes many records with one statement (d126, d127).

use listing::NamedRelations;
use listing::entity::EntityId;
use sea_orm::sea_query::Query;
use sea_orm::{ColumnTrait, ConnectionTrait, DatabaseTransaction, EntityName, IntoActiveModel};

use super::super::attempt::Whole;
use super::update::write;
use super::{MOST_VALUES, Prepared, Together, finish};
use crate::http::ApiError;
use crate::records::bind::PathId;
use crate::records::change::{id_in, primary_key};
use crate::records::history::remember;
use crate::records::hooks::Change;
use crate::records::resource::{ModelOf, Operation, WritableResource};
use crate::records::stamp::{now, stamp_deleted};
use crate::records::write::undone;
use crate::records::zone;

/// Deletes records that were read and locked, or marks them as deleted, if this can be done together.
pub(in super::super) async fn delete<R: WritableResource>(
    rows: Vec<ModelOf<R>>,
    whole: &Whole<'_, R>,
    transaction: &DatabaseTransaction,
) -> Result<Together<R>, ApiError> {
    let Some(Prepared { key, .. }) = Prepared::of(whole, transaction)? else {
        return Ok(None);
    };
    let soft_delete = whole.soft_delete.as_deref();
    if soft_delete.is_none() && references_itself::<R>() {
        return Ok(None);
    }
    let id = PathId::default();
    let asked = whole.asked(&id);
    let (names, moment) = (whole.update_names, now());
    let mut changes = Vec::with_capacity(rows.len());
    let mut keys = Vec::with_capacity(rows.len());
    for old in rows {
        let record = old.clone().into_active_model();
        let own = primary_key::<R>(&record).unwrap_or_default();
        let destroy = Operation::Destroy;
        let mut change = Change::<R>::new(destroy, &asked, names, transaction, (Some(old), record));
        change.names_it(id_in::<R>(&own, &asked));
        if let Some(column) = soft_delete {
            stamp_deleted::<R::Entity>(&mut change.record, column, Some(moment))?;
        }
        R::before_destroy(&mut change).await?;
        zone::to_utc::<R::Entity>(&mut change.record)?;
        let is_same = primary_key::<R>(&change.record).is_some_and(|key| key == own);
        if !change.take_errors().is_empty() || change.has_asked_db() || !is_same {
            return Ok(None);
        }
        keys.extend(own);
        changes.push(change);
    }
    remember(&mut changes, whole.listings, transaction).await?;
    if soft_delete.is_some() {
        if !write(&changes, &keys, key, transaction).await? {
            return Ok(None);
        }
    } else {
        for keys in keys.chunks(MOST_VALUES) {
            let mut query = Query::delete();
            query
                .from_table(R::Entity::default().table_ref())
                .and_where(key.is_in(keys.iter().cloned()));
            let deleted = transaction
                .execute(&query)
                .await
                .map_err(undone)?
                .rows_affected();
            if usize::try_from(deleted) != Ok(keys.len()) {
                return Ok(None);
            }
        }
    }
    for change in &mut changes {
        R::after_destroy(change).await?;
    }
    finish(changes, whole, transaction).await
}

/// Whether its records can refer to each other. Databases disagree on whether one statement can delete two such records, and
/// deleting one may cascade to another.
fn references_itself<R: WritableResource>() -> bool {
    let own = EntityId::of::<R::Entity>();
    let relations = R::Entity::named_relations();
    relations.iter().any(|relation| relation.target.id == own)
}
