//! Reads values from the binary protocol of MySQL and MariaDB.

use std::borrow::Cow;

use super::calendar::{DAY, SECOND, days_from_civil};
use super::decimal::Decimal;
use super::error::DecodeError;
use super::scalar::Scalar;

/// How a value of a type that the driver does not decode for us is written on the wire.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum MysqlWire {
    Text,
    Bytes,
    Decimal,
    Date,
    Time,
    Timestamp,
    Json,
    Bits,
}

/// Reads a value that is not null. `0000-00-00` and `2024-02-00` are not valid dates.
pub(crate) fn decode(wire: MysqlWire, bytes: &[u8]) -> Result<Scalar<'_>, DecodeError> {
    match wire {
        MysqlWire::Text => Ok(Scalar::text(bytes)),
        MysqlWire::Bytes => Ok(Scalar::bytes(bytes)),
        MysqlWire::Decimal => Ok(Scalar::Decimal(Decimal::Text(Cow::Borrowed(bytes)))),
        MysqlWire::Json => Ok(Scalar::Json(Cow::Borrowed(bytes))),
        MysqlWire::Bits => Ok(Scalar::Bits {
            length: None,
            bytes,
        }),
        MysqlWire::Date => {
            Ok(date_time(bytes)?.map_or(Scalar::NoDate, |(days, _)| Scalar::Date(days)))
        }
        MysqlWire::Timestamp => Ok(match date_time(bytes)? {
            Some((days, micros)) => Scalar::Timestamp(days * DAY + micros),
            None => Scalar::NoDate,
        }),
        MysqlWire::Time => Ok(Scalar::Time {
            micros: time(bytes)?,
            offset: None,
        }),
    }
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
    use crate::render::json;
    use crate::vocabulary::Kind;

    fn natural(wire: MysqlWire, bytes: &[u8]) -> String {
        let mut out = Vec::new();
        json::write(&mut out, &decode(wire, bytes).unwrap(), &Kind::Natural).unwrap();
        String::from_utf8(out).unwrap()
    }

    /// Rules d54, b45, b48.
    #[test]
    fn dates_and_times() {
        let rows: &[(MysqlWire, &[u8], &str)] = &[
            (MysqlWire::Timestamp, &[0], "null"),
            (
                MysqlWire::Timestamp,
                &[4, 0xe8, 7, 1, 2],
                "\"2024-01-02T00:00:00.000000Z\"",
            ),
            (
                MysqlWire::Timestamp,
                &[7, 0xe8, 7, 1, 2, 3, 4, 5],
                "\"2024-01-02T03:04:05.000000Z\"",
            ),
            (
                MysqlWire::Timestamp,
                &[11, 0xe8, 7, 1, 2, 3, 4, 5, 0x40, 0xe2, 1, 0],
                "\"2024-01-02T03:04:05.123456Z\"",
            ),
            (
                MysqlWire::Timestamp,
                &[7, 0x0f, 0x27, 12, 31, 23, 59, 59],
                "\"9999-12-31T23:59:59.000000Z\"",
            ),
            (MysqlWire::Date, &[4, 1, 0, 1, 1], "\"0001-01-01\""),
            (MysqlWire::Date, &[4, 0xe8, 7, 2, 0], "null"),
            (MysqlWire::Time, &[0], "\"00:00:00.000000\""),
            (
                MysqlWire::Time,
                &[8, 1, 34, 0, 0, 0, 22, 59, 59],
                "\"-838:59:59.000000\"",
            ),
            (
                MysqlWire::Time,
                &[12, 0, 0, 0, 0, 0, 3, 4, 5, 1, 0, 0, 0],
                "\"03:04:05.000001\"",
            ),
        ];
        for (wire, bytes, json) in rows {
            assert_eq!(natural(*wire, bytes), *json, "{wire:?} {bytes:?}");
        }
    }

    /// Rule d55.
    #[test]
    fn text_bytes_and_the_rest() {
        let rows: &[(MysqlWire, &[u8], &str)] = &[
            (MysqlWire::Decimal, b"-12.50", "\"-12.50\""),
            (MysqlWire::Json, b"{ \"a\" : 1 }", "{\"a\":1}"),
            (MysqlWire::Text, "é\"".as_bytes(), "\"é\\\"\""),
            (MysqlWire::Bytes, &[0, 255], "\"AP8=\""),
            (MysqlWire::Bits, &[5], "\"00000101\""),
        ];
        for (wire, bytes, json) in rows {
            assert_eq!(natural(*wire, bytes), *json, "{wire:?} {bytes:?}");
        }
    }

    #[test]
    fn truncated_values_are_refused() {
        for bytes in [&[][..], &[4, 0xe8, 7, 1], &[5, 1, 1, 1, 1, 1], &[1]] {
            assert!(decode(MysqlWire::Timestamp, bytes).is_err(), "{bytes:?}");
            assert!(decode(MysqlWire::Time, bytes).is_err(), "{bytes:?}");
        }
    }

    proptest! {
        #[test]
        fn no_bytes_panic(bytes in any::<Vec<u8>>(), length in 0_u8..14) {
            let mut prefixed = vec![length];
            prefixed.extend(bytes.iter().cycle().take(length.into()));
            for bytes in [&bytes, &prefixed] {
                for wire in [
                    MysqlWire::Text, MysqlWire::Bytes, MysqlWire::Decimal, MysqlWire::Date, MysqlWire::Time,
                    MysqlWire::Timestamp, MysqlWire::Json, MysqlWire::Bits,
                ] {
                    if let Ok(scalar) = decode(wire, bytes) {
                        json::tests::write_as_every_kind(&scalar);
                    }
                }
            }
        }
    }
}
