//! Writes the one statement that reads the related rows of all parents (d43, d45).

mod numbered;
mod picked;
mod ranked;

use sea_orm::sea_query::ColumnType;

use super::condition::condition;
use super::dialect::PerParent;
use super::form;
use super::junction::{self, Links};
use super::keys::{array, array_type, json, one_of, value};
use super::writer::{Numbered, Writer};
use super::{Dialect, Statement, selected};
use super::{keyset, order};
use crate::plan::RelationPlan;
use crate::vocabulary::{Form, Key, Kind};

/// A statement that reads related rows. Its first column names the parent, and the others are the plan's.
#[derive(Debug)]
pub(crate) struct Populate {
    pub(crate) statement: Statement,
    pub(crate) parent: ParentBy,
}

/// How the first column of a related row names its parent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ParentBy {
    /// By the parent's key.
    Key,
    /// By the parent's number among the requested keys.
    Number,
}

/// Reads the related rows of all parents, or counts them.
/// If a relation leads to many, one more row than shown is read for each parent, to know whether there are more.
pub(crate) fn populate(plan: &RelationPlan<'_>, parents: &[Key], dialect: Dialect) -> Populate {
    let exact = is_exact(&plan.from.meta.kind);
    if plan.count {
        return match (exact, dialect.per_parent()) {
            (true, _) => counted(plan, parents, dialect),
            (false, PerParent::Lateral) => lateral(plan, parents, dialect),
            (false, _) => union(plan, parents, dialect, count_of_one)
                .unwrap_or_else(|| numbered::counted(plan, parents, dialect)),
        };
    }
    if plan.unique && exact {
        return all_at_once(plan, parents, dialect);
    }
    match dialect.per_parent() {
        PerParent::Lateral => return lateral(plan, parents, dialect),
        PerParent::Picked => {
            if let Some((key, parents)) = picked::by(plan).zip(json(parents, link_form(plan))) {
                return picked::picked(plan, key, parents, dialect);
            }
        }
        PerParent::Union => {}
    }
    let by = if exact {
        ParentBy::Key
    } else {
        ParentBy::Number
    };
    let union = match exact && parents.len() > MOST_PARTS {
        true => None,
        false => union(plan, parents, dialect, rows_of_one),
    };
    union.unwrap_or_else(|| ranked::ranked(plan, parents, by, dialect))
}

/// SQLite combines at most 500 selects in one; that many are still faster than sorting all children.
const MOST_PARTS: usize = 500;

/// Whether keys that the database joins have equal bytes. Text may not: a column may compare without case or trailing spaces, and
/// then only the database knows which parent a row belongs to (b181).
fn is_exact(kind: &Kind) -> bool {
    matches!(kind, Kind::Integer | Kind::Uuid)
}

fn all_at_once(plan: &RelationPlan<'_>, parents: &[Key], dialect: Dialect) -> Populate {
    let mut writer = Writer::new(dialect);
    related(&mut writer, plan, None, &|writer| {
        row(writer, plan, &|writer| link(writer, plan));
    });
    one_of(&mut writer, &plan.from.meta.kind, link_form(plan), parents);
    Populate {
        statement: writer.finish().planned(plan.plans),
        parent: ParentBy::Key,
    }
}

/// Counts the rows of each parent; parents without rows are not in the result.
fn counted(plan: &RelationPlan<'_>, parents: &[Key], dialect: Dialect) -> Populate {
    let mut writer = Writer::new(dialect);
    related(&mut writer, plan, None, &|writer| {
        count(writer, &|writer| link(writer, plan));
    });
    one_of(&mut writer, &plan.from.meta.kind, link_form(plan), parents);
    writer.text(" GROUP BY ");
    link(&mut writer, plan);
    Populate {
        statement: writer.finish().planned(plan.plans),
        parent: ParentBy::Key,
    }
}

/// Selects the parent and the number of its rows.
fn count(writer: &mut Writer, whose: Write<'_>) {
    named(writer, whose);
    writer.text(", COUNT(*) AS ");
    writer.numbered(Numbered::Selected(0));
}

