//! Writes `ORDER BY` and the joins that sorts by relation need, none of which can add rows (d46).

use super::dialect::NativeNulls;
use super::first::{FirstOf, first};
use super::form::{self, Side};
use super::keyset::Part;
use super::writer::{Numbered, Writer};
use super::{Dialect, condition, junction, search, sub_query};
use crate::plan::{ColumnOf, NullsPlace, OrderBy, OrderTerm, RelatedRow};
use crate::vocabulary::SortDirection;

/// Writes ` ORDER BY …`. Every order has at least one term.
pub(super) fn order(writer: &mut Writer, terms: &[OrderTerm<'_>]) {
    order_in(writer, terms, Part::Whole);
}

/// Writes the order of a part of the rows.
pub(super) fn order_in(writer: &mut Writer, terms: &[OrderTerm<'_>], part: Part) {
    // All rows without a value for the first term are equal in it.
    let skipped = usize::from(part == Part::Nulls);
    writer.text(" ORDER BY ");
    let terms = terms.iter().enumerate().skip(skipped);
    writer.list(terms, |writer, (at, term)| {
        let nulls = term.nulls.filter(|_| part != Part::Values || at > 0);
        order_by(writer, term.direction, nulls, |writer| {
            by(writer, &term.by, at);
        });
    });
}

/// The expression that a term orders by.
pub(super) fn by(writer: &mut Writer, by: &OrderBy<'_>, at: usize) {
    match by {
        OrderBy::Column(of) => writer.compared(*of),
        OrderBy::Selected(position) => writer.numbered(Numbered::Selected(*position)),
        OrderBy::Computed(computed) => sub_query(writer, computed),
        OrderBy::Related(row) if row.unique => sort_column(writer, at, BY),
        OrderBy::Related(row) => first_of(writer, row, at),
        OrderBy::Link(order) => junction::ordered_by(writer, order),
        OrderBy::Relevance(sought) => search::relevance(writer, sought),
    }
}

/// Writes a term, with a place for nulls if it can be null.
pub(super) fn order_by(
    writer: &mut Writer,
    direction: SortDirection,
    nulls: Option<NullsPlace>,
    by: impl Fn(&mut Writer),
) {
    let place = nulls.filter(|place| *place != native(direction, writer.dialect));
    if let Some(place) = place
        && !writer.dialect.has_nulls_first()
    {
        by(writer);
        writer.text(match place {
            NullsPlace::First => " IS NULL DESC, ",
            NullsPlace::Last => " IS NULL ASC, ",
        });
    }
    by(writer);
    writer.text(match direction {
        SortDirection::Asc => " ASC",
        SortDirection::Desc => " DESC",
    });
    if let Some(place) = place
        && writer.dialect.has_nulls_first()
    {
        writer.text(match place {
            NullsPlace::First => " NULLS FIRST",
            NullsPlace::Last => " NULLS LAST",
        });
    }
}

/// Whether nulls are where the database puts them by default, so that an index on the terms' columns has the same order.
pub(super) fn is_native(terms: &[OrderTerm<'_>], dialect: Dialect) -> bool {
    terms.iter().all(|term| {
        let nulls = term.nulls;
        nulls.is_none_or(|place| place == native(term.direction, dialect))
    })
}

/// The default position of nulls in the database.
fn native(direction: SortDirection, dialect: Dialect) -> NullsPlace {
    match (dialect.native_nulls(), direction) {
        (NativeNulls::Largest, SortDirection::Asc)
        | (NativeNulls::Smallest, SortDirection::Desc) => NullsPlace::Last,
        (NativeNulls::Largest, SortDirection::Desc)
        | (NativeNulls::Smallest, SortDirection::Asc) => NullsPlace::First,
    }
}

/// Writes the joins of the related rows that sorts need. At most one row can match each.
///
/// If the part contains only rows with a value for the first term, the join of that term is an inner join. The database may then
/// start with the related side, whose index has the order (b270). SQLite's planner ignores the limit and has to be told to
/// (`from_related`), unless a filter is a better starting point.
pub(super) fn joins(writer: &mut Writer, terms: &[OrderTerm<'_>], part: Part, from_related: bool) {
    for (at, term) in terms.iter().enumerate() {
        if let OrderBy::Related(row) = &term.by
            && row.unique
        {
            let how = match (part, at) {
                (Part::Values, 0) if from_related && writer.dialect == Dialect::Sqlite => {
                    Join::First
                }
                (Part::Values, 0) => Join::Inner,
                _ => Join::Left,
            };
            join(writer, how, row, at);
        }
    }
}

/// The joined column that equals a column of this side.
const MEETS: &str = "listing_meets";
/// The joined column to sort by.
const BY: &str = "listing_by";

/// How to join related rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Join {
    Left,
    Inner,
    /// An inner join that is read before this side's rows.
    First,
}

/// Joins the related rows as a sub-query with column names of our own. A column without a table name in an application's
/// condition then refers to the entity's own column, here and inside the sub-query (b180).
fn join(writer: &mut Writer, how: Join, row: &RelatedRow<'_>, at: usize) {
    let (to, by) = (
        ColumnOf::new(row.target, row.to),
        ColumnOf::new(row.target, row.column),
    );
    writer.text(match how {
        Join::Left => " LEFT JOIN (SELECT ",
        Join::Inner | Join::First => " INNER JOIN (SELECT ",
    });
    writer.column(to);
    writer.text(" AS ");
    writer.name(MEETS);
    writer.text(", ");
    writer.compared(by);
    writer.text(" AS ");
    writer.name(BY);
    writer.text(" FROM ");
    writer.table(&row.target.table);
    if !row.visible.is_always() {
        writer.text(" WHERE ");
        condition::condition(writer, &row.visible);
    }
    writer.text(") AS ");
    writer.numbered(Numbered::Sort(at));
    writer.text(" ON ");
    // A `+` keeps the column's index from being used, so the related rows have to be read first.
    let (open, close) = match how {
        Join::First => ("(+", ")"),
        _ => ("", ""),
    };
    let (theirs, ours) = (
        |writer: &mut Writer| {
            writer.text(open);
            sort_column(writer, at, MEETS);
            writer.text(close);
        },
        |writer: &mut Writer| writer.column(row.from),
    );
    form::meet(
        writer,
        Side::of(to.meta, &theirs),
        Side::of(row.from.meta, &ours),
    );
}

/// The column of the first of several rows.
fn first_of(writer: &mut Writer, row: &RelatedRow<'_>, at: usize) {
    let rows = FirstOf {
        target: row.target,
        to: row.to,
        meets: row.from,
        visible: &row.visible,
        order: &row.order,
    };
    first(writer, &rows, &[row.column], &|writer| {
        writer.numbered(Numbered::Sort(at));
    });
}

fn name<'w>(row: &RelatedRow<'w>, column: usize) -> &'w str {
    row.target.columns[column].name.as_ref()
}

/// Writes the condition that a row has no related row with a value.
///
/// If the key on this side can be null, a separate `IS NULL` comes first. Planners then expect such rows, and read the list in
/// order until the page is full. Otherwise, they would assume that a join without a match is rare, and compare all rows with each
/// other first (b270).
pub(super) fn has_no_value(writer: &mut Writer, row: &RelatedRow<'_>) {
    const OTHERS: &str = "listing_others";
    let by_key = row.from.meta.nullable;
    if by_key {
        writer.text("(");
        writer.column(row.from);
        writer.text(" IS NULL OR ");
    }
    writer.text("NOT EXISTS (SELECT 1 FROM (SELECT ");
    let own = |writer: &mut Writer, column| {
        writer.name(&row.target.name);
        writer.text(".");
        writer.name(name(row, column));
    };
    own(writer, row.to);
    writer.text(" AS ");
    writer.name(MEETS);
    writer.text(" FROM ");
    writer.table(&row.target.table);
    let conditions = [!row.visible.is_always(), row.can_be_null()];
    if conditions.contains(&true) {
        writer.text(" WHERE ");
    }
    if !row.visible.is_always() {
        condition::condition(writer, &row.visible);
    }
    if row.can_be_null() {
        writer.text(if conditions[0] { " AND " } else { "" });
        own(writer, row.column);
        writer.text(" IS NOT NULL");
    }
    writer.text(") AS ");
    writer.name(OTHERS);
    writer.text(" WHERE ");
    let (theirs, ours) = (
        |writer: &mut Writer| writer.qualified(OTHERS, MEETS),
        |writer: &mut Writer| writer.column(row.from),
    );
    let theirs = Side::of(&row.target.columns[row.to], &theirs);
    form::meet(writer, theirs, Side::of(row.from.meta, &ours));
    writer.text(if by_key { "))" } else { ")" });
}

fn sort_column(writer: &mut Writer, at: usize, name: &str) {
    writer.numbered(Numbered::Sort(at));
    writer.text(".");
    writer.name(name);
}
