//! Writes `ORDER BY` and the joins that sorts by relation need, none of which can add rows (d46).

use sea_orm::sea_query::{DynIden, Expr, JoinType, Query, SelectStatement};

use super::dialect::NativeNulls;
use super::first::{FirstOf, first};
use super::form::{self, Side};
use super::keyset::Part;
use super::writer::{Numbered, Writer};
use super::{Dialect, condition, search, sub_query};
use crate::plan::{ColumnOf, NullsPlace, OrderBy, OrderTerm, RelatedRow};
use crate::vocabulary::SortDirection;

/// Writes ` ORDER BY …`; every order has a term.
pub(super) fn order(writer: &mut Writer<'_>, terms: &[OrderTerm<'_>]) {
    order_in(writer, terms, Part::Whole);
}

/// Writes the order of a part of the rows.
pub(super) fn order_in(writer: &mut Writer<'_>, terms: &[OrderTerm<'_>], part: Part) {
    // Of those without a value for the first term, all are the same there.
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

/// What a term orders by.
pub(super) fn by(writer: &mut Writer<'_>, by: &OrderBy<'_>, at: usize) {
    match by {
        OrderBy::Column(of) => writer.compared(*of),
        OrderBy::Selected(position) => writer.numbered(Numbered::Selected(*position)),
        OrderBy::Computed(computed) => sub_query(writer, computed),
        OrderBy::Related(row) if row.unique => sort_column(writer, at, BY),
        OrderBy::Related(row) => first_of(writer, row, at),
        OrderBy::Relevance(sought) => search::relevance(writer, sought),
    }
}

/// Writes a term; no place for nulls where there are none.
pub(super) fn order_by(
    writer: &mut Writer<'_>,
    direction: SortDirection,
    nulls: Option<NullsPlace>,
    by: impl Fn(&mut Writer<'_>),
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

/// Where the database would put nulls by itself.
fn native(direction: SortDirection, dialect: Dialect) -> NullsPlace {
    match (dialect.native_nulls(), direction) {
        (NativeNulls::Largest, SortDirection::Asc)
        | (NativeNulls::Smallest, SortDirection::Desc) => NullsPlace::Last,
        (NativeNulls::Largest, SortDirection::Desc)
        | (NativeNulls::Smallest, SortDirection::Asc) => NullsPlace::First,
    }
}

/// The source with the rows joined that sorts lead to, where at most one can be met; none where no sort needs it.
///
/// Where the part has only rows with a value for the first term, that term's join is an inner one: the database may begin
/// at the related side, whose index has the order (b270). SQLite's planner does not reckon with the limit and has to be
/// told to (`from_related`), where no filter is a better place to begin at.
pub(super) fn joins(
    source: impl Fn() -> SelectStatement,
    terms: &[OrderTerm<'_>],
    part: Part,
    from_related: bool,
    dialect: Dialect,
) -> Option<SelectStatement> {
    let mut joined = None;
    for (at, term) in terms.iter().enumerate() {
        if let OrderBy::Related(row) = &term.by
            && row.unique
        {
            let how = match (part, at) {
                (Part::Values, 0) if from_related && dialect == Dialect::Sqlite => Join::First,
                (Part::Values, 0) => Join::Inner,
                _ => Join::Left,
            };
            join(joined.get_or_insert_with(&source), how, row, at, dialect);
        }
    }
    joined
}

/// The joined column that meets this side.
const MEETS: &str = "listing_meets";
/// The joined column that is sorted by.
const BY: &str = "listing_by";

/// How related rows are joined.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Join {
    Left,
    Inner,
    /// Inner, and read before this side's rows.
    First,
}

/// Joins the related rows as a sub-query whose columns have names of ours: conditions that application code wrote
/// without the name of a table then mean the entity's own columns, here and inside the sub-query (b180).
fn join(query: &mut SelectStatement, how: Join, row: &RelatedRow<'_>, at: usize, dialect: Dialect) {
    let alias = DynIden::from(Numbered::Sort(at).to_string());
    let own = |table: &str, column: &str| {
        let name = |name: &str| DynIden::from(name.to_owned());
        Expr::col((name(table), name(column)))
    };
    let mut rows = Query::select();
    rows.from(row.target.table.clone());
    rows.expr_as(own(&row.target.name, name(row, row.to)), MEETS);
    let by = ColumnOf {
        table: &row.target.name,
        meta: &row.target.columns[row.column],
    };
    let value = form::compared(by, dialect).unwrap_or_else(|| own(by.table, &by.meta.name));
    rows.expr_as(value, BY);
    if let Some(visible) = condition::expression(&row.visible, dialect) {
        rows.and_where(visible);
    }
    let kind = match how {
        Join::Left => JoinType::LeftJoin,
        Join::Inner | Join::First => JoinType::InnerJoin,
    };
    let to = &row.target.columns[row.to];
    // With a sign before it the column is not looked up in an index: related rows cannot come second.
    let (open, close) = match how {
        Join::First => ("(+", ")"),
        _ => ("", ""),
    };
    let (theirs, ours) = (
        |writer: &mut Writer<'_>| {
            writer.text(open);
            writer.numbered(Numbered::Sort(at));
            writer.text(".");
            writer.name(MEETS);
            writer.text(close);
        },
        |writer: &mut Writer<'_>| writer.column(row.from),
    );
    let meets = form::expr(dialect, |writer| {
        form::meet(
            writer,
            Side::of(to, &theirs),
            Side::of(row.from.meta, &ours),
        );
    });
    query.join_subquery(kind, rows, alias, meets);
}

/// The column of the first of several rows.
fn first_of(writer: &mut Writer<'_>, row: &RelatedRow<'_>, at: usize) {
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

/// Writes the condition that a row leads to no row with a value.
///
/// Where the key on this side can be null, that is asked first and in words of its own: planners then expect such rows,
/// and read the list in its order until the page is full. They would take a join without a match for hardly possible,
/// and compare all rows with each other first (b270).
pub(super) fn has_no_value(writer: &mut Writer<'_>, row: &RelatedRow<'_>) {
    const OTHERS: &str = "listing_others";
    let by_key = row.from.meta.nullable;
    if by_key {
        writer.text("(");
        writer.column(row.from);
        writer.text(" IS NULL OR ");
    }
    writer.text("NOT EXISTS (SELECT 1 FROM (SELECT ");
    let own = |writer: &mut Writer<'_>, column| {
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
        |writer: &mut Writer<'_>| writer.qualified(OTHERS, MEETS),
        |writer: &mut Writer<'_>| writer.column(row.from),
    );
    let theirs = Side::of(&row.target.columns[row.to], &theirs);
    form::meet(writer, theirs, Side::of(row.from.meta, &ours));
    writer.text(if by_key { "))" } else { ")" });
}

fn sort_column(writer: &mut Writer<'_>, at: usize, name: &str) {
    writer.numbered(Numbered::Sort(at));
    writer.text(".");
    writer.name(name);
}
