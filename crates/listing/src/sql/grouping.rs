//! Finds a clause in an application's query that makes it return other rows than its entity's (b108).

use std::cell::Cell;

use sea_orm::sea_query::SelectStatement;

use super::Dialect;
use super::writer::{From, Gap, Writer};

/// What is selected is replaced, so that a row which was one of its kind could come twice, and a count would be one for
/// each group; a second query after `UNION` would have none of our conditions.
///
/// sea-query does not tell what a query has, but it writes clauses in one order: what stands around our gaps is the
/// query's own, and not that of a query inside it.
pub(crate) fn grouping_clause(query: &SelectStatement, dialect: Dialect) -> Option<&'static str> {
    let mut marked = query.clone();
    marked.expr(Gap::Columns.expr());
    marked.and_where(Gap::Condition.expr());
    let (columns, condition) = (Cell::new(0), Cell::new(0));
    let mut writer = Writer::new(dialect);
    writer.rows(From::Query(&marked), &|writer, gap| match gap {
        Gap::Columns => columns.set(writer.len()),
        Gap::Condition => condition.set(writer.len()),
    });
    let text = writer.finish().text;
    let (head, tail) = (&text[..columns.get()], &text[condition.get()..]);
    if !head.ends_with("SELECT ") {
        return Some("`DISTINCT`");
    }
    let tail = tail.trim_start_matches(')').trim_start();
    let clauses = [
        ("GROUP BY", "`GROUP BY`"),
        ("HAVING", "`HAVING`"),
        ("UNION", "`UNION`"),
        ("INTERSECT", "`INTERSECT`"),
        ("EXCEPT", "`EXCEPT`"),
    ];
    let found = clauses.iter().find(|(word, _)| tail.starts_with(word));
    found.map(|(_, clause)| *clause)
}

#[cfg(test)]
mod tests {
    use sea_orm::sea_query::extension::sqlite::SqliteExpr;
    use sea_orm::sea_query::{Expr, ExprTrait, Query, UnionType};

    use super::*;

    fn plain() -> SelectStatement {
        Query::select().from("articles").take()
    }

    fn ids() -> SelectStatement {
        plain().column("id").take()
    }

    /// Its inner queries have what it has not, and the other way round.
    fn with_inner() -> SelectStatement {
        let mut inner = ids();
        inner.distinct().group_by_col("id");
        inner.and_having(Expr::col("id").gt(1));
        inner.union(UnionType::All, ids());
        let mut query = plain();
        query.and_where(Expr::col("id").in_subquery(inner));
        query.and_where(Expr::col("id").in_subquery(ids()));
        query.and_where(Expr::col("a").eq(1).or(Expr::col("b").eq(2)));
        query
    }

    #[test]
    fn b108_a_clause_is_found_and_not_one_of_a_query_inside() {
        type Change = fn(&mut SelectStatement) -> &mut SelectStatement;
        let changes: [(&str, Change); 8] = [
            ("`DISTINCT`", |query| query.distinct()),
            ("`DISTINCT`", |query| query.distinct_on(["id"])),
            ("`GROUP BY`", |query| query.group_by_col("id")),
            ("`HAVING`", |query| query.and_having(Expr::col("id").gt(1))),
            ("`UNION`", |query| query.union(UnionType::All, ids())),
            ("`UNION`", |query| query.union(UnionType::Distinct, ids())),
            ("`INTERSECT`", |query| {
                query.union(UnionType::Intersect, ids())
            }),
            ("`EXCEPT`", |query| query.union(UnionType::Except, ids())),
        ];
        for dialect in [Dialect::Postgres, Dialect::Mysql, Dialect::Sqlite] {
            for query in [plain(), with_inner()] {
                assert_eq!(grouping_clause(&query, dialect), None);
                for (clause, change) in changes {
                    let mut query = query.clone();
                    let found = grouping_clause(change(&mut query), dialect);
                    assert_eq!(found, Some(clause), "{dialect:?}");
                }
            }
        }
    }

    /// Each database writes its own operators only.
    #[test]
    fn b108_a_query_of_one_database_is_not_written_for_another() {
        let mut query = plain();
        query.and_where(Expr::col("title").glob("a*"));
        assert_eq!(grouping_clause(&query, Dialect::Sqlite), None);
    }
}
