//! Writes the statements of facets: counts by value, by related record and by a unit of the calendar, and ranges (d98–d103).

use super::pass::{self, Pass, Source};
use super::related::{RELATED, VALUE, joined};
use super::{Dialect, Statement, Writer, calendar, keys, totals};
use crate::plan::{
    CheckedFacet, CheckedNumbers, ColumnOf, FacetShows, FacetSort, Plan, Predicate, RelatedFacet,
    ValueOptions,
};
use crate::vocabulary::{Key, Kind, SortDirection};

/// The statements of the requested numbers.
pub(crate) struct NumberStatements {
    pub(crate) totals: Option<Statement>,
    /// One for each facet.
    pub(crate) facets: Vec<FacetStatements>,
    /// Reads several of them at once if few rows match. It comes first.
    pub(crate) pass: Option<Pass>,
}

/// The statements of a facet.
pub(crate) struct FacetStatements {
    pub(crate) rows: Statement,
    /// Counts the rows without a related record, unless they are among the others.
    pub(crate) missing: Option<Statement>,
}

impl NumberStatements {
    pub(crate) fn of(plan: &Plan<'_>, numbers: &CheckedNumbers<'_>, dialect: Dialect) -> Self {
        let totals =
            (!numbers.totals.is_empty()).then(|| totals::totals(plan, &numbers.totals, dialect));
        let facets = numbers.facets.iter();
        Self {
            totals,
            facets: facets.map(|facet| of_facet(plan, facet, dialect)).collect(),
            pass: pass::of(plan, numbers, dialect),
        }
    }

    /// Each of them, with its purpose.
    pub(crate) fn named(self, numbers: &CheckedNumbers<'_>) -> Vec<(String, Statement)> {
        let pass = self.pass.map(|pass| pass.statement);
        let pass = pass.map(|pass| ("facets and totals, if few rows match".to_owned(), pass));
        let totals = self.totals.map(|totals| ("totals".to_owned(), totals));
        let mut named: Vec<_> = pass.into_iter().chain(totals).collect();
        for (facet, statements) in numbers.facets.iter().zip(self.facets) {
            named.push((format!("facet {}", facet.key), statements.rows));
            let missing = statements.missing;
            named.extend(missing.map(|missing| (format!("rows without {}", facet.key), missing)));
        }
        named
    }
}

/// The most values that are looked through (d107).
pub(crate) const MOST_GROUPS: u64 = 10_000;

/// The most units of a calendar in a response (d103).
pub(crate) const MOST_BUCKETS: u64 = 400;

const COUNT: &str = "listing_count";
const FACET: &str = "listing_facet";
const ROWS: &str = "listing_rows";
const FROM: &str = "listing_from";

fn of_facet(plan: &Plan<'_>, facet: &CheckedFacet<'_>, dialect: Dialect) -> FacetStatements {
    let rows = rows_of(plan, facet);
    let mut writer = Writer::new(dialect);
    write(&mut writer, facet, Source::Table(plan, rows));
    let missing = match &facet.shows {
        FacetShows::Related { related, .. } if !dialect.counts_unrelated_rows_too() => {
            Some(count(plan, &related.missing, dialect))
        }
        _ => None,
    };
    FacetStatements {
        rows: read(writer, plan),
        missing,
    }
}

/// The rows that a facet counts.
pub(super) fn rows_of<'r, 'w>(
    plan: &'r Plan<'w>,
    facet: &'r CheckedFacet<'w>,
) -> &'r Predicate<'w> {
    facet.rows.as_ref().unwrap_or(&plan.predicate)
}

/// Writes the statement of a facet of these rows.
pub(super) fn write(writer: &mut Writer, facet: &CheckedFacet<'_>, rows: Source<'_, '_>) {
    match &facet.shows {
        FacetShows::Values {
            column,
            kind,
            options,
            closed,
            ..
        } => {
            begin(writer);
            rows.select(writer, &|writer| {
                writer.compared(rows.column(*column));
                as_value_and_count(writer);
            });
            finish(writer, kind, options, !closed.is_empty());
        }
        FacetShows::Related { related, options } => {
            begin(writer);
            by_related(writer, rows, related);
            finish(writer, &related.key.meta.kind, options, false);
        }
        FacetShows::Range { column } => rows.select(writer, &|writer| {
            writer.text("MIN(");
            writer.compared(rows.column(*column));
            writer.text("), MAX(");
            writer.compared(rows.column(*column));
            writer.text(")");
        }),
        FacetShows::Calendar { column, options } => {
            let column = rows.column(*column);
            if calendar::counts_by_beginning(writer.dialect, options.unit) {
                writer.text("SELECT ");
                calendar::number(writer, options.unit, &|writer| writer.name(VALUE));
                writer.text(", ");
                writer.name(COUNT);
                writer.text(" FROM (");
                rows.select(writer, &|writer| {
                    calendar::beginning(writer, column, *options);
                    as_value_and_count(writer);
                });
                writer.text(" GROUP BY 1) AS ");
                writer.name(FACET);
            } else {
                rows.select(writer, &|writer| {
                    calendar::bucket(writer, column, *options);
                    as_value_and_count(writer);
                });
                writer.text(" GROUP BY 1");
            }
            writer.text(" ORDER BY 1 LIMIT ");
            // One for the rows without a moment, and one more to know that there are too many.
            writer.number(MOST_BUCKETS + 2);
        }
    }
}

