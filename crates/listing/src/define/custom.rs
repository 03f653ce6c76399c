//! Filters with a condition of the application: their input, and the condition that they return (d35, d71).

use std::sync::Arc;

use sea_orm::sea_query::{Condition, Expr};

use super::{Context, FilterValue};
use crate::vocabulary::FilterOperator;

/// The input of a custom filter, besides its values and its operator.
#[derive(Debug)]
pub struct CustomQuery<'a> {
    pub(crate) context: &'a Context,
}

impl CustomQuery<'_> {
    /// The application's data in the request's context, such as the current user.
    #[must_use]
    pub fn context(&self) -> &Context {
        self.context
    }
}

/// The condition that a custom filter returns. It can narrow the rows, never multiply them.
///
/// An empty condition matches nothing: a forgotten one must not show every row. Use [`every_row`](Self::every_row) to match every
/// row.
#[derive(Debug, Clone, PartialEq)]
pub struct CustomCondition(Option<Condition>);

impl CustomCondition {
    /// Every row matches.
    #[must_use]
    pub const fn every_row() -> Self {
        Self(None)
    }

    /// No row matches.
    #[must_use]
    pub fn no_row() -> Self {
        Self(Some(Condition::any()))
    }

    /// The condition, in which an empty one matches every row if it is `all` and none if it is `any`.
    pub(crate) fn into_condition(self) -> Condition {
        match self.0 {
            None => Condition::all(),
            Some(condition) if condition.is_empty() => Condition::any(),
            Some(condition) => condition,
        }
    }
}

/// The return type of the closure of `Filter::custom_query`: an expression, a `Condition` or a [`CustomCondition`].
#[diagnostic::on_unimplemented(
    message = "a custom filter returns its condition, and `{Self}` is not one",
    label = "expected an expression or a `Condition`",
    note = "return the condition, such as `Column::Views.gte(1000)` or `Condition::any().add(..)`, without a semicolon after it; `CustomCondition::every_row()` matches every row"
)]
pub trait IntoCustomCondition {
    /// The condition.
    fn into_custom_condition(self) -> CustomCondition;
}

impl IntoCustomCondition for CustomCondition {
    fn into_custom_condition(self) -> CustomCondition {
        self
    }
}

impl IntoCustomCondition for Condition {
    fn into_custom_condition(self) -> CustomCondition {
        CustomCondition(Some(self))
    }
}

impl IntoCustomCondition for Expr {
    fn into_custom_condition(self) -> CustomCondition {
        CustomCondition(Some(Condition::all().add(self)))
    }
}

pub(crate) type CustomFilter =
    Arc<dyn Fn(&CustomQuery<'_>, &[FilterValue], FilterOperator) -> CustomCondition + Send + Sync>;
