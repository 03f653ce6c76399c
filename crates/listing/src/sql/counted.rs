//! Counts the rows to which a relation leads, as a sub-query of the row that they belong to.

use super::condition::condition;
use super::form::{self, Side, link_side};
use super::writer::Writer;
use crate::plan::{Predicate, RelatedCount};

/// The alias of the related rows if the row that they belong to is in the same table.
const ALIAS: &str = "listing_counted";

/// Writes `SELECT COUNT(*) …`.
///
/// Every table has its own `FROM`, so that a column without a table name in an application's condition refers to the nearest
/// table, and is never ambiguous.
pub(super) fn counted(writer: &mut Writer, count: &RelatedCount<'_>) {
    writer.text("SELECT COUNT(*) FROM ");
    let is_self = count.target.name == count.from.table;
    let to = |writer: &mut Writer| {
        writer.name(if is_self { ALIAS } else { count.to.table });
        writer.text(".");
        writer.name(&count.to.meta.name);
    };
    if is_self && !count.visible.is_always() {
        // Conditions name the table: they are kept inside, where it has its own name.
        writer.text("(SELECT ");
        writer.column(count.to);
        writer.text(" FROM ");
        writer.table(&count.target.table);
        writer.text(" WHERE ");
        condition(writer, &count.visible);
        writer.text(")");
    } else {
        writer.table(&count.target.table);
    }
    if is_self {
        writer.text(" AS ");
        writer.name(ALIAS);
    }
    writer.text(" WHERE ");
    let (own, from) = (Side::of(count.to.meta, &to), |writer: &mut Writer| {
        writer.column(count.from);
    });
    let from = Side::of(count.from.meta, &from);
    match count.through {
        None => form::meet(writer, own, from),
        Some(through) => {
            let of = |writer: &mut Writer, column: &str| {
                writer.qualified(&through.name, column);
            };
            let target = |writer: &mut Writer| of(writer, &through.to_target[0]);
            let parent = |writer: &mut Writer| of(writer, &through.to_parent[0]);
            own.write_as_met(writer);
            writer.text(" IN (SELECT ");
            link_side(through, 1, own.kind, &target).write_as(writer, own.met_as());
            writer.text(" FROM ");
            writer.table(&through.table);
            writer.text(" WHERE ");
            form::meet(writer, link_side(through, 0, from.kind, &parent), from);
            and(writer, &count.links);
            writer.text(")");
        }
    }
    if !is_self {
        and(writer, &count.visible);
    }
}

fn and(writer: &mut Writer, predicate: &Predicate<'_>) {
    if !predicate.is_always() {
        writer.text(" AND ");
        condition(writer, predicate);
    }
}
