//! Parses a client's text as a value of the column's kind (d9).

use std::fmt;

use chrono::{DateTime, Datelike, Duration, NaiveDate, NaiveDateTime, NaiveTime, Utc};
use rust_decimal::Decimal;
use uuid::Uuid;

use crate::vocabulary::Kind;

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
}

/// Why a text is not a value of a kind.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("expected {expected}")]
pub struct ValueError {
    /// What would have been right, such as `an integer`.
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
            Kind::Timestamp => timestamp(text).ok_or_else(wrong),
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
        Kind::Date => "a date such as `2026-01-31`",
        Kind::Time => "a time of day such as `13:45:00`",
        Kind::Timestamp => {
            "a timestamp such as `2026-01-31T13:45:00Z` (RFC 3339, at most six digits of fraction) or a date such as `2026-01-31`"
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

/// RFC 3339, a zoneless moment (which means UTC), or a date alone (which means the whole day).
fn timestamp(text: &str) -> Option<FilterValue> {
    let day = date(text.get(..10)?)?;
    let Some(rest) = text.get(10..).filter(|rest| !rest.is_empty()) else {
        return Some(FilterValue::Day(day));
    };
    let rest = rest.strip_prefix(['T', 't', ' '])?;
    let (clock, offset_minutes) = zone(rest)?;
    let local = NaiveDateTime::new(day, time(clock)?);
    let utc = local
        .checked_sub_signed(Duration::minutes(offset_minutes))?
        .and_utc();
    (1..=9999)
        .contains(&utc.year())
        .then_some(FilterValue::Timestamp(utc))
}

/// The time of day, and the minutes that its zone is ahead of UTC.
fn zone(text: &str) -> Option<(&str, i64)> {
    if let Some(clock) = text.strip_suffix(['Z', 'z']) {
        return Some((clock, 0));
    }
    // A `+` that was not percent-encoded arrives as a space.
    let Some(at) = text.rfind(['+', '-', ' ']) else {
        return Some((text, 0));
    };
    let (clock, offset) = text.split_at(at);
    let sign = if offset.starts_with('-') { -1 } else { 1 };
    let offset = match offset.get(1..)? {
        // Some clients, such as Python's `%z`, leave out the colon.
        plain if plain.len() == 4 => time(&format!("{}:{}", plain.get(..2)?, plain.get(2..)?))?,
        plain if plain.len() == 5 => time(plain)?,
        _ => return None,
    };
    let minutes = i64::from(chrono::Timelike::num_seconds_from_midnight(&offset) / 60);
    Some((clock, sign * minutes))
}

#[cfg(test)]
mod tests {
    use super::{FilterValue, boolean};
    use crate::vocabulary::Kind;

    fn canonical(text: &str, kind: &Kind) -> Option<String> {
        FilterValue::parse(text, kind)
            .ok()
            .map(|value| value.canonical())
    }

    #[test]
    fn d9_b16_integers() {
        for (text, right) in [
            ("5", Some("5")),
            ("-5", Some("-5")),
            ("007", Some("7")),
            ("9223372036854775807", Some("9223372036854775807")),
            ("18446744073709551615", Some("18446744073709551615")),
            ("18446744073709551616", None),
            ("-9223372036854775809", None),
            ("abc", None),
            ("1.5", None),
            ("1e3", None),
            ("+5", None),
            (" 5", None),
            ("", None),
            ("-", None),
        ] {
            assert_eq!(
                canonical(text, &Kind::Integer).as_deref(),
                right,
                "{text:?}"
            );
        }
    }

    #[test]
    fn d9_booleans_in_any_case() {
        for text in ["true", "1", "T", "Yes", "ON"] {
            assert_eq!(boolean(text), Some(true), "{text}");
        }
        for text in ["false", "0", "f", "NO", "off"] {
            assert_eq!(boolean(text), Some(false), "{text}");
        }
        for text in ["", "maybe", "2", "null"] {
            assert_eq!(boolean(text), None, "{text}");
        }
    }

    #[test]
    fn d9_b19_decimals_and_floats() {
        let decimal = Kind::Decimal { scale: Some(2) };
        assert_eq!(canonical("4.50", &decimal).as_deref(), Some("4.50"));
        assert_eq!(canonical("4.5", &decimal).as_deref(), Some("4.50"));
        assert_eq!(canonical("04.5000", &decimal).as_deref(), Some("4.50"));
        assert_eq!(canonical("-0.5", &decimal).as_deref(), Some("-0.50"));
        assert_eq!(canonical("-0.0", &decimal).as_deref(), Some("0.00"));
        assert_eq!(canonical("4.5010", &decimal).as_deref(), Some("4.501"));
        for text in [
            "4,5",
            "1e3",
            "NaN",
            "inf",
            ".5",
            "5.",
            "",
            "99999999999999999999999999999999",
        ] {
            assert_eq!(canonical(text, &decimal), None, "{text:?}");
        }
        assert_eq!(canonical("4.50", &Kind::Float64).as_deref(), Some("4.5"));
        assert_eq!(canonical("NaN", &Kind::Float64), None);
    }

    /// Rules d9, b17, b18, b645.
    #[test]
    fn timestamps_have_one_spelling() {
        for (text, right) in [
            ("2026-01-31", Some("2026-01-31")),
            ("2026-01-31T13:45:00Z", Some("2026-01-31T13:45:00.000000Z")),
            (
                "2026-01-31T13:45:00.5Z",
                Some("2026-01-31T13:45:00.500000Z"),
            ),
            (
                "2026-01-31T13:45:00+02:00",
                Some("2026-01-31T11:45:00.000000Z"),
            ),
            (
                "2026-01-31T13:45:00 02:00",
                Some("2026-01-31T11:45:00.000000Z"),
            ),
            (
                "2026-01-31T13:45:00-02:30",
                Some("2026-01-31T16:15:00.000000Z"),
            ),
            // b645
            (
                "2026-01-31T13:45:00.000000-0230",
                Some("2026-01-31T16:15:00.000000Z"),
            ),
            (
                "2026-01-31T13:45:00 0200",
                Some("2026-01-31T11:45:00.000000Z"),
            ),
            ("2026-01-31T13:45:00+02", None),
            ("2026-01-31T13:45:00+02000", None),
            ("2026-01-31T13:45:00+2:00", None),
            ("2026-01-31T13:45:00+0é0", None),
            ("2026-01-31T13:45:00", Some("2026-01-31T13:45:00.000000Z")),
            ("2026-01-31 13:45", Some("2026-01-31T13:45:00.000000Z")),
            (
                "2026-01-31T13:45:00.123456000Z",
                Some("2026-01-31T13:45:00.123456Z"),
            ),
            ("2026-01-31T13:45:00.1234567Z", None),
            ("2026-02-30", None),
            ("2026-1-31", None),
            ("0000-01-01", None),
            ("0001-01-01T00:00:00+05:00", None),
            ("2026-01-31T25:00:00Z", None),
            ("2026-01-31T13:45:60Z", None),
            ("2026-01-31T", None),
            ("yesterday", None),
            ("1706713500", None),
            ("", None),
            ("ééééé", None),
        ] {
            assert_eq!(
                canonical(text, &Kind::Timestamp).as_deref(),
                right,
                "{text:?}"
            );
        }
    }

    #[test]
    fn d9_dates_times_uuids_and_enums() {
        assert_eq!(
            canonical("2026-01-31", &Kind::Date).as_deref(),
            Some("2026-01-31")
        );
        assert_eq!(canonical("2026-01-31T00:00:00Z", &Kind::Date), None);
        assert_eq!(canonical("13:45", &Kind::Time).as_deref(), Some("13:45:00"));
        assert_eq!(
            canonical("13:45:01.5", &Kind::Time).as_deref(),
            Some("13:45:01.500")
        );
        assert_eq!(canonical("24:00", &Kind::Time), None);
        assert_eq!(
            canonical("67E55044-10B1-426F-9247-BB680E5FE0C8", &Kind::Uuid).as_deref(),
            Some("67e55044-10b1-426f-9247-bb680e5fe0c8")
        );
        assert_eq!(canonical("67e55044", &Kind::Uuid), None);
        let variants = Kind::Enum(["tea".to_owned(), "coffee".to_owned()].into());
        assert_eq!(canonical("tea", &variants).as_deref(), Some("tea"));
        let error = FilterValue::parse("milk", &variants).unwrap_err();
        assert_eq!(error.allowed, ["tea", "coffee"]);
    }
}
