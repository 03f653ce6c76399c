//! Writes the first of the rows that a relation to one row could lead to (b32).

use super::condition::condition;
use super::form::{self, Side};
use super::order;
use super::writer::Writer;
use crate::define::EntityMeta;
use crate::plan::{ColumnOf, FirstRow, OrderBy, OrderTerm, Predicate, of_columns};

/// The rows that a relation could lead to, from a row outside.
pub(super) struct FirstOf<'a, 'w> {
    pub(super) target: &'w EntityMeta,
    /// The column of these rows that meets one of the row outside.
    pub(super) to: usize,
    pub(super) meets: ColumnOf<'w>,
    /// The rows that the caller can see.
    pub(super) visible: &'a Predicate<'w>,
    pub(super) order: &'a [OrderTerm<'w>],
}

impl<'w> FirstOf<'_, 'w> {
    fn name(&self, column: usize) -> &'w str {
        &self.target.columns[column].name
    }

    /// The columns by which the first row is found.
    fn decides(&self) -> impl Iterator<Item = (&OrderTerm<'w>, ColumnOf<'w>)> {
        self.order.iter().filter_map(|term| match term.by {
            OrderBy::Column(of) => Some((term, of)),
            _ => None,
        })
    }
}

/// Writes `(SELECT … LIMIT 1)`: these columns of the first row, with the limit as a literal here too.
pub(super) fn first(
    writer: &mut Writer,
    rows: &FirstOf<'_, '_>,
    columns: &[usize],
    alias: &dyn Fn(&mut Writer),
) {
    let own = |writer: &mut Writer, name: &str| {
        alias(writer);
        writer.text(".");
        writer.name(name);
    };
    writer.text("(SELECT ");
    writer.list(columns, |writer, column| {
        let meta = &rows.target.columns[*column];
        form::write(writer, meta, &|writer| own(writer, &meta.name));
    });
    writer.text(" FROM ");
    if rows.visible.is_always() {
        writer.table(&rows.target.table);
    } else {
        writer.text("(SELECT ");
        writer.list(needed(rows, columns), |writer, name| {
            writer.name(&rows.target.name);
            writer.text(".");
            writer.name(name);
        });
        writer.text(" FROM ");
        writer.table(&rows.target.table);
        writer.text(" WHERE ");
        condition(writer, rows.visible);
        writer.text(")");
    }
    writer.text(" AS ");
    alias(writer);
    writer.text(" WHERE ");
    let (to, meets) = (
        |writer: &mut Writer| own(writer, rows.name(rows.to)),
        |writer: &mut Writer| writer.column(rows.meets),
    );
    let to = Side::of(&rows.target.columns[rows.to], &to);
    form::meet(writer, to, Side::of(rows.meets.meta, &meets));
    writer.text(" ORDER BY ");
    writer.list(rows.decides(), |writer, (term, of)| {
        order::order_by(writer, term.direction, term.nulls, |writer| {
            form::write(writer, of.meta, &|writer| own(writer, &of.meta.name));
        });
    });
    writer.text(" LIMIT 1)");
}

/// The names of the columns that are needed to find the first row, each once.
fn needed<'w>(rows: &FirstOf<'_, 'w>, columns: &[usize]) -> Vec<&'w str> {
    let mut names = vec![rows.name(rows.to)];
    names.extend(columns.iter().map(|column| rows.name(*column)));
    names.extend(rows.decides().map(|(_, of)| of.meta.name.as_ref()));
    names.sort_unstable();
    names.dedup();
    names
}

/// Writes the condition that a row is the first of those that meet the same row: `key = (SELECT … LIMIT 1)`.
pub(super) fn is_first(writer: &mut Writer, row: &FirstRow<'_>) {
    let (target, key) = (row.target, row.key);
    let rows = FirstOf {
        target,
        to: row.to,
        meets: ColumnOf::new(target, row.to),
        visible: &row.visible,
        order: &of_columns(target, row.order, key),
    };
    // A key of several columns is compared as a row.
    let (open, close) = if key.len() == 1 { ("", "") } else { ("(", ")") };
    writer.text(open);
    writer.list(key, |writer, part| {
        writer.compared(ColumnOf::new(target, *part));
    });
    writer.text(close);
    writer.text(" = ");
    first(writer, &rows, key, &|writer| writer.name("listing_first"));
}
