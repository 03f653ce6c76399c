//! The operators and directions of the contract (2.5, 2.6).

use std::fmt;

macro_rules! operators {
    ($($(#[$doc:meta])* $case:ident = $wire:literal,)+) => {
        /// What a client may compare with (contract 2.5, and `$between`).
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum FilterOperator {
            $($(#[$doc])* $case,)+
        }

        impl FilterOperator {
            /// Every operator, in the contract's order.
            pub const ALL: &'static [Self] = &[$(Self::$case,)+];

            /// The text that stands in a query string.
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
    /// `$contains`: text search, case-insensitive.
    Like = "$contains",
    /// `$in`: in list.
    In = "$in",
    /// `$notIn`: not in list; rows that are null count as not in it.
    NotIn = "$notIn",
    /// `$null`: is null.
    Null = "$null",
    /// `$notNull`: is not null.
    NotNull = "$notNull",
    /// `$between`: two values, both ends included.
    Between = "$between",
}

impl FilterOperator {
    /// `$lt $lte $gt $gte`, and `$eq $ne`: what the decisions call "comparisons".
    pub const COMPARISONS: &'static [Self] = &[
        Self::Equal,
        Self::NotEqual,
        Self::LessThan,
        Self::LessThanEqual,
        Self::GreaterThan,
        Self::GreaterThanEqual,
    ];

    /// The operator that `wire` names. `$containsi`, which clients of this family send, is `$contains`.
    #[must_use]
    pub fn from_wire(wire: &str) -> Option<Self> {
        if wire == "$containsi" {
            return Some(Self::Like);
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

    /// The text that stands in a query string.
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
                "$between"
            ]
        );
        for operator in FilterOperator::ALL {
            assert_eq!(FilterOperator::from_wire(operator.wire()), Some(*operator));
        }
    }

    #[test]
    fn d2_containsi_is_contains_and_other_operators_are_case_sensitive() {
        assert_eq!(
            FilterOperator::from_wire("$containsi"),
            Some(FilterOperator::Like)
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
