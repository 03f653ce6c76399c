//! Parses a client's text as a value of the column's kind (d9).

use std::fmt;

use chrono::{DateTime, Datelike, Duration, NaiveDate, NaiveDateTime, NaiveTime, Utc};
use rust_decimal::Decimal;
use uuid::Uuid;

use crate::vocabulary::{Kind, offset_minutes};

/// A filter's value, typed as its column is.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum FilterValue {
    /// A boolean.
    Bool(bool),
    /// An integer.
    Int(i64),
    /// An integer above the largest `i64`.
    UInt(u64),
    /// A finite floating-point number.
    Float(f64),
    /// A decimal number.
    Decimal(Decimal),
    /// Text, or a variant of an enumeration.
    Text(String),
    /// A UUID.
    Uuid(Uuid),
    /// A date, where the column holds dates.
    Date(NaiveDate),
    /// A time of day.
    Time(NaiveTime),
    /// A moment, where the column holds timestamps.
    Timestamp(DateTime<Utc>),
    /// A whole UTC day, where the column holds timestamps.
    Day(NaiveDate),
    /// A whole year or month, where the column holds timestamps or dates, or a whole day of another time zone than UTC.
    Period(Box<Period>),
}

/// A stretch of time.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Period {
    /// Its first moment, or its first date.
    pub first: FilterValue,
    /// The value after the last one; `None` if the calendar ends there.
    pub next: Option<FilterValue>,
    /// As it is written: `2025-01`.
    pub text: String,
}

/// Why a text is not a value of a kind.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("expected {expected}")]
pub struct ValueError {
    /// The expected value, such as `an integer`.
    pub expected: &'static str,
    /// Every right value, where they can be counted.
    pub allowed: Vec<String>,
}

impl FilterValue {
    /// The value that `text` is, for a column of that kind.
    ///
    /// # Errors
    /// When it is not one.
    pub fn parse(text: &str, kind: &Kind) -> Result<Self, ValueError> {
        Self::parse_at(text, kind, 0)
    }

    /// Parses like [`parse`](Self::parse), with days and times without a zone in the zone `offset` minutes ahead of UTC.
    pub(super) fn parse_at(text: &str, kind: &Kind, offset: i32) -> Result<Self, ValueError> {
        let expected = expected(kind);
        let wrong = || ValueError {
            expected,
            allowed: Vec::new(),
        };
        match kind {
            Kind::Integer | Kind::IntegerText => integer(text).ok_or_else(wrong),
            Kind::Float32 | Kind::Float64 => decimal_shape(text)
                .then(|| text.parse::<f64>().ok())
                .flatten()
                .filter(|number| number.is_finite())
                .map(Self::Float)
                .ok_or_else(wrong),
            Kind::Decimal { scale } => decimal_shape(text)
                .then(|| Decimal::from_str_exact(text).ok())
                .flatten()
                .map(|number| Self::Decimal(scaled(number, *scale)))
                .ok_or_else(wrong),
            Kind::Boolean => boolean(text).map(Self::Bool).ok_or_else(|| ValueError {
                expected,
                allowed: vec!["true".to_owned(), "false".to_owned()],
            }),
            Kind::Uuid => Uuid::try_parse(text).map(Self::Uuid).map_err(|_| wrong()),
            Kind::Date => date(text).map(Self::Date).ok_or_else(wrong),
            Kind::Time => time(text).map(Self::Time).ok_or_else(wrong),
            Kind::Timestamp => timestamp(text, offset).ok_or_else(wrong),
            Kind::Enum(variants) => {
                if variants.iter().any(|variant| variant == text) {
                    Ok(Self::Text(text.to_owned()))
                } else {
                    Err(ValueError {
                        expected,
                        allowed: variants.to_vec(),
                    })
                }
            }
            _ => Ok(Self::Text(text.to_owned())),
        }
    }

    /// The one spelling of the value that responses use: `yes` becomes `true`.
    #[must_use]
    pub fn canonical(&self) -> String {
        match self {
            Self::Text(value) => value.clone(),
            other => other.to_string(),
        }
    }

    /// The first moment of a day, and of the next one; none when the calendar ends there.
    pub(crate) fn day_bounds(day: NaiveDate) -> (DateTime<Utc>, Option<DateTime<Utc>>) {
        let start = day.and_time(NaiveTime::MIN).and_utc();
        let next = start
            .checked_add_signed(Duration::days(1))
            .filter(|next| next.year() <= 9999);
        (start, next)
    }
}

/// The one spelling of the value, as [`FilterValue::canonical`] has it.
impl fmt::Display for FilterValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bool(value) => value.fmt(f),
            Self::Int(value) => value.fmt(f),
            Self::UInt(value) => value.fmt(f),
            Self::Float(value) => value.fmt(f),
            Self::Decimal(value) => value.fmt(f),
            Self::Text(value) => f.write_str(value),
            Self::Uuid(value) => value.fmt(f),
            Self::Date(value) | Self::Day(value) => value.fmt(f),
            Self::Time(value) => value.format("%H:%M:%S%.f").fmt(f),
            Self::Timestamp(value) => value.format("%Y-%m-%dT%H:%M:%S%.6fZ").fmt(f),
            Self::Period(period) => f.write_str(&period.text),
        }
    }
}

/// The booleans of d9, in any case.
pub(crate) fn boolean(text: &str) -> Option<bool> {
    const TRUE: [&str; 5] = ["true", "1", "t", "yes", "on"];
    const FALSE: [&str; 5] = ["false", "0", "f", "no", "off"];
    let is = |words: [&str; 5]| words.iter().any(|word| word.eq_ignore_ascii_case(text));
    if is(TRUE) {
        Some(true)
    } else if is(FALSE) {
        Some(false)
    } else {
        None
    }
}

