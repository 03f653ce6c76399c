//! Parses a JSON value as the type of a payload's field, so that clients can send back what they were shown (b145, d93).
//!
//! Serde alone reads a decimal through `f64`, rejects a zone where the type has none, and names Rust types in its errors.

use std::any::TypeId;
use std::borrow::Cow;

use chrono::{DateTime, FixedOffset, Local, NaiveDate, NaiveDateTime, NaiveTime, Utc};
use rust_decimal::Decimal;
use sea_orm::prelude::Uuid;
use serde::de::DeserializeOwned;

use super::exact;

/// Options for reading a field's value.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Reading {
    /// White space is trimmed from both ends of a text.
    pub(super) trim: bool,
    /// Integers are shown as text, so they may also be sent as text (d93).
    pub(super) integer_as_text: bool,
}

/// The value, or a description of what it must be.
pub(super) fn read<T: DeserializeOwned + 'static>(
    json: &str,
    reading: Reading,
) -> Result<T, Cow<'static, str>> {
    let kind = ValueType::of::<T>();
    let json = kind.prepared(json.trim(), reading)?;
    serde_json::from_str(&json).map_err(|error| kind.expected(&error))
}

/// The types that are parsed here instead of by serde, or that serde would report by their Rust names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ValueType {
    Integer {
        least: i128,
        most: i128,
    },
    /// A 32-bit float.
    Single,
    /// A 64-bit float.
    Double,
    Boolean,
    Text,
    Decimal,
    /// A timestamp without a zone.
    Naive,
    /// A timestamp with a zone.
    Zoned,
    Date,
    Time,
    Uuid,
    /// JSON, or a type of the application.
    Other,
}

impl ValueType {
    fn of<T: 'static>() -> Self {
        let asked = TypeId::of::<T>();
        macro_rules! first {
            ($($type:ty => $kind:expr;)+) => {
                $(if asked == TypeId::of::<$type>() || asked == TypeId::of::<Option<$type>>() {
                    return $kind;
                })+
            };
        }
        macro_rules! integers {
            ($($type:ty)+) => {
                first! { $($type => Self::Integer {
                    least: <$type>::MIN.into(),
                    most: <$type>::MAX.into(),
                };)+ }
            };
        }
        integers! { i8 i16 i32 i64 u8 u16 u32 u64 }
        first! {
            String => Self::Text;
            bool => Self::Boolean;
            f32 => Self::Single;
            f64 => Self::Double;
            Decimal => Self::Decimal;
            NaiveDateTime => Self::Naive;
            DateTime<Utc> => Self::Zoned;
            DateTime<FixedOffset> => Self::Zoned;
            DateTime<Local> => Self::Zoned;
            NaiveDate => Self::Date;
            NaiveTime => Self::Time;
            Uuid => Self::Uuid;
        }
        Self::Other
    }

    /// The JSON text in a form that serde reads without loss.
    fn prepared(self, json: &str, reading: Reading) -> Result<Cow<'_, str>, Cow<'static, str>> {
        let text = || {
            let text = serde_json::from_str::<String>(json).ok()?;
            Some(if reading.trim {
                text.trim().to_owned()
            } else {
                text
            })
        };
        match self {
            _ if json == "null" => Ok(json.into()),
            Self::Decimal => decimal(&text().unwrap_or_else(|| json.to_owned())),
            Self::Naive => Ok(text()
                .and_then(|text| in_utc(&text))
                .map_or(json.into(), |moment| quoted(&moment))),
            Self::Zoned => Ok(text()
                .and_then(|text| in_utc(&text))
                .map_or(json.into(), |moment| quoted(&format!("{moment}Z")))),
            Self::Integer { .. } if reading.integer_as_text => Ok(text()
                .filter(|text| is_integer(text))
                .map_or(json.into(), Cow::Owned)),
            Self::Other if !json.starts_with('"') => exact::check(json).map(|()| json.into()),
            _ if reading.trim => Ok(text().map_or(json.into(), |text| quoted(&text))),
            _ => Ok(json.into()),
        }
    }

    /// What the value must be.
    fn expected(self, error: &serde_json::Error) -> Cow<'static, str> {
        match self {
            Self::Integer { least, most } => format!("an integer from {least} to {most}").into(),
            Self::Single => format!("a number from {:e} to {:e}", f32::MIN, f32::MAX).into(),
            Self::Double => format!("a number from {:e} to {:e}", f64::MIN, f64::MAX).into(),
            Self::Boolean => "a boolean".into(),
            Self::Text => "a string".into(),
            Self::Decimal => NOT_DECIMAL.into(),
            Self::Naive | Self::Zoned => "a timestamp such as 2024-05-31T12:00:00Z".into(),
            Self::Date => "a date such as 2024-05-31".into(),
            Self::Time => "a time such as 12:30:00".into(),
            Self::Uuid => "a UUID".into(),
            Self::Other => expected_by_serde(&error.to_string()).into(),
        }
    }
}

