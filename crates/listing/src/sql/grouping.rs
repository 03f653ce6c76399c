//! Finds a clause in an application's query that makes it return other rows than its entity's (b108).

use sea_orm::sea_query::{Expr, SelectStatement};

use super::{Dialect, plain};

/// The query's columns are replaced, so a distinct row could come twice, and a count would be one for each group; a second
/// query after `UNION` would not have our conditions.
///
/// sea-query does not let us read the clauses of a query, but it writes them in one order: the text around our marks is the
/// query's own, and does not belong to a query inside it.
pub(crate) fn grouping_clause(query: &SelectStatement, dialect: Dialect) -> Option<&'static str> {
    /// A character that no application writes.
    const MARK: &str = "\u{1}";
    let mut marked = query.clone();
    marked.clear_selects().expr(Expr::cust(MARK));
    marked.and_where(Expr::cust(MARK));
    let text = plain(&marked, dialect).text;
    let (head, rest) = text.split_once(MARK)?;
    let (_, tail) = rest.rsplit_once(MARK)?;
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

    /// A query whose inner queries have the clauses that it does not have, and the other way round.
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

    /// Rule b108.
    #[test]
    fn a_clause_is_found_and_not_one_of_a_query_inside() {
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
    /// Rule b108.
    #[test]
    fn a_query_of_one_database_is_not_written_for_another() {
        let mut query = plain();
        query.and_where(Expr::col("title").glob("a*"));
        assert_eq!(grouping_clause(&query, Dialect::Sqlite), None);
    }
}
