//! In: a plan. Out: the statement that reads its page.

use sea_orm::sea_query::SelectStatement;

use super::keyset::{self, Part};
use super::writer::{Gap, Numbered, Writer};
use super::{Dialect, Statement, condition::condition, order, selected};
use crate::plan::{ColumnSource, Plan};
use crate::vocabulary::CountMode;

/// The rows of the page, and one more where nobody counts them all, to know whether there is a next page.
///
/// Behind a cursor they can be in two parts: the second is read only if the first does not fill the page.
pub(crate) fn page(plan: &Plan<'_>, source: &SelectStatement, dialect: Dialect) -> Vec<Statement> {
    let joined = order::joins(source, &plan.order, dialect);
    let source = joined.as_ref().unwrap_or(source);
    let parts = keyset::parts(plan).iter();
    parts
        .map(|part| read(plan, source, *part, dialect))
        .collect()
}

fn read(plan: &Plan<'_>, source: &SelectStatement, part: Part, dialect: Dialect) -> Statement {
    let mut writer = Writer::new(dialect);
    writer.filled(source, &|writer, gap| match gap {
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

/// The application's query with gaps for our columns and our condition, if there is one.
pub(super) fn source(plan: &Plan<'_>) -> SelectStatement {
    let mut source = plan.base.clone();
    source.expr(Gap::Columns.expr());
    if !plan.predicate.is_always() || plan.is_behind() {
        source.and_where(Gap::Condition.expr());
    }
    source
}

/// Writes every row that the plan is about, whichever its page, with one thing selected.
pub(super) fn all_rows(
    writer: &mut Writer<'_>,
    plan: &Plan<'_>,
    source: &SelectStatement,
    select: &str,
) {
    writer.filled(source, &|writer, gap| match gap {
        Gap::Columns => writer.text(select),
        // The gap is there for a cursor alone.
        Gap::Condition if plan.predicate.is_always() => writer.text("1 = 1"),
        Gap::Condition => condition(writer, &plan.predicate),
    });
}
