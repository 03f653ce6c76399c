//! Writes the statement that reads a page.

use sea_orm::sea_query::{Query, SelectStatement};

use super::keyset::{self, Part};
use super::writer::{From, Gap, Numbered, Writer};
use super::{Dialect, Statement, condition::condition, order, selected};
use crate::plan::{ColumnSource, Plan};
use crate::vocabulary::CountMode;

/// The rows of the page, and one more where nobody counts them all, to know whether there is a next page.
///
/// Behind a cursor they can be in two parts: the second is read only if the first does not fill the page.
pub(crate) fn page(plan: &Plan<'_>, source: From<'_>, dialect: Dialect) -> Vec<Statement> {
    let joined = order::joins(|| with_gaps(plan, plan.base.as_ref()), &plan.order, dialect);
    let source = joined.as_ref().map_or(source, From::Query);
    let parts = keyset::parts(plan).iter();
    parts
        .map(|part| read(plan, source, *part, dialect))
        .collect()
}

fn read(plan: &Plan<'_>, source: From<'_>, part: Part, dialect: Dialect) -> Statement {
    let mut writer = Writer::new(dialect);
    writer.rows(source, &|writer, gap| match gap {
        Gap::Columns => columns(writer, plan),
        Gap::Condition if plan.predicate.is_always() => keyset::behind(writer, plan, part),
        Gap::Condition => {
            condition(writer, &plan.predicate);
            if plan.is_behind() {
                writer.text(" AND ");
                keyset::behind(writer, plan, part);
            }
        }
    });
    order::order_in(&mut writer, &plan.order, part);
    writer.text(" LIMIT ");
    writer.number(
        plan.page.limit() + u64::from(plan.count != CountMode::Exact || plan.cursor.is_some()),
    );
    // The first page needs no OFFSET; larger numbers than these no database takes, and no table has rows there.
    let offset = plan.page.offset().min(i64::MAX.unsigned_abs());
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
    plan.base.as_ref().map(|base| with_gaps(plan, Some(base)))
}

/// A query, or the table alone, with gaps for our columns and our condition, if there is one.
fn with_gaps(plan: &Plan<'_>, base: Option<&SelectStatement>) -> SelectStatement {
    let mut source = match base {
        Some(base) => base.clone(),
        None => Query::select().from(plan.table.clone()).take(),
    };
    source.expr(Gap::Columns.expr());
    if plan.is_filtered() {
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
