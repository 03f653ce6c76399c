//! The names and operands of operators, for tools that help to write requests.

use serde::{Deserialize, Serialize};

use crate::vocabulary::FilterOperator;

/// An operator.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Operator {
    /// `$eq`
    pub name: String,
    /// Its operand.
    pub takes: Takes,
    /// The label for people: `equals`.
    pub title: String,
}

/// The operand of an operator.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Takes {
    /// One value of the filter's type.
    Value,
    /// One text.
    Text,
    /// Values of the filter's type.
    List,
    /// Two values of the filter's type.
    Range,
    /// `true` or `false`.
    Boolean,
}

/// Every operator, in the contract's order.
#[must_use]
pub fn operators() -> Vec<Operator> {
    let described = |operator: &FilterOperator| Operator {
        name: operator.to_string(),
        takes: Takes::of(*operator),
        title: title(*operator).to_owned(),
    };
    FilterOperator::ALL.iter().map(described).collect()
}

impl Takes {
    /// The operand of this operator.
    #[must_use]
    pub const fn of(operator: FilterOperator) -> Self {
        match operator {
            FilterOperator::In | FilterOperator::NotIn => Self::List,
            FilterOperator::Null | FilterOperator::NotNull => Self::Boolean,
            FilterOperator::Between => Self::Range,
            textual if textual.is_textual() => Self::Text,
            _ => Self::Value,
        }
    }
}

const fn title(operator: FilterOperator) -> &'static str {
    match operator {
        FilterOperator::Equal => "equals",
        FilterOperator::NotEqual => "does not equal",
        FilterOperator::LessThan => "is less than",
        FilterOperator::LessThanEqual => "is at most",
        FilterOperator::GreaterThan => "is greater than",
        FilterOperator::GreaterThanEqual => "is at least",
        FilterOperator::Contains => "contains",
        FilterOperator::In => "is one of",
        FilterOperator::NotIn => "is not one of",
        FilterOperator::Null => "is empty",
        FilterOperator::NotNull => "is not empty",
        FilterOperator::Between => "is between",
        FilterOperator::StartsWith => "starts with",
        FilterOperator::EndsWith => "ends with",
        FilterOperator::StartsWithInsensitive => "starts with (any case)",
        FilterOperator::EndsWithInsensitive => "ends with (any case)",
        FilterOperator::EqualInsensitive => "equals (any case)",
        FilterOperator::NotEqualInsensitive => "does not equal (any case)",
        FilterOperator::NotContains => "does not contain",
    }
}
