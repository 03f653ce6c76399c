//! Writes a value as the JSON that its definition asks for: the same bytes from every database (d54, d55).

use super::calendar::{DAY, SECOND, write_date, write_interval, write_time, write_timestamp};
use super::calendar_text::{parse_date, parse_time, parse_timestamp};
use super::decimal::{Plain, write_plain_float, write_plain_text};
use super::error::DecodeError;
use super::minify::write_minified;
#[cfg(feature = "postgres")]
use super::postgres::elements;
use super::scalar::Scalar;
use super::text::{parse_uuid, write_base64, write_bits, write_string, write_uuid};
use crate::vocabulary::Kind;

/// Appends the value. What cannot be read as its kind (SQLite's columns hold anything) is
/// written as the wire has it: wrong data should be seen, not hidden, and never break the JSON.
pub(crate) fn write(
    out: &mut Vec<u8>,
    scalar: &Scalar<'_>,
    kind: &Kind,
) -> Result<(), DecodeError> {
    if scalar.is_shown_as_null() {
        out.extend_from_slice(b"null");
        return Ok(());
    }
    let start = out.len();
    let done = match kind {
        Kind::Integer => write_integer(out, scalar),
        Kind::IntegerText => quoted(out, |out| write_integer(out, scalar)),
        Kind::Float32 => float(scalar).map(|value| write_f32(out, value)),
        Kind::Float64 => float(scalar).map(|value| write_f64(out, value)),
        Kind::Decimal { scale } => write_decimal(out, scalar, *scale),
        Kind::Boolean => boolean(scalar).map(|value| write_bool(out, value)),
        Kind::Text | Kind::Enum(_) => write_text(out, scalar),
        Kind::Uuid => uuid(scalar).map(|value| in_quotes(out, |out| write_uuid(out, &value))),
        Kind::Date => date(scalar).map(|days| in_quotes(out, |out| write_date(out, days))),
        Kind::Time => time(scalar).map(|(micros, offset)| {
            in_quotes(out, |out| write_time(out, micros, offset));
        }),
        Kind::Timestamp => timestamp(scalar).map(|micros| {
            in_quotes(out, |out| write_timestamp(out, micros));
        }),
        Kind::Json => write_json(out, scalar),
        Kind::Binary => binary(scalar).map(|bytes| write_base64(out, bytes)),
        Kind::Bits { length } => match scalar {
            Scalar::Bits {
                length: wire,
                bytes,
            } => {
                in_quotes(out, |out| write_bits(out, bytes, *wire, *length));
                Some(())
            }
            _ => write_text(out, scalar),
        },
        Kind::Array(element) => match scalar {
            #[cfg(feature = "postgres")]
            Scalar::Array(_) => return write_natural(out, scalar, element),
            // Databases without arrays keep them as JSON.
            _ => write_json(out, scalar),
        },
        Kind::Natural => None,
    };
    match done {
        Some(()) => Ok(()),
        None => {
            out.truncate(start);
            write_natural(out, scalar, &Kind::Natural)
        }
    }
}

/// As on the wire. Numbers are numbers, decimals strings (d55), bytes base64.
fn write_natural(
    out: &mut Vec<u8>,
    scalar: &Scalar<'_>,
    element: &Kind,
) -> Result<(), DecodeError> {
    match scalar {
        Scalar::Null => out.extend_from_slice(b"null"),
        #[cfg(feature = "mysql")]
        Scalar::NoDate => out.extend_from_slice(b"null"),
        Scalar::Bool(value) => write_bool(out, *value),
        Scalar::Int(value) => write_digits(out, *value),
        Scalar::UInt(value) => write_digits(out, *value),
        Scalar::F32(value) => write_f32(out, Float::F32(*value)),
        Scalar::F64(value) => write_f64(out, Float::F64(*value)),
        Scalar::Decimal(_) => {
            if write_decimal(out, scalar, None).is_none() {
                // Only a server that breaks its own format sends one that is not a number.
                out.extend_from_slice(b"null");
            }
        }
        Scalar::Text(bytes) => write_string(out, bytes),
        Scalar::Bytes(bytes) => write_base64(out, bytes),
        Scalar::Bits { length, bytes } => {
            in_quotes(out, |out| write_bits(out, bytes, *length, None));
        }
        Scalar::Uuid(bytes) => in_quotes(out, |out| write_uuid(out, bytes)),
        Scalar::Date(days) => in_quotes(out, |out| write_date(out, *days)),
        Scalar::Time { micros, offset } => {
            in_quotes(out, |out| write_time(out, *micros, *offset));
        }
        Scalar::Timestamp(micros) => in_quotes(out, |out| write_timestamp(out, *micros)),
        Scalar::Interval {
            months,
            days,
            micros,
        } => in_quotes(out, |out| write_interval(out, *months, *days, *micros)),
        Scalar::Json(text) => {
            if !write_minified(out, text) {
                write_string(out, text);
            }
        }
        #[cfg(feature = "postgres")]
        Scalar::Array(array) => {
            // The array's own dimensions nest; an array kind below adds nothing to them.
            let mut element = element;
            while let Kind::Array(inner) = element {
                element = inner;
            }
            return elements::write(out, array, &mut |out, scalar| write(out, scalar, element));
        }
    }
    Ok(())
}

