//! Reads the values of a row of MySQL or MariaDB by their types on the wire.

use std::borrow::Cow;

use sqlx::mysql::{MySql, MySqlRow, MySqlTypeInfo};
use sqlx::{Column as _, Decode, Row as _, TypeInfo as _, ValueRef as _};

use super::batch::RowSource;
use super::calendar::{DAY, SECOND, days_from_civil};
use super::calendar_text::{parse_date, parse_time, parse_timestamp};
use super::decimal::Decimal;
use super::scalar::{DecodeError, Scalar};

impl RowSource for MySqlRow {
    fn scalar(&self, index: usize) -> Result<Scalar<'_>, DecodeError> {
        let missing = DecodeError::Missing { column: index };
        let value = self.try_get_raw(index).map_err(|_| missing.clone())?;
        // The driver says so for zero dates too.
        if value.is_null() {
            return Ok(Scalar::Null);
        }
        let type_info = self
            .columns()
            .get(index)
            .ok_or_else(|| missing.clone())?
            .type_info();
        // The driver alone knows whether numbers come in the binary or in the text protocol.
        let number = || DecodeError::malformed("number");
        Ok(match Wire::of(type_info) {
            Wire::Signed => {
                Scalar::Int(<i64 as Decode<MySql>>::decode(value).map_err(|_| number())?)
            }
            Wire::Unsigned => {
                Scalar::UInt(<u64 as Decode<MySql>>::decode(value).map_err(|_| number())?)
            }
            Wire::Boolean => match <i64 as Decode<MySql>>::decode(value).map_err(|_| number())? {
                0 => Scalar::Bool(false),
                1 => Scalar::Bool(true),
                other => Scalar::Int(other),
            },
            Wire::Float => {
                Scalar::F32(<f32 as Decode<MySql>>::decode(value).map_err(|_| number())?)
            }
            Wire::Double => {
                Scalar::F64(<f64 as Decode<MySql>>::decode(value).map_err(|_| number())?)
            }
            Wire::Other(other) => {
                let bytes = <&[u8] as Decode<MySql>>::decode(value).map_err(|_| missing)?;
                decode(other, bytes)?
            }
        })
    }
}

enum Wire {
    Signed,
    Unsigned,
    /// `TINYINT(1)`.
    Boolean,
    Float,
    Double,
    Other(Other),
}

/// What is the same in both protocols or can be told apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Other {
    Text,
    Bytes,
    Decimal,
    Date,
    Time,
    Timestamp,
    Json,
    Bits,
}

impl Wire {
    fn of(type_info: &MySqlTypeInfo) -> Self {
        Self::Other(match type_info.name() {
            "INT" | "BIGINT" | "SMALLINT" | "TINYINT" | "MEDIUMINT" => return Self::Signed,
            "BOOLEAN" => return Self::Boolean,
            "INT UNSIGNED" | "BIGINT UNSIGNED" | "SMALLINT UNSIGNED" | "TINYINT UNSIGNED"
            | "MEDIUMINT UNSIGNED" | "YEAR" => return Self::Unsigned,
            "FLOAT" => return Self::Float,
            "DOUBLE" => return Self::Double,
            "DECIMAL" => Other::Decimal,
            "DATETIME" | "TIMESTAMP" => Other::Timestamp,
            "DATE" => Other::Date,
            "TIME" => Other::Time,
            "JSON" => Other::Json,
            "BIT" => Other::Bits,
            "SET" | "ENUM" => Other::Text,
            // The names do not say it: `VARBINARY` is also a VARCHAR whose collation ends in
            // `_bin`, and `LONGBLOB` is MariaDB's JSON. The driver knows the character set.
            _ if <str as sqlx::Type<MySql>>::compatible(type_info) => Other::Text,
            _ => Other::Bytes,
        })
    }
}

