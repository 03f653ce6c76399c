//! Writes the events and the history of changes, in the transaction of the changes.

use listing::Listings;
use sea_orm::sea_query::CommonTableExpression;
use sea_orm::{ConnectionTrait, DatabaseTransaction, DbBackend};

use super::hooks::Change;
use super::resource::WritableResource;
use super::write::undone;
use super::{events, history, outbox};
use crate::http::ApiError;

/// Writes the events and the history of changes, if the resource has them. Their records are already written.
pub(super) async fn write<R: WritableResource>(
    changes: &[&Change<'_, R>],
    listings: &Listings,
    db: &DatabaseTransaction,
) -> Result<(), ApiError> {
    let events: Vec<_> = changes
        .iter()
        .filter_map(|change| events::of(change))
        .collect();
    let mut events = outbox::insert(&events);
    let mut lines = history::lines(changes, listings, db).await?;
    // PostgreSQL takes both in one statement.
    if db.get_database_backend() == DbBackend::Postgres
        && let Some(first) = lines.first_mut()
        && let Some(events) = events.take()
    {
        let mut told = CommonTableExpression::new();
        told.table_name("told").query(events);
        first.with_cte(told);
    }
    for insert in events.into_iter().chain(lines) {
        db.execute(&insert).await.map_err(undone)?;
    }
    Ok(())
}
