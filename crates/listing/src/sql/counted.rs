//! Counts the rows to which a relation leads, as a sub-query of the row that they belong to.

use super::condition::condition;
use super::writer::Writer;
use crate::plan::{ColumnOf, Predicate, RelatedCount};

/// What the related rows are called where their own table is already in use: by the row that they belong to.
const ALIAS: &str = "listing_counted";

/// Writes `SELECT COUNT(*) …`.
///
/// Every table stands in a `FROM` of its own, so that conditions that application code wrote without a table's name mean
/// the nearest table, and never two.
pub(super) fn counted(writer: &mut Writer<'_>, count: &RelatedCount<'_>) {
    writer.text("SELECT COUNT(*) FROM ");
    let is_self = count.target.name == count.from.table;
    let to = |writer: &mut Writer<'_>| {
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
    to(writer);
    match count.through {
        None => meets(writer, count.from),
        Some(through) => {
            let of = |writer: &mut Writer<'_>, column: &str| {
                writer.name(&through.name);
                writer.text(".");
                writer.name(column);
            };
            writer.text(" IN (SELECT ");
            of(writer, &through.to_target[0]);
            writer.text(" FROM ");
            writer.table(&through.table);
            writer.text(" WHERE ");
            of(writer, &through.to_parent[0]);
            meets(writer, count.from);
            and(writer, &count.links);
            writer.text(")");
        }
    }
    if !is_self {
        and(writer, &count.visible);
    }
}

fn meets(writer: &mut Writer<'_>, from: ColumnOf<'_>) {
    writer.text(" = ");
    writer.column(from);
}

fn and(writer: &mut Writer<'_>, predicate: &Predicate<'_>) {
    if !predicate.is_always() {
        writer.text(" AND ");
        condition(writer, predicate);
    }
}
