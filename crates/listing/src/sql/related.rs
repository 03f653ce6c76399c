//! Writes the condition that a relation leads to a row that counts, or to none (d73–d76).

use super::Writer;
use super::condition::condition;
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
        link(writer, rows);
        writer.text(" = ");
        writer.column(rows.from);
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
    qualified(writer, RELATED, MEETS);
    writer.text(" = ");
    writer.column(rows.from);
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
    qualified(writer, &meta.name, &meta.to_parent[0]);
    writer.text(" AS ");
    writer.name(LINK_PARENT);
    writer.text(", ");
    qualified(writer, &meta.name, &meta.to_target[0]);
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
    qualified(writer, LINK, LINK_TARGET);
    writer.text(" = ");
    writer.column(rows.to);
}

/// The column in which related rows hold the key of the row outside.
fn link(writer: &mut Writer<'_>, rows: &RelatedRows<'_>) {
    if rows.through.is_some() {
        qualified(writer, LINK, LINK_PARENT);
    } else {
        writer.column(rows.to);
    }
}

fn qualified(writer: &mut Writer<'_>, table: &str, column: &str) {
    writer.name(table);
    writer.text(".");
    writer.name(column);
}
