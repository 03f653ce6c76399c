//! Joins the rows of a junction to the related table, with names of our own.
//!
//! A column without a table name in an application's condition then refers to the related entity's own (b180).

use super::Writer;
use super::condition::condition;
use super::form::{self, Side, link_side};
use crate::define::LinkOrder;
use crate::plan::{ColumnOf, Junction, OrderBy, OrderTerm};
use crate::vocabulary::SortDirection;

const LINK: &str = "listing_link";
const LINK_PARENT: &str = "listing_parent";
const LINK_TARGET: &str = "listing_target";

/// The links from rows outside, in their column `from`, to related rows, in their column `to`.
#[derive(Clone, Copy)]
pub(super) struct Links<'p, 'w> {
    pub(super) junction: &'p Junction<'w>,
    pub(super) from: ColumnOf<'w>,
    pub(super) to: ColumnOf<'w>,
    /// Whether a row that is linked twice counts once (b260).
    pub(super) once: bool,
    /// The order in which related rows are populated, which can be that of the links.
    pub(super) order: &'p [OrderTerm<'w>],
    /// The parent, if the database would not push its condition into a query that leaves out repeated rows.
    pub(super) parent: Option<&'static str>,
}

/// Writes ` INNER JOIN (…) AS "listing_link" ON …`.
pub(super) fn join(writer: &mut Writer, links: Links<'_, '_>) {
    let Junction { meta, visible } = links.junction;
    let to_parent = |writer: &mut Writer| writer.qualified(&meta.name, &meta.to_parent[0]);
    let to_target = |writer: &mut Writer| writer.qualified(&meta.name, &meta.to_target[0]);
    let to_parent = link_side(meta, 0, &links.from.meta.kind, &to_parent);
    let to_target = link_side(meta, 1, &links.to.meta.kind, &to_target);
    let distinct = links.once && meta.repeats;
    let order = || links.order.iter().filter_map(by_link);
    let is_ordered = order().next().is_some();
    writer.text(" INNER JOIN (SELECT ");
    writer.text(if distinct && !is_ordered {
        "DISTINCT "
    } else {
        ""
    });
    to_parent.write_as_met(writer);
    writer.text(" AS ");
    writer.name(LINK_PARENT);
    writer.text(", ");
    to_target.write_as_met(writer);
    writer.text(" AS ");
    writer.name(LINK_TARGET);
    for order in order() {
        writer.text(", ");
        // The first of the places of a row that is linked twice.
        writer.text(match (distinct, order.direction) {
            (false, _) => "",
            (true, SortDirection::Asc) => "MIN(",
            (true, SortDirection::Desc) => "MAX(",
        });
        writer.qualified(&meta.name, &order.column);
        writer.text(if distinct { ")" } else { "" });
        writer.text(" AS ");
        writer.name(&by(order));
    }
    writer.text(" FROM ");
    writer.table(&meta.table);
    let parent = links.parent.filter(|_| distinct);
    if let Some(parent) = parent {
        writer.text(" WHERE ");
        to_parent.write_as_met(writer);
        writer.text(" = ");
        writer.text(parent);
    }
    if !visible.is_always() {
        writer.text(if parent.is_some() { " AND " } else { " WHERE " });
        condition(writer, visible);
    }
    writer.text(if distinct && is_ordered {
        " GROUP BY 1, 2"
    } else {
        ""
    });
    writer.text(") AS ");
    writer.name(LINK);
    writer.text(" ON ");
    let target = |writer: &mut Writer| writer.qualified(LINK, LINK_TARGET);
    let target = link_side(meta, 1, &links.to.meta.kind, &target).met();
    let to = |writer: &mut Writer| writer.column(links.to);
    let to = Side::of(links.to.meta, &to);
    form::meet_as(writer, target, to, to.met_as());
}

fn by_link<'w>(term: &OrderTerm<'w>) -> Option<&'w LinkOrder> {
    match term.by {
        OrderBy::Link(order) => Some(order),
        _ => None,
    }
}

/// The name of a column by which links are ordered.
fn by(order: &LinkOrder) -> String {
    format!("listing_by_{}", order.column)
}

/// Writes the column of a link that it is ordered by.
pub(super) fn ordered_by(writer: &mut Writer, order: &LinkOrder) {
    writer.qualified(LINK, &by(order));
}

/// Writes the column in which a link holds the key of the row outside.
pub(super) fn parent(writer: &mut Writer) {
    writer.qualified(LINK, LINK_PARENT);
}
