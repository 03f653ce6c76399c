//! In: a plan. Out: the statement that reads its page.

use sea_orm::sea_query::SelectStatement;

use super::keyset::{self, Part};
use super::order::{order_by, sorted_by};
use super::{Dialect, Statement, Writer, alias, condition::condition, selected};
use crate::plan::{ColumnSource, Plan};
use crate::vocabulary::CountMode;

/// The rows of the page, and one more where nobody counts them all, to know whether there is a next page.
///
/// Behind a cursor they can be in two parts: the second is read only if the first does not fill the page.
pub(crate) fn page(plan: &Plan<'_>, dialect: Dialect) -> Vec<Statement> {
    let parts = keyset::parts(plan).into_iter();
    parts.map(|part| read(plan, part, dialect)).collect()
}

fn read(plan: &Plan<'_>, part: Part, dialect: Dialect) -> Statement {
    let mut query = rows(plan, dialect);
    let terms = sorted_by(&mut query, &plan.order, dialect);
    for (position, column) in plan.columns.iter().enumerate() {
        let source = selected(&column.source, &terms);
        match column.source {
            ColumnSource::Column(_) | ColumnSource::Term(_) => query.expr(source),
            // A sort can refer to it.
            ColumnSource::Computed(_) => query.expr_as(source, alias(position)),
        };
    }
    if let Some(behind) = keyset::behind(plan, part, &terms, dialect) {
        query.and_where(behind);
    }
    for (at, (term, by)) in plan.order.iter().zip(terms).enumerate() {
        match part {
            Part::Values if at == 0 => order_by(&mut query, by, term.direction, None, dialect),
            // All are the same there.
            Part::Nulls if at == 0 => {}
            _ => order_by(&mut query, by, term.direction, term.nulls, dialect),
        }
    }
    let mut writer = Writer::new(dialect);
    writer.select(&query);
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