pub(super) fn read(writer: Writer, plan: &Plan<'_>) -> Statement {
    let statement = writer.finish().planned(plan.plans);
    statement.unindexed(plan.is_unindexed || plan.is_large)
}

fn count(plan: &Plan<'_>, rows: &Predicate<'_>, dialect: Dialect) -> Statement {
    let mut writer = Writer::new(dialect);
    Source::Table(plan, rows).select(&mut writer, &|writer| writer.text("COUNT(*)"));
    read(writer, plan)
}

fn as_value_and_count(writer: &mut Writer) {
    writer.text(" AS ");
    writer.name(VALUE);
    writer.text(", COUNT(*) AS ");
    writer.name(COUNT);
}

/// Selects each value with its count and the sum of all counts, from which the number of other rows follows.
fn begin(writer: &mut Writer) {
    writer.text("SELECT ");
    writer.name(VALUE);
    writer.text(", ");
    writer.name(COUNT);
    writer.text(", SUM(");
    writer.name(COUNT);
    writer.text(") OVER () FROM (");
}

/// Nulls come first, so that no limit cuts them off, then the values in their order (d101).
fn finish(writer: &mut Writer, kind: &Kind, options: &ValueOptions, is_closed: bool) {
    writer.text(" GROUP BY 1) AS ");
    writer.name(FACET);
    writer.text(" ORDER BY CASE WHEN ");
    writer.name(VALUE);
    writer.text(" IS NULL THEN 0 ELSE 1 END, ");
    let direction = match options.direction {
        SortDirection::Asc => " ASC",
        SortDirection::Desc => " DESC",
    };
    if options.sort == FacetSort::Count && !options.need_labels() {
        writer.name(COUNT);
        writer.text(direction);
        writer.text(", ");
    }
    binary(writer, kind);
    if options.sort == FacetSort::Value {
        writer.text(direction);
    }
    writer.text(" LIMIT ");
    // Values without rows have their place among all others.
    let most = match is_closed || options.need_labels() {
        true => MOST_GROUPS,
        false => options.limit,
    };
    writer.number(most + 2);
}

/// Writes the expression that values are ordered by: for text its bytes, whatever the collation of its column.
fn binary(writer: &mut Writer, kind: &Kind) {
    let (before, after) = match kind {
        Kind::Text | Kind::Enum(_) => writer.dialect.by_bytes(),
        _ => ("", ""),
    };
    writer.text(before);
    writer.name(VALUE);
    writer.text(after);
}

/// Repeats each row of the list for each of its related records.
fn by_related(writer: &mut Writer, rows: Source<'_, '_>, related: &RelatedFacet<'_>) {
    writer.text("SELECT ");
    writer.qualified(RELATED, VALUE);
    as_value_and_count(writer);
    writer.text(" FROM (");
    rows.select(writer, &|writer| {
        writer.column(rows.column(related.rows.from));
        writer.text(" AS ");
        writer.name(FROM);
    });
    writer.text(") AS ");
    writer.name(ROWS);
    let from = |writer: &mut Writer| writer.qualified(ROWS, FROM);
    joined(writer, &related.rows, &from, related.key);
}

/// The labels of related records, with their keys.
pub(crate) fn related_labels(
    related: &RelatedFacet<'_>,
    label: ColumnOf<'_>,
    found: &[Key],
    dialect: Dialect,
) -> Statement {
    let mut writer = Writer::new(dialect);
    writer.text("SELECT ");
    writer.column(related.key);
    writer.text(", ");
    writer.column(label);
    writer.text(" FROM ");
    writer.table(&related.rows.target.table);
    writer.text(" WHERE ");
    writer.column(related.key);
    keys::one_of_either(&mut writer, &related.key.meta.kind, found);
    writer.finish()
}
