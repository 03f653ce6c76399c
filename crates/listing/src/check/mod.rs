//! Checks a [`Request`] against the whitelist: resolves every name, types every value, and records what is ignored.

mod applied;
mod codes;
mod computed;
mod cost;
mod count_first;
mod cursor;
mod error;
mod export;
mod facet_options;
mod filters;
mod groups;
mod hints;
mod ignored;
mod indexes;
mod inside_json;
mod left_out;
mod level;
mod meaning;
mod misplaced;
mod numbers;
mod numbers_error;
mod page;
mod populate;
mod predicate;
mod search;
mod select;
mod sort;
mod values;
mod visible;

pub use error::CheckError;
pub use ignored::Ignored;
pub use page::Page;
pub use visible::Trashed;

pub(crate) use applied::Applied;
pub(crate) use computed::{Computed, RelatedCount};
pub(crate) use cursor::CheckedCursor;
pub(crate) use export::{CheckedExport, export};
pub(crate) use facet_options::{CalendarOptions, FacetSort, ValueOptions};
pub(crate) use groups::{CheckedGroups, GroupKey, GroupNumber, Having, HavingValue, groups};
pub(crate) use hints::Hint;
pub(crate) use numbers::{CheckedFacet, CheckedNumbers, CheckedTotal, FacetShows, RelatedFacet};
pub(crate) use page::fitted;
pub(crate) use populate::{CheckedRelation, Shown};
pub(crate) use predicate::{
    ColumnOf, Comparison, FirstRow, Junction, Predicate, RelatedRows, TextPlace,
};
pub(crate) use search::{CheckedSearch, Word};
pub(crate) use sort::CheckedSort;
pub(crate) use visible::own;

use std::iter;
use std::time::Duration;

use self::cost::Costs;
use self::ignored::{Path, Unknown};
use self::indexes::Indexes;
use self::misplaced::Asked;
use crate::define::{Calendar, Context, Listings, Whitelist};
use crate::request::Request;
use crate::vocabulary::CountMode;

/// A request with all names resolved and all values typed.
pub(crate) struct Checked<'w> {
    pub(crate) whitelist: &'w Whitelist,
    pub(crate) listings: &'w Listings,
    pub(crate) context: &'w Context,
    /// Indexes into the whitelist's fields, in the order of definition.
    pub(crate) fields: Vec<usize>,
    pub(crate) relations: Vec<CheckedRelation<'w>>,
    /// Filters, defaults, scope and soft delete combined.
    pub(crate) predicate: Predicate<'w>,
    /// The filters, as `meta.filters` shows them.
    pub(crate) applied: Vec<Applied<'w>>,
    /// The search. Its condition is in `predicate`.
    pub(crate) search: Option<CheckedSearch<'w>>,
    pub(crate) order: Vec<CheckedSort<'w>>,
    pub(crate) page: Page,
    /// The beginning of the page, if it is requested by cursor.
    pub(crate) cursor: Option<CheckedCursor<'w>>,
    /// How the total is determined.
    pub(crate) count: CountMode,
    /// Whether the matching rows are counted before the page is read.
    pub(crate) counts_first: bool,
    /// Whether the first rows in sort order are read before anything is counted, if no total is requested.
    pub(crate) looks_at_the_order: bool,
    pub(crate) ignored: Ignored,
    /// Likely mistakes in the filters.
    pub(crate) hints: Vec<Hint>,
    /// The numbers requested with the rows.
    pub(crate) numbers: Option<Box<CheckedNumbers<'w>>>,
    /// Whether it is known to have no index.
    pub(crate) is_unindexed: bool,
    /// Whether its table is known to be large.
    pub(crate) is_large: bool,
}