const fn expected(kind: &Kind) -> &'static str {
    match kind {
        Kind::Integer | Kind::IntegerText => {
            "an integer between -9223372036854775808 and 18446744073709551615"
        }
        Kind::Float32 | Kind::Float64 => "a number such as `4.5`",
        Kind::Decimal { .. } => "a decimal number of at most 28 digits such as `4.50`",
        Kind::Boolean => "a boolean (`true false 1 0 t f yes no on off`)",
        Kind::Uuid => "a UUID such as `67e55044-10b1-426f-9247-bb680e5fe0c8`",
        Kind::Date => "a date such as `2026-01-31`, a month such as `2026-01`, a year, or `now-7d`",
        Kind::Time => "a time of day such as `13:45:00`",
        Kind::Timestamp => {
            "a timestamp such as `2026-01-31T13:45:00Z` (RFC 3339, at most six digits of fraction), a date such as `2026-01-31`, a month, a year, or `now-7d`"
        }
        Kind::Enum(_) => "one of the column's values",
        _ => "text",
    }
}

fn integer(text: &str) -> Option<FilterValue> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let small = text.parse().map(FilterValue::Int);
    small.or_else(|_| text.parse().map(FilterValue::UInt)).ok()
}

/// `-12.50`: no exponent, no sign but a leading minus, digits on both sides of a point.
fn decimal_shape(text: &str) -> bool {
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let number = text.strip_prefix('-').unwrap_or(text);
    match number.split_once('.') {
        None => digits(number),
        Some((whole, fraction)) => digits(whole) && digits(fraction),
    }
}

/// With the digits that the column has, and more only where they say something: as the column's own values are written.
fn scaled(number: Decimal, scale: Option<u32>) -> Decimal {
    let mut number = number.normalize();
    let scale = scale.unwrap_or(0);
    if number.scale() < scale {
        number.rescale(scale);
    }
    number
}

fn date(text: &str) -> Option<NaiveDate> {
    let bytes = text.as_bytes();
    let separated = bytes.len() == 10 && bytes[4] == b'-' && bytes[7] == b'-';
    let number = |range: std::ops::Range<usize>| -> Option<u32> {
        let digits = text.get(range)?;
        digits
            .bytes()
            .all(|byte| byte.is_ascii_digit())
            .then(|| digits.parse().ok())?
    };
    if !separated {
        return None;
    }
    let year = i32::try_from(number(0..4)?)
        .ok()
        .filter(|year| *year >= 1)?;
    NaiveDate::from_ymd_opt(year, number(5..7)?, number(8..10)?)
}

/// `13:45`, `13:45:00` or `13:45:00.123456`.
fn time(text: &str) -> Option<NaiveTime> {
    let (clock, fraction) = text.split_once('.').unwrap_or((text, ""));
    let mut parts = clock.split(':');
    let mut number = || -> Option<u32> {
        let part = parts.next()?;
        (part.len() == 2 && part.bytes().all(|byte| byte.is_ascii_digit()))
            .then(|| part.parse().ok())?
    };
    let (hour, minute) = (number()?, number()?);
    let second = if clock.len() > 5 { number()? } else { 0 };
    if parts.next().is_some() || (clock.len() <= 5 && !fraction.is_empty()) || text.ends_with('.') {
        return None;
    }
    NaiveTime::from_hms_micro_opt(hour, minute, second, micros(fraction)?)
}

/// Digits after the point as microseconds; more than six would be lost by two of the three databases.
fn micros(fraction: &str) -> Option<u32> {
    if fraction.len() > 9 || !fraction.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let (kept, rest) = fraction.split_at(fraction.len().min(6));
    if rest.bytes().any(|byte| byte != b'0') {
        return None;
    }
    format!("{kept:0<6}").parse().ok()
}

/// RFC 3339, a moment without a zone (which is in that of the request), or a date alone (which means the whole day).
fn timestamp(text: &str, offset: i32) -> Option<FilterValue> {
    let day = date(text.get(..10)?)?;
    let Some(rest) = text.get(10..).filter(|rest| !rest.is_empty()) else {
        return match offset {
            0 => Some(FilterValue::Day(day)),
            offset => local_day(day, offset),
        };
    };
    let rest = rest.strip_prefix(['T', 't', ' '])?;
    let (clock, offset) = zone(rest, offset)?;
    let local = NaiveDateTime::new(day, time(clock)?);
    at_offset(local, offset).map(FilterValue::Timestamp)
}

/// All of a day in a time zone.
fn local_day(day: NaiveDate, offset: i32) -> Option<FilterValue> {
    let begin = |day: NaiveDate| at_offset(day.into(), offset).map(FilterValue::Timestamp);
    Some(FilterValue::Period(Box::new(Period {
        first: begin(day)?,
        next: day.succ_opt().and_then(begin),
        text: day.to_string(),
    })))
}

/// The moment of a time in a zone that is `offset` minutes ahead of UTC, if every database has its year.
pub(super) fn at_offset(local: NaiveDateTime, offset: i32) -> Option<DateTime<Utc>> {
    let utc = local.checked_sub_signed(Duration::minutes(offset.into()))?;
    (1..=9999).contains(&utc.year()).then(|| utc.and_utc())
}

/// The time of day, and the minutes that its zone is ahead of UTC; without one it is in this.
fn zone(text: &str, offset: i32) -> Option<(&str, i32)> {
    if let Some(clock) = text.strip_suffix(['Z', 'z']) {
        return Some((clock, 0));
    }
    let Some(at) = text.rfind(['+', '-', ' ']) else {
        return Some((text, offset));
    };
    let (clock, offset) = text.split_at(at);
    Some((clock, offset_minutes(offset)?))
}

#[cfg(test)]
mod tests;
