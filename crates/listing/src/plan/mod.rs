//! Builds a [`Plan`]: columns, rows, order and relations, as plain data.

mod columns;
mod counts;
mod cursor;
mod order;
mod relation;

pub(crate) use crate::check::{
    Applied, CalendarOptions, CheckedExport, CheckedFacet, CheckedGroups, CheckedNumbers,
    CheckedSearch, CheckedTotal, ColumnOf, Comparison, Computed, FacetShows, FacetSort, FirstRow,
    GroupKey, GroupNumber, Having, HavingValue, Hint, Ignored, Junction, Page, Predicate,
    RelatedCount, RelatedFacet, RelatedRows, TextPlace, ValueOptions, Word,
};
pub(crate) use columns::{ColumnSource, PlannedColumn, of_fields};
pub(crate) use cursor::CursorPlan;
pub(crate) use order::{NullsPlace, OrderBy, OrderTerm, RelatedRow, of_columns};
pub(crate) use relation::RelationPlan;

use sea_orm::sea_query::{Query, SelectStatement, TableRef};

use crate::check::{CheckError, Checked, CheckedRecord};
use crate::define::{Context, EntityMeta, Listings, Whitelist};
use crate::vocabulary::{CountMode, Layout, Plans};

/// Everything to read, and how to show it.
pub(crate) struct Plan<'w> {
    /// The application's own query, whose conditions apply together with ours. Its columns, order and limit have been removed.
    /// `None` if it is only the entity's table.
    pub(crate) base: Option<Box<SelectStatement>>,
    pub(crate) entity: &'w EntityMeta,
    pub(crate) columns: Vec<PlannedColumn<'w>>,
    pub(crate) predicate: Predicate<'w>,
    /// The order, which ends with the primary key, so that no two rows are equal.
    pub(crate) order: Vec<OrderTerm<'w>>,
    pub(crate) page: Page,
    /// The beginning of the page, if it is requested by cursor.
    pub(crate) cursor: Option<CursorPlan<'w>>,
    /// How the total is determined.
    pub(crate) count: CountMode,
    /// Whether the matching rows are counted before the page is read.
    pub(crate) counts_first: bool,
    /// Whether the first rows in sort order are read before anything is counted, if no total is requested.
    pub(crate) looks_at_the_order: bool,
    /// How its statements are planned.
    pub(crate) plans: Plans,
    /// Whether the page and its count are known to have no index.
    pub(crate) is_unindexed: bool,
    /// Whether the table is known to be large.
    pub(crate) is_large: bool,
    pub(crate) relations: Vec<RelationPlan<'w>>,
    /// The counts that are read after the page, in the order of their columns.
    pub(crate) counts: Vec<RelationPlan<'w>>,
    pub(crate) applied: Vec<Applied<'w>>,
    /// The search. Its condition is in `predicate`.
    pub(crate) search: Option<CheckedSearch<'w>>,
    pub(crate) ignored: Ignored,
    /// Likely mistakes in the filters.
    pub(crate) hints: Vec<Hint>,
    /// The numbers requested with the rows.
    pub(crate) numbers: Option<Box<CheckedNumbers<'w>>>,
    pub(crate) layout: Layout,
    /// The caller and other data of the request, for label resolvers.
    pub(crate) context: &'w Context,
}

impl Plan<'_> {
    /// How many rows of the page are read: one more than are shown, unless the count says whether there are more.
    pub(crate) fn rows_to_read(&self) -> u64 {
        self.page.limit() + u64::from(!self.count_tells_more())
    }

    /// Whether the count says if there are rows after the page, because it counts at least as far as the page.
    pub(crate) fn count_tells_more(&self) -> bool {
        self.cursor.is_none()
            && match self.count {
                CountMode::Exact | CountMode::Auto => true,
                CountMode::Capped(cap) => {
                    self.page.offset().saturating_add(self.page.limit()) <= cap
                }
                CountMode::Estimated | CountMode::Cached(_) | CountMode::None => false,
            }
    }

    /// Whether the page begins after a row.
    pub(crate) fn is_after_a_row(&self) -> bool {
        self.cursor
            .as_ref()
            .is_some_and(|cursor| cursor.after.is_some())
    }
}

