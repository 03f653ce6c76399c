//! The operators and directions of the contract (2.5, 2.6), and named sets of operators.

use std::borrow::Cow;
use std::fmt;
use std::ops::Deref;

macro_rules! operators {
    ($($(#[$doc:meta])* $case:ident = $wire:literal,)+) => {
        /// The comparisons of clients (contract 2.5, and `$between`).
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum FilterOperator {
            $($(#[$doc])* $case,)+
        }

        impl FilterOperator {
            /// Every operator, in the contract's order.
            pub const ALL: &'static [Self] = &[$(Self::$case,)+];

            /// The text in a query string.
            #[must_use]
            pub const fn wire(self) -> &'static str {
                match self {
                    $(Self::$case => $wire,)+
                }
            }
        }
    };
}

operators! {
    /// `$eq`: equal.
    Equal = "$eq",
    /// `$ne`: not equal; rows that are null count as not equal.
    NotEqual = "$ne",
    /// `$lt`: less than.
    LessThan = "$lt",
    /// `$lte`: less than or equal.
    LessThanEqual = "$lte",
    /// `$gt`: greater than.
    GreaterThan = "$gt",
    /// `$gte`: greater than or equal.
    GreaterThanEqual = "$gte",
    /// `$contains`: text search, case-insensitive; of an array, whether all of these are in it.
    Contains = "$contains",
    /// `$in`: in list; of an array, whether one of these is in it.
    In = "$in",
    /// `$notIn`: not in list; rows that are null count as not in it.
    NotIn = "$notIn",
    /// `$null`: is null.
    Null = "$null",
    /// `$notNull`: is not null.
    NotNull = "$notNull",
    /// `$between`: two values, both ends included.
    Between = "$between",
    /// `$startsWith`: text at the start, case-sensitive; an index can serve it.
    StartsWith = "$startsWith",
    /// `$endsWith`: text at the end, case-sensitive.
    EndsWith = "$endsWith",
    /// `$startsWithi`: text at the start, in any case.
    StartsWithInsensitive = "$startsWithi",
    /// `$endsWithi`: text at the end, in any case.
    EndsWithInsensitive = "$endsWithi",
    /// `$eqi`: equal, in any case.
    EqualInsensitive = "$eqi",
    /// `$nei`: not equal, in any case; rows that are null count as not equal.
    NotEqualInsensitive = "$nei",
    /// `$notContains`: the complement of `$contains`; rows that are null count as not containing.
    NotContains = "$notContains",
}

impl FilterOperator {
    /// `$eq $ne $lt $lte $gt $gte`.
    pub const COMPARISONS: Operators = Operators::fixed(&[
        Self::Equal,
        Self::NotEqual,
        Self::LessThan,
        Self::LessThanEqual,
        Self::GreaterThan,
        Self::GreaterThanEqual,
    ]);

    /// `$eq $ne $in $notIn`: what can be asked of a value that has no order, such as a key or an enumeration.
    pub const EQUALITY: Operators =
        Operators::fixed(&[Self::Equal, Self::NotEqual, Self::In, Self::NotIn]);

    /// `$null $notNull`.
    pub const NULLS: Operators = Operators::fixed(&[Self::Null, Self::NotNull]);

    /// The operators that look into a text, and its equality.
    pub const TEXT: Operators = Operators::fixed(&[
        Self::Equal,
        Self::NotEqual,
        Self::EqualInsensitive,
        Self::NotEqualInsensitive,
        Self::Contains,
        Self::NotContains,
        Self::StartsWith,
        Self::StartsWithInsensitive,
        Self::EndsWith,
        Self::EndsWithInsensitive,
    ]);

    /// Everything that is useful on a text: [`EQUALITY`](Self::EQUALITY), [`TEXT`](Self::TEXT) and
    /// [`NULLS`](Self::NULLS).
    #[must_use]
    pub fn for_text() -> Operators {
        Self::EQUALITY.and(Self::TEXT).and(Self::NULLS)
    }

    /// Everything that is useful on a number: [`COMPARISONS`](Self::COMPARISONS), `$in`, `$notIn`, `$between` and
    /// [`NULLS`](Self::NULLS).
    #[must_use]
    pub fn for_numbers() -> Operators {
        Self::COMPARISONS
            .and([Self::In, Self::NotIn, Self::Between])
            .and(Self::NULLS)
    }

    /// Everything that is useful on a date, a time or a timestamp: [`COMPARISONS`](Self::COMPARISONS), `$between` and
    /// [`NULLS`](Self::NULLS).
    #[must_use]
    pub fn for_times() -> Operators {
        Self::COMPARISONS.and(Self::Between).and(Self::NULLS)
    }

    /// Everything that is useful on a boolean: `$eq`, `$ne` and [`NULLS`](Self::NULLS).
    #[must_use]
    pub fn for_booleans() -> Operators {
        Operators::fixed(&[Self::Equal, Self::NotEqual]).and(Self::NULLS)
    }

    /// Everything that is useful on a key or an enumeration: [`EQUALITY`](Self::EQUALITY) and [`NULLS`](Self::NULLS).
    #[must_use]
    pub fn for_keys() -> Operators {
        Self::EQUALITY.and(Self::NULLS)
    }

    /// The operators for arrays: `$contains` (all of these), `$in` (one of these), their complements, and [`NULLS`](Self::NULLS).
    #[must_use]
    pub fn for_arrays() -> Operators {
        Operators::fixed(&[Self::Contains, Self::NotContains, Self::In, Self::NotIn])
            .and(Self::NULLS)
    }

    /// Whether it looks into a text: only columns of text can answer it.
    #[must_use]
    pub const fn is_textual(self) -> bool {
        matches!(
            self,
            Self::Contains
                | Self::NotContains
                | Self::StartsWith
                | Self::EndsWith
                | Self::StartsWithInsensitive
                | Self::EndsWithInsensitive
                | Self::EqualInsensitive
                | Self::NotEqualInsensitive
        )
    }

    /// The operator that `wire` names. `$containsi`, which clients of this family send, is `$contains`.
    #[must_use]
    pub fn from_wire(wire: &str) -> Option<Self> {
        match wire {
            "$containsi" => return Some(Self::Contains),
            "$notContainsi" => return Some(Self::NotContains),
            _ => {}
        }
        Self::ALL
            .iter()
            .copied()
            .find(|operator| operator.wire() == wire)
    }
}

impl fmt::Display for FilterOperator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.wire())
    }
}

