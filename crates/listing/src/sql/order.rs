//! In: the terms of an order. Out: `ORDER BY`, and the joins that sorts by relation need; no join can add rows (d46).

use sea_orm::sea_query::{
    DynIden, Expr, ExprTrait, JoinType, NullOrdering, Order, Query, SelectStatement,
};

use super::dialect::NativeNulls;
use super::{Dialect, alias, column, condition::condition, first_of, iden, sub_query};
use crate::plan::{NullsPlace, OrderBy, OrderTerm, RelatedRow};
use crate::vocabulary::SortDirection;

pub(super) fn order(query: &mut SelectStatement, terms: &[OrderTerm<'_>], dialect: Dialect) {
    for (by, term) in sorted_by(query, terms, dialect).into_iter().zip(terms) {
        order_by(query, by, term.direction, term.nulls, dialect);
    }
}

/// What each term sorts by; a query that uses one has the joins for it.
pub(super) fn sorted_by(
    query: &mut SelectStatement,
    terms: &[OrderTerm<'_>],
    dialect: Dialect,
) -> Vec<Expr> {
    let terms = terms.iter().enumerate();
    terms
        .map(|(at, term)| match &term.by {
            OrderBy::Column(of) => column(*of),
            OrderBy::Selected(position) => Expr::col(alias(*position)),
            OrderBy::Computed(computed) => sub_query(computed.as_ref().clone()),
            OrderBy::Related(row) => related(query, row, at, dialect),
        })
        .collect()
}

/// Adds a term; no place for nulls where there are none.
pub(super) fn order_by(
    query: &mut SelectStatement,
    by: Expr,
    direction: SortDirection,
    nulls: Option<NullsPlace>,
    dialect: Dialect,
) {
    let place = nulls.filter(|place| *place != native(direction, dialect));
    let direction = match direction {
        SortDirection::Asc => Order::Asc,
        SortDirection::Desc => Order::Desc,
    };
    match place {
        None => query.order_by_expr(by, direction),
        Some(place) if dialect.has_nulls_first() => {
            let nulls = match place {
                NullsPlace::First => NullOrdering::First,
                NullsPlace::Last => NullOrdering::Last,
            };
            query.order_by_expr_with_nulls(by, direction, nulls)
        }
        Some(place) => {
            let nulls_are_last = match place {
                NullsPlace::First => Order::Desc,
                NullsPlace::Last => Order::Asc,
            };
            query
                .order_by_expr(by.clone().is_null(), nulls_are_last)
                .order_by_expr(by, direction)
        }
    };
}

/// Where the database would put nulls by itself.
fn native(direction: SortDirection, dialect: Dialect) -> NullsPlace {
    match (dialect.native_nulls(), direction) {
        (NativeNulls::Largest, SortDirection::Asc)
        | (NativeNulls::Smallest, SortDirection::Desc) => NullsPlace::Last,
        (NativeNulls::Largest, SortDirection::Desc)
        | (NativeNulls::Smallest, SortDirection::Asc) => NullsPlace::First,
    }
}

/// The related row's column: joined where at most one row can be met, else picked from the first one.
fn related(query: &mut SelectStatement, row: &RelatedRow<'_>, at: usize, dialect: Dialect) -> Expr {
    // By number: two sorts can lead to one relation.
    let joined = DynIden::from(format!("listing_sort_{at}"));
    let of = |name: &str| Expr::col((joined.clone(), iden(name)));
    let name = |column: usize| row.target.columns[column].name.as_ref();
    let meets = of(name(row.to)).eq(column(row.from));
    let mut names = vec![name(row.to), name(row.column)];
    if !row.unique {
        names.extend(row.order.iter().filter_map(column_name));
    }
    // Conditions that application code wrote name the table: they are kept inside, where it has its own name.
    let rows = condition(&row.visible, dialect).map(|visible| {
        let mut rows = Query::select();
        rows.from(row.target.table.clone()).and_where(visible);
        names.sort_unstable();
        names.dedup();
        for name in names {
            rows.column((iden(&row.target.name), iden(name)));
        }
        rows
    });
    if row.unique {
        match rows {
            Some(rows) => query.join_subquery(JoinType::LeftJoin, rows, joined.clone(), meets),
            None => query.join_as(
                JoinType::LeftJoin,
                row.target.table.clone(),
                joined.clone(),
                meets,
            ),
        };
        return of(name(row.column));
    }
    let mut first = Query::select();
    match rows {
        Some(rows) => first.from_subquery(rows, joined.clone()),
        None => first.from_as(row.target.table.clone(), joined.clone()),
    };
    first.expr(of(name(row.column))).and_where(meets);
    for term in &row.order {
        if let Some(name) = column_name(term) {
            order_by(&mut first, of(name), term.direction, term.nulls, dialect);
        }
    }
    first_of(&first, dialect)
}

fn column_name<'w>(term: &OrderTerm<'w>) -> Option<&'w str> {
    match term.by {
        OrderBy::Column(of) => Some(&of.meta.name),
        _ => None,
    }
}
