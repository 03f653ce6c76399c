//! Which rows the count of a relation counts: those that populate could show.

use super::predicate::Predicate;
use super::{CheckError, visible};
use crate::define::{Context, Listings, WhitelistRelation};

/// The rows that a count of a relation counts.
#[derive(Debug)]
pub(crate) struct Counted<'w> {
    /// Which rows of the related entity the caller can see.
    pub(crate) visible: Predicate<'w>,
    /// Which rows of the junction count as links.
    pub(crate) links: Predicate<'w>,
}

/// The rows that a count of this relation counts for the caller.
pub(crate) fn counted<'w>(
    listings: &'w Listings,
    relation: &'w WhitelistRelation,
    context: &Context,
) -> Result<Counted<'w>, CheckError> {
    let visible = visible::related(listings, relation, context)?;
    let the_one = visible::the_one(relation, &visible);
    Ok(Counted {
        visible: visible.and(the_one),
        links: visible::links(listings, relation, context)?,
    })
}
