//! Writes the rows that a plan is about, whichever of them a page shows.

use sea_orm::sea_query::SelectStatement;

use super::Dialect;
use super::condition::{self, expression};
use super::writer::Writer;
use crate::plan::{Plan, Predicate};

/// Writes every row that the plan is about, whichever its page, with these things selected.
pub(super) fn all_rows(writer: &mut Writer, plan: &Plan<'_>, select: &dyn Fn(&mut Writer)) {
    rows_that(writer, plan, &plan.predicate, select);
}

/// Writes the rows of the plan's table, and of the application's query, that meet a condition instead of the plan's own.
pub(super) fn rows_that(
    writer: &mut Writer,
    plan: &Plan<'_>,
    predicate: &Predicate<'_>,
    select: &dyn Fn(&mut Writer),
) {
    if let Some(base) = &plan.base {
        return writer.select(&narrowed(base, predicate, writer.dialect, select));
    }
    writer.text("SELECT ");
    select(writer);
    writer.text(" FROM ");
    writer.table(&plan.entity.table);
    if !predicate.is_always() {
        writer.text(" WHERE ");
        condition::condition(writer, predicate);
    }
}

/// The application's query with our condition added to its own.
fn narrowed(
    base: &SelectStatement,
    predicate: &Predicate<'_>,
    dialect: Dialect,
    select: &dyn Fn(&mut Writer),
) -> SelectStatement {
    let mut query = base.clone();
    query.expr(super::expr(dialect, select));
    if let Some(condition) = expression(predicate, dialect) {
        query.and_where(condition);
    }
    query
}
