//! Converts JSON values to spreadsheet values (d115).

use chrono::{NaiveDate, NaiveDateTime, NaiveTime, Timelike as _};

use super::cells::text;
use crate::vocabulary::Kind;

/// Numbers in spreadsheets are not exact beyond this many digits.
const MOST_DIGITS: usize = 15;

/// A value of a row, as a spreadsheet stores it.
#[derive(Debug, PartialEq)]
pub(super) enum Value {
    Empty,
    Boolean(bool),
    Number(f64),
    /// A number with a number format.
    As(f64, String),
    Text(String),
}

/// Converts a JSON value.
pub(super) fn value(json: &[u8], kind: &Kind) -> Value {
    let of_json = || Value::Text(String::from_utf8_lossy(json).into_owned());
    match (json, kind) {
        (b"null", _) => return Value::Empty,
        (b"true", _) => return Value::Boolean(true),
        (b"false", _) => return Value::Boolean(false),
        // A JSON column stays JSON, even if the value is a text.
        (_, Kind::Json | Kind::Array(_)) => return of_json(),
        _ => {}
    }
    let Some(text) = text(json) else {
        let number = str::from_utf8(json).ok().and_then(number);
        return number.map_or_else(of_json, Value::Number);
    };
    let text = String::from_utf8_lossy(&text);
    let known = match kind {
        Kind::IntegerText => number(&text).map(Value::Number),
        Kind::Decimal { .. } => decimal(&text),
        Kind::Date => date(&text),
        Kind::Time => time(&text),
        Kind::Timestamp => timestamp(&text),
        _ => None,
    };
    known.unwrap_or_else(|| Value::Text(text.into_owned()))
}

/// A number that a spreadsheet shows with all its digits.
fn number(text: &str) -> Option<f64> {
    let mantissa = text.split(['e', 'E']).next().unwrap_or_default();
    let digits = mantissa.bytes().filter(u8::is_ascii_digit);
    let digits = digits.skip_while(|digit| *digit == b'0').count();
    // `f64` also parses words such as `nan` and `inf`.
    let is_number = text
        .trim_start_matches('-')
        .starts_with(|first: char| first.is_ascii_digit());
    let number: f64 = text.parse().ok().filter(|_| is_number)?;
    (digits <= MOST_DIGITS && number.is_finite()).then_some(number)
}

/// A decimal, shown with all of its decimal places.
fn decimal(text: &str) -> Option<Value> {
    let number = number(text)?;
    Some(match text.split_once('.') {
        Some((_, places)) => Value::As(number, format!("0.{}", "0".repeat(places.len()))),
        None => Value::Number(number),
    })
}

/// The number of a day in spreadsheets. They count from 1900 and include a day that February 1900 did not have; `None` before
/// March 1900.
fn serial(day: NaiveDate) -> Option<f64> {
    let zero = NaiveDate::from_ymd_opt(1899, 12, 30)?;
    let days = i32::try_from((day - zero).num_days()).ok()?;
    // From 1 March 1900 to 31 December 9999.
    (61..=2_958_465).contains(&days).then(|| f64::from(days))
}

/// The fraction of the day that has passed.
fn part_of_day(time: NaiveTime) -> f64 {
    let seconds = f64::from(time.num_seconds_from_midnight());
    (seconds + f64::from(time.nanosecond()) / 1e9) / 86_400.0
}

/// A format with seconds, and with their fraction if there is one.
fn seconds(time: NaiveTime) -> &'static str {
    match time.nanosecond() {
        0 => "hh:mm:ss",
        _ => "hh:mm:ss.000",
    }
}

fn date(text: &str) -> Option<Value> {
    let day = NaiveDate::parse_from_str(text, "%Y-%m-%d").ok()?;
    Some(Value::As(serial(day)?, "yyyy-mm-dd".to_owned()))
}

fn time(text: &str) -> Option<Value> {
    let time = NaiveTime::parse_from_str(text, "%H:%M:%S%.f").ok()?;
    Some(Value::As(part_of_day(time), seconds(time).to_owned()))
}

