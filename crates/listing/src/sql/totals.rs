//! Writes the numbers about columns of all rows, in parts from which every database gives the same digits (d104, d105).

use super::rows::all_rows;
use super::{Dialect, Statement, Writer};
use crate::plan::{CheckedTotal, ColumnOf, Plan};
use crate::vocabulary::{AggregateFunction, Kind};

/// One column of a statement of totals.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TotalPart {
    /// How many values there are, and how many different ones.
    Count,
    Distinct,
    /// The sum, exact.
    Sum,
    /// The sums of the upper and the lower 32 bits, exact where the sum itself would be too large for the database or a
    /// float.
    High,
    Low,
    Min,
    Max,
}

/// The expressions that are read for a number.
pub(crate) fn parts(function: AggregateFunction, dialect: Dialect) -> &'static [TotalPart] {
    use TotalPart::{Count, Distinct, High, Low, Max, Min, Sum};
    match (function, dialect.sums_exactly()) {
        (AggregateFunction::Count, _) => &[Count],
        (AggregateFunction::CountDistinct, _) => &[Distinct],
        (AggregateFunction::Sum, true) => &[Sum],
        (AggregateFunction::Sum, false) => &[High, Low],
        (AggregateFunction::Average, true) => &[Count, Sum],
        (AggregateFunction::Average, false) => &[Count, High, Low],
        (AggregateFunction::Min, _) => &[Min],
        (AggregateFunction::Max, _) => &[Max],
    }
}

/// The digits after the point of a kind's sums.
pub(crate) const fn scale(kind: &Kind) -> u32 {
    match kind {
        Kind::Decimal { scale: Some(scale) } => *scale,
        _ => 0,
    }
}

/// The totals of all rows, in one row.
pub(super) fn totals(plan: &Plan<'_>, totals: &[CheckedTotal<'_>], dialect: Dialect) -> Statement {
    let mut writer = Writer::new(dialect);
    all_rows(&mut writer, plan, &|writer| {
        columns(writer, totals, &|of| of)
    });
    let statement = writer.finish().planned(plan.plans);
    statement.unindexed(plan.is_unindexed || plan.is_large)
}

/// Writes the columns of totals, in the order of `parts`. `named` gives the name by which a column is known there.
pub(super) fn columns<'w>(
    writer: &mut Writer,
    totals: &[CheckedTotal<'w>],
    named: &dyn Fn(ColumnOf<'w>) -> ColumnOf<'w>,
) {
    let all = all_parts(totals, writer.dialect);
    writer.list(all, |writer, (total, part)| {
        column(writer, total, named(total.column), part);
    });
}

/// Each part of each total.
pub(super) fn all_parts<'t, 'w>(
    totals: &'t [CheckedTotal<'w>],
    dialect: Dialect,
) -> impl Iterator<Item = (&'t CheckedTotal<'w>, TotalPart)> {
    totals.iter().flat_map(move |total| {
        let functions = total.functions.iter();
        let parts = functions.flat_map(move |function| parts(*function, dialect));
        parts.map(move |part| (total, *part))
    })
}

fn column(writer: &mut Writer, total: &CheckedTotal<'_>, of: ColumnOf<'_>, part: TotalPart) {
    let (before, after) = match part {
        TotalPart::Count => ("COUNT(", ")"),
        TotalPart::Distinct => ("COUNT(DISTINCT ", ")"),
        TotalPart::Sum => ("SUM(", ")"),
        TotalPart::High => ("SUM(", " >> 32)"),
        TotalPart::Low => ("SUM(", " & 4294967295)"),
        TotalPart::Min => ("MIN(", ")"),
        TotalPart::Max => ("MAX(", ")"),
    };
    writer.text(before);
    match part {
        TotalPart::High | TotalPart::Low => whole(writer, of, scale(total.kind)),
        _ => writer.compared(of),
    }
    writer.text(after);
}

/// Writes a value as an integer of its smallest digits.
fn whole(writer: &mut Writer, column: ColumnOf<'_>, scale: u32) {
    if scale == 0 {
        return writer.column(column);
    }
    writer.text("CAST(ROUND(");
    writer.column(column);
    writer.text(" * 1");
    for _ in 0..scale {
        writer.text("0");
    }
    writer.text(") AS INTEGER)");
}
