//! A value of the demo data: how it compares, and what it is in JSON.

use std::cmp::Ordering;

use chrono::{DateTime, NaiveDate, Utc};
use rust_decimal::Decimal;
use serde_json::Value;

/// A value in a row.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Cell {
    Null,
    Bool(bool),
    /// Wide enough for every number that a client can send.
    Int(i128),
    Decimal(Decimal),
    Text(String),
    Moment(DateTime<Utc>),
}

/// What a filter's value stands for.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Meaning {
    Exactly(Cell),
    /// A date where a moment is compared: all of that day in UTC (d9).
    Day(NaiveDate),
    /// A month or a year in UTC: from its first moment to the first of the next; or a moment counted from now, which is
    /// the first of both (d150).
    Period {
        first: DateTime<Utc>,
        next: DateTime<Utc>,
        text: String,
    },
}

impl Cell {
    /// How two values of one column compare; none if one of them is null.
    ///
    /// Text by code point, because every test database is set up so (d36).
    pub(crate) fn compare(&self, other: &Self) -> Option<Ordering> {
        Some(match (self, other) {
            (Self::Null, _) | (_, Self::Null) => return None,
            (Self::Bool(a), Self::Bool(b)) => a.cmp(b),
            (Self::Int(a), Self::Int(b)) => a.cmp(b),
            (Self::Decimal(a), Self::Decimal(b)) => a.cmp(b),
            (Self::Text(a), Self::Text(b)) => a.chars().cmp(b.chars()),
            (Self::Moment(a), Self::Moment(b)) => a.cmp(b),
            (a, b) => panic!("{a:?} and {b:?} are not of one column"),
        })
    }

    /// How the value compares with what a filter means.
    pub(crate) fn against(&self, meaning: &Meaning) -> Option<Ordering> {
        match (self, meaning) {
            (_, Meaning::Exactly(other)) => self.compare(other),
            (Self::Moment(moment), Meaning::Day(day)) => Some(moment.date_naive().cmp(day)),
            (Self::Moment(moment), Meaning::Period { first, next, .. }) => Some(match moment {
                moment if moment < first => Ordering::Less,
                moment if moment >= next => Ordering::Greater,
                _ => Ordering::Equal,
            }),
            (_, Meaning::Day(_) | Meaning::Period { .. }) => None,
        }
    }

    /// The order of a sort in ascending direction: nulls after everything else (d22).
    pub(crate) fn sort_order(&self, other: &Self) -> Ordering {
        let is_null = |cell: &Self| matches!(cell, Self::Null);
        self.compare(other)
            .unwrap_or_else(|| is_null(self).cmp(&is_null(other)))
    }

    /// The value in a response (d54, d55).
    pub(crate) fn json(&self) -> Value {
        match self {
            Self::Null => Value::Null,
            Self::Bool(value) => Value::from(*value),
            Self::Int(value) => Value::from(i64::try_from(*value).unwrap()),
            // `rating` is the one decimal, and has two digits.
            Self::Decimal(value) => Value::from(format!("{value:.2}")),
            Self::Text(value) => Value::from(value.as_str()),
            Self::Moment(value) => Value::from(moment(*value)),
        }
    }
}

impl Meaning {
    /// The one spelling that `meta.filters` tells (d33).
    pub(crate) fn canonical(&self) -> String {
        match self {
            Self::Exactly(Cell::Null) => panic!("no filter value is null"),
            Self::Exactly(Cell::Bool(value)) => value.to_string(),
            Self::Exactly(Cell::Int(value)) => value.to_string(),
            // As `rating` itself is written, with more digits only where they say something.
            Self::Exactly(Cell::Decimal(value)) => {
                let value = value.normalize();
                format!("{value:.0$}", value.scale().max(2) as usize)
            }
            Self::Exactly(Cell::Text(value)) => value.clone(),
            Self::Exactly(Cell::Moment(value)) => moment(*value),
            Self::Day(day) => day.format("%Y-%m-%d").to_string(),
            Self::Period { text, .. } => text.clone(),
        }
    }
}

fn moment(moment: DateTime<Utc>) -> String {
    moment.format("%Y-%m-%dT%H:%M:%S%.6fZ").to_string()
}

/// Whether `text` holds `part`, ASCII letters in any case (d26).
pub(crate) fn contains(text: &str, part: &str) -> bool {
    text.to_ascii_lowercase()
        .contains(&part.to_ascii_lowercase())
}

/// The same with other letters in any case too. Some databases go so far and some do not (d26), so that a model of all
/// of them can be asked only where both give the same answer.
pub(crate) fn contains_in_any_alphabet(text: &str, part: &str) -> bool {
    let lower = |text: &str| -> String {
        // One letter for one letter: İ becomes i, as databases have it.
        text.chars()
            .filter_map(|letter| letter.to_lowercase().next())
            .collect()
    };
    lower(text).contains(&lower(part))
}
