//! Writes the one statement that reads the related rows of all parents (d43, d45).

mod numbered;
mod picked;
mod ranked;

use sea_orm::sea_query::{ColumnType, Expr, ExprTrait, JoinType, Query, SelectStatement};

use super::condition::{condition, expression};
use super::dialect::PerParent;
use super::form::{self, Side, link_side};
use super::keys::{array, array_type, json, one_of, value};
use super::writer::{From, Gap, Numbered, Writer};
use super::{Dialect, Statement, selected};
use super::{keyset, order};
use crate::define::Through;
use crate::plan::{Junction, RelationPlan};
use crate::vocabulary::{Form, Key, Kind};

/// A statement that reads related rows. Its first column says whose they are, the others are the plan's.
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
    /// By the parent's number among the keys that were asked for.
    Number,
}

/// Reads the related rows of all parents, or counts them.
/// Where a relation leads to many, one more row than shown is read for each parent, to know whether there are more.
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

/// SQLite combines at most 500 selects in one; so many parts of their own are still faster than sorting all children.
const MOST_PARTS: usize = 500;

/// Whether keys that the database joins are the same to the byte. Text is not: a column may compare without case or
/// trailing spaces, and then only the database knows which parent a row belongs to (b181).
fn is_exact(kind: &Kind) -> bool {
    matches!(kind, Kind::Integer | Kind::Uuid)
}

fn all_at_once(plan: &RelationPlan<'_>, parents: &[Key], dialect: Dialect) -> Populate {
    let mut writer = Writer::new(dialect);
    let source = source(plan, None, dialect);
    related(&mut writer, plan, source.as_ref(), &|writer| {
        row(writer, plan, &|writer| link(writer, plan));
    });
    one_of(&mut writer, &plan.from.meta.kind, link_form(plan), parents);
    Populate {
        statement: writer.finish().planned(plan.plans),
        parent: ParentBy::Key,
    }
}

