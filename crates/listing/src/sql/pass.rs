//! Writes facets and totals of the same few rows as one statement, which finds these rows once (b1260).
//!
//! On PostgreSQL, five facets and two totals of 10,000 of 1,000,000 rows took 118 ms of processor time as six statements and 57 ms as one:
//! finding the rows takes 17 ms each time. If more rows match, separate statements are better, because they use several processors
//! and indexes that contain all their columns.

use super::facets::{self, read, rows_of};
use super::rows::rows_that;
use super::{Dialect, Statement, Writer, totals};
use crate::plan::{CheckedFacet, CheckedNumbers, ColumnOf, FacetShows, Plan, Predicate};

/// A statement that reads several facets, and the totals, if they count the same rows.
///
/// Each row begins with the number of its part, a count, and a sum of counts. The first row belongs to part 0: the number of rows,
/// the ranges and the totals. Each other part is a facet. The remaining columns are those of the facets, in their order, and of
/// the totals; columns of other parts are null.
pub(crate) struct Pass {
    pub(crate) statement: Statement,
    /// Its facets, by their places.
    pub(crate) facets: Vec<usize>,
}

/// If more rows match, the statement only says so.
pub(crate) const MOST_IN_PASS: u64 = 20_000;

/// The rows that numbers are about.
#[derive(Clone, Copy)]
pub(super) enum Source<'r, 'w> {
    /// The rows of the plan that meet a condition.
    Table(&'r Plan<'w>, &'r Predicate<'w>),
    /// The rows of a pass, unless they are too many.
    Pass,
}

impl Source<'_, '_> {
    /// Writes a query of these rows.
    pub(super) fn select(self, writer: &mut Writer, select: &dyn Fn(&mut Writer)) {
        match self {
            Self::Table(plan, rows) => rows_that(writer, plan, rows, select),
            Self::Pass => {
                writer.text("SELECT ");
                select(writer);
                writer.text(" FROM ");
                writer.name(PASS);
                writer.text(" WHERE (SELECT ");
                writer.name(FEW);
                writer.text(" FROM ");
                writer.name(SIZE);
                writer.text(")");
            }
        }
    }

    /// A column of these rows.
    pub(super) fn column<'c>(self, column: ColumnOf<'c>) -> ColumnOf<'c> {
        match self {
            Self::Table(..) => column,
            Self::Pass => ColumnOf {
                table: PASS,
                ..column
            },
        }
    }
}

const PASS: &str = "listing_pass";
const SIZE: &str = "listing_size";
const FEW: &str = "listing_few";
const PART: &str = "listing_part";

/// The statement for the facets that count the rows of the list and the totals; `None` if there are fewer than two of them.
pub(super) fn of(plan: &Plan<'_>, numbers: &CheckedNumbers<'_>, dialect: Dialect) -> Option<Pass> {
    if !dialect.shares_a_pass() {
        return None;
    }
    let list = condition(plan, &plan.predicate, dialect);
    let shares = |facet: &CheckedFacet<'_>| {
        facet.rows.is_none() || condition(plan, rows_of(plan, facet), dialect) == list
    };
    let places = numbers.facets.iter().enumerate();
    let places = places.filter(|(_, facet)| shares(facet));
    let places: Vec<usize> = places.map(|(at, _)| at).collect();
    if places.len() + usize::from(!numbers.totals.is_empty()) < 2 {
        return None;
    }
    let facets: Vec<_> = places.iter().map(|at| &numbers.facets[*at]).collect();
    let mut writer = Writer::new(dialect);
    begin(&mut writer, plan, &facets, numbers);
    for (at, facet) in facets.iter().enumerate() {
        if !matches!(facet.shows, FacetShows::Range { .. }) {
            part(&mut writer, &facets, at, numbers);
        }
    }
    Some(Pass {
        statement: read(writer, plan),
        facets: places,
    })
}

/// What says which rows count, in order to compare it.
fn condition(plan: &Plan<'_>, rows: &Predicate<'_>, dialect: Dialect) -> Statement {
    let mut writer = Writer::new(dialect);
    rows_that(&mut writer, plan, rows, &|writer| writer.text("1"));
    writer.finish()
}

