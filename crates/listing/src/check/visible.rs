//! In: a listing and who asks. Out: which of its rows can be seen at all: its scope, soft delete, and as a related listing its default filters too.

use super::predicate::Predicate;
use super::{CheckError, ColumnOf, filters};
use crate::define::{Context, Listings, Whitelist, WhitelistRelation};

/// The rows of a listing that exist for the asker.
pub(super) fn own<'w>(whitelist: &'w Whitelist, context: &Context) -> Predicate<'w> {
    let mut parts = vec![Predicate::Custom((whitelist.scope)(context))];
    parts.extend(whitelist.soft_delete.map(|column| Predicate::Null {
        column: ColumnOf::new(&whitelist.entity, column),
        is_null: true,
    }));
    Predicate::All(parts)
}

/// The rows of a related entity that a relation shows (d42).
pub(super) fn related<'w>(
    listings: &'w Listings,
    relation: &WhitelistRelation,
    context: &Context,
) -> Result<Predicate<'w>, CheckError> {
    let Some(listing) = relation.target.listing else {
        return Ok(Predicate::ALWAYS);
    };
    let whitelist = listings.get(listing);
    let defaults = filters::defaults(whitelist, context)?;
    Ok(Predicate::All(vec![own(whitelist, context), defaults]))
}
