//! Writes the condition that a relation leads to a row that counts, or to none (d73–d76).

use super::Writer;
use super::condition::condition;
use super::form::{self, Side, link_side};
use crate::plan::{Junction, RelatedRows};

/// Writes `EXISTS (…)`. Rows are never multiplied by it, and it costs no statement of its own (d77).
///
/// Every table stands in a `FROM` of its own, so that conditions that application code wrote without a table's name mean
/// the nearest table, and never two (b180).
pub(super) fn exists(writer: &mut Writer<'_>, rows: &RelatedRows<'_>, negated: bool) {
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

/// Rows of the same table as the row outside: its name would mean the inner one, so that these get another name.
fn of_itself(writer: &mut Writer<'_>, rows: &RelatedRows<'_>) {
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

const RELATED: &str = "listing_related";
const MEETS: &str = "listing_meets";
const LINK: &str = "listing_link";
const LINK_PARENT: &str = "listing_parent";
const LINK_TARGET: &str = "listing_target";

/// The related table, with the junction's links joined under names of ours.
fn source(writer: &mut Writer<'_>, rows: &RelatedRows<'_>) {
    writer.table(&rows.target.table);
    let Some(Junction { meta, visible }) = &rows.through else {
        return;
    };
    writer.text(" INNER JOIN (SELECT ");
    let to_parent = |writer: &mut Writer<'_>| writer.qualified(&meta.name, &meta.to_parent[0]);
    link_side(meta, 0, &rows.from.meta.kind, &to_parent).write_as_met(writer);
    writer.text(" AS ");
    writer.name(LINK_PARENT);
    writer.text(", ");
    let to_target = |writer: &mut Writer<'_>| writer.qualified(&meta.name, &meta.to_target[0]);
    link_side(meta, 1, &rows.to.meta.kind, &to_target).write_as_met(writer);
    writer.text(" AS ");
    writer.name(LINK_TARGET);
    writer.text(" FROM ");
    writer.table(&meta.table);
    if !visible.is_always() {
        writer.text(" WHERE ");
        condition(writer, visible);
    }
    writer.text(") AS ");
    writer.name(LINK);
    writer.text(" ON ");
    let target = |writer: &mut Writer<'_>| writer.qualified(LINK, LINK_TARGET);
    let target = link_side(meta, 1, &rows.to.meta.kind, &target).met();
    let to = |writer: &mut Writer<'_>| writer.column(rows.to);
    let to = Side::of(rows.to.meta, &to);
    form::meet_as(writer, target, to, to.met_as());
}

/// The column in which related rows hold the key of the row outside.
fn link(writer: &mut Writer<'_>, rows: &RelatedRows<'_>) {
    if rows.through.is_some() {
        writer.qualified(LINK, LINK_PARENT);
    } else {
        writer.column(rows.to);
    }
}

/// That the row outside has the key that `link` writes.
fn meets(writer: &mut Writer<'_>, rows: &RelatedRows<'_>, link: &dyn Fn(&mut Writer<'_>)) {
    let link = match &rows.through {
        Some(through) => link_side(through.meta, 0, &rows.from.meta.kind, link).met(),
        None => Side::of(rows.to.meta, link),
    };
    let from = |writer: &mut Writer<'_>| writer.column(rows.from);
    form::meet(writer, link, Side::of(rows.from.meta, &from));
}