fn in_quotes(out: &mut Vec<u8>, write: impl FnOnce(&mut Vec<u8>)) {
    out.push(b'"');
    write(out);
    out.push(b'"');
}

/// As `in_quotes`, for what can fail or be null.
fn quoted(out: &mut Vec<u8>, write: impl FnOnce(&mut Vec<u8>) -> Option<()>) -> Option<()> {
    let start = out.len();
    out.push(b'"');
    write(out)?;
    if &out[start + 1..] == b"null" {
        out.remove(start);
    } else {
        out.push(b'"');
    }
    Some(())
}

/// Two copies whose lengths are known: one of either would be a call.
pub(super) fn write_bool(out: &mut Vec<u8>, value: bool) {
    if value {
        out.extend_from_slice(b"true");
    } else {
        out.extend_from_slice(b"false");
    }
}

fn write_digits(out: &mut Vec<u8>, value: impl itoa::Integer) {
    out.extend_from_slice(itoa::Buffer::new().format(value).as_bytes());
}

fn write_integer(out: &mut Vec<u8>, scalar: &Scalar<'_>) -> Option<()> {
    match scalar {
        Scalar::Int(value) => write_digits(out, *value),
        Scalar::UInt(value) => write_digits(out, *value),
        Scalar::Bool(value) => write_digits(out, u8::from(*value)),
        Scalar::Bits {
            length: None,
            bytes,
        } if bytes.len() <= 8 => {
            let value = bytes
                .iter()
                .fold(0, |value, byte| value << 8 | u64::from(*byte));
            write_digits(out, value);
        }
        _ => return write_whole(out, scalar),
    }
    Some(())
}

/// An integer that the wire has as something else: a sum of integers is a decimal on
/// PostgreSQL and MySQL.
fn write_whole(out: &mut Vec<u8>, scalar: &Scalar<'_>) -> Option<()> {
    let start = out.len();
    let plain = match scalar {
        Scalar::F32(value) => write_plain_float(out, f64::from(*value), None),
        Scalar::F64(value) => write_plain_float(out, *value, None),
        Scalar::Decimal(decimal) => decimal.write_plain(out, None),
        Scalar::Text(text) | Scalar::Bytes(text) => write_plain_text(out, text, None),
        _ => Plain::NotANumber,
    };
    match plain {
        Plain::Written => {
            // A fraction of zeros only; another one stays, as a number, to be seen.
            if let Some(point) = out[start..].iter().position(|byte| *byte == b'.')
                && out[start + point + 1..].iter().all(|digit| *digit == b'0')
            {
                out.truncate(start + point);
            }
        }
        Plain::NotFinite => out.extend_from_slice(b"null"),
        Plain::NotANumber => return None,
    }
    Some(())
}

/// A float of the width that the wire has: widening would change its shortest text.
#[derive(Clone, Copy)]
enum Float {
    F32(f32),
    F64(f64),
}

