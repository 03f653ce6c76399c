//! Writes the condition that a relation leads to a matching row, or that it does not (d73–d76).

use super::Writer;
use super::condition::condition;
use super::form::{self, Side, link_side};
use super::junction::{self, Links};
use crate::plan::{ColumnOf, RelatedRows};

/// Writes `EXISTS (…)`, or `IN (…)` where that is better. Rows are never multiplied by it, and it costs no statement of its
/// own (d77).
///
/// Every table has its own `FROM`, so that a column without a table name in an application's condition refers to the nearest
/// table, and is never ambiguous (b180).
pub(super) fn exists(writer: &mut Writer, rows: &RelatedRows<'_>, negated: bool) {
    if !negated && rows.are_found && writer.dialect.evaluates_exists_for_each_row() {
        return among(writer, rows);
    }
    if negated {
        writer.text("NOT EXISTS");
    } else {
        writer.exists();
    }
    writer.text(" (SELECT 1 FROM ");
    if rows.target.name == rows.from.table {
        of_itself(writer, rows);
    } else {
        source(writer, rows);
        writer.text(" WHERE ");
        meets(writer, rows, &|writer| link(writer, rows));
        if !rows.counting.is_always() {
            writer.text(" AND ");
            condition(writer, &rows.counting);
        }
    }
    writer.text(")");
}

/// Writes `key IN (SELECT …)`, which is evaluated once, from an index of the related rows. Several of them cost their sum.
fn among(writer: &mut Writer, rows: &RelatedRows<'_>) {
    let link = |writer: &mut Writer| link(writer, rows);
    let link = link_of(rows, &link);
    let from = |writer: &mut Writer| writer.column(rows.from);
    Side::of(rows.from.meta, &from).write_as(writer, link.met_as());
    writer.text(" IN (SELECT ");
    link.write_as_met(writer);
    writer.text(" FROM ");
    source(writer, rows);
    if !rows.counting.is_always() {
        writer.text(" WHERE ");
        condition(writer, &rows.counting);
    }
    writer.text(")");
}

/// Writes rows of the same table as the row outside under another name, because the table's name would refer to the inner rows.
fn of_itself(writer: &mut Writer, rows: &RelatedRows<'_>) {
    writer.text("(SELECT ");
    link(writer, rows);
    writer.text(" AS ");
    writer.name(MEETS);
    writer.text(" FROM ");
    source(writer, rows);
    if !rows.counting.is_always() {
        writer.text(" WHERE ");
        condition(writer, &rows.counting);
    }
    writer.text(") AS ");
    writer.name(RELATED);
    writer.text(" WHERE ");
    meets(writer, rows, &|writer| writer.qualified(RELATED, MEETS));
}

/// Writes ` INNER JOIN (…) AS "listing_related" ON …`, or a `LEFT JOIN` that keeps rows without a related one where the dialect counts
/// these too: a row for each outer row, whose key is written by `from`, and each related row that counts. A row that is linked twice to the same related row appears once (d102). The column named by `VALUE`
/// identifies the related row.
pub(super) fn joined(
    writer: &mut Writer,
    rows: &RelatedRows<'_>,
    from: &dyn Fn(&mut Writer),
    value: ColumnOf<'_>,
) {
    writer.text(match writer.dialect.counts_unrelated_rows_too() {
        true => " LEFT JOIN (SELECT ",
        false => " INNER JOIN (SELECT ",
    });
    link(writer, rows);
    writer.text(" AS ");
    writer.name(MEETS);
    writer.text(", ");
    writer.column(value);
    writer.text(" AS ");
    writer.name(VALUE);
    writer.text(" FROM ");
    source_of(writer, rows, true);
    if !rows.counting.is_always() {
        writer.text(" WHERE ");
        condition(writer, &rows.counting);
    }
    writer.text(") AS ");
    writer.name(RELATED);
    writer.text(" ON ");
    let meets = |writer: &mut Writer| writer.qualified(RELATED, MEETS);
    let from = Side::of(rows.from.meta, from);
    form::meet(writer, link_of(rows, &meets), from);
}

pub(super) const RELATED: &str = "listing_related";
pub(super) const VALUE: &str = "listing_value";
const MEETS: &str = "listing_meets";
/// The related table, with the junction's links joined.
fn source(writer: &mut Writer, rows: &RelatedRows<'_>) {
    source_of(writer, rows, false);
}

/// The same, with repeated links only `once` or as often as they occur.
fn source_of(writer: &mut Writer, rows: &RelatedRows<'_>, once: bool) {
    writer.table(&rows.target.table);
    if let Some(junction) = &rows.through {
        let links = Links {
            junction,
            from: rows.from,
            to: rows.to,
            once,
            order: &[],
            parent: None,
        };
        junction::join(writer, links);
    }
}

/// The column in which related rows hold the key of the row outside.
fn link(writer: &mut Writer, rows: &RelatedRows<'_>) {
    if rows.through.is_some() {
        junction::parent(writer);
    } else {
        writer.column(rows.to);
    }
}

/// Writes the condition that the row outside has the key that `link` writes.
fn meets(writer: &mut Writer, rows: &RelatedRows<'_>, link: &dyn Fn(&mut Writer)) {
    let from = |writer: &mut Writer| writer.column(rows.from);
    form::meet(writer, link_of(rows, link), Side::of(rows.from.meta, &from));
}

/// The side of the related rows, or of their links, as `link` writes it.
fn link_of<'s>(rows: &'s RelatedRows<'_>, link: &'s dyn Fn(&mut Writer)) -> Side<'s> {
    match &rows.through {
        Some(through) => link_side(through.meta, 0, &rows.from.meta.kind, link).met(),
        None => Side::of(rows.to.meta, link),
    }
}
