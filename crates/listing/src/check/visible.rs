//! Decides which rows of a listing the caller can see: scope and soft delete, and default filters for related rows.

use super::predicate::{FirstRow, Junction, Predicate};
use super::{CheckError, ColumnOf, filters};
use crate::define::{Context, Listings, Whitelist, WhitelistRelation};

/// How soft-deleted rows are treated: left out, included, or shown alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Trashed {
    /// Only rows that are not deleted.
    #[default]
    Without,
    /// All rows.
    With,
    /// Only deleted rows.
    Only,
}

/// The rows of a listing that exist for the caller.
pub(crate) fn own<'w>(
    whitelist: &'w Whitelist,
    context: &Context,
    trashed: Trashed,
) -> Predicate<'w> {
    let scope = (whitelist.scope)(context).into_condition();
    let scope = scope.map_or(Predicate::ALWAYS, Predicate::Custom);
    let is_null = match trashed {
        Trashed::Without => Some(true),
        Trashed::With => None,
        Trashed::Only => Some(false),
    };
    match (whitelist.soft_delete, is_null) {
        (Some(column), Some(is_null)) => {
            let column = ColumnOf::new(&whitelist.entity, column);
            scope.and(Predicate::Null { column, is_null })
        }
        _ => scope,
    }
}

/// The rows of a related entity that a relation shows (d42).
pub(super) fn related<'w>(
    listings: &'w Listings,
    relation: &WhitelistRelation,
    context: &Context,
) -> Result<Predicate<'w>, CheckError> {
    related_except(listings, relation, &[], context)
}

/// The same without the default filters of these keys: the client filters by them (d73).
pub(super) fn related_except<'w>(
    listings: &'w Listings,
    relation: &WhitelistRelation,
    touched: &[&str],
    context: &Context,
) -> Result<Predicate<'w>, CheckError> {
    of_listing(listings, relation.target.listing, touched, context)
}

/// Selects the visible rows that the relation leads to. If it leads to one row and several match, this is the first of them,
/// whatever else is requested (b32).
pub(super) fn the_one<'w>(
    relation: &'w WhitelistRelation,
    visible: &Predicate<'w>,
) -> Predicate<'w> {
    if relation.meta.to_many || relation.unique {
        return Predicate::ALWAYS;
    }
    Predicate::First(Box::new(FirstRow {
        target: &relation.meta.target,
        to: relation.to,
        order: &relation.order,
        key: &relation.target_key,
        visible: visible.clone(),
    }))
}

/// The junction of a many-to-many relation, with the rows of it that count as links.
pub(super) fn junction<'w>(
    listings: &'w Listings,
    relation: &'w WhitelistRelation,
    context: &Context,
) -> Result<Option<Junction<'w>>, CheckError> {
    let Some(meta) = &relation.meta.through else {
        return Ok(None);
    };
    let visible = links(listings, relation, context)?;
    Ok(Some(Junction { meta, visible }))
}

/// The junction's rows that count as links. A link that the caller cannot see leads nowhere.
pub(super) fn links<'w>(
    listings: &'w Listings,
    relation: &WhitelistRelation,
    context: &Context,
) -> Result<Predicate<'w>, CheckError> {
    of_listing(listings, relation.junction, &[], context)
}

fn of_listing<'w>(
    listings: &'w Listings,
    listing: Option<usize>,
    touched: &[&str],
    context: &Context,
) -> Result<Predicate<'w>, CheckError> {
    let Some(listing) = listing else {
        return Ok(Predicate::ALWAYS);
    };
    let whitelist = listings.get(listing);
    let defaults = filters::defaults(whitelist, touched, context)?;
    Ok(own(whitelist, context, Trashed::Without).and(defaults))
}
