//! Checks a [`Request`] against the whitelist: every name resolved, every value typed, everything ignored recorded.

mod counted;
mod cursor;
mod error;
mod filters;
mod ignored;
mod level;
mod page;
mod predicate;
mod search;
mod select;
mod sort;
mod visible;

pub use error::CheckError;
pub use ignored::Ignored;
pub use page::Page;
pub use visible::Trashed;

pub(crate) use counted::{Counted, counted};
pub(crate) use cursor::CheckedCursor;
pub(crate) use filters::Applied;
pub(crate) use predicate::{ColumnOf, Comparison, Junction, Predicate, RelatedRows, TextPlace};
pub(crate) use search::{CheckedSearch, Word};
pub(crate) use sort::CheckedSort;
pub(crate) use visible::own;

use crate::define::{Context, Listings, Whitelist};
use crate::request::Request;
use crate::vocabulary::CountMode;

/// A request in which every name is resolved and every value is typed.
pub(crate) struct Checked<'w> {
    pub(crate) whitelist: &'w Whitelist,
    pub(crate) listings: &'w Listings,
    pub(crate) context: &'w Context,
    /// Indexes into the whitelist's fields, in the order of definition.
    pub(crate) fields: Vec<usize>,
    pub(crate) relations: Vec<CheckedRelation<'w>>,
    /// Filters, defaults, scope and soft delete, together.
    pub(crate) predicate: Predicate<'w>,
    /// The filters, as `meta.filters` tells them.
    pub(crate) applied: Vec<Applied<'w>>,
    /// What is searched for; its condition is in `predicate`.
    pub(crate) search: Option<CheckedSearch<'w>>,
    pub(crate) order: Vec<CheckedSort<'w>>,
    pub(crate) page: Page,
    /// Where the page begins, if it is asked for by cursor.
    pub(crate) cursor: Option<CheckedCursor<'w>>,
    /// How the total is found.
    pub(crate) count: CountMode,
    pub(crate) ignored: Ignored,
}

/// A relation to populate.
pub(crate) struct CheckedRelation<'w> {
    /// Index into the whitelist's relations.
    pub(crate) index: usize,
    /// Which related rows the caller can see.
    pub(crate) visible: Predicate<'w>,
    /// The junction of a many-to-many relation.
    pub(crate) through: Option<Junction<'w>>,
    /// The related listing's default order; empty where the relation has its own, or leads to one row.
    pub(crate) order: Vec<CheckedSort<'w>>,
}

/// Holds a request against a whitelist.
pub(crate) fn against<'w>(
    listings: &'w Listings,
    whitelist: &'w Whitelist,
    request: &Request,
    context: &'w Context,
) -> Result<Checked<'w>, CheckError> {
    let mut ignored = Ignored::default();
    let fields = select::fields(whitelist, request.fields.as_ref(), &mut ignored);
    let relations = select::relations(whitelist, request.populate.as_ref(), &mut ignored)?;
    let search = search::checked(whitelist, request.search.as_deref())?;
    let order = sort::order(
        listings,
        whitelist,
        request.sort.as_deref(),
        search.as_ref(),
        context,
        &mut ignored,
    )?;
    let trashed = trashed(whitelist, request, context, &mut ignored)?;
    for name in &request.unknown {
        ignored.parameter(name);
    }
    if listings.settings().strict {
        ignored.refuse(whitelist)?;
    }
    let (filters, applied) = filters::typed(listings, whitelist, &request.filters, context)?;
    let list = cursor::List {
        whitelist,
        sorts: &order,
        filters: &applied,
        search: search.as_ref(),
        trashed,
    };
    let cursor = list.cursor(listings, request.cursor.as_deref())?;
    let relations = relations
        .into_iter()
        .map(|index| {
            let relation = &whitelist.relations[index];
            Ok(CheckedRelation {
                index,
                visible: visible::related(listings, relation, context)?,
                through: visible::junction(listings, relation, context)?,
                order: sort::of_related(listings, relation, context)?,
            })
        })
        .collect::<Result<_, _>>()?;
    Ok(Checked {
        whitelist,
        listings,
        context,
        fields,
        relations,
        predicate: own(whitelist, context, trashed).and(match &search {
            None => filters,
            Some(search) => Predicate::Search(search.clone()).and(filters),
        }),
        applied,
        search,
        order,
        page: page::within(whitelist, request),
        cursor,
        count: page::count(whitelist, request),
        ignored,
    })
}

/// `trashed=with|only`, where the listing allows it; elsewhere it is an unknown parameter (d6, d62).
fn trashed(
    whitelist: &Whitelist,
    request: &Request,
    context: &Context,
    ignored: &mut Ignored,
) -> Result<Trashed, CheckError> {
    let Some(trashed) = request.trashed.as_deref() else {
        return Ok(Trashed::Without);
    };
    if whitelist.soft_delete.is_none() || !(whitelist.trashed)(context) {
        ignored.parameter("trashed");
        return Ok(Trashed::Without);
    }
    match trashed {
        "" => Ok(Trashed::Without),
        "with" => Ok(Trashed::With),
        "only" => Ok(Trashed::Only),
        other => Err(CheckError::wrong_trashed(other)),
    }
}
