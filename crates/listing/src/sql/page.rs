//! In: a plan. Out: the statement that reads its page.

use sea_orm::sea_query::SelectStatement;

use super::writer::{Gap, Numbered, Writer};
use super::{Dialect, Statement, condition::condition, order, selected};
use crate::plan::{ColumnSource, Plan};
use crate::vocabulary::CountMode;

/// The rows of the page, and one more where nobody counts them all, to know whether there is a next page.
pub(crate) fn page(plan: &Plan<'_>, source: &SelectStatement, dialect: Dialect) -> Statement {
    let joined = order::joins(source, &plan.order, dialect);
    let mut writer = Writer::new(dialect);
    rows(
        &mut writer,
        plan,
        joined.as_ref().unwrap_or(source),
        |writer| {
            writer.list(plan.columns.iter().enumerate(), |writer, (at, column)| {
                selected(writer, &column.source);
                // A sort can refer to it.
                if matches!(column.source, ColumnSource::Computed(_)) {
                    writer.text(" AS ");
                    writer.numbered(Numbered::Selected(at));
                }
            });
        },
    );
    order::order(&mut writer, &plan.order);
    writer.text(" LIMIT ");
    writer.number(plan.page.limit() + u64::from(plan.count != CountMode::Exact));
    // The first page needs no OFFSET; larger numbers than these no database takes, and no table has rows there.
    let offset = plan.page.offset().min(i64::MAX.unsigned_abs());
    if offset > 0 {
        writer.text(" OFFSET ");
        writer.number(offset);
    }
    writer.finish()
}

/// The application's query without what it selected, ordered and limited, with gaps for our columns and our condition.
pub(super) fn source(plan: &Plan<'_>) -> SelectStatement {
    let mut source = plan.base.clone();
    source.expr(Gap::Columns.expr());
    if !plan.predicate.is_always() {
        source.and_where(Gap::Condition.expr());
    }
    source
}

/// Writes the source with these columns and the plan's condition.
pub(super) fn rows(
    writer: &mut Writer<'_>,
    plan: &Plan<'_>,
    source: &SelectStatement,
    columns: impl Fn(&mut Writer<'_>),
) {
    writer.filled(source, &|writer, gap| match gap {
        Gap::Columns => columns(writer),
        Gap::Condition => condition(writer, &plan.predicate),
    });
}
