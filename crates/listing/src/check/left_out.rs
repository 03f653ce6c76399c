//! Removes the conditions on one key: those at the top level of the filters, and its default (d99).

use super::{CheckError, Predicate, filters};
use crate::define::{Calendar, Context, Listings, Whitelist};
use crate::request::AskedFilter;

/// The conditions that remain without them.
pub(super) fn without<'w>(
    listings: &'w Listings,
    whitelist: &'w Whitelist,
    asked: &AskedFilter,
    key: &str,
    moment: (&Context, &Calendar<'_>),
) -> Result<Predicate<'w>, CheckError> {
    let others = parts(asked).iter().filter(|part| !is_on(part, key));
    filters::without_default(listings, whitelist, others, key, moment)
}

/// Whether there are any conditions on the key at the top level.
pub(super) fn has(asked: &AskedFilter, key: &str) -> bool {
    parts(asked).iter().any(|part| is_on(part, key))
}

/// Whether this is a condition on the key, and not a group.
fn is_on(part: &AskedFilter, key: &str) -> bool {
    match part {
        AskedFilter::Compare(asked) => asked.field == key,
        AskedFilter::Related(asked) | AskedFilter::Counted(asked) => asked.key == key,
        AskedFilter::All(_) | AskedFilter::Any(_) | AskedFilter::Not(_) => false,
    }
}

/// The conditions at the top level.
fn parts(asked: &AskedFilter) -> &[AskedFilter] {
    match asked {
        AskedFilter::All(parts) => parts,
        one => std::slice::from_ref(one),
    }
}