const NOT_DECIMAL: &str = "a decimal number";

/// A decimal exactly as it was sent, as text. As a JSON number it would be read through `f64`.
fn decimal(text: &str) -> Result<Cow<'static, str>, Cow<'static, str>> {
    let is_number = |c: char| c.is_ascii_digit() || "+-.eE".contains(c);
    if text.is_empty() || !text.chars().all(is_number) {
        return Err(NOT_DECIMAL.into());
    }
    let number = match text.split_once(['e', 'E']) {
        None => Decimal::from_str_exact(text),
        // The crate rounds surplus digits, but the digits before the exponent must not be rounded.
        Some((digits, _)) => {
            Decimal::from_str_exact(digits).and_then(|_| Decimal::from_scientific(text))
        }
    };
    match number {
        Ok(number) => Ok(quoted(&number.to_string())),
        Err(_) if text.parse::<f64>().is_ok() => {
            Err("a decimal number of at most 28 digits".into())
        }
        Err(_) => Err(NOT_DECIMAL.into()),
    }
}

/// A moment in UTC, whatever zone was sent (b461). Without a zone it is already in UTC.
fn in_utc(text: &str) -> Option<String> {
    let zoned = text.parse::<DateTime<FixedOffset>>();
    let moment = zoned.map_or_else(|_| text.parse().ok(), |moment| Some(moment.naive_utc()));
    moment.map(|moment: NaiveDateTime| moment.format("%Y-%m-%dT%H:%M:%S%.f").to_string())
}

fn is_integer(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

fn quoted(text: &str) -> Cow<'static, str> {
    serde_json::Value::from(text).to_string().into()
}

/// The expected value in an error of serde, which also contains what it found (possibly long) and where.
fn expected_by_serde(error: &str) -> String {
    let error = error
        .rsplit_once(" at line ")
        .map_or(error, |(text, _)| text);
    let expected = error.rsplit_once("expected ").map(|(_, expected)| expected);
    expected.unwrap_or("a valid value").to_owned()
}

#[cfg(test)]
mod tests {
    use chrono::{DateTime, FixedOffset, NaiveDate, NaiveDateTime, Utc};
    use rust_decimal::Decimal;

    use super::{Reading, read};

