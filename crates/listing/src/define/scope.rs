//! Defines which rows exist for the caller: everything, nothing, or the rows that meet a condition.

use sea_orm::Value;
use sea_orm::sea_query::{BinOper, Condition, Expr, ExprTrait, UnOper};

/// The rows that exist for the caller, as [`Listing::scope`](super::Listing::scope) says.
///
/// `nothing` stays nothing, whatever is added to it with [`and`](Self::and), and adds nothing to an [`or`](Self::or). It
/// is also the default.
///
/// ```
/// use listing::{Context, Scope};
/// # mod project {
/// #     use sea_orm::entity::prelude::*;
/// #     #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
/// #     #[sea_orm(table_name = "projects")]
/// #     pub struct Model { #[sea_orm(primary_key)] pub id: i64, pub company_id: i64, pub is_secret: bool }
/// #     #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)] pub enum Relation {}
/// #     impl ActiveModelBehavior for ActiveModel {}
/// # }
/// use project::Column;
/// use sea_orm::ColumnTrait;
///
/// struct Member { company: i64 }
///
/// /// The rows of the caller's company; an unknown caller sees no rows.
/// fn own(context: &Context) -> Scope {
///     match context.get::<Member>() {
///         Some(member) => Scope::rows(Column::CompanyId.eq(member.company)),
///         None => Scope::nothing(),
///     }
/// }
///
/// let public = own(&Context::new()).and(Column::IsSecret.eq(false));
/// assert_eq!(public, Scope::nothing());
/// ```
///
/// An empty group of sea-query is easily misunderstood: `Condition::any()` matches no row until something is added to it, and
/// `Condition::all()` matches every row. In a scope, a group without a condition is *unknown*, at any depth, like a `NULL` in
/// SQL: only rows that would match however the group is read are visible. Use [`everything`](Self::everything) to match
/// everything.
///
/// ```
/// # use listing::Scope;
/// use sea_orm::sea_query::Condition;
///
/// assert_eq!(Scope::rows(Condition::any()), Scope::nothing());
/// assert_eq!(Scope::rows(Condition::all()), Scope::nothing());
/// assert_eq!(Scope::rows(Condition::any().not()), Scope::nothing());
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
#[must_use = "return it from `Listing::scope`"]
pub struct Scope(Rows);

#[derive(Debug, Clone, PartialEq, Default)]
enum Rows {
    #[default]
    Nothing,
    Everything,
    /// Those for which this is true.
    Of(Expr),
}

impl Scope {
    /// No row.
    pub const fn nothing() -> Self {
        Self(Rows::Nothing)
    }

    /// Every row.
    pub const fn everything() -> Self {
        Self(Rows::Everything)
    }

    /// The rows that meet a condition. A condition that is null for a row does not hold for it.
    pub fn rows(condition: impl Into<Expr>) -> Self {
        Self(known(condition.into(), true).map_or(Rows::Nothing, Rows::Of))
    }

    /// The rows that are in both.
    pub fn and(self, other: impl Into<Self>) -> Self {
        Self(match (self.0, other.into().0) {
            (Rows::Nothing, _) | (_, Rows::Nothing) => Rows::Nothing,
            (Rows::Everything, rows) | (rows, Rows::Everything) => rows,
            (Rows::Of(one), Rows::Of(other)) => Rows::Of(one.and(other)),
        })
    }

    /// The rows that are in one of them, or in both.
    pub fn or(self, other: impl Into<Self>) -> Self {
        Self(match (self.0, other.into().0) {
            (Rows::Everything, _) | (_, Rows::Everything) => Rows::Everything,
            (Rows::Nothing, rows) | (rows, Rows::Nothing) => rows,
            (Rows::Of(one), Rows::Of(other)) => Rows::Of(one.or(other)),
        })
    }

    /// The other rows: everything where it is nothing. A row for which a condition is null is in neither of the two.
    #[expect(
        clippy::should_implement_trait,
        reason = "it is written like `and` and `or`, and needs no import"
    )]
    pub fn not(self) -> Self {
        Self(match self.0 {
            Rows::Nothing => Rows::Everything,
            Rows::Everything => Rows::Nothing,
            Rows::Of(condition) => Rows::Of(condition.not()),
        })
    }

    /// The condition for a statement; `None` if every row is in the scope.
    pub(crate) fn into_condition(self) -> Option<Condition> {
        match self.0 {
            Rows::Everything => None,
            Rows::Nothing => Some(Condition::all().add(Condition::any())),
            Rows::Of(condition) => Some(Condition::all().add(condition)),
        }
    }
}

impl From<Condition> for Scope {
    fn from(condition: Condition) -> Self {
        Self::rows(condition)
    }
}

impl From<Expr> for Scope {
    fn from(condition: Expr) -> Self {
        Self::rows(condition)
    }
}

/// For a query by hand. What is added to it narrows it.
impl From<Scope> for Condition {
    fn from(scope: Scope) -> Self {
        scope.into_condition().unwrap_or_else(Self::all)
    }
}

/// The condition without its empty groups, as far as it is known without them; `None` if nothing is known. `holds` says
/// whether it has to be true or, below a `NOT`, false.
fn known(condition: Expr, holds: bool) -> Option<Expr> {
    match condition {
        // Nothing but an empty group is written so.
        Expr::Constant(Value::Bool(_)) => None,
        Expr::Unary(UnOper::Not, part) => Some(known(*part, !holds)?.not()),
        Expr::Binary(left, oper @ (BinOper::And | BinOper::Or), right) => {
            let needs_both = (oper == BinOper::And) == holds;
            match (known(*left, holds), known(*right, holds)) {
                (Some(left), Some(right)) => Some(left.binary(oper, right)),
                (one, other) if !needs_both => one.or(other),
                _ => None,
            }
        }
        condition => Some(condition),
    }
}

