//! In: a tree of conditions. Out: one expression for a dialect.

use sea_orm::sea_query::extension::postgres::PgExpr;
use sea_orm::sea_query::{Condition, Expr, ExprTrait, LikeExpr};

use super::{Dialect, column, value};
use crate::plan::{ColumnOf, Comparison, Predicate};

/// The condition, or none where every row meets it.
pub(crate) fn condition(predicate: &Predicate<'_>, dialect: Dialect) -> Option<Expr> {
    match predicate {
        Predicate::All(parts) => {
            let parts: Vec<_> = parts
                .iter()
                .filter_map(|part| condition(part, dialect))
                .collect();
            join(parts, ExprTrait::and)
        }
        Predicate::Any(parts) => {
            // A part that always holds makes the whole hold.
            let parts: Option<Vec<_>> = parts.iter().map(|part| condition(part, dialect)).collect();
            Some(join(parts?, ExprTrait::or).unwrap_or_else(|| Expr::cust("1 = 0")))
        }
        Predicate::Compare {
            column,
            comparison,
            value,
        } => {
            let left = super::column(*column);
            let right = value::bound(value, column.meta, dialect);
            Some(match comparison {
                Comparison::Equal => left.eq(right),
                Comparison::NotEqual => left.ne(right),
                Comparison::Less => left.lt(right),
                Comparison::LessOrEqual => left.lte(right),
                Comparison::Greater => left.gt(right),
                Comparison::GreaterOrEqual => left.gte(right),
            })
        }
        Predicate::OneOf {
            column,
            values,
            negated,
        } => {
            let values = values
                .iter()
                .map(|value| value::bound(value, column.meta, dialect));
            let left = super::column(*column);
            Some(if *negated {
                left.is_not_in(values)
            } else {
                left.is_in(values)
            })
        }
        Predicate::Null { column, is_null } => {
            let left = super::column(*column);
            Some(if *is_null {
                left.is_null()
            } else {
                left.is_not_null()
            })
        }
        Predicate::Contains { column, text } => Some(contains(*column, text, dialect)),
        // Nothing but an empty `all` holds for every row: of an empty `any`, nothing does.
        Predicate::Custom(custom) if *custom == Condition::all() => None,
        Predicate::Custom(custom) => Some(Expr::from(custom.clone())),
    }
}

/// Joins in halves: SQLite takes expressions of a depth of at most 1,000, and a list of days is one condition each.
fn join(mut parts: Vec<Expr>, with: fn(Expr, Expr) -> Expr) -> Option<Expr> {
    while parts.len() > 1 {
        let mut halved = Vec::with_capacity(parts.len().div_ceil(2));
        let mut rest = parts.into_iter();
        while let Some(left) = rest.next() {
            halved.push(match rest.next() {
                Some(right) => with(left, right),
                None => left,
            });
        }
        parts = halved;
    }
    parts.pop()
}

/// A substring in any case, with nothing in the text that means more than itself (d26).
fn contains(of: ColumnOf<'_>, text: &str, dialect: Dialect) -> Expr {
    /// In bytes; nobody looks for more in earnest.
    const LONG: usize = 1_000;
    match dialect {
        // ILIKE, because a trigram index serves it. Its own escape is a backslash in a bound pattern, whatever the
        // server's settings; sea-query would write an ESCAPE of ours in parentheses, which PostgreSQL refuses.
        Dialect::Postgres if text.len() <= LONG => column(of).ilike(LikeExpr::new(pattern(text))),
        // ILIKE puts the pattern into lower case once a row, and a hundred times while planning: a megabyte of it keeps
        // a small table busy for seconds. The sub-query is evaluated once.
        Dialect::Postgres => Expr::cust_with_exprs(
            "strpos(lower($1), (SELECT lower($2))) > 0",
            [column(of), Expr::val(text)],
        ),
        // LIKE would follow the column's collation, which may be case-sensitive or take é for e.
        Dialect::Mysql => Expr::cust_with_exprs(
            "LOCATE(LOWER(CONVERT(? USING utf8mb4)), LOWER(CONVERT(? USING utf8mb4)) COLLATE utf8mb4_bin) > 0",
            [Expr::val(text), column(of)],
        ),
        // LIKE refuses patterns of over 50,000 bytes.
        Dialect::Sqlite => Expr::cust_with_exprs(
            "instr(lower(?), lower(?)) > 0",
            [column(of), Expr::val(text)],
        ),
    }
}

fn pattern(text: &str) -> String {
    let mut pattern = String::with_capacity(text.len() + 2);
    pattern.push('%');
    for character in text.chars() {
        if matches!(character, '%' | '_' | '\\') {
            pattern.push('\\');
        }
        pattern.push(character);
    }
    pattern.push('%');
    pattern
}