/// How many rows each parent has; one that has none does not come.
fn counted(plan: &RelationPlan<'_>, parents: &[Key], dialect: Dialect) -> Populate {
    let mut writer = Writer::new(dialect);
    let source = source(plan, None, dialect);
    related(&mut writer, plan, source.as_ref(), &|writer| {
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

/// Selects whose rows are counted, and how many there are.
fn count(writer: &mut Writer<'_>, whose: Write<'_>) {
    named(writer, whose);
    writer.text(", COUNT(*) AS ");
    writer.numbered(Numbered::Selected(0));
}

/// The rows of each parent, or how many there are; one that has none is counted, too.
fn lateral(plan: &RelationPlan<'_>, parents: &[Key], dialect: Dialect) -> Populate {
    // No table of an application should have this name: inside, it would stand for that table.
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
    let source = source(plan, None, dialect);
    if plan.count {
        related(&mut writer, plan, source.as_ref(), &|writer| {
            count(writer, whose);
        });
        writer.text(" = ");
        parent(&mut writer);
    } else {
        let all: Write<'_> = &|writer| row(writer, plan, whose);
        of_one(&mut writer, plan, source.as_ref(), all, parent);
    }
    writer.text(r#") AS "children""#);
    Populate {
        statement: writer.finish().planned(plan.plans),
        parent: ParentBy::Key,
    }
}

/// Keys come as text, with which PostgreSQL compares any column as text: with the spaces that fill it up, and by case (b513).
fn as_the_column(writer: &mut Writer<'_>, column_type: &ColumnType) {
    match column_type {
        ColumnType::Char(_) => writer.text("::bpchar"),
        ColumnType::Custom(name) if name.to_string().eq_ignore_ascii_case("citext") => {
            writer.text("::citext");
        }
        _ => {}
    }
}

/// One part of a union: the rows of a parent, of that number and key.
type Part = fn(&mut Writer<'_>, &RelationPlan<'_>, Option<&SelectStatement>, usize, &Key);

/// None where it would have more values than the database takes: each part binds those of the whole condition again, so
/// that the first part tells, before all of them are in memory (b512).
fn union(
    plan: &RelationPlan<'_>,
    parents: &[Key],
    dialect: Dialect,
    part: Part,
) -> Option<Populate> {
    let (open, close) = dialect.part_of_union();
    let source = source(plan, None, dialect);
    let mut writer = Writer::new(dialect);
    let count = parents.len();
    // In parts of parts where SQLite would not take them all.
    let nested = dialect == Dialect::Sqlite && parents.len() > MOST_PARTS;
    let size = if nested { MOST_PARTS } else { parents.len() };
    for (chunk, parents) in parents.chunks(size.max(1)).enumerate() {
        writer.text(if chunk == 0 { "" } else { " UNION ALL " });
        writer.text(if nested { open } else { "" });
        for (at, parent) in parents.iter().enumerate() {
            writer.text(if at == 0 { "" } else { " UNION ALL " });
            writer.text(open);
            part(
                &mut writer,
                plan,
                source.as_ref(),
                chunk * size + at,
                parent,
            );
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

fn rows_of_one(
    writer: &mut Writer<'_>,
    plan: &RelationPlan<'_>,
    source: Option<&SelectStatement>,
    number: usize,
    parent: &Key,
) {
    let all: Write<'_> = &|writer| row(writer, plan, &|writer| writer.number(number as u64));
    of_one(writer, plan, source, all, &|writer| {
        writer.value(value(parent, link_form(plan)));
    });
}

fn count_of_one(
    writer: &mut Writer<'_>,
    plan: &RelationPlan<'_>,
    source: Option<&SelectStatement>,
    number: usize,
    parent: &Key,
) {
    related(writer, plan, source, &|writer| {
        count(writer, &|writer| writer.number(number as u64));
    });
    writer.text(" = ");
    writer.value(value(parent, link_form(plan)));
}

/// Writes something into a statement.
type Write<'f> = &'f dyn Fn(&mut Writer<'_>);

/// The first related rows of one parent.
fn of_one(
    writer: &mut Writer<'_>,
    plan: &RelationPlan<'_>,
    source: Option<&SelectStatement>,
    selected: Write<'_>,
    parent: Write<'_>,
) {
    related(writer, plan, source, selected);
    writer.text(" = ");
    parent(writer);
    order::order(writer, &plan.order);
    writer.text(" LIMIT ");
    writer.number(plan.limit + u64::from(plan.to_many));
}

/// Where related rows come from, if that is more than their table: the junction, and what their order needs.
fn source(
    plan: &RelationPlan<'_>,
    parent: Option<&'static str>,
    dialect: Dialect,
) -> Option<SelectStatement> {
    let source = || with_gaps(plan, parent, dialect);
    let joined = order::joins(source, &plan.order, keyset::Part::Whole, false, dialect);
    joined.or_else(|| plan.through.is_some().then(source))
}

fn with_gaps(
    plan: &RelationPlan<'_>,
    parent: Option<&'static str>,
    dialect: Dialect,
) -> SelectStatement {
    let mut source = Query::select();
    source.expr(Gap::Columns.expr());
    source.from(plan.entity.table.clone());
    if let Some(through) = &plan.through {
        let (target, to) = (
            |writer: &mut Writer<'_>| writer.qualified(LINK, LINK_TARGET),
            |writer: &mut Writer<'_>| writer.column(plan.to),
        );
        let target = link_side(through.meta, 1, &plan.to.meta.kind, &target).met();
        let to = Side::of(plan.to.meta, &to);
        source.join_subquery(
            JoinType::InnerJoin,
            links(plan, through, parent, dialect),
            LINK,
            form::expr(dialect, |writer| {
                form::meet_as(writer, target, to, to.met_as());
            }),
        );
    }
    source.and_where(Gap::Condition.expr());
    source
}

/// The junction's rows that count, joined under names of ours: conditions that application code wrote without the name
/// of a table then mean the related entity's own columns (b180).
const LINK: &str = "listing_link";
const LINK_PARENT: &str = "listing_parent";
const LINK_TARGET: &str = "listing_target";

/// The parent is named here too where the database would not look from outside into a query that leaves out repeated rows.
fn links(
    plan: &RelationPlan<'_>,
    through: &Junction<'_>,
    parent: Option<&'static str>,
    dialect: Dialect,
) -> SelectStatement {
    let meta = through.meta;
    let mut links = Query::select();
    if meta.repeats {
        // A row that is linked twice is one row (b260).
        links.distinct();
    }
    links.from(meta.table.clone());
    let to_parent = link_expr(meta, 0, &plan.from.meta.kind, &meta.to_parent[0], dialect);
    let to_target = link_expr(meta, 1, &plan.to.meta.kind, &meta.to_target[0], dialect);
    if let Some(parent) = parent.filter(|_| meta.repeats) {
        links.and_where(to_parent.clone().eq(Expr::cust(parent)));
    }
    links.expr_as(to_parent, LINK_PARENT);
    links.expr_as(to_target, LINK_TARGET);
    if let Some(visible) = expression(&through.visible, dialect) {
        links.and_where(visible);
    }
    links
}

/// A column of the junction, in one form.
fn link_expr(meta: &Through, at: usize, kind: &Kind, column: &str, dialect: Dialect) -> Expr {
    if meta.kept[at].get() != Form::Several {
        return Expr::col((meta.name.to_string(), column.to_owned()));
    }
    let column = |writer: &mut Writer<'_>| writer.qualified(&meta.name, column);
    let side = link_side(meta, at, kind, &column);
    form::expr(dialect, |writer| side.write_as_met(writer))
}

/// The form in which the keys of parents are compared with their link.
fn link_form(plan: &RelationPlan<'_>) -> Form {
    form::met_as(match &plan.through {
        Some(through) => through.meta.kept[0].get(),
        None => plan.to.meta.form(),
    })
}

/// The visible related rows, up to the column that is then compared with their parents' keys.
fn related(
    writer: &mut Writer<'_>,
    plan: &RelationPlan<'_>,
    source: Option<&SelectStatement>,
    selected: Write<'_>,
) {
    let table = From::Table {
        table: &plan.entity.table,
        filtered: true,
    };
    writer.rows(
        source.map_or(table, From::Query),
        &|writer, gap| match gap {
            Gap::Columns => selected(writer),
            Gap::Condition => {
                if !plan.visible.is_always() {
                    condition(writer, &plan.visible);
                    writer.text(" AND ");
                }
                link(writer, plan);
            }
        },
    );
}

/// Selects a related row: whose it is, or which it is, and the plan's columns.
fn row(writer: &mut Writer<'_>, plan: &RelationPlan<'_>, whose: Write<'_>) {
    named(writer, whose);
    for position in 0..plan.columns.len() {
        column(writer, plan, position);
    }
}

/// Selects the key that comes first.
fn named(writer: &mut Writer<'_>, key: Write<'_>) {
    key(writer);
    writer.text(" AS ");
    writer.name("k");
}

/// Selects a column of the plan. Two columns of a sub-query must not have one name.
fn column(writer: &mut Writer<'_>, plan: &RelationPlan<'_>, position: usize) {
    writer.text(", ");
    selected(writer, &plan.columns[position].source, &plan.order);
    writer.text(" AS ");
    writer.numbered(Numbered::Selected(position));
}

/// The column in which related rows hold their parent's key.
fn link(writer: &mut Writer<'_>, plan: &RelationPlan<'_>) {
    if plan.through.is_some() {
        writer.qualified(LINK, LINK_PARENT);
    } else {
        writer.compared(plan.to);
    }
}
