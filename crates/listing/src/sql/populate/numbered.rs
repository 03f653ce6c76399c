//! Joins related rows with their parents by number, where keys are text and each part of a union would bind too much (b513).
//!
//! Only the database knows which rows belong to a parent (b181): the parents' keys are values of the statement, and every row
//! comes back with its parent's number among them. The condition is written once.

use super::super::keys::{one_of, value};
use super::super::writer::{Numbered, Writer};
use super::{Dialect, ParentBy, Populate, Write, link, link_form, named, related};
use crate::plan::RelationPlan;
use crate::vocabulary::{Form, Key};

/// The rows of all parents.
pub(super) const ALL: &str = "listing_all";
const PARENTS: &str = "listing_parents";

/// Counts the rows of each parent; parents without rows are not in the result.
pub(super) fn counted(plan: &RelationPlan<'_>, parents: &[Key], dialect: Dialect) -> Populate {
    let mut writer = Writer::new(dialect);
    writer.text("SELECT ");
    super::count(&mut writer, &number);
    writer.text(" FROM (");
    related(&mut writer, plan, None, &|writer| {
        named(writer, &|writer| link(writer, plan));
    });
    one_of(&mut writer, &plan.from.meta.kind, link_form(plan), parents);
    with_parents(&mut writer, parents, link_form(plan));
    writer.text(" GROUP BY ");
    number(&mut writer);
    Populate {
        statement: writer.finish().planned(plan.plans),
        parent: ParentBy::Number,
    }
}

/// The number of a row's parent.
pub(super) fn number(writer: &mut Writer) {
    writer.name(PARENTS);
    // SQLite's name of the first column of `VALUES`.
    writer.text(".column1");
}

/// Ends the sub-query of all rows, whose column `k` holds the key, and joins the parents.
pub(super) fn with_parents(writer: &mut Writer, parents: &[Key], form: Form) {
    writer.text(") AS ");
    writer.name(ALL);
    writer.text(" INNER JOIN (");
    let key: Write<'_> = if writer.dialect.compares_values_as_the_column() {
        numbers_and_keys(writer, parents, form);
        &|writer| {
            writer.name(PARENTS);
            writer.text(".column2");
        }
    } else {
        numbers(writer, parents.len());
        // `ELT` returns a value, which is compared by the column's collation.
        &|writer| {
            writer.text("ELT(");
            number(writer);
            writer.text(" + 1, ");
            writer.list(parents, |writer, parent| writer.value(value(parent, form)));
            writer.text(")");
        }
    };
    writer.text(") AS ");
    writer.name(PARENTS);
    writer.text(" ON ");
    writer.name(ALL);
    writer.text(".");
    writer.name("k");
    writer.text(" = ");
    key(writer);
}

/// SQLite combines at most 500 selects in one, but any number of rows of `VALUES`.
fn numbers_and_keys(writer: &mut Writer, parents: &[Key], form: Form) {
    writer.text("VALUES ");
    writer.list(parents.iter().enumerate(), |writer, (at, parent)| {
        writer.text("(");
        writer.number(at as u64);
        writer.text(", ");
        writer.value(value(parent, form));
        writer.text(")");
    });
}

fn numbers(writer: &mut Writer, count: usize) {
    for at in 0..count {
        writer.text(if at == 0 {
            "SELECT "
        } else {
            " UNION ALL SELECT "
        });
        writer.number(at as u64);
        writer.text(if at == 0 { " AS column1" } else { "" });
    }
}

/// Selects a parent's number, and the plan's columns of its rows.
pub(super) fn row(writer: &mut Writer, plan: &RelationPlan<'_>) {
    named(writer, &number);
    for position in 0..plan.columns.len() {
        writer.text(", ");
        writer.name(ALL);
        writer.text(".");
        writer.numbered(Numbered::Selected(position));
    }
}
