//! Creates a record, or updates the one that has the same unique key (d126).

use axum::http::HeaderMap;
use listing::Trashed;
use sea_orm::sea_query::Value;
use sea_orm::{
    ActiveModelTrait, ActiveValue, DatabaseTransaction, EntityTrait, Iterable, ModelTrait,
    QueryFilter, QuerySelect,
};

use super::super::access;
use super::super::bind::{PathId, dialect_of};
use super::super::change::{fresh, id_of_row, update_taken};
use super::super::constraint::invalid;
use super::super::resource::{ActiveModelOf, ModelOf, Operation, WritableResource};
use super::super::returning::NOTHING;
use super::attempt::{Done, Whole};
use super::items::Sent;
use crate::http::ApiError;

impl<R: WritableResource> Whole<'_, R> {
    pub(super) async fn upsert(
        &self,
        version: &HeaderMap,
        new: &Sent<R>,
        changed: &Sent<R>,
        transaction: &DatabaseTransaction,
    ) -> Result<Done<R>, ApiError> {
        let Some(old) = self.same(new, transaction).await? else {
            // A record that does not exist has no version.
            if !version.is_empty() {
                return Err(ApiError::Stale);
            }
            let (id, committed) = self.create(new, transaction).await?;
            return Ok((id, Some("created"), Some(committed)));
        };
        access::with_record::<R>(Operation::Update, self.context, &old, transaction).await?;
        if R::require_if_match() && version.is_empty() {
            return Err(ApiError::VersionMissing);
        }
        let id = id_of_row::<R>(&old, &self.asked(&PathId::default()));
        let path = PathId::of(&id);
        let asked = self.asked(&path);
        let key = asked.key::<R::Entity>()?;
        fresh::<R>(&key, Trashed::Without, &asked, version, transaction).await?;
        if changed.errors.is_empty() && !changed.has_links() && is_same::<R>(&old, &changed.record)
        {
            return Ok((id, Some("unchanged"), None));
        }
        let draft = changed.draft(self, self.update_names);
        let updated = update_taken(&draft, (old, None), &asked, &NOTHING, transaction);
        let (_, committed) = updated.await?;
        Ok((id, Some("updated"), Some(committed)))
    }

    /// The record with the key that was sent, locked, if the caller can see it.
    async fn same(
        &self,
        new: &Sent<R>,
        transaction: &DatabaseTransaction,
    ) -> Result<Option<ModelOf<R>>, ApiError> {
        let dialect = dialect_of(transaction)?;
        let Some(key) = R::upsert_by() else {
            return Ok(None);
        };
        let (field, names) = (key.names().next().unwrap_or_default(), self.store_names);
        let is_wrong = key
            .names()
            .any(|column| new.errors.contains_key(&*names.shown(column)));
        let has_key = key.sent(&new.record, names, self.listings, dialect);
        let Some(has_key) = has_key.filter(|_| !is_wrong) else {
            return Ok(None);
        };
        let visible =
            self.listings
                .visible::<R::Entity>(self.context, Trashed::Without, dialect)?;
        let select = self
            .listings
            .readable::<R::Entity>(R::Entity::find(), dialect)?;
        let select = select.filter(has_key).filter(visible).limit(2);
        let mut found = select.lock_exclusive().all(transaction).await?;
        if found.len() > 1 {
            let name = names.shown(field).into_owned();
            let message = format!("{name} does not tell which of several records is meant.");
            return Err(invalid(name, message));
        }
        Ok(found.pop())
    }
}

/// Whether a record already has all the values that were sent.
pub(super) fn is_same<R: WritableResource>(old: &ModelOf<R>, sent: &ActiveModelOf<R>) -> bool {
    let mut columns = <R::Entity as EntityTrait>::Column::iter();
    columns.all(|column| match sent.get(column) {
        ActiveValue::Set(value) => match (old.get(column), value) {
            // PostgreSQL does not preserve the order of an object's members.
            (Value::Json(Some(old)), Value::Json(Some(sent))) => old == sent,
            (old, sent) => old == sent,
        },
        _ => true,
    })
}
