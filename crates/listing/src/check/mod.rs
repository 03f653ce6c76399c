//! Checks a [`Request`] against the whitelist: every name resolved, every value typed, everything ignored recorded.

mod codes;
mod cost;
mod counted;
mod cursor;
mod error;
mod filters;
mod hints;
mod ignored;
mod level;
mod meaning;
mod misplaced;
mod page;
mod populate;
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
pub(crate) use hints::Hint;
pub(crate) use populate::{CheckedRelation, Shown};
pub(crate) use predicate::{
    ColumnOf, Comparison, FirstRow, Junction, Predicate, RelatedRows, TextPlace,
};
pub(crate) use search::{CheckedSearch, Word};
pub(crate) use sort::CheckedSort;
pub(crate) use visible::own;

use std::iter;

use self::cost::Costs;
use self::ignored::{Path, Unknown};
use self::misplaced::Asked;
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
    /// What may be wrong with the filters.
    pub(crate) hints: Vec<Hint>,
}

/// Holds a request against a whitelist.
pub(crate) fn against<'w>(
    listings: &'w Listings,
    whitelist: &'w Whitelist,
    request: &Request,
    context: &'w Context,
) -> Result<Checked<'w>, CheckError> {
    misplaced::refuse(listings, whitelist, &request.unknown, Asked::List)?;
    let mut unknown = Unknown::new(listings.settings().strict);
    let fields = select::fields(whitelist, request.fields.as_ref(), Path::TOP, &mut unknown);
    let page = page::within(whitelist, request);
    let count = page::count(whitelist, request)?;
    let relations = populate::tree(
        listings,
        whitelist,
        request.populate.as_ref(),
        Some(page),
        context,
        &mut unknown,
    )?;
    let search = search::checked(whitelist, request.search.as_ref())?;
    let order = sort::order(
        listings,
        whitelist,
        request.sort.as_deref(),
        search.as_ref(),
        context,
        Path::TOP,
        &mut unknown,
    )?;
    let trashed = trashed(whitelist, request, context, &mut unknown)?;
    for sent in &request.unknown {
        unknown.parameter(&sent.name, parameters(whitelist, context));
    }
    let ignored = unknown.finish()?;
    let mut costs = Costs::of(listings);
    let asked = &request.filters;
    let filters::Typed {
        filters,
        applied,
        hints,
    } = filters::typed(listings, whitelist, asked, context, &mut costs)?;
    let list = cursor::List {
        whitelist,
        sorts: &order,
        filters: &applied,
        search: search.as_ref(),
        trashed,
    };
    let cursor = list.cursor(listings, request.cursor.as_deref())?;
    let predicate = own(whitelist, context, trashed).and(match &search {
        None => filters,
        Some(search) => Predicate::Search(search.clone()).and(filters),
    });
    costs.search(search.as_ref());
    costs.sorts(whitelist, &order, request.sort.as_deref());
    costs.settle(0, &predicate);
    costs.refuse(whitelist)?;
    Ok(Checked {
        whitelist,
        listings,
        context,
        fields,
        relations,
        predicate,
        applied,
        search,
        order,
        page,
        cursor,
        count,
        ignored,
        hints,
    })
}

/// What is shown of one record.
pub(crate) struct CheckedRecord<'w> {
    /// Indexes into the whitelist's fields; none for what the listing shows of a record.
    pub(crate) fields: Option<Vec<usize>>,
    pub(crate) relations: Vec<CheckedRelation<'w>>,
    pub(crate) ignored: Ignored,
}

/// Holds what is asked of one record against a whitelist: `fields` and `populate`, by the rules of lists (d89).
pub(crate) fn record<'w>(
    listings: &'w Listings,
    whitelist: &'w Whitelist,
    request: &Request,
    context: &'w Context,
) -> Result<CheckedRecord<'w>, CheckError> {
    misplaced::refuse(listings, whitelist, &request.unknown, Asked::Record)?;
    let mut unknown = Unknown::new(listings.settings().strict);
    let fields = request
        .fields
        .as_ref()
        .map(|asked| select::fields(whitelist, Some(asked), Path::TOP, &mut unknown));
    let relations = match &request.populate {
        // Default relations are those of lists.
        None => Vec::new(),
        asked => populate::tree(
            listings,
            whitelist,
            asked.as_ref(),
            None,
            context,
            &mut unknown,
        )?,
    };
    for sent in &request.unknown {
        unknown.parameter(&sent.name, ["fields", "populate"].into_iter());
    }
    Ok(CheckedRecord {
        fields,
        relations,
        ignored: unknown.finish()?,
    })
}

/// `trashed=with|only`, where the listing allows it; elsewhere it is an unknown parameter (d6, d62).
fn trashed(
    whitelist: &Whitelist,
    request: &Request,
    context: &Context,
    unknown: &mut Unknown,
) -> Result<Trashed, CheckError> {
    let Some(trashed) = request.trashed.as_deref() else {
        return Ok(Trashed::Without);
    };
    if !allows_trashed(whitelist, context) {
        unknown.parameter("trashed", parameters(whitelist, context));
        return Ok(Trashed::Without);
    }
    match trashed {
        "" => Ok(Trashed::Without),
        "with" => Ok(Trashed::With),
        "only" => Ok(Trashed::Only),
        other => Err(CheckError::wrong_trashed(other)),
    }
}

fn allows_trashed(whitelist: &Whitelist, context: &Context) -> bool {
    whitelist.soft_delete.is_some() && (whitelist.trashed)(context)
}

/// The parameters that a list has for the caller.
fn parameters(whitelist: &Whitelist, context: &Context) -> impl Iterator<Item = &'static str> {
    let all = ["fields", "populate", "filters", "sort", "pagination"].into_iter();
    let search = iter::once("search").filter(move |_| whitelist.search.is_some());
    let trashed = iter::once("trashed").filter(move |_| allows_trashed(whitelist, context));
    all.chain(search).chain(trashed)
}
