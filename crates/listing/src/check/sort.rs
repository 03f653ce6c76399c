//! Selects the requested sorts that the whitelist has, or its defaults (contract 2.6).

use super::ignored::{Path, Unknown, What};
use super::{CheckError, CheckedSearch, Predicate, visible};
use crate::define::{Context, Listings, SortSource, Whitelist, WhitelistRelation, WhitelistSort};
use crate::request::AskedSort;
use crate::vocabulary::SortDirection;

/// A sort to apply.
pub(crate) struct CheckedSort<'w> {
    pub(crate) sort: &'w WhitelistSort,
    pub(crate) direction: SortDirection,
    /// The related rows that the caller can see, for a sort by relation. Rows without a visible related row sort as null.
    pub(crate) visible: Option<Predicate<'w>>,
    /// The search, for a sort by relevance.
    pub(crate) search: Option<CheckedSearch<'w>>,
}

pub(super) fn order<'w>(
    listings: &'w Listings,
    whitelist: &'w Whitelist,
    asked: Option<&[AskedSort]>,
    search: Option<&CheckedSearch<'w>>,
    context: &'w Context,
    around: Path<'_>,
    unknown: &mut Unknown,
) -> Result<Vec<CheckedSort<'w>>, CheckError> {
    // Without words to search for, all rows are equally relevant.
    let search = search.filter(|search| search.ranks());
    let Some(asked) = asked else {
        return defaults(listings, whitelist, search, context);
    };
    let mut fit_alike = false;
    let mut order: Vec<CheckedSort<'w>> = Vec::with_capacity(asked.len());
    for AskedSort { name, direction } in asked {
        match whitelist.sorts.iter().find(|sort| sort.name == *name) {
            Some(sort) if order.iter().any(|known| known.sort.name == sort.name) => {}
            Some(sort) => {
                let chosen = checked(listings, whitelist, (sort, *direction), search, context)?;
                fit_alike |= chosen.is_none();
                order.extend(chosen);
            }
            None => unknown.add(What::Sort, around, name, whitelist.sort_names()),
        }
    }
    if order.is_empty() && fit_alike {
        return defaults(listings, whitelist, None, context);
    }
    Ok(order)
}

/// The order of a to-many relation's rows, if the relation does not define one (d43).
pub(super) fn of_related<'w>(
    listings: &'w Listings,
    relation: &WhitelistRelation,
    context: &'w Context,
) -> Result<Option<Vec<CheckedSort<'w>>>, CheckError> {
    match relation.target.listing {
        Some(listing)
            if relation.meta.to_many
                && relation.order.is_empty()
                && relation.link_order.is_empty() =>
        {
            defaults(listings, listings.get(listing), None, context).map(Some)
        }
        _ => Ok(None),
    }
}

/// Records a sort that was requested on related rows without sorts.
pub(super) fn unknown(name: &str, around: Path<'_>, unknown: &mut Unknown) {
    unknown.add(What::Sort, around, name, std::iter::empty());
}

/// The sorts of a listing that apply if none is requested.
fn defaults<'w>(
    listings: &'w Listings,
    whitelist: &'w Whitelist,
    search: Option<&CheckedSearch<'w>>,
    context: &'w Context,
) -> Result<Vec<CheckedSort<'w>>, CheckError> {
    let sorts = whitelist.sorts.iter();
    sorts
        .filter_map(|sort| Some((sort, sort.default?)))
        .filter_map(|chosen| checked(listings, whitelist, chosen, search, context).transpose())
        .collect()
}

/// `None` for a sort by relevance without a search.
fn checked<'w>(
    listings: &'w Listings,
    whitelist: &'w Whitelist,
    (sort, direction): (&'w WhitelistSort, SortDirection),
    search: Option<&CheckedSearch<'w>>,
    context: &'w Context,
) -> Result<Option<CheckedSort<'w>>, CheckError> {
    let search = match sort.source {
        SortSource::Relevance if search.is_none() => return Ok(None),
        SortSource::Relevance => search.cloned(),
        _ => None,
    };
    let visible = match sort.source {
        SortSource::Related { relation, .. } => Some(visible::related(
            listings,
            &whitelist.relations[relation],
            context,
        )?),
        SortSource::Column(_) | SortSource::Computed(_) | SortSource::Relevance => None,
    };
    Ok(Some(CheckedSort {
        sort,
        direction,
        visible,
        search,
    }))
}