/// Plans a checked request, for the rows of an application's query or all rows of the table. It fails only if a count leads to
/// rows of a listing that requires a known caller.
pub(crate) fn build(
    base: Option<Box<SelectStatement>>,
    checked: Checked<'_>,
) -> Result<Plan<'_>, CheckError> {
    whole(base, checked, counts::take)
}

/// Plans a file. One statement reads everything about a row, so counts are among its columns.
pub(crate) fn export(
    base: Option<Box<SelectStatement>>,
    checked: Checked<'_>,
) -> Result<Plan<'_>, CheckError> {
    whole(base, checked, |_, _| Vec::new())
}

fn whole<'w>(
    base: Option<Box<SelectStatement>>,
    checked: Checked<'w>,
    counts: impl FnOnce(&mut Vec<PlannedColumn<'w>>, &[OrderTerm<'w>]) -> Vec<RelationPlan<'w>>,
) -> Result<Plan<'w>, CheckError> {
    let whitelist = checked.whitelist;
    let listings = checked.listings;
    let fields = checked.fields.iter().map(|at| &whitelist.fields[*at]);
    let mut columns = columns::of_fields(listings, &whitelist.entity, fields, checked.context)?;
    let mut order = order::complete(
        listings,
        whitelist,
        checked.order,
        &columns::computed_positions(whitelist, checked.fields.iter().copied()),
        checked.context,
    )?;
    let mut cursor = checked
        .cursor
        .map(|cursor| cursor::plan(cursor, &mut order, &mut columns));
    let mut counts = counts(&mut columns, &order);
    let relations = relation::plan(
        checked.listings,
        &whitelist.entity,
        checked.relations,
        &mut columns,
        0,
        checked.context,
    )?;
    relation::place(&mut counts, &columns, 0);
    if let Some(cursor) = &mut cursor {
        cursor.place(&columns);
    }
    Ok(Plan {
        base: base.and_then(|base| without_shape(base, &whitelist.entity.table)),
        entity: &whitelist.entity,
        columns,
        predicate: checked.predicate,
        order,
        page: checked.page,
        cursor,
        count: checked.count,
        counts_first: checked.counts_first,
        looks_at_the_order: checked.looks_at_the_order,
        plans: whitelist.plans,
        is_unindexed: checked.is_unindexed,
        is_large: checked.is_large,
        relations,
        counts,
        applied: checked.applied,
        search: checked.search,
        ignored: checked.ignored,
        hints: checked.hints,
        numbers: checked.numbers,
        layout: checked.listings.settings().layout,
        context: checked.context,
    })
}

/// Plans the reading of one record: the requested fields, or those of the listing.
pub(crate) fn record<'w>(
    listings: &'w Listings,
    whitelist: &'w Whitelist,
    checked: CheckedRecord<'w>,
    predicate: Predicate<'w>,
    context: &'w Context,
) -> Result<Plan<'w>, CheckError> {
    let entity = &whitelist.entity;
    let mut columns = match &checked.fields {
        None => columns::of_fields(listings, entity, whitelist.show.iter(), context)?,
        Some(fields) => {
            let fields = fields.iter().map(|at| &whitelist.fields[*at]);
            columns::of_fields(listings, entity, fields, context)?
        }
    };
    let relations = checked.relations;
    let relations = relation::plan(listings, entity, relations, &mut columns, 0, context)?;
    Ok(Plan {
        base: None,
        entity,
        columns,
        predicate,
        order: order::of_columns(entity, &[], &whitelist.key),
        page: Page::Offset { start: 0, limit: 1 },
        cursor: None,
        count: CountMode::None,
        counts_first: false,
        looks_at_the_order: false,
        plans: whitelist.plans,
        // A record is found by its key.
        is_unindexed: false,
        is_large: false,
        relations,
        counts: Vec::new(),
        applied: Vec::new(),
        search: None,
        ignored: checked.ignored,
        hints: Vec::new(),
        numbers: None,
        layout: listings.settings().layout,
        context,
    })
}

/// Removes the columns, the order and the limit from an application's query. Of most queries, only the table is left.
fn without_shape(mut base: Box<SelectStatement>, table: &TableRef) -> Option<Box<SelectStatement>> {
    base.clear_selects()
        .clear_order_by()
        .reset_limit()
        .reset_offset();
    (*base != *Query::select().from(table.clone())).then_some(base)
}