/// Checks a request against a whitelist.
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
    let calendar = Calendar::new(context, request.timezone.unwrap_or_default());
    let relations = populate::tree(
        listings,
        whitelist,
        request.populate.as_ref(),
        Some(page),
        (context, &calendar),
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
    let facets = match request.numbers.as_deref() {
        None => Vec::new(),
        Some(asked) => numbers::known_facets(whitelist, &asked.facets, &mut unknown)?,
    };
    let ignored = unknown.finish()?;
    let mut costs = Costs::of(listings);
    let asked = &request.filters;
    let filters::Typed {
        filters,
        applied,
        hints,
    } = filters::typed(listings, whitelist, asked, (context, &calendar), &mut costs)?;
    let list = cursor::List {
        whitelist,
        sorts: &order,
        filters: &applied,
        search: search.as_ref(),
        trashed,
        timezone: request.timezone.unwrap_or_default(),
    };
    let cursor = list.cursor(listings, request.cursor.as_deref())?;
    let own = own(whitelist, context, trashed);
    let conditions = match &search {
        None => filters,
        Some(search) => Predicate::Search(search.clone()).and(filters),
    };
    let counts_first =
        count_first::is_better(Indexes::of(listings), whitelist, &own, &conditions, &order);
    let predicate = own.and(conditions);
    let looks_at_the_order = counts_first
        && count_first::looks_at_the_order(Indexes::of(listings), whitelist, &predicate, &order);
    costs.search(search.as_ref());
    costs.sorts(whitelist, &order, request.sort.as_deref());
    costs.settle(0, &predicate);
    let numbers = match request.numbers.as_deref() {
        None => None,
        Some(asked) => {
            let counted = numbers::Counted {
                listings,
                whitelist,
                context,
                calendar: &calendar,
                filters: &request.filters,
                search: search.as_ref(),
                trashed,
                applied: &applied,
                rows: &predicate,
            };
            let facets = facets.into_iter();
            let facets = facets.map(|(facet, asked)| counted.facet(facet, asked, &mut costs));
            Some(Box::new(CheckedNumbers {
                facets: facets.collect::<Result<_, _>>()?,
                totals: numbers::totals(whitelist, asked)?,
                within: Duration::from_millis(listings.settings().numbers_timeout_ms),
            }))
        }
    };
    let is_unindexed = costs.finish(whitelist)?;
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
        counts_first,
        looks_at_the_order,
        ignored,
        hints,
        numbers,
        is_unindexed,
        is_large: Indexes::of(listings)
            .table(&whitelist.entity.name)
            .is_some(),
    })
}

/// The visible parts of one record.
#[derive(Default)]
pub(crate) struct CheckedRecord<'w> {
    /// Indexes into the whitelist's fields; `None` for the listing's fields of a single record.
    pub(crate) fields: Option<Vec<usize>>,
    pub(crate) relations: Vec<CheckedRelation<'w>>,
    pub(crate) ignored: Ignored,
}

/// Checks a request for one record against a whitelist: `fields` and `populate`, by the rules of lists (d89).
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
    let calendar = Calendar::new(context, request.timezone.unwrap_or_default());
    let relations = match &request.populate {
        // Default relations only apply to lists.
        None => Vec::new(),
        asked => populate::tree(
            listings,
            whitelist,
            asked.as_ref(),
            None,
            (context, &calendar),
            &mut unknown,
        )?,
    };
    for sent in &request.unknown {
        unknown.parameter(&sent.name, ["fields", "populate", "timezone"].into_iter());
    }
    Ok(CheckedRecord {
        fields,
        relations,
        ignored: unknown.finish()?,
    })
}

/// `trashed=with|only`, if the listing allows it; otherwise it is an unknown parameter (d6, d62).
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

/// The parameters that a list has for this caller.
fn parameters(whitelist: &Whitelist, context: &Context) -> impl Iterator<Item = &'static str> {
    let all = [
        "fields",
        "populate",
        "filters",
        "sort",
        "pagination",
        "timezone",
    ]
    .into_iter();
    let facets = iter::once("facets").filter(move |_| !whitelist.facets.is_empty());
    let totals = iter::once("totals").filter(move |_| !whitelist.aggregates.is_empty());
    let search = iter::once("search").filter(move |_| whitelist.search.is_some());
    let trashed = iter::once("trashed").filter(move |_| allows_trashed(whitelist, context));
    all.chain(search).chain(facets).chain(totals).chain(trashed)
}