#[expect(
    clippy::cast_precision_loss,
    reason = "what a float is asked for is a float"
)]
fn float(scalar: &Scalar<'_>) -> Option<Float> {
    let parse = |text: &[u8]| {
        str::from_utf8(text)
            .ok()?
            .trim()
            .parse()
            .ok()
            .map(Float::F64)
    };
    match scalar {
        Scalar::F32(value) => Some(Float::F32(*value)),
        Scalar::F64(value) => Some(Float::F64(*value)),
        Scalar::Int(value) => Some(Float::F64(*value as f64)),
        Scalar::UInt(value) => Some(Float::F64(*value as f64)),
        Scalar::Bool(value) => Some(Float::F64(f64::from(u8::from(*value)))),
        Scalar::Text(text) | Scalar::Bytes(text) => parse(text),
        Scalar::Decimal(decimal) => {
            let mut plain = Vec::new();
            match decimal.write_plain(&mut plain, None) {
                Plain::Written => parse(&plain),
                Plain::NotFinite => Some(Float::F64(f64::NAN)),
                Plain::NotANumber => None,
            }
        }
        _ => None,
    }
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "the column holds an f32; SQLite widened it"
)]
fn write_f32(out: &mut Vec<u8>, value: Float) {
    let narrow = match value {
        Float::F32(value) => value,
        Float::F64(value) => value as f32,
    };
    match value {
        // Too large for its column, which only SQLite allows.
        Float::F64(wide) if wide.is_finite() && narrow.is_infinite() => write_finite(out, wide),
        _ if narrow.is_finite() => write_finite(out, narrow),
        _ => out.extend_from_slice(b"null"),
    }
}

fn write_f64(out: &mut Vec<u8>, value: Float) {
    let value = match value {
        Float::F32(value) => f64::from(value),
        Float::F64(value) => value,
    };
    if value.is_finite() {
        write_finite(out, value);
    } else {
        out.extend_from_slice(b"null");
    }
}

fn write_finite(out: &mut Vec<u8>, value: impl zmij::Float) {
    out.extend_from_slice(zmij::Buffer::new().format_finite(value).as_bytes());
}

fn write_decimal(out: &mut Vec<u8>, scalar: &Scalar<'_>, scale: Option<u32>) -> Option<()> {
    let start = out.len();
    out.push(b'"');
    let plain = match scalar {
        Scalar::Decimal(decimal) => decimal.write_plain(out, scale),
        // The shortest text of an f32 is not that of the f64 it widens to.
        Scalar::F32(value) if value.is_finite() => {
            let mut buffer = zmij::Buffer::new();
            let text = buffer.format_finite(*value);
            let text = text.strip_suffix(".0").unwrap_or(text);
            write_plain_text(out, text.as_bytes(), scale)
        }
        Scalar::F32(_) => Plain::NotFinite,
        Scalar::F64(value) => write_plain_float(out, *value, scale),
        Scalar::Int(value) => {
            write_plain_text(out, itoa::Buffer::new().format(*value).as_bytes(), scale)
        }
        Scalar::UInt(value) => {
            write_plain_text(out, itoa::Buffer::new().format(*value).as_bytes(), scale)
        }
        Scalar::Text(text) | Scalar::Bytes(text) => write_plain_text(out, text, scale),
        _ => Plain::NotANumber,
    };
    match plain {
        Plain::Written => out.push(b'"'),
        Plain::NotFinite => {
            out.truncate(start);
            out.extend_from_slice(b"null");
        }
        Plain::NotANumber => {
            out.truncate(start);
            return None;
        }
    }
    Some(())
}

fn boolean(scalar: &Scalar<'_>) -> Option<bool> {
    match scalar {
        Scalar::Bool(value) => Some(*value),
        Scalar::Int(value) => Some(*value != 0),
        Scalar::UInt(value) => Some(*value != 0),
        Scalar::F64(value) => Some(*value != 0.0),
        Scalar::F32(value) => Some(*value != 0.0),
        Scalar::Bits { bytes, .. } => Some(bytes.iter().any(|byte| *byte != 0)),
        Scalar::Decimal(decimal) => {
            let mut plain = Vec::new();
            (decimal.write_plain(&mut plain, None) == Plain::Written)
                .then(|| plain.iter().any(|digit| matches!(digit, b'1'..=b'9')))
        }
        Scalar::Text(text) | Scalar::Bytes(text) => match text.to_ascii_lowercase().as_slice() {
            b"1" | b"t" | b"true" | [1] => Some(true),
            b"0" | b"f" | b"false" | [0] => Some(false),
            _ => None,
        },
        _ => None,
    }
}

