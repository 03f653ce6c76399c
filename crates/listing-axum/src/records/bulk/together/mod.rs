//! Writes many records with one statement for each kind of check and each write, if no hook needs them one by one (d126).
//!
//! If something prevents this, the records are written one by one, and the error is found again and reported for its item.

mod checks;
mod create;
mod delete;
mod find;
mod update;
mod upsert;

use listing::Dialect;
use listing::entity::EntityId;
use sea_orm::{DatabaseTransaction, EntityTrait, Iterable, PrimaryKeyToColumn};

pub(super) use self::delete::delete;
pub(super) use self::update::update;
use super::attempt::{Done, Whole};
use super::items::{Item, Placed};
use crate::http::ApiError;
use crate::records::bind::dialect_of;
use crate::records::change::Draft;
use crate::records::field_names::FieldNames;
use crate::records::hooks::Change;
use crate::records::resource::{ColumnOf, ModelOf, Operation, WritableResource};
use crate::records::{access, fits, kept, zone};

/// The most values that one statement binds. SQLite allows 32,766.
const MOST_VALUES: usize = 30_000;

/// The results in order; `None` if the records must be written one by one. The transaction cannot be used any more then.
pub(super) type Together<R> = Option<Vec<Done<R>>>;

/// Writes items of one kind, if they can be written together.
pub(super) async fn write<R: WritableResource>(
    items: &[Placed<'_, R>],
    whole: &Whole<'_, R>,
    transaction: &DatabaseTransaction,
) -> Result<Together<R>, ApiError> {
    let items: Vec<_> = items.iter().map(|placed| &placed.item).collect();
    match items.first() {
        Some(Item::Create(_)) => {
            let news = items.iter().filter_map(|item| match item {
                Item::Create(new) => Some(new),
                _ => None,
            });
            create::create(&news.collect::<Vec<_>>(), whole, transaction).await
        }
        Some(Item::Update { .. }) => {
            let found = find::by_id(&items, whole, transaction).await?;
            let Some(rows) = found else {
                return Ok(None);
            };
            let drafts = items.iter().filter_map(|item| match item {
                Item::Update { patch, record, .. } => Some(Draft {
                    patch: Some(patch),
                    looks_for_taken: true,
                    ..Draft::of(record, &whole.unique, whole.update_names)
                }),
                _ => None,
            });
            let drafts: Vec<_> = drafts.collect();
            let turns = rows.into_iter().zip(&drafts).collect();
            update(turns, whole, transaction).await
        }
        Some(Item::Upsert { .. }) => upsert::upsert(&items, whole, transaction).await,
        Some(Item::Delete { .. }) => match find::by_id(&items, whole, transaction).await? {
            Some(rows) => delete(rows, whole, transaction).await,
            None => Ok(None),
        },
        None => Ok(Some(Vec::new())),
    }
}

/// Whether these items of one kind can be written together. An item that names a version cannot, because its record must be read
/// as clients see it.
pub(super) fn is_possible<R: WritableResource>(items: &[Placed<'_, R>]) -> bool {
    let is_possible = |item: &Item<'_, R>| match item {
        Item::Create(new) => create::is_possible(&[new]),
        Item::Upsert {
            version,
            new,
            changed,
        } => version.is_empty() && create::is_possible(&[new, changed]),
        Item::Update { version, .. } | Item::Delete { version, .. } => version.is_empty(),
    };
    items.len() > 1 && items.iter().all(|placed| is_possible(&placed.item))
}

/// The properties of an entity that all of these writes need.
struct Prepared<R: WritableResource> {
    /// The only column of its primary key.
    key: ColumnOf<R>,
    dialect: Dialect,
}

impl<R: WritableResource> Prepared<R> {
    /// `None` if its records must be written one by one.
    fn of(whole: &Whole<'_, R>, db: &DatabaseTransaction) -> Result<Option<Self>, ApiError> {
        let dialect = dialect_of(db)?;
        let entity = EntityId::of::<R::Entity>();
        if whole.listings.has_other_forms(entity, dialect) {
            return Ok(None);
        }
        let mut key = <R::Entity as EntityTrait>::PrimaryKey::iter();
        let key = match (key.next(), key.next()) {
            (Some(key), None) => key.into_column(),
            _ => return Ok(None),
        };
        Ok(Some(Self { key, dialect }))
    }
}

/// Whether the caller may do this with each of the records, as far as this can be decided without the database.
pub(super) async fn may<'r, R: WritableResource>(
    operation: Operation,
    rows: impl IntoIterator<Item = &'r ModelOf<R>, IntoIter: Send>,
    whole: &Whole<'_, R>,
    db: &DatabaseTransaction,
) -> Result<bool, ApiError> {
    for row in rows {
        if !access::without_database::<R>(operation, whole.context, Some(row), db).await? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Whether a record can be written after its hook has run. If the hook queried the database, it must see the records before it,
/// which are not written yet.
fn is_ready<R: WritableResource>(
    change: &mut Change<'_, R>,
    names: FieldNames,
    dialect: Dialect,
) -> Result<bool, ApiError> {
    zone::to_utc::<R::Entity>(&mut change.record)?;
    let mut errors = change.take_errors();
    fits::check::<R::Entity>(&change.record, names, Some(dialect), &mut errors);
    Ok(errors.is_empty() && !change.has_asked_db())
}

/// Ends changes that are written: their events are one statement too, and so are their histories.
async fn finish<R: WritableResource>(
    mut changes: Vec<Change<'_, R>>,
    whole: &Whole<'_, R>,
    transaction: &DatabaseTransaction,
) -> Result<Together<R>, ApiError> {
    for change in &mut changes {
        change.accept()?;
    }
    let written: Vec<_> = changes.iter().collect();
    kept::write(&written, whole.listings, transaction).await?;
    let done = changes.into_iter().map(|change| {
        let committed = change.committed();
        (committed.id.clone(), None, Some(committed))
    });
    Ok(Some(done.collect()))
}