    fn plain<T: serde::de::DeserializeOwned + 'static>(json: &str) -> Result<T, String> {
        read(json, Reading::default()).map_err(Into::into)
    }

    /// Rule b145.
    #[test]
    fn a_decimal_keeps_every_digit_however_it_is_sent() {
        for (json, number) in [
            ("12345678901234567.89", "12345678901234567.89"),
            ("\"12345678901234567.89\"", "12345678901234567.89"),
            ("0.1", "0.1"),
            ("80.10", "80.10"),
            ("-7", "-7"),
            ("1.5e3", "1500"),
            ("25E-1", "2.5"),
            ("1e+2", "100"),
            (
                "1234567890123456789012345678",
                "1234567890123456789012345678",
            ),
        ] {
            assert_eq!(plain::<Decimal>(json).unwrap().to_string(), number);
            let given = plain::<Option<Decimal>>(json).unwrap();
            assert_eq!(given.unwrap().to_string(), number);
        }
        assert_eq!(plain::<Option<Decimal>>("null"), Ok(None));
        for json in [
            "0.12345678901234567890123456789",
            "123456789012345678901234567890",
            "1e40",
            "1.12345678901234567890123456789e1",
        ] {
            let told = plain::<Decimal>(json).unwrap_err();
            assert_eq!(told, "a decimal number of at most 28 digits", "{json}");
        }
        for json in [
            "null",
            "true",
            "\"\"",
            "\"1_000\"",
            "\"ten\"",
            "[1]",
            "\" 1\"",
            "\"1e\"",
        ] {
            assert_eq!(
                plain::<Decimal>(json),
                Err("a decimal number".into()),
                "{json}"
            );
        }
    }

    /// Rule b145.
    #[test]
    fn a_timestamp_as_it_is_shown_is_taken_for_a_column_without_a_zone() {
        let moment = NaiveDate::from_ymd_opt(2024, 5, 31).unwrap();
        let moment = moment.and_hms_micro_opt(10, 0, 0, 250_000).unwrap();
        for json in [
            "\"2024-05-31T10:00:00.250000Z\"",
            "\"2024-05-31T12:00:00.25+02:00\"",
            "\"2024-05-31T10:00:00.25\"",
        ] {
            assert_eq!(plain::<NaiveDateTime>(json), Ok(moment), "{json}");
            assert_eq!(plain::<Option<NaiveDateTime>>(json), Ok(Some(moment)));
        }
        assert_eq!(
            plain::<NaiveDateTime>("\"yesterday\"").unwrap_err(),
            "a timestamp such as 2024-05-31T12:00:00Z"
        );
    }

    /// Rule b461.
    #[test]
    fn a_timestamp_without_a_zone_is_utc() {
        let moment = NaiveDate::from_ymd_opt(2024, 5, 31).unwrap();
        let moment = moment.and_hms_opt(10, 0, 0).unwrap().and_utc();
        for json in [
            "\"2024-05-31T10:00:00Z\"",
            "\"2024-05-31T12:00:00+02:00\"",
            "\"2024-05-31T10:00:00\"",
        ] {
            assert_eq!(plain::<DateTime<Utc>>(json), Ok(moment), "{json}");
            let fixed = plain::<Option<DateTime<FixedOffset>>>(json);
            let fixed = fixed.unwrap().unwrap();
            assert_eq!(fixed.to_rfc3339(), "2024-05-31T10:00:00+00:00", "{json}");
        }
        assert_eq!(plain::<Option<DateTime<Utc>>>("null"), Ok(None));
        let trimmed = Reading {
            trim: true,
            ..Reading::default()
        };
        let spaced = "\" 2024-05-31T10:00:00 \"";
        assert_eq!(read::<DateTime<Utc>>(spaced, trimmed), Ok(moment));
        assert!(plain::<DateTime<Utc>>("\"2024-05-31\"").is_err());
    }

    /// Rule b463.
    #[test]
    fn a_float_is_read_as_the_nearest_there_is() {
        for number in ["51.248178375505404", "0.30000000000000004", "5e-324"] {
            assert_eq!(plain::<f64>(number), Ok(number.parse().unwrap()));
        }
        for number in ["0.1", "16777217.5", "3.4028235e38", "1e-45"] {
            assert_eq!(plain::<f32>(number), Ok(number.parse().unwrap()));
        }
    }

    /// Rule d93.
    #[test]
    fn an_integer_is_taken_as_text_where_it_is_shown_as_text() {
        let reading = Reading {
            integer_as_text: true,
            ..Reading::default()
        };
        assert_eq!(
            read::<i64>("\"9007199254740993\"", reading),
            Ok(9_007_199_254_740_993)
        );
        assert_eq!(read::<Option<i64>>("\"-5\"", reading), Ok(Some(-5)));
        assert_eq!(read::<i64>("7", reading), Ok(7));
        for json in [
            "\"\"",
            "\"-\"",
            "\"1.0\"",
            "\" 1\"",
            "\"9223372036854775808\"",
            "true",
        ] {
            let told = read::<i64>(json, reading).unwrap_err();
            let range = format!("an integer from {} to {}", i64::MIN, i64::MAX);
            assert_eq!(told, range, "{json}");
        }
        assert!(plain::<i64>("\"7\"").is_err());
    }

    /// Rule d57.
    #[test]
    fn what_a_value_must_be_is_said_in_plain_words() {
        #[derive(Debug, serde::Deserialize)]
        #[serde(rename_all = "lowercase")]
        enum Size {
            Small,
            Large,
        }
        let _ = [Size::Small, Size::Large];
        let told = |result: Result<(), String>| result.unwrap_err();
        macro_rules! must_be {
            ($($type:ty: $json:literal => $words:literal;)+) => {
                $(assert_eq!(told(plain::<$type>($json).map(|_| ())), $words);)+
            };
        }
        must_be! {
            String: "7" => "a string";
            bool: "\"yes\"" => "a boolean";
            u8: "256" => "an integer from 0 to 255";
            i16: "1.5" => "an integer from -32768 to 32767";
            f32: "\"x\"" => "a number from -3.4028235e38 to 3.4028235e38";
            f32: "1e39" => "a number from -3.4028235e38 to 3.4028235e38";
            f64: "1e309" => "a number from -1.7976931348623157e308 to 1.7976931348623157e308";
            chrono::NaiveDate: "\"x\"" => "a date such as 2024-05-31";
            chrono::NaiveTime: "\"x\"" => "a time such as 12:30:00";
            chrono::DateTime<chrono::Utc>: "\"x\"" => "a timestamp such as 2024-05-31T12:00:00Z";
            sea_orm::prelude::Uuid: "\"x\"" => "a UUID";
            Size: "\"huge\"" => "`small` or `large`";
        }
    }
}
