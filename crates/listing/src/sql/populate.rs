//! In: a relation's plan and the keys of its parents. Out: one statement that reads the related rows of all parents (d43, d45).

use sea_orm::sea_query::{ArrayType, Expr, ExprTrait, JoinType, Query, SelectStatement, Value};

use super::dialect::PerParent;
use super::{
    Dialect, Statement, Writer, alias, column, condition::condition, iden, order::order, selected,
};
use crate::plan::RelationPlan;
use crate::vocabulary::{Key, Kind};

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
    let mut query = related(plan, dialect);
    if dialect.has_arrays() {
        let keys = Expr::val(array(plan, parents));
        query.and_where(Expr::cust_with_exprs("$1 = ANY($2)", [link(plan), keys]));
    } else {
        query.and_where(link(plan).is_in(parents.iter().map(value)));
    }
    super::plain(&query, dialect)
}

fn lateral(plan: &RelationPlan<'_>, parents: &[Key], dialect: Dialect) -> Statement {
    let mut children = related(plan, dialect);
    // No table of an application should have this name: inside, it would stand for that table.
    children.and_where(link(plan).eq(Expr::col(("listing_parents", "k"))));
    order(&mut children, &plan.order, dialect);
    let mut writer = Writer::new(dialect);
    writer.text(r#"SELECT "children".* FROM unnest("#);
    writer.value(array(plan, parents));
    writer.text(array_type(plan).1);
    writer.text(r#") AS "listing_parents" ("k") CROSS JOIN LATERAL ("#);
    writer.select(&children);
    limit(&mut writer, plan);
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
    let mut ordered = related(plan, dialect);
    order(&mut ordered, &plan.order, dialect);
    let mut writer = Writer::new(dialect);
    for (at, parent) in parents.iter().enumerate() {
        let mut children = ordered.clone();
        children.and_where(link(plan).eq(value(parent)));
        writer.text(if at == 0 { "" } else { " UNION ALL " });
        writer.text(open);
        writer.select(&children);
        limit(&mut writer, plan);
        writer.text(close);
    }
    writer.finish()
}

fn limit(writer: &mut Writer, plan: &RelationPlan<'_>) {
    writer.text(" LIMIT ");
    writer.number(plan.limit + u64::from(plan.to_many));
}

/// The visible related rows, whichever their parents.
fn related(plan: &RelationPlan<'_>, dialect: Dialect) -> SelectStatement {
    let mut query = Query::select();
    query.from(plan.entity.table.clone());
    if let Some(through) = plan.through {
        let meets =
            Expr::col((iden(&through.name), iden(&through.to_target[0]))).eq(column(plan.to));
        query.join(JoinType::InnerJoin, through.table.clone(), meets);
    }
    query.expr_as(link(plan), "k");
    for (position, column) in plan.columns.iter().enumerate() {
        // Two columns of a sub-query must not have one name.
        query.expr_as(selected(&column.source, &[]), alias(position));
    }
    if let Some(visible) = condition(&plan.visible, dialect) {
        query.and_where(visible);
    }
    query
}

/// The column in which related rows hold their parent's key.
fn link(plan: &RelationPlan<'_>) -> Expr {
    match plan.through {
        Some(through) => Expr::col((iden(&through.name), iden(&through.to_parent[0]))),
        None => column(plan.to),
    }
}

fn value(key: &Key) -> Value {
    match key {
        Key::Null => Value::BigInt(None),
        Key::Int(key) => Value::from(*key),
        Key::UInt(key) => Value::from(*key),
        Key::Uuid(key) => Value::from(uuid::Uuid::from_bytes(*key)),
        Key::Text(key) => Value::from(key.as_ref()),
        Key::Bytes(key) => Value::from(key.to_vec()),
    }
}

/// The keys as one value; every key of a column has the same type.
fn array(plan: &RelationPlan<'_>, parents: &[Key]) -> Value {
    let (of, _) = array_type(plan);
    Value::Array(of, Some(Box::new(parents.iter().map(value).collect())))
}

fn array_type(plan: &RelationPlan<'_>) -> (ArrayType, &'static str) {
    match plan.from.meta.kind {
        Kind::Uuid => (ArrayType::Uuid, "::uuid[]"),
        Kind::Integer => (ArrayType::BigInt, "::int8[]"),
        _ => (ArrayType::String, "::text[]"),
    }
}