fn timestamp(text: &str) -> Option<Value> {
    let moment = text.strip_suffix('Z')?;
    let moment = NaiveDateTime::parse_from_str(moment, "%Y-%m-%dT%H:%M:%S%.f").ok()?;
    let (day, time) = (moment.date(), moment.time());
    let format = format!("yyyy-mm-dd {}", seconds(time));
    Some(Value::As(serial(day)? + part_of_day(time), format))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(kind: Kind, json: &str) -> Value {
        value(json.as_bytes(), &kind)
    }

    fn text_of(text: &str) -> Value {
        Value::Text(text.to_owned())
    }

    /// Rule d115.
    #[test]
    fn a_number_of_more_than_fifteen_digits_is_a_text() {
        let decimal = Kind::Decimal { scale: Some(2) };
        for (kind, json, wanted) in [
            (Kind::Integer, "0", Value::Number(0.0)),
            (
                Kind::Integer,
                "-999999999999999",
                Value::Number(-999_999_999_999_999.0),
            ),
            (
                Kind::Integer,
                "1234567890123456",
                text_of("1234567890123456"),
            ),
            (Kind::IntegerText, "\"42\"", Value::Number(42.0)),
            (
                Kind::IntegerText,
                "\"9007199254740993\"",
                text_of("9007199254740993"),
            ),
            (Kind::Float64, "0.1", Value::Number(0.1)),
            (Kind::Float64, "1e300", Value::Number(1e300)),
            (
                Kind::Float64,
                "0.1234567890123456",
                text_of("0.1234567890123456"),
            ),
            (
                decimal.clone(),
                "\"-12.50\"",
                Value::As(-12.5, "0.00".to_owned()),
            ),
            (
                decimal.clone(),
                "\"12345678901234.56\"",
                text_of("12345678901234.56"),
            ),
            // SQLite can hold a text in a numeric column.
            (decimal.clone(), "\"=1+1\"", text_of("=1+1")),
            (decimal, "\"nan\"", text_of("nan")),
            (Kind::Text, "\"42\"", text_of("42")),
            (Kind::Boolean, "true", Value::Boolean(true)),
            (Kind::Json, "{\"a\":1}", text_of("{\"a\":1}")),
            (Kind::Json, "\"=1\"", text_of("\"=1\"")),
            (Kind::Text, "null", Value::Empty),
        ] {
            assert_eq!(of(kind, json), wanted, "{json}");
        }
    }

    /// Rule d115.
    #[test]
    fn times_are_dates_in_utc_where_spreadsheets_know_them() {
        let as_date = |number, format: &str| Value::As(number, format.to_owned());
        for (kind, json, wanted) in [
            (
                Kind::Date,
                "\"2026-11-18\"",
                as_date(46_344.0, "yyyy-mm-dd"),
            ),
            (Kind::Date, "\"1900-03-01\"", as_date(61.0, "yyyy-mm-dd")),
            (Kind::Date, "\"1900-02-28\"", text_of("1900-02-28")),
            (
                Kind::Date,
                "\"9999-12-31\"",
                as_date(2_958_465.0, "yyyy-mm-dd"),
            ),
            (Kind::Time, "\"18:00:00.000000\"", as_date(0.75, "hh:mm:ss")),
            (
                Kind::Time,
                "\"-00:30:00.000000\"",
                text_of("-00:30:00.000000"),
            ),
            (
                Kind::Timestamp,
                "\"2026-11-18T06:00:00.000000Z\"",
                as_date(46_344.25, "yyyy-mm-dd hh:mm:ss"),
            ),
            (
                Kind::Timestamp,
                "\"2026-11-18T12:00:00.864000Z\"",
                as_date(46_344.500_01, "yyyy-mm-dd hh:mm:ss.000"),
            ),
            (
                Kind::Timestamp,
                "\"0001-01-01T00:00:00.000000Z\"",
                text_of("0001-01-01T00:00:00.000000Z"),
            ),
        ] {
            assert_eq!(of(kind, json), wanted, "{json}");
        }
    }
}
