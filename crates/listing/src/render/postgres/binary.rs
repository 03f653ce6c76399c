//! Reads one value in PostgreSQL's binary form.

use std::borrow::Cow;

use super::super::calendar::DAY;
use super::super::decimal::Decimal;
use super::super::error::DecodeError;
use super::super::scalar::Scalar;
use super::array::Array;
use super::network;
use super::numeric::Numeric;
use super::wire::{Base, Wire};

/// From 1970-01-01 to 2000-01-01, where PostgreSQL counts from.
pub(super) const EPOCH_DAYS: i64 = 10_957;

/// Reads a value that is not null.
pub(crate) fn decode(wire: Wire, bytes: &[u8]) -> Result<Scalar<'_>, DecodeError> {
    match wire {
        Wire::One(base) => decode_one(base, bytes),
        Wire::Array(element) => Ok(Scalar::Array(Array::decode(element, bytes)?)),
    }
}

/// Reads a value that is neither null nor an array.
pub(crate) fn decode_one(base: Base, bytes: &[u8]) -> Result<Scalar<'_>, DecodeError> {
    Ok(match base {
        Base::Bool => Scalar::Bool(fixed::<1>(bytes, "bool")? != [0]),
        Base::Int2 => Scalar::Int(i16::from_be_bytes(fixed(bytes, "int2")?).into()),
        Base::Int4 => Scalar::Int(i32::from_be_bytes(fixed(bytes, "int4")?).into()),
        Base::Int8 => Scalar::Int(i64::from_be_bytes(fixed(bytes, "int8")?)),
        Base::Oid => Scalar::Int(u32::from_be_bytes(fixed(bytes, "oid")?).into()),
        Base::Float4 => Scalar::F32(f32::from_be_bytes(fixed(bytes, "float4")?)),
        Base::Float8 => Scalar::F64(f64::from_be_bytes(fixed(bytes, "float8")?)),
        Base::Numeric => Scalar::Decimal(Decimal::Numeric(Numeric::decode(bytes)?)),
        Base::Money => Scalar::Decimal(Decimal::Cents(i64::from_be_bytes(fixed(bytes, "money")?))),
        Base::Text => Scalar::text(bytes),
        Base::PaddedText => Scalar::text(without_padding(bytes)),
        Base::VersionedText => Scalar::text(after_version(bytes, "text with a version")?),
        Base::Json => Scalar::Json(Cow::Borrowed(bytes)),
        Base::Jsonb => Scalar::Json(Cow::Borrowed(after_version(bytes, "jsonb")?)),
        Base::Bytea => Scalar::bytes(bytes),
        Base::Uuid => Scalar::Uuid(fixed(bytes, "uuid")?),
        Base::Date => date(i32::from_be_bytes(fixed(bytes, "date")?)),
        Base::Time => Scalar::Time {
            micros: i64::from_be_bytes(fixed(bytes, "time")?),
            offset: None,
        },
        Base::TimeWithZone => {
            let [a, b, c, d, e, f, g, h, i, j, k, l] = fixed(bytes, "timetz")?;
            Scalar::Time {
                micros: i64::from_be_bytes([a, b, c, d, e, f, g, h]),
                // Sent as seconds west.
                offset: Some(i32::from_be_bytes([i, j, k, l]).saturating_neg()),
            }
        }
        Base::Timestamp => timestamp(i64::from_be_bytes(fixed(bytes, "timestamp")?)),
        Base::Interval => interval(fixed(bytes, "interval")?),
        Base::Bits => bits(bytes)?,
        Base::Network => Scalar::Text(Cow::Owned(network::address(bytes)?)),
        Base::Mac => Scalar::Text(Cow::Owned(network::mac(bytes)?)),
        Base::Vector => Scalar::Array(Array::vector(bytes)?),
        Base::Void => Scalar::Null,
        // Most types that are not known are sent as text; binary ones are rarely UTF-8.
        Base::Unknown if is_text(bytes) => Scalar::text(bytes),
        Base::Unknown | Base::Unsupported => return Err(DecodeError::unsupported()),
    })
}

fn fixed<const N: usize>(bytes: &[u8], wire: &'static str) -> Result<[u8; N], DecodeError> {
    bytes.try_into().map_err(|_| DecodeError::malformed(wire))
}

fn after_version<'r>(bytes: &'r [u8], wire: &'static str) -> Result<&'r [u8], DecodeError> {
    bytes.strip_prefix(&[1]).ok_or(DecodeError::malformed(wire))
}

/// As MySQL does it, and PostgreSQL itself where it makes a `text` of it.
fn without_padding(text: &[u8]) -> &[u8] {
    let blanks = text.iter().rev().take_while(|byte| **byte == b' ').count();
    &text[..text.len() - blanks]
}

fn is_text(bytes: &[u8]) -> bool {
    let control = |byte: &u8| *byte < 0x20 && !matches!(byte, b'\t' | b'\n' | b'\r');
    str::from_utf8(bytes).is_ok() && !bytes.iter().any(control)
}

/// `infinity` has no date: null, as for numbers (d55).
fn date<'r>(days: i32) -> Scalar<'r> {
    match days {
        i32::MIN | i32::MAX => Scalar::Null,
        _ => Scalar::Date(i64::from(days) + EPOCH_DAYS),
    }
}

/// Null for `infinity`, and for the last 30 of PostgreSQL's 294,276 years, which do not fit.
fn timestamp<'r>(micros: i64) -> Scalar<'r> {
    match micros.checked_add(EPOCH_DAYS * DAY) {
        Some(unix) if micros != i64::MIN => Scalar::Timestamp(unix),
        _ => Scalar::Null,
    }
}

fn interval<'r>(bytes: [u8; 16]) -> Scalar<'r> {
    let [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p] = bytes;
    let micros = i64::from_be_bytes([a, b, c, d, e, f, g, h]);
    let days = i32::from_be_bytes([i, j, k, l]);
    let months = i32::from_be_bytes([m, n, o, p]);
    let infinite = [
        (i64::MIN, i32::MIN, i32::MIN),
        (i64::MAX, i32::MAX, i32::MAX),
    ];
    if infinite.contains(&(micros, days, months)) {
        return Scalar::Null;
    }
    Scalar::Interval {
        months,
        days,
        micros,
    }
}

fn bits(bytes: &[u8]) -> Result<Scalar<'_>, DecodeError> {
    let malformed = DecodeError::malformed("bit string");
    let Some((length, bytes)) = bytes.split_first_chunk::<4>() else {
        return Err(malformed);
    };
    match usize::try_from(i32::from_be_bytes(*length)) {
        Ok(length) if bytes.len() == length.div_ceil(8) => Ok(Scalar::Bits {
            length: Some(length),
            bytes,
        }),
        _ => Err(malformed),
    }
}