/// Writes the rows with all columns that are needed, and the first part. Its columns also decide the types of those of the others.
fn begin(
    writer: &mut Writer,
    plan: &Plan<'_>,
    facets: &[&CheckedFacet<'_>],
    numbers: &CheckedNumbers<'_>,
) {
    let mut columns: Vec<ColumnOf<'_>> = Vec::new();
    let all = facets.iter().map(|facet| column_of(facet));
    for column in all.chain(numbers.totals.iter().map(|total| total.column)) {
        if !columns
            .iter()
            .any(|known| known.meta.name == column.meta.name)
        {
            columns.push(column);
        }
    }
    writer.text("WITH ");
    writer.name(PASS);
    writer.text(" AS MATERIALIZED (");
    rows_that(writer, plan, &plan.predicate, &|writer| {
        writer.list(&columns, |writer, column| writer.column(*column));
    });
    writer.text(" LIMIT ");
    writer.number(MOST_IN_PASS + 1);
    writer.text("), ");
    writer.name(SIZE);
    writer.text(" AS MATERIALIZED (SELECT COUNT(*) <= ");
    writer.number(MOST_IN_PASS);
    writer.text(" AS ");
    writer.name(FEW);
    writer.text(" FROM ");
    writer.name(PASS);
    writer.text(") SELECT 0, COUNT(*), CAST(NULL AS numeric)");
    for facet in facets {
        writer.text(", ");
        first(writer, facet);
    }
    if !numbers.totals.is_empty() {
        writer.text(", ");
        totals::columns(writer, &numbers.totals, &|of| Source::Pass.column(of));
    }
    writer.text(" FROM ");
    writer.name(PASS);
}

/// The column of the list's own rows that a facet needs.
fn column_of<'w>(facet: &CheckedFacet<'w>) -> ColumnOf<'w> {
    match &facet.shows {
        FacetShows::Values { column, .. }
        | FacetShows::Range { column }
        | FacetShows::Calendar { column, .. } => *column,
        FacetShows::Related { related, .. } => related.rows.from,
    }
}

/// Writes the columns of a facet in the first part: a range, or a null of the type of the facet's values.
fn first(writer: &mut Writer, facet: &CheckedFacet<'_>) {
    let column = Source::Pass.column(column_of(facet));
    match &facet.shows {
        FacetShows::Range { .. } => {
            writer.text("MIN(");
            writer.column(column);
            writer.text("), MAX(");
            writer.column(column);
            writer.text(")");
        }
        FacetShows::Calendar { .. } => writer.text("CAST(NULL AS integer)"),
        FacetShows::Values { .. } => {
            writer.text("(SELECT ");
            writer.column(column);
            writer.text(" FROM ");
            writer.name(PASS);
            writer.text(" LIMIT 0)");
        }
        FacetShows::Related { related, .. } => {
            writer.text("(SELECT ");
            writer.column(related.key);
            writer.text(" FROM ");
            writer.table(&related.rows.target.table);
            writer.text(" LIMIT 0)");
        }
    }
}

/// Writes the part of a facet: the rows of its statement, in the columns of the pass. PostgreSQL returns the parts one after another and
/// each in its order, because whatever reads from `WITH` is never run in parallel.
fn part(
    writer: &mut Writer,
    facets: &[&CheckedFacet<'_>],
    part: usize,
    numbers: &CheckedNumbers<'_>,
) {
    let is_calendar = matches!(facets[part].shows, FacetShows::Calendar { .. });
    writer.text(" UNION ALL (SELECT ");
    writer.number(part as u64 + 1);
    writer.text(if is_calendar {
        ", counted, NULL"
    } else {
        ", counted, added"
    });
    for (at, facet) in facets.iter().enumerate() {
        writer.text(match &facet.shows {
            FacetShows::Range { .. } => ", NULL, NULL",
            _ if at == part => ", valued",
            _ => ", NULL",
        });
    }
    for _ in totals::all_parts(&numbers.totals, writer.dialect) {
        writer.text(", NULL");
    }
    writer.text(" FROM (");
    facets::write(writer, facets[part], Source::Pass);
    writer.text(") AS ");
    writer.name(PART);
    writer.text(if is_calendar {
        "(valued, counted))"
    } else {
        "(valued, counted, added))"
    });
}
