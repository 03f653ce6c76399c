//! Builds a [`Plan`]: which columns, rows, order and relations, as plain data.

mod columns;
mod cursor;
mod order;
mod relation;

pub(crate) use crate::check::{
    Applied, CheckedSearch, ColumnOf, Comparison, FirstRow, Hint, Ignored, Junction, Page,
    Predicate, RelatedRows, TextPlace, Word,
};
pub(crate) use columns::{ColumnSource, Computed, PlannedColumn, RelatedCount};
pub(crate) use cursor::CursorPlan;
pub(crate) use order::{NullsPlace, OrderBy, OrderTerm, RelatedRow, of_columns};
pub(crate) use relation::RelationPlan;

use sea_orm::sea_query::{Query, SelectStatement, TableRef};

use crate::check::{CheckError, Checked, CheckedRecord};
use crate::define::{Context, Listings, Whitelist};
use crate::vocabulary::{CountMode, Layout, Plans};

/// Everything that is to be read, and how it is to be told.
pub(crate) struct Plan<'w> {
    /// The application's own query, whose conditions hold together with ours; what it selected, ordered and limited is gone.
    /// None where it was nothing but the entity's table.
    pub(crate) base: Option<Box<SelectStatement>>,
    pub(crate) table: &'w TableRef,
    pub(crate) columns: Vec<PlannedColumn<'w>>,
    pub(crate) predicate: Predicate<'w>,
    /// Ends in the primary key, so that no two rows are equal in it.
    pub(crate) order: Vec<OrderTerm<'w>>,
    pub(crate) page: Page,
    /// Where the page begins, if it is asked for by cursor.
    pub(crate) cursor: Option<CursorPlan<'w>>,
    /// How the total is found.
    pub(crate) count: CountMode,
    /// How its statements are planned.
    pub(crate) plans: Plans,
    pub(crate) relations: Vec<RelationPlan<'w>>,
    pub(crate) applied: Vec<Applied<'w>>,
    /// What is searched for; its condition is in `predicate`.
    pub(crate) search: Option<CheckedSearch<'w>>,
    pub(crate) ignored: Ignored,
    /// What may be wrong with the filters.
    pub(crate) hints: Vec<Hint>,
    pub(crate) layout: Layout,
    /// The caller and what else the request carries, for label resolvers.
    pub(crate) context: &'w Context,
}

impl Plan<'_> {
    /// Whether any row is left out.
    pub(crate) fn is_filtered(&self) -> bool {
        !self.predicate.is_always() || self.is_after_a_row()
    }

    /// How many rows of the page are read: one more than are shown where the count does not say whether there are more.
    pub(crate) fn rows_to_read(&self) -> u64 {
        self.page.limit() + u64::from(!self.count_tells_more())
    }

    /// Whether the count says if there are rows after the page: one that goes on at least as far as the page does.
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

/// Plans a checked request, for the rows of an application's query or all rows of the table. It fails only where a
/// count goes to rows of a listing that wants a caller who is signed in.
pub(crate) fn build(
    base: Option<Box<SelectStatement>>,
    checked: Checked<'_>,
) -> Result<Plan<'_>, CheckError> {
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
    let relations = relation::plan(
        checked.listings,
        &whitelist.entity,
        checked.relations,
        &mut columns,
        0,
        checked.context,
    )?;
    if let Some(cursor) = &mut cursor {
        cursor.place(&columns);
    }
    Ok(Plan {
        base: base.and_then(|base| without_shape(base, &whitelist.entity.table)),
        table: &whitelist.entity.table,
        columns,
        predicate: checked.predicate,
        order,
        page: checked.page,
        cursor,
        count: checked.count,
        plans: whitelist.plans,
        relations,
        applied: checked.applied,
        search: checked.search,
        ignored: checked.ignored,
        hints: checked.hints,
        layout: checked.listings.settings().layout,
        context: checked.context,
    })
}

/// Plans the reading of one record: the fields that were asked for, or those that the listing shows.
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
        table: &entity.table,
        columns,
        predicate,
        order: order::of_columns(entity, &[], &whitelist.key),
        page: Page::Offset { start: 0, limit: 1 },
        cursor: None,
        count: CountMode::None,
        plans: whitelist.plans,
        relations,
        applied: Vec::new(),
        search: None,
        ignored: checked.ignored,
        hints: Vec::new(),
        layout: listings.settings().layout,
        context,
    })
}

/// Takes away what an application selected, ordered and limited. Most queries are then nothing but their table.
fn without_shape(mut base: Box<SelectStatement>, table: &TableRef) -> Option<Box<SelectStatement>> {
    base.clear_selects()
        .clear_order_by()
        .reset_limit()
        .reset_offset();
    (*base != *Query::select().from(table.clone())).then_some(base)
}
