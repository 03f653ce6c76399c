//! Writes the statements of an export: the number of rows, and all of them with their related rows.
//!
//! Everything about a row is read by one statement, because one cursor on one snapshot gives each row once, in order, and in
//! little memory. A relation that leads to one row is joined, which cannot add rows; any other is counted.

use super::count::up_to;
use super::form::{self, Side};
use super::page::PageStatements;
use super::writer::Writer;
use super::{Dialect, Statement, condition, counted, selected};
use crate::plan::{Plan, PlannedColumn, Predicate, RelatedCount, RelationPlan};

/// The statements of an export.
pub(crate) struct ExportStatements {
    /// Counts the rows up to one more than there may be.
    pub(crate) count: Option<Statement>,
    pub(crate) rows: Statement,
}

/// Writes the statements of an export. `most` is the number of rows that it may have, if more may match.
pub(crate) fn export(plan: &Plan<'_>, most: Option<u64>, dialect: Dialect) -> ExportStatements {
    ExportStatements {
        count: most.map(|most| up_to(most, plan, dialect)),
        rows: PageStatements::export(plan, dialect),
    }
}

/// The joined column that is equal to a column of this side.
const MEETS: &str = "listing_meets";

/// The name of a joined relation, by its place.
fn joined(at: usize) -> String {
    format!("listing_one_{at}")
}

/// The name of a column of a joined relation, by its place.
fn shown(at: usize) -> String {
    format!("listing_shown_{at}")
}

/// The columns of related rows that are shown, which are the first ones: those that only join come after them.
fn own<'p, 'w>(plan: &'p RelationPlan<'w>) -> impl Iterator<Item = &'p PlannedColumn<'w>> {
    let is_shown = |column: &&PlannedColumn<'_>| column.output.is_some() || column.part;
    plan.columns.iter().filter(is_shown)
}

/// The number of columns of a joined relation: whether there is a row, its visible values, and the same for its own relations.
fn width(plan: &RelationPlan<'_>) -> usize {
    1 + own(plan).count() + plan.relations.iter().map(width).sum::<usize>()
}

/// Writes the columns of relations, each after a comma.
pub(super) fn related_columns(writer: &mut Writer, relations: &[RelationPlan<'_>]) {
    for (at, relation) in relations.iter().enumerate() {
        writer.text(", ");
        if relation.count {
            count(writer, relation);
            continue;
        }
        let joined = joined(at);
        writer.qualified(&joined, MEETS);
        writer.text(" IS NOT NULL");
        for column in 1..width(relation) {
            writer.text(", ");
            writer.qualified(&joined, &shown(column));
        }
    }
}

/// Writes how many related rows there are.
fn count(writer: &mut Writer, relation: &RelationPlan<'_>) {
    let through = relation.through.as_ref();
    let count = RelatedCount {
        target: relation.entity,
        from: relation.from,
        to: relation.to,
        through: through.map(|through| through.meta),
        visible: relation.visible.clone(),
        links: through.map_or(Predicate::ALWAYS, |through| through.visible.clone()),
    };
    writer.text("(");
    counted::counted(writer, &count);
    writer.text(")");
}

/// Joins the to-one relations, each as a sub-query with column names of our own: a column without a table name in an
/// application's condition then refers to the entity's own column (b180).
pub(super) fn joins(writer: &mut Writer, relations: &[RelationPlan<'_>]) {
    for (at, relation) in relations.iter().enumerate() {
        if relation.count {
            continue;
        }
        let joined = joined(at);
        writer.text(" LEFT JOIN (");
        rows(writer, relation);
        writer.text(") AS ");
        writer.name(&joined);
        writer.text(" ON ");
        let theirs = |writer: &mut Writer| writer.qualified(&joined, MEETS);
        let ours = |writer: &mut Writer| writer.column(relation.from);
        form::meet(
            writer,
            Side::of(relation.to.meta, &theirs),
            Side::of(relation.from.meta, &ours),
        );
    }
}

/// Writes the related rows that could be joined.
fn rows(writer: &mut Writer, relation: &RelationPlan<'_>) {
    writer.text("SELECT ");
    writer.column(relation.to);
    writer.text(" AS ");
    writer.name(MEETS);
    let mut at = 0;
    let mut name = |writer: &mut Writer| {
        at += 1;
        writer.text(" AS ");
        writer.name(&shown(at));
    };
    for column in own(relation) {
        writer.text(", ");
        selected(writer, &column.source, &[]);
        name(writer);
    }
    for (number, further) in relation.relations.iter().enumerate() {
        let joined = joined(number);
        writer.text(", ");
        writer.qualified(&joined, MEETS);
        writer.text(" IS NOT NULL");
        name(writer);
        for column in 1..width(further) {
            writer.text(", ");
            writer.qualified(&joined, &shown(column));
            name(writer);
        }
    }
    writer.text(" FROM ");
    writer.table(&relation.entity.table);
    joins(writer, &relation.relations);
    if !relation.visible.is_always() {
        writer.text(" WHERE ");
        condition::condition(writer, &relation.visible);
    }
}
