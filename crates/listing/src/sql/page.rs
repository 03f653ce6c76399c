//! In: a plan. Out: the statement that reads its page.

use sea_orm::sea_query::SelectStatement;

use super::{Dialect, Statement, Writer, alias, condition::condition, order::order, selected};
use crate::plan::{ColumnSource, Plan};
use crate::vocabulary::CountMode;

/// The rows of the page, and one more where nobody counts them all, to know whether there is a next page.
pub(crate) fn page(plan: &Plan<'_>, dialect: Dialect) -> Statement {
    let mut query = rows(plan, dialect);
    for (position, column) in plan.columns.iter().enumerate() {
        match column.source {
            ColumnSource::Column(_) => query.expr(selected(&column.source)),
            // A sort can refer to it.
            ColumnSource::Computed(_) => query.expr_as(selected(&column.source), alias(position)),
        };
    }
    order(&mut query, &plan.order, dialect);
    let mut writer = Writer::new(dialect);
    writer.select(&query);
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

/// The application's query with our conditions, and without what the application selected, ordered and limited.
pub(super) fn rows(plan: &Plan<'_>, dialect: Dialect) -> SelectStatement {
    let mut query = plan.base.clone();
    query
        .clear_selects()
        .clear_order_by()
        .reset_limit()
        .reset_offset();
    if let Some(condition) = condition(&plan.predicate, dialect) {
        query.and_where(condition);
    }
    query
}
