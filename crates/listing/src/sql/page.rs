//! Writes the statement that reads a page.

use sea_orm::sea_query::{Query, SelectStatement};

use super::keyset::{self, Part};
use super::writer::{From, Gap, Numbered, Writer};
use super::{Dialect, Statement, condition::condition, order, selected};
use crate::plan::{ColumnSource, Plan};

/// The statements that read a page: its rows, and one more where nobody counts them all, to know whether there is a next page.
pub(crate) struct PageStatements<'p, 'l> {
    /// Reads the first part of the page, which mostly is all of it.
    pub(crate) first: Statement,
    pub(crate) others: OtherParts<'p, 'l>,
}

/// Writes the statements that follow the first one when they are needed: after a cursor, and in a sort by a relation, the rows
/// can be in two parts.
pub(crate) struct OtherParts<'p, 'l> {
    plan: &'p Plan<'l>,
    source: Option<Box<SelectStatement>>,
    dialect: Dialect,
}

impl<'p, 'l> PageStatements<'p, 'l> {
    pub(super) fn of(
        plan: &'p Plan<'l>,
        source: Option<SelectStatement>,
        dialect: Dialect,
    ) -> Self {
        let others = OtherParts {
            plan,
            source: source.map(Box::new),
            dialect,
        };
        Self {
            first: others.part(keyset::parts(plan)[0]),
            others,
        }
    }

    /// Every statement that may be needed.
    pub(crate) fn into_statements(self) -> Vec<Statement> {
        let Self { first, others } = self;
        let mut all = vec![first];
        all.extend(others.further());
        all.extend(others.whole());
        all
    }
}

impl OtherParts<'_, '_> {
    /// The parts after the first, each of which is read only if those before it do not fill the page.
    pub(crate) fn further(&self) -> impl Iterator<Item = Statement> {
        let parts = keyset::parts(self.plan).iter().skip(1);
        parts.map(|part| self.part(*part))
    }

    /// Reads the page instead, if the first part has no row of it: how many rows the first part has before the page,
    /// nobody knows then.
    pub(crate) fn whole(&self) -> Option<Statement> {
        let can_miss = keyset::parts(self.plan).len() > 1 && self.plan.page.offset() > 0;
        can_miss.then(|| self.part(Part::Whole))
    }

    fn part(&self, part: Part) -> Statement {
        let (plan, dialect) = (self.plan, self.dialect);
        let with_gaps = || with_gaps(plan, plan.base.as_deref(), part);
        let from_related = plan.base.is_none() && plan.applied.is_empty();
        let joined = order::joins(with_gaps, &plan.order, part, from_related, dialect);
        let source = From::of(plan, joined.as_ref().or(self.source.as_deref()));
        read(plan, source, part, dialect).planned(plan.plans)
    }
}

fn read(plan: &Plan<'_>, source: From<'_>, part: Part, dialect: Dialect) -> Statement {
    // The first page needs no OFFSET; larger numbers than these no database takes, and no table has rows there.
    let mut offset = plan.page.offset().min(i64::MAX.unsigned_abs());
    // What is left of the page after its first part begins with the second part.
    if part != Part::Whole && keyset::parts(plan).first() != Some(&part) {
        offset = 0;
    }
    let mut writer = Writer::new(dialect);
    writer.skips_rows = offset > 0;
    writer.rows(source, &|writer, gap| match gap {
        Gap::Columns => columns(writer, plan),
        Gap::Condition => {
            let filtered = !plan.predicate.is_always();
            if filtered {
                condition(writer, &plan.predicate);
            }
            if plan.is_after_a_row() || part != Part::Whole {
                writer.text(if filtered { " AND " } else { "" });
                keyset::within(writer, plan, part);
            }
        }
    });
    order::order_in(&mut writer, &plan.order, part);
    writer.text(" LIMIT ");
    writer.number(plan.rows_to_read());
    if offset > 0 {
        writer.text(" OFFSET ");
        writer.number(offset);
    }
    writer.finish()
}

fn columns(writer: &mut Writer<'_>, plan: &Plan<'_>) {
    writer.list(plan.columns.iter().enumerate(), |writer, (at, column)| {
        selected(writer, &column.source, &plan.order);
        // A sort can refer to it.
        if matches!(column.source, ColumnSource::Computed(_)) {
            writer.text(" AS ");
            writer.numbered(Numbered::Selected(at));
        }
    });
}

/// The application's query with gaps, if it is more than its table.
pub(super) fn source(plan: &Plan<'_>) -> Option<SelectStatement> {
    let base = plan.base.as_deref();
    base.map(|base| with_gaps(plan, Some(base), Part::Whole))
}

/// A query, or the table alone, with gaps for our columns and our condition, if there is one.
fn with_gaps(plan: &Plan<'_>, base: Option<&SelectStatement>, part: Part) -> SelectStatement {
    let mut source = match base {
        Some(base) => base.clone(),
        None => Query::select().from(plan.table.clone()).take(),
    };
    source.expr(Gap::Columns.expr());
    if plan.is_filtered() || part != Part::Whole {
        source.and_where(Gap::Condition.expr());
    }
    source
}

/// Writes every row that the plan is about, whichever its page, with one thing selected.
pub(super) fn all_rows(writer: &mut Writer<'_>, plan: &Plan<'_>, source: From<'_>, select: &str) {
    writer.rows(source, &|writer, gap| match gap {
        Gap::Columns => writer.text(select),
        // The gap is there for a cursor alone.
        Gap::Condition if plan.predicate.is_always() => writer.text("1 = 1"),
        Gap::Condition => condition(writer, &plan.predicate),
    });
}
