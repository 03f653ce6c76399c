//! Writes the one statement that reads the related rows of all parents (d43, d45).

use sea_orm::sea_query::{DynIden, Expr, ExprTrait, JoinType, Query, SelectStatement};

use super::condition::{condition, expression};
use super::dialect::PerParent;
use super::keys::{array, array_type, one_of, value};
use super::order;
use super::writer::{From, Gap, Numbered, Writer};
use super::{Dialect, Statement, selected};
use crate::plan::{Junction, RelationPlan};
use crate::vocabulary::{Key, Kind};

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

/// Reads the related rows of all parents.
/// Where a relation leads to many, one more row than shown is read for each parent, to know whether there are more.
pub(crate) fn populate(plan: &RelationPlan<'_>, parents: &[Key], dialect: Dialect) -> Populate {
    if plan.unique && is_exact(&plan.from.meta.kind) {
        return all_at_once(plan, parents, dialect);
    }
    match dialect.per_parent() {
        PerParent::Lateral => lateral(plan, parents, dialect),
        PerParent::UnionInParentheses => union(plan, parents, dialect, "(", ")"),
        PerParent::UnionOfSubQueries => union(plan, parents, dialect, "SELECT * FROM (", ")"),
    }
}

/// Whether keys that the database joins are the same to the byte. Text is not: a column may compare without case or
/// trailing spaces, and then only the database knows which parent a row belongs to (b181).
fn is_exact(kind: &Kind) -> bool {
    matches!(kind, Kind::Integer | Kind::Uuid)
}

fn all_at_once(plan: &RelationPlan<'_>, parents: &[Key], dialect: Dialect) -> Populate {
    let mut writer = Writer::new(dialect);
    let source = source(plan, dialect);
    related(&mut writer, plan, source.as_ref(), &|writer| {
        link(writer, plan);
    });
    one_of(&mut writer, &plan.from.meta.kind, parents);
    Populate {
        statement: writer.finish().planned(plan.plans),
        parent: ParentBy::Key,
    }
}

fn lateral(plan: &RelationPlan<'_>, parents: &[Key], dialect: Dialect) -> Populate {
    // No table of an application should have this name: inside, it would stand for that table.
    const PARENT: &str = r#""listing_parents"."k""#;
    let mut writer = Writer::new(dialect);
    writer.text(r#"SELECT "children".* FROM unnest("#);
    let kind = &plan.from.meta.kind;
    writer.value(array(kind, parents));
    writer.text(array_type(kind).1);
    writer.text(r#") AS "listing_parents" ("k") CROSS JOIN LATERAL ("#);
    let parent = |writer: &mut Writer<'_>| writer.text(PARENT);
    of_one(
        &mut writer,
        plan,
        source(plan, dialect).as_ref(),
        &parent,
        parent,
    );
    writer.text(r#") AS "children""#);
    Populate {
        statement: writer.finish().planned(plan.plans),
        parent: ParentBy::Key,
    }
}

fn union(
    plan: &RelationPlan<'_>,
    parents: &[Key],
    dialect: Dialect,
    open: &str,
    close: &str,
) -> Populate {
    let source = source(plan, dialect);
    let mut writer = Writer::new(dialect);
    for (at, parent) in parents.iter().enumerate() {
        writer.text(if at == 0 { "" } else { " UNION ALL " });
        writer.text(open);
        let number = |writer: &mut Writer<'_>| writer.number(at as u64);
        of_one(&mut writer, plan, source.as_ref(), &number, |writer| {
            writer.value(value(parent));
        });
        writer.text(close);
    }
    Populate {
        statement: writer.finish().planned(plan.plans),
        parent: ParentBy::Number,
    }
}

/// Writes something into a statement.
type Write<'f> = &'f dyn Fn(&mut Writer<'_>);

/// The first related rows of one parent.
fn of_one(
    writer: &mut Writer<'_>,
    plan: &RelationPlan<'_>,
    source: Option<&SelectStatement>,
    whose: Write<'_>,
    parent: impl FnOnce(&mut Writer<'_>),
) {
    related(writer, plan, source, whose);
    writer.text(" = ");
    parent(writer);
    order::order(writer, &plan.order);
    writer.text(" LIMIT ");
    writer.number(plan.limit + u64::from(plan.to_many));
}

/// Where related rows come from, if that is more than their table: the junction, and what their order needs.
fn source(plan: &RelationPlan<'_>, dialect: Dialect) -> Option<SelectStatement> {
    let source = || with_gaps(plan, dialect);
    let joined = order::joins(source, &plan.order, dialect);
    joined.or_else(|| plan.through.is_some().then(source))
}

fn with_gaps(plan: &RelationPlan<'_>, dialect: Dialect) -> SelectStatement {
    let mut source = Query::select();
    source.expr(Gap::Columns.expr());
    source.from(plan.entity.table.clone());
    if let Some(through) = &plan.through {
        let target = column(plan.to.table, &plan.to.meta.name);
        source.join_subquery(
            JoinType::InnerJoin,
            links(through, dialect),
            LINK,
            column(LINK, LINK_TARGET).eq(target),
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

fn links(through: &Junction<'_>, dialect: Dialect) -> SelectStatement {
    let meta = through.meta;
    let mut links = Query::select();
    links.from(meta.table.clone());
    links.expr_as(column(&meta.name, &meta.to_parent[0]), LINK_PARENT);
    links.expr_as(column(&meta.name, &meta.to_target[0]), LINK_TARGET);
    if let Some(visible) = expression(&through.visible, dialect) {
        links.and_where(visible);
    }
    links
}

fn column(table: &str, column: &str) -> Expr {
    let name = |name: &str| DynIden::from(name.to_owned());
    Expr::col((name(table), name(column)))
}

/// The visible related rows, up to the column that is then compared with their parents' keys.
fn related(
    writer: &mut Writer<'_>,
    plan: &RelationPlan<'_>,
    source: Option<&SelectStatement>,
    whose: Write<'_>,
) {
    let table = From::Table {
        table: &plan.entity.table,
        filtered: true,
    };
    writer.rows(
        source.map_or(table, From::Query),
        &|writer, gap| match gap {
            Gap::Columns => {
                whose(writer);
                writer.text(" AS ");
                writer.name("k");
                for (position, column) in plan.columns.iter().enumerate() {
                    writer.text(", ");
                    selected(writer, &column.source, &plan.order);
                    // Two columns of a sub-query must not have one name.
                    writer.text(" AS ");
                    writer.numbered(Numbered::Selected(position));
                }
            }
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

/// The column in which related rows hold their parent's key.
fn link(writer: &mut Writer<'_>, plan: &RelationPlan<'_>) {
    if plan.through.is_some() {
        writer.name(LINK);
        writer.text(".");
        writer.name(LINK_PARENT);
    } else {
        writer.column(plan.to);
    }
}
