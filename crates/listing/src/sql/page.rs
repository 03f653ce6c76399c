//! In: a plan. Out: the statement that reads its page, and the one that counts its rows.

use sea_orm::sea_query::{Expr, SelectStatement};

use super::{Dialect, Statement, Writer, alias, condition::condition, order::order, selected};
use crate::plan::{ColumnSource, Plan};

/// The rows of the page, and one more where nobody counts, to know whether there is a next page.
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
    writer.number(plan.page.limit() + u64::from(!plan.with_count));
    // The first page needs no OFFSET; larger numbers than these no database takes, and no table has rows there.
    let offset = plan.page.offset().min(i64::MAX.unsigned_abs());
    if offset > 0 {
        writer.text(" OFFSET ");
        writer.number(offset);
    }
    writer.finish()
}

/// A count of its own: `COUNT(*) OVER ()` would make the database read every row for each page.
pub(crate) fn count(plan: &Plan<'_>, dialect: Dialect) -> Statement {
    let mut query = rows(plan, dialect);
    query.expr(Expr::cust("COUNT(*)"));
    super::plain(&query, dialect)
}

/// The application's query with our conditions, and without what the application selected, ordered and limited.
fn rows(plan: &Plan<'_>, dialect: Dialect) -> SelectStatement {
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