#[cfg(test)]
mod tests {
    use sea_orm::sea_query::{Condition, Expr, ExprTrait, Query, SqliteQueryBuilder};

    use super::Scope;

    fn expr(name: &'static str) -> Expr {
        Expr::col(name).eq(1)
    }

    fn written(scope: Scope) -> String {
        let mut select = Query::select();
        select.expr(Expr::val(1)).cond_where(Condition::from(scope));
        let text = select.to_string(SqliteQueryBuilder);
        let text = text.strip_prefix("SELECT 1").unwrap();
        text.strip_prefix(" WHERE ").unwrap_or(text).to_owned()
    }

    /// Rule b600.
    #[test]
    fn nothing_and_everything_keep_to_their_algebra() {
        let (nothing, everything) = (Scope::nothing, Scope::everything);
        let rows = || Scope::rows(expr("a"));
        assert_eq!(Scope::default(), nothing());
        for (is, should) in [
            (nothing().and(rows()), nothing()),
            (rows().and(nothing()), nothing()),
            (nothing().and(everything()), nothing()),
            (nothing().or(rows()), rows()),
            (rows().or(nothing()), rows()),
            (nothing().or(nothing()), nothing()),
            (everything().and(rows()), rows()),
            (rows().and(everything()), rows()),
            (everything().or(rows()), everything()),
            (rows().or(everything()), everything()),
            (nothing().not(), everything()),
            (everything().not(), nothing()),
            (rows().not(), Scope::rows(expr("a").not())),
            (nothing().and(expr("a")).or(nothing()), nothing()),
            (nothing().and(Condition::any().add(expr("a"))), nothing()),
        ] {
            assert_eq!(is, should);
        }
    }

    /// Rule b600.
    #[test]
    fn a_scope_in_a_condition_is_narrowed_by_what_is_added() {
        let as_condition = |scope: Scope| Condition::from(scope);
        let sql = |condition: Condition| {
            let mut select = Query::select();
            select.expr(Expr::val(1)).cond_where(condition);
            select.to_string(SqliteQueryBuilder)
        };
        for (condition, text) in [
            (as_condition(Scope::nothing()), "FALSE"),
            (
                as_condition(Scope::nothing()).add(expr("a")),
                r#"FALSE AND "a" = 1"#,
            ),
            (
                Condition::any().add(as_condition(Scope::nothing())),
                "FALSE",
            ),
            (
                Condition::all().add(Scope::nothing()).add(expr("a")),
                r#"FALSE AND "a" = 1"#,
            ),
            (
                as_condition(Scope::rows(expr("a")).or(expr("b"))).add(expr("c")),
                r#"("a" = 1 OR "b" = 1) AND "c" = 1"#,
            ),
        ] {
            assert_eq!(sql(condition), format!("SELECT 1 WHERE {text}"));
        }
        assert_eq!(
            written(Scope::rows(expr("a")).and(expr("b"))),
            r#""a" = 1 AND "b" = 1"#
        );
        let either = Scope::rows(Expr::cust("x OR y")).and(expr("a"));
        assert_eq!(written(either), r#"(x OR y) AND "a" = 1"#);
        assert_eq!(
            written(Scope::rows(Expr::cust("x OR y")).not()),
            "NOT (x OR y)"
        );
    }

    /// Rule b601.
    #[test]
    fn an_empty_group_shows_nothing_however_deep_it_is() {
        let (any, all) = (Condition::any, Condition::all);
        for condition in [
            any(),
            all(),
            any().not(),
            all().not(),
            any().add(any()),
            any().add(all()),
            all().add(all()),
            all().add(any()).add(all()),
            any().add(any().add(all().add(all()))),
            all().add(any()).not(),
            all().add(expr("a")).add(all()),
            all().add(expr("a")).add(any()),
            all().add(expr("a")).add(any().add(all())),
            any().add(expr("a")).add(any()).not(),
            any().add(expr("a")).add(all()).not(),
            all().add(any().add(expr("a")).add(all()).not()),
        ] {
            assert_eq!(
                Scope::rows(condition.clone()),
                Scope::nothing(),
                "{condition:?}"
            );
        }
    }

    /// Rule b601.
    #[test]
    fn what_holds_without_the_empty_group_stays() {
        let (any, all) = (Condition::any, Condition::all);
        for (condition, text) in [
            (any().add(all()).add(expr("a")), r#""a" = 1"#),
            (any().add(expr("a")).add(any().not()), r#""a" = 1"#),
            (
                any().add(all().add(expr("a")).add(all())).add(expr("b")),
                r#""b" = 1"#,
            ),
            (all().add(expr("a")).add(all()).not(), r#"NOT "a" = 1"#),
            (
                all().add(expr("a")).add(any().add(expr("b")).add(all())),
                r#""a" = 1 AND "b" = 1"#,
            ),
        ] {
            assert_eq!(written(Scope::rows(condition)), text);
        }
        let between = Scope::rows(Expr::col("a").between(1, 2));
        assert_eq!(written(between), r#""a" BETWEEN 1 AND 2"#);
    }
}