/// A set of operators, in the order in which they were named.
///
/// ```
/// use listing::FilterOperator::{self, Between, Null};
///
/// let operators = FilterOperator::COMPARISONS.and(Between).and([Between, Null]);
/// assert_eq!(operators.len(), 8);
/// assert!(operators.contains(&Between));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Operators(Cow<'static, [FilterOperator]>);

impl Operators {
    /// No operator.
    pub const NONE: Self = Self::fixed(&[]);

    const fn fixed(operators: &'static [FilterOperator]) -> Self {
        Self(Cow::Borrowed(operators))
    }

    /// These, and the others; each once.
    #[must_use]
    pub fn and(mut self, others: impl IntoOperators) -> Self {
        for operator in others.into_operators().iter() {
            if !self.contains(operator) {
                self.0.to_mut().push(*operator);
            }
        }
        self
    }
}

impl Deref for Operators {
    type Target = [FilterOperator];

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

/// The argument of `Filter::allowed_operators` and [`Operators::and`]: one operator, several, or a named set.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a filter operator",
    label = "expected `FilterOperator`s",
    note = "operators are one `FilterOperator`, several (`[Equal, In]`), or a set such as `FilterOperator::COMPARISONS` or `FilterOperator::for_text()`, with `.and(..)` for more"
)]
pub trait IntoOperators {
    /// The operators.
    fn into_operators(self) -> Operators;
}

impl IntoOperators for FilterOperator {
    fn into_operators(self) -> Operators {
        Operators(Cow::Owned(vec![self]))
    }
}

impl<const N: usize> IntoOperators for [FilterOperator; N] {
    fn into_operators(self) -> Operators {
        Operators(Cow::Owned(self.to_vec()))
    }
}

impl IntoOperators for &[FilterOperator] {
    fn into_operators(self) -> Operators {
        Operators(Cow::Owned(self.to_vec()))
    }
}

impl IntoOperators for Vec<FilterOperator> {
    fn into_operators(self) -> Operators {
        Operators(Cow::Owned(self))
    }
}

impl IntoOperators for Operators {
    fn into_operators(self) -> Operators {
        self
    }
}

/// The direction of a sort (contract 2.6).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum SortDirection {
    /// `asc`
    #[default]
    Asc,
    /// `desc`
    Desc,
}

impl SortDirection {
    /// The direction that `wire` names, in any case.
    #[must_use]
    pub fn from_wire(wire: &str) -> Option<Self> {
        if wire.eq_ignore_ascii_case("asc") {
            Some(Self::Asc)
        } else if wire.eq_ignore_ascii_case("desc") {
            Some(Self::Desc)
        } else {
            None
        }
    }

    /// The text in a query string.
    #[must_use]
    pub const fn wire(self) -> &'static str {
        match self {
            Self::Asc => "asc",
            Self::Desc => "desc",
        }
    }
}

impl fmt::Display for SortDirection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.wire())
    }
}

#[cfg(test)]
mod tests {
    use super::{FilterOperator, SortDirection};

    #[test]
    fn c2_5_every_operator_has_its_wire_value() {
        let wires: Vec<_> = FilterOperator::ALL.iter().map(|o| o.wire()).collect();
        assert_eq!(
            wires,
            [
                "$eq",
                "$ne",
                "$lt",
                "$lte",
                "$gt",
                "$gte",
                "$contains",
                "$in",
                "$notIn",
                "$null",
                "$notNull",
                "$between",
                "$startsWith",
                "$endsWith",
                "$startsWithi",
                "$endsWithi",
                "$eqi",
                "$nei",
                "$notContains"
            ]
        );
        for operator in FilterOperator::ALL {
            assert_eq!(FilterOperator::from_wire(operator.wire()), Some(*operator));
        }
    }

    /// Rule d2.
    #[test]
    fn containsi_is_contains_and_other_operators_are_case_sensitive() {
        assert_eq!(
            FilterOperator::from_wire("$containsi"),
            Some(FilterOperator::Contains)
        );
        assert_eq!(FilterOperator::from_wire("$EQ"), None);
        assert_eq!(FilterOperator::from_wire("$notin"), None);
    }

    #[test]
    fn c2_6_directions_on_the_wire() {
        assert_eq!(SortDirection::from_wire("asc"), Some(SortDirection::Asc));
        assert_eq!(SortDirection::from_wire("DESC"), Some(SortDirection::Desc));
        assert_eq!(SortDirection::from_wire("down"), None);
    }
}