fn decode(wire: Other, bytes: &[u8]) -> Result<Scalar<'_>, DecodeError> {
    match wire {
        Other::Text => Ok(Scalar::text(bytes)),
        Other::Bytes => Ok(Scalar::bytes(bytes)),
        Other::Decimal => Ok(Scalar::Decimal(Decimal::Text(Cow::Borrowed(bytes)))),
        Other::Json => Ok(Scalar::Json(Cow::Borrowed(bytes))),
        Other::Bits => Ok(Scalar::Bits {
            length: None,
            bytes,
        }),
        // The text protocol sends digits; the binary one a length, which is less than any digit.
        Other::Date | Other::Time | Other::Timestamp if bytes.first() > Some(&b' ') => {
            text(wire, bytes)
        }
        Other::Date => Ok(date_time(bytes)?.map_or(Scalar::Null, |(days, _)| Scalar::Date(days))),
        Other::Timestamp => Ok(match date_time(bytes)? {
            Some((days, micros)) => Scalar::Timestamp(days * DAY + micros),
            None => Scalar::Null,
        }),
        Other::Time => Ok(Scalar::Time {
            micros: time(bytes)?,
            offset: None,
        }),
    }
}

/// What is no date (`0000-00-00`, `2024-02-00`) is null, in both protocols.
fn text(wire: Other, bytes: &[u8]) -> Result<Scalar<'_>, DecodeError> {
    Ok(match wire {
        Other::Date => parse_date(bytes).map_or(Scalar::Null, Scalar::Date),
        Other::Timestamp => parse_timestamp(bytes).map_or(Scalar::Null, Scalar::Timestamp),
        _ => {
            let (micros, offset) = parse_time(bytes).ok_or(DecodeError::malformed("time"))?;
            Scalar::Time { micros, offset }
        }
    })
}

/// Days since 1970-01-01 and microseconds since midnight, from 0, 4, 7 or 11 bytes after their
/// number: trailing zeros are not sent.
fn date_time(bytes: &[u8]) -> Result<Option<(i64, i64)>, DecodeError> {
    let malformed = DecodeError::malformed("date");
    let (length, rest) = bytes.split_first().ok_or_else(|| malformed.clone())?;
    if rest.len() != usize::from(*length) {
        return Err(malformed);
    }
    let (date, time) = match *rest {
        [] => return Ok(None),
        [a, b, month, day] => ((a, b, month, day), (0, 0, 0, 0)),
        [a, b, month, day, hour, minute, second] => ((a, b, month, day), (hour, minute, second, 0)),
        [a, b, month, day, hour, minute, second, e, f, g, h] => (
            (a, b, month, day),
            (hour, minute, second, u32::from_le_bytes([e, f, g, h])),
        ),
        _ => return Err(malformed),
    };
    let (a, b, month, day) = date;
    let days = days_from_civil(u16::from_le_bytes([a, b]).into(), month.into(), day.into());
    let (hour, minute, second, micros) = time;
    Ok(days.map(|days| (days, clock(hour, minute, second, micros))))
}

/// Microseconds, from 0, 8 or 12 bytes after their number.
fn time(bytes: &[u8]) -> Result<i64, DecodeError> {
    let malformed = DecodeError::malformed("time");
    let (length, rest) = bytes.split_first().ok_or_else(|| malformed.clone())?;
    if rest.len() != usize::from(*length) {
        return Err(malformed);
    }
    let (negative, days, micros) = match *rest {
        [] => return Ok(0),
        [negative, a, b, c, d, hour, minute, second] => (
            negative,
            u32::from_le_bytes([a, b, c, d]),
            clock(hour, minute, second, 0),
        ),
        [negative, a, b, c, d, hour, minute, second, e, f, g, h] => (
            negative,
            u32::from_le_bytes([a, b, c, d]),
            clock(hour, minute, second, u32::from_le_bytes([e, f, g, h])),
        ),
        _ => return Err(malformed),
    };
    let whole_days = i64::from(days).checked_mul(DAY);
    let micros = whole_days
        .and_then(|days| days.checked_add(micros))
        .ok_or(malformed)?;
    Ok(if negative == 0 { micros } else { -micros })
}