/// The value as a string; a string stays as it is.
fn write_text(out: &mut Vec<u8>, scalar: &Scalar<'_>) -> Option<()> {
    match scalar {
        Scalar::Text(text) | Scalar::Bytes(text) | Scalar::Json(text) => {
            write_string(out, text);
            Some(())
        }
        Scalar::Bool(_) | Scalar::Int(_) | Scalar::UInt(_) | Scalar::F32(_) | Scalar::F64(_) => {
            quoted(out, |out| write_natural(out, scalar, &Kind::Natural).ok())
        }
        _ => None,
    }
}

fn binary<'a>(scalar: &'a Scalar<'_>) -> Option<&'a [u8]> {
    match scalar {
        Scalar::Bytes(bytes) | Scalar::Text(bytes) => Some(bytes),
        Scalar::Uuid(bytes) => Some(bytes),
        _ => None,
    }
}

fn uuid(scalar: &Scalar<'_>) -> Option<[u8; 16]> {
    match scalar {
        Scalar::Uuid(bytes) => Some(*bytes),
        Scalar::Text(text) => parse_uuid(text),
        Scalar::Bytes(bytes) => {
            let raw = <[u8; 16]>::try_from(bytes.as_ref()).ok();
            raw.or_else(|| parse_uuid(bytes))
        }
        _ => None,
    }
}

fn date(scalar: &Scalar<'_>) -> Option<i64> {
    match scalar {
        Scalar::Date(days) => Some(*days),
        Scalar::Timestamp(micros) => Some(micros.div_euclid(DAY)),
        Scalar::Text(text) | Scalar::Bytes(text) => parse_date(text),
        _ => None,
    }
}

fn time(scalar: &Scalar<'_>) -> Option<(i64, Option<i32>)> {
    match scalar {
        Scalar::Time { micros, offset } => Some((*micros, *offset)),
        Scalar::Timestamp(micros) => Some((micros.rem_euclid(DAY), None)),
        Scalar::Text(text) | Scalar::Bytes(text) => parse_time(text),
        _ => None,
    }
}

/// The three forms that SQLite's own functions know: text, Unix seconds, Julian days.
fn timestamp(scalar: &Scalar<'_>) -> Option<i64> {
    const UNIX_EPOCH_IN_JULIAN_DAYS: f64 = 2_440_587.5;
    match scalar {
        Scalar::Timestamp(micros) => Some(*micros),
        Scalar::Date(days) => days.checked_mul(DAY),
        Scalar::Text(text) | Scalar::Bytes(text) => parse_timestamp(text),
        Scalar::Int(number) => of_number(*number),
        #[expect(
            clippy::cast_possible_truncation,
            reason = "bounded by the years before it"
        )]
        Scalar::F64(days) if (0.0..=5_373_484.5).contains(days) => {
            // SQLite counts in whole milliseconds.
            let millis = ((days - UNIX_EPOCH_IN_JULIAN_DAYS) * 86_400_000.0).round();
            Some(millis as i64 * 1000)
        }
        _ => None,
    }
}

/// Microseconds of a moment that SQLite keeps as a number: of seconds, as its own functions take them; of milliseconds
/// or microseconds, as many programs write them, where seconds would lie after the year 9999 (b186).
fn of_number(number: i64) -> Option<i64> {
    /// The seconds of the year 9999, on either side of 1970.
    const SECONDS: u64 = 253_402_300_799;
    match number.unsigned_abs() {
        seconds if seconds <= SECONDS => number.checked_mul(SECOND),
        millis if millis <= SECONDS * 1_000 + 999 => number.checked_mul(1_000),
        _ => Some(number),
    }
}

fn write_json(out: &mut Vec<u8>, scalar: &Scalar<'_>) -> Option<()> {
    match scalar {
        Scalar::Json(text) | Scalar::Text(text) | Scalar::Bytes(text) => {
            if !write_minified(out, text) {
                write_string(out, text);
            }
            Some(())
        }
        _ => None,
    }
}

#[cfg(test)]
pub(crate) mod tests;