/// Reads or counts the rows of each parent; parents without rows are counted too.
fn lateral(plan: &RelationPlan<'_>, parents: &[Key], dialect: Dialect) -> Populate {
    // No table of an application should have this name, which would hide that table inside.
    const PARENT: &str = r#""listing_parents"."k""#;
    let mut writer = Writer::new(dialect);
    writer.text(r#"SELECT "children".* FROM unnest("#);
    let kind = &plan.from.meta.kind;
    writer.value(array(kind, parents));
    writer.text(array_type(kind).1);
    writer.text(r#") AS "listing_parents" ("k") CROSS JOIN LATERAL ("#);
    let whose: Write<'_> = &|writer| writer.text(PARENT);
    let parent: Write<'_> = &|writer| {
        writer.text(PARENT);
        as_the_column(writer, &plan.from.meta.column_type);
    };
    if plan.count {
        related(&mut writer, plan, None, &|writer| {
            count(writer, whose);
        });
        writer.text(" = ");
        parent(&mut writer);
    } else {
        let all: Write<'_> = &|writer| row(writer, plan, whose);
        of_one(&mut writer, plan, None, all, parent);
    }
    writer.text(r#") AS "children""#);
    Populate {
        statement: writer.finish().planned(plan.plans),
        parent: ParentBy::Key,
    }
}

/// Keys are bound as text, and PostgreSQL then compares any column as text: with its padding, and by case (b513).
fn as_the_column(writer: &mut Writer, column_type: &ColumnType) {
    match column_type {
        ColumnType::Char(_) => writer.text("::bpchar"),
        ColumnType::Custom(name) if name.to_string().eq_ignore_ascii_case("citext") => {
            writer.text("::citext");
        }
        _ => {}
    }
}

/// Writes one part of a union: the rows of the parent with that number and key.
type Part = fn(&mut Writer, &RelationPlan<'_>, usize, &Key);

/// Returns `None` if it would have more values than the database takes. Each part binds the values of the whole condition again,
/// so the first part tells, before all of them are in memory (b512).
fn union(
    plan: &RelationPlan<'_>,
    parents: &[Key],
    dialect: Dialect,
    part: Part,
) -> Option<Populate> {
    let (open, close) = dialect.part_of_union();
    let mut writer = Writer::new(dialect);
    let count = parents.len();
    // Nested unions if SQLite would not take all parts in one.
    let nested = dialect == Dialect::Sqlite && parents.len() > MOST_PARTS;
    let size = if nested { MOST_PARTS } else { parents.len() };
    for (chunk, parents) in parents.chunks(size.max(1)).enumerate() {
        writer.text(if chunk == 0 { "" } else { " UNION ALL " });
        writer.text(if nested { open } else { "" });
        for (at, parent) in parents.iter().enumerate() {
            writer.text(if at == 0 { "" } else { " UNION ALL " });
            writer.text(open);
            part(&mut writer, plan, chunk * size + at, parent);
            writer.text(close);
            let is_first = chunk + at == 0;
            if is_first && writer.values() * count > dialect.most_values() {
                return None;
            }
        }
        writer.text(if nested { close } else { "" });
    }
    Some(Populate {
        statement: writer.finish().planned(plan.plans),
        parent: ParentBy::Number,
    })
}

fn rows_of_one(writer: &mut Writer, plan: &RelationPlan<'_>, number: usize, parent: &Key) {
    let all: Write<'_> = &|writer| row(writer, plan, &|writer| writer.number(number as u64));
    of_one(writer, plan, None, all, &|writer| {
        writer.value(value(parent, link_form(plan)));
    });
}

fn count_of_one(writer: &mut Writer, plan: &RelationPlan<'_>, number: usize, parent: &Key) {
    related(writer, plan, None, &|writer| {
        count(writer, &|writer| writer.number(number as u64));
    });
    writer.text(" = ");
    writer.value(value(parent, link_form(plan)));
}

/// Writes something into a statement.
type Write<'f> = &'f dyn Fn(&mut Writer);

/// The first related rows of one parent.
fn of_one(
    writer: &mut Writer,
    plan: &RelationPlan<'_>,
    outside: Option<&'static str>,
    selected: Write<'_>,
    parent: Write<'_>,
) {
    related(writer, plan, outside, selected);
    writer.text(" = ");
    parent(writer);
    order::order(writer, &plan.order);
    writer.text(" LIMIT ");
    writer.number(plan.limit + u64::from(plan.to_many));
    if plan.start > 0 {
        writer.text(" OFFSET ");
        writer.number(plan.start);
    }
}

/// The form in which the keys of parents are compared with their link.
fn link_form(plan: &RelationPlan<'_>) -> Form {
    form::met_as(match &plan.through {
        Some(through) => through.meta.kept[0].get(),
        None => plan.to.meta.form(),
    })
}

/// The visible related rows, up to the column that is then compared with their parents' keys. `parent` names the parent
/// outside, if there is one.
fn related(
    writer: &mut Writer,
    plan: &RelationPlan<'_>,
    parent: Option<&'static str>,
    selected: Write<'_>,
) {
    writer.text("SELECT ");
    selected(writer);
    writer.text(" FROM ");
    writer.table(&plan.entity.table);
    if let Some(junction) = &plan.through {
        let links = Links {
            junction,
            from: plan.from,
            to: plan.to,
            once: true,
            order: &plan.order,
            parent,
        };
        junction::join(writer, links);
    }
    order::joins(writer, &plan.order, keyset::Part::Whole, false);
    writer.text(" WHERE ");
    if !plan.visible.is_always() {
        condition(writer, &plan.visible);
        writer.text(" AND ");
    }
    link(writer, plan);
}

/// Selects a related row: the key of its parent or its own key, and the plan's columns.
fn row(writer: &mut Writer, plan: &RelationPlan<'_>, whose: Write<'_>) {
    named(writer, whose);
    for position in 0..plan.columns.len() {
        column(writer, plan, position);
    }
}

/// Selects the key that comes first.
fn named(writer: &mut Writer, key: Write<'_>) {
    key(writer);
    writer.text(" AS ");
    writer.name("k");
}

/// Selects a column of the plan. Two columns of a sub-query must not have one name.
fn column(writer: &mut Writer, plan: &RelationPlan<'_>, position: usize) {
    writer.text(", ");
    selected(writer, &plan.columns[position].source, &plan.order);
    writer.text(" AS ");
    writer.numbered(Numbered::Selected(position));
}

/// The column in which related rows hold their parent's key.
fn link(writer: &mut Writer, plan: &RelationPlan<'_>) {
    if plan.through.is_some() {
        junction::parent(writer);
    } else {
        writer.compared(plan.to);
    }
}