fn clock(hour: u8, minute: u8, second: u8, micros: u32) -> i64 {
    let seconds = (i64::from(hour) * 60 + i64::from(minute)) * 60 + i64::from(second);
    seconds * SECOND + i64::from(micros)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::execute::json;
    use crate::vocabulary::Kind;

    fn natural(wire: Other, bytes: &[u8]) -> String {
        let mut out = Vec::new();
        json::write(&mut out, &decode(wire, bytes).unwrap(), &Kind::Natural).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn d54_dates_and_times_of_both_protocols() {
        let rows: &[(Other, &[u8], &str)] = &[
            (Other::Timestamp, &[0], "null"),
            (
                Other::Timestamp,
                &[4, 0xe8, 7, 1, 2],
                "\"2024-01-02T00:00:00.000000Z\"",
            ),
            (
                Other::Timestamp,
                &[7, 0xe8, 7, 1, 2, 3, 4, 5],
                "\"2024-01-02T03:04:05.000000Z\"",
            ),
            (
                Other::Timestamp,
                &[11, 0xe8, 7, 1, 2, 3, 4, 5, 0x40, 0xe2, 1, 0],
                "\"2024-01-02T03:04:05.123456Z\"",
            ),
            (
                Other::Timestamp,
                &[7, 0x0f, 0x27, 12, 31, 23, 59, 59],
                "\"9999-12-31T23:59:59.000000Z\"",
            ),
            (
                Other::Timestamp,
                b"2024-01-02 03:04:05",
                "\"2024-01-02T03:04:05.000000Z\"",
            ),
            (Other::Timestamp, b"0000-00-00 00:00:00", "null"),
            (Other::Date, &[4, 1, 0, 1, 1], "\"0001-01-01\""),
            (Other::Date, &[4, 0xe8, 7, 2, 0], "null"),
            (Other::Date, b"2024-01-02", "\"2024-01-02\""),
            (Other::Time, &[0], "\"00:00:00.000000\""),
            (
                Other::Time,
                &[8, 1, 34, 0, 0, 0, 22, 59, 59],
                "\"-838:59:59.000000\"",
            ),
            (
                Other::Time,
                &[12, 0, 0, 0, 0, 0, 3, 4, 5, 1, 0, 0, 0],
                "\"03:04:05.000001\"",
            ),
            (Other::Time, b"-838:59:59", "\"-838:59:59.000000\""),
        ];
        for (wire, bytes, json) in rows {
            assert_eq!(natural(*wire, bytes), *json, "{wire:?} {bytes:?}");
        }
    }

    #[test]
    fn d55_text_bytes_and_the_rest() {
        let rows: &[(Other, &[u8], &str)] = &[
            (Other::Decimal, b"-12.50", "\"-12.50\""),
            (Other::Json, b"{ \"a\" : 1 }", "{\"a\":1}"),
            (Other::Text, "é\"".as_bytes(), "\"é\\\"\""),
            (Other::Bytes, &[0, 255], "\"AP8=\""),
            (Other::Bits, &[5], "\"00000101\""),
        ];
        for (wire, bytes, json) in rows {
            assert_eq!(natural(*wire, bytes), *json, "{wire:?} {bytes:?}");
        }
    }

    #[test]
    fn truncated_values_are_refused() {
        for bytes in [&[][..], &[4, 0xe8, 7, 1], &[5, 1, 1, 1, 1, 1], &[1]] {
            assert!(decode(Other::Timestamp, bytes).is_err(), "{bytes:?}");
            assert!(decode(Other::Time, bytes).is_err(), "{bytes:?}");
        }
    }

    proptest! {
        #[test]
        fn no_bytes_panic(bytes in any::<Vec<u8>>(), length in 0_u8..14) {
            let mut prefixed = vec![length];
            prefixed.extend(bytes.iter().cycle().take(length.into()));
            for bytes in [&bytes, &prefixed] {
                for wire in [
                    Other::Text, Other::Bytes, Other::Decimal, Other::Date, Other::Time,
                    Other::Timestamp, Other::Json, Other::Bits,
                ] {
                    if let Ok(scalar) = decode(wire, bytes) {
                        json::tests::write_as_every_kind(&scalar);
                    }
                }
            }
        }
    }
}
