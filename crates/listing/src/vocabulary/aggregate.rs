//! The numbers that a list can give about a column of all its rows, and the units of its calendars.

use std::fmt;

/// A number about a column of all rows that match.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AggregateFunction {
    /// `count`: how many rows have a value.
    Count,
    /// `countDistinct`: how many different values there are.
    CountDistinct,
    /// `sum`: the sum of integers or decimals.
    Sum,
    /// `avg`: the sum divided by the number of values, with six places.
    Average,
    /// `min`: the smallest value.
    Min,
    /// `max`: the largest value.
    Max,
}

impl AggregateFunction {
    /// Each of them.
    pub const ALL: [Self; 6] = [
        Self::Count,
        Self::CountDistinct,
        Self::Sum,
        Self::Average,
        Self::Min,
        Self::Max,
    ];

    /// Its name in requests and responses.
    #[must_use]
    pub const fn wire(self) -> &'static str {
        match self {
            Self::Count => "count",
            Self::CountDistinct => "countDistinct",
            Self::Sum => "sum",
            Self::Average => "avg",
            Self::Min => "min",
            Self::Max => "max",
        }
    }

    /// The function of that name.
    #[must_use]
    pub fn from_wire(wire: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|one| one.wire() == wire)
    }
}

impl fmt::Display for AggregateFunction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.wire())
    }
}

/// A unit of a calendar, into which moments are gathered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum CalendarUnit {
    Hour,
    Day,
    /// Begins on Monday.
    Week,
    Month,
    Quarter,
    Year,
}

impl CalendarUnit {
    /// Weeks by which days are moved before they are gathered into weeks, so that none is negative: integer division is the
    /// same on every database then.
    pub(crate) const WEEKS_BEFORE: i64 = 110_000;

    /// From the smallest to the largest.
    pub(crate) const ALL: [Self; 6] = [
        Self::Hour,
        Self::Day,
        Self::Week,
        Self::Month,
        Self::Quarter,
        Self::Year,
    ];

    pub(crate) const fn wire(self) -> &'static str {
        match self {
            Self::Hour => "hour",
            Self::Day => "day",
            Self::Week => "week",
            Self::Month => "month",
            Self::Quarter => "quarter",
            Self::Year => "year",
        }
    }

    pub(crate) fn from_wire(wire: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|one| one.wire() == wire)
    }

    /// The next larger one; none after years.
    pub(crate) fn larger(self) -> Option<Self> {
        Self::ALL.into_iter().find(|one| *one > self)
    }
}
