//! Writes the one statement that reads the related rows of all parents (d43, d45).

use sea_orm::sea_query::{DynIden, Expr, ExprTrait, JoinType, Query, SelectStatement};

use super::condition::condition;
use super::dialect::PerParent;
use super::keys::{array, array_type, one_of, value};
use super::order;
use super::writer::{From, Gap, Numbered, Writer};
use super::{Dialect, Statement, selected};
use crate::plan::RelationPlan;
use crate::vocabulary::Key;

/// Reads the related rows of all parents. The first column is the parent's key, the others are the plan's.
/// Where a relation leads to many, one more row than shown is read for each parent, to know whether there are more.
pub(crate) fn populate(plan: &RelationPlan<'_>, parents: &[Key], dialect: Dialect) -> Statement {
    if plan.unique {
        return all_at_once(plan, parents, dialect);
    }
    match dialect.per_parent() {
        PerParent::Lateral => lateral(plan, parents, dialect),
        PerParent::UnionInParentheses => union(plan, parents, dialect, "(", ")"),
        PerParent::UnionOfSubQueries => union(plan, parents, dialect, "SELECT * FROM (", ")"),
    }
}

fn all_at_once(plan: &RelationPlan<'_>, parents: &[Key], dialect: Dialect) -> Statement {
    let mut writer = Writer::new(dialect);
    related(&mut writer, plan, source(plan, dialect).as_ref());
    one_of(&mut writer, &plan.from.meta.kind, parents);
    writer.finish()
}

fn lateral(plan: &RelationPlan<'_>, parents: &[Key], dialect: Dialect) -> Statement {
    let mut writer = Writer::new(dialect);
    writer.text(r#"SELECT "children".* FROM unnest("#);
    let kind = &plan.from.meta.kind;
    writer.value(array(kind, parents));
    writer.text(array_type(kind).1);
    writer.text(r#") AS "listing_parents" ("k") CROSS JOIN LATERAL ("#);
    // No table of an application should have this name: inside, it would stand for that table.
    of_one(
        &mut writer,
        plan,
        source(plan, dialect).as_ref(),
        |writer| {
            writer.text(r#""listing_parents"."k""#);
        },
    );
    writer.text(r#") AS "children""#);
    writer.finish()
}

fn union(
    plan: &RelationPlan<'_>,
    parents: &[Key],
    dialect: Dialect,
    open: &str,
    close: &str,
) -> Statement {
    let source = source(plan, dialect);
    let mut writer = Writer::new(dialect);
    for (at, parent) in parents.iter().enumerate() {
        writer.text(if at == 0 { "" } else { " UNION ALL " });
        writer.text(open);
        of_one(&mut writer, plan, source.as_ref(), |writer| {
            writer.value(value(parent));
        });
        writer.text(close);
    }
    writer.finish()
}

/// The first related rows of one parent.
fn of_one(
    writer: &mut Writer<'_>,
    plan: &RelationPlan<'_>,
    source: Option<&SelectStatement>,
    parent: impl FnOnce(&mut Writer<'_>),
) {
    related(writer, plan, source);
    writer.text(" = ");
    parent(writer);
    order::order(writer, &plan.order);
    writer.text(" LIMIT ");
    writer.number(plan.limit + u64::from(plan.to_many));
}

/// Where related rows come from, if that is more than their table: the junction, and what their order needs.
fn source(plan: &RelationPlan<'_>, dialect: Dialect) -> Option<SelectStatement> {
    let source = || with_gaps(plan);
    let joined = order::joins(source, &plan.order, dialect);
    joined.or_else(|| plan.through.map(|_| source()))
}

fn with_gaps(plan: &RelationPlan<'_>) -> SelectStatement {
    let name = |name: &str| DynIden::from(name.to_owned());
    let mut source = Query::select();
    source.expr(Gap::Columns.expr());
    source.from(plan.entity.table.clone());
    if let Some(through) = plan.through {
        let of_junction = (name(&through.name), name(&through.to_target[0]));
        let of_target = (name(plan.to.table), name(&plan.to.meta.name));
        source.join(
            JoinType::InnerJoin,
            through.table.clone(),
            Expr::col(of_junction).eq(Expr::col(of_target)),
        );
    }
    source.and_where(Gap::Condition.expr());
    source
}

/// The visible related rows, up to the column that is then compared with their parents' keys.
fn related(writer: &mut Writer<'_>, plan: &RelationPlan<'_>, source: Option<&SelectStatement>) {
    let table = From::Table {
        table: &plan.entity.table,
        filtered: true,
    };
    writer.rows(
        source.map_or(table, From::Query),
        &|writer, gap| match gap {
            Gap::Columns => {
                link(writer, plan);
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
    match plan.through {
        Some(through) => {
            writer.name(&through.name);
            writer.text(".");
            writer.name(&through.to_parent[0]);
        }
        None => writer.column(plan.to),
    }
}
