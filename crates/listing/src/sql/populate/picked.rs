//! Picks the keys of each parent's first rows as JSON, and reads the rows by them (b444).
//!
//! SQLite has LATERAL only for functions: `json_each` of a sub-query takes the place of a sub-query for each parent.

use super::super::condition::condition;
use super::super::writer::{Numbered, Writer};
use super::{Dialect, ParentBy, Populate, Write, column, is_exact, link_form, named, of_one, row};
use crate::plan::{ColumnOf, OrderBy, RelationPlan};
use crate::vocabulary::{Form, Kind};

/// The column that identifies related rows, if JSON can hold its values.
pub(super) fn by<'w>(plan: &RelationPlan<'w>) -> Option<ColumnOf<'w>> {
    let [key] = plan.entity.key[..] else {
        return None;
    };
    let key = ColumnOf::new(plan.entity, key);
    (is_exact(&key.meta.kind) && is_exact(&plan.from.meta.kind)).then_some(key)
}

/// The keys of each parent's first rows, in order, and then the rows with these keys. Conditions and columns each have their own
/// `FROM`, in which a column without a table name refers to the entity's own column (b180).
pub(super) fn picked(
    plan: &RelationPlan<'_>,
    key: ColumnOf<'_>,
    parents: String,
    dialect: Dialect,
) -> Populate {
    let mut writer = Writer::new(dialect);
    let own_key: Write<'_> = &|writer| writer.column(key);
    // JSON has no bytes.
    let is_uuid = |column: ColumnOf<'_>| column.meta.kind == Kind::Uuid;
    writer.text(r#"SELECT "listing_parents"."key""#);
    for position in 0..plan.columns.len() {
        writer.text(r#", "children"."#);
        writer.numbered(Numbered::Selected(position));
    }
    writer.text(" FROM json_each(");
    writer.value(parents);
    writer.text(r#") AS "listing_parents" CROSS JOIN json_each((SELECT json_group_array("#);
    writer.text(if is_uuid(key) {
        r#"hex("k")"#
    } else {
        r#""k""#
    });
    writer.text(") FROM (");
    let is_text = link_form(plan) == Form::UuidText;
    let parent = match is_uuid(plan.from) && !is_text {
        true => r#"unhex("listing_parents"."value")"#,
        // A value instead of a column, so that a column of text compares it as text.
        false => r#"+"listing_parents"."value""#,
    };
    let what_decides: Write<'_> = &|writer| {
        named(writer, own_key);
        for term in &plan.order {
            if let OrderBy::Selected(position) = term.by {
                column(writer, plan, position);
            }
        }
    };
    of_one(&mut writer, plan, Some(parent), what_decides, &|writer| {
        writer.text(parent)
    });
    writer.text(r#"))) AS "listing_picked" CROSS JOIN ("#);
    // A table may have a key twice: a row with the key of another must be visible, too.
    writer.text("SELECT ");
    row(&mut writer, plan, own_key);
    writer.text(" FROM ");
    writer.table(&plan.entity.table);
    if !plan.visible.is_always() {
        writer.text(" WHERE ");
        condition(&mut writer, &plan.visible);
    }
    writer.text(r#") AS "children" ON "children"."k" "#);
    writer.text(match is_uuid(key) {
        // Some programs store UUIDs as text.
        true => {
            r#"IN (unhex("listing_picked"."value"), CAST(unhex("listing_picked"."value") AS TEXT))"#
        }
        false => r#"= "listing_picked"."value""#,
    });
    writer.text(r#" ORDER BY "listing_parents"."key", "listing_picked"."key""#);
    Populate {
        statement: writer.finish().planned(plan.plans),
        parent: ParentBy::Number,
    }
}
