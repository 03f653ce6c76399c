//! Decodes a value from PostgreSQL's text format, which its simple protocol sends.

use std::borrow::Cow;
use std::str::FromStr;

use super::array::Array;
use super::binary::without_padding;
use super::wire::{Base, Wire};
use crate::execute::calendar_text::{parse_date, parse_time, parse_timestamp};
use crate::execute::decimal::Decimal;
use crate::execute::scalar::{DecodeError, Scalar};
use crate::execute::text::parse_uuid;

/// Reads a value that is not null.
pub(crate) fn decode(wire: Wire, text: &[u8]) -> Result<Scalar<'_>, DecodeError> {
    match wire {
        Wire::One(base) => decode_one(base, text),
        Wire::Array(element) => Ok(Scalar::Array(Array::Text {
            element,
            text: text.to_vec(),
        })),
    }
}

/// Reads a value that is neither null nor an array.
pub(crate) fn decode_one(base: Base, text: &[u8]) -> Result<Scalar<'_>, DecodeError> {
    Ok(match base {
        Base::Bool => match text {
            b"t" => Scalar::Bool(true),
            b"f" => Scalar::Bool(false),
            _ => return Err(DecodeError::malformed("bool")),
        },
        Base::Int2 | Base::Int4 | Base::Int8 | Base::Oid => Scalar::Int(parse(text, "integer")?),
        Base::Float4 => Scalar::F32(parse(text, "float4")?),
        Base::Float8 => Scalar::F64(parse(text, "float8")?),
        Base::Numeric => Scalar::Decimal(Decimal::Text(Cow::Borrowed(text))),
        Base::Money => money(text),
        Base::PaddedText => Scalar::text(without_padding(text)),
        Base::Json | Base::Jsonb => Scalar::Json(Cow::Borrowed(text)),
        Base::Bytea => Scalar::Bytes(Cow::Owned(
            hexadecimal(text).ok_or(DecodeError::malformed("bytea"))?,
        )),
        Base::Uuid => Scalar::Uuid(parse_uuid(text).ok_or(DecodeError::malformed("uuid"))?),
        Base::Date | Base::Timestamp if matches!(text, b"infinity" | b"-infinity") => Scalar::Null,
        Base::Date => Scalar::Date(parse_date(text).ok_or(DecodeError::malformed("date"))?),
        Base::Time | Base::TimeWithZone => {
            let (micros, offset) = parse_time(text).ok_or(DecodeError::malformed("time"))?;
            Scalar::Time { micros, offset }
        }
        Base::Timestamp => {
            Scalar::Timestamp(parse_timestamp(text).ok_or(DecodeError::malformed("timestamp"))?)
        }
        // `[1,2.5]`
        Base::Vector => Scalar::Json(Cow::Borrowed(text)),
        Base::Void => Scalar::Null,
        Base::Text
        | Base::VersionedText
        | Base::Interval
        | Base::Bits
        | Base::Network
        | Base::Mac
        | Base::Unsupported
        | Base::Unknown => Scalar::text(text),
    })
}

fn parse<T: FromStr>(text: &[u8], wire: &'static str) -> Result<T, DecodeError> {
    let text = str::from_utf8(text).ok();
    text.and_then(|text| text.parse().ok())
        .ok_or(DecodeError::malformed(wire))
}

/// The server writes it in the manner of its locale: `-$1,234.56`.
fn money(text: &[u8]) -> Scalar<'_> {
    let mut digits: Vec<u8> = text.iter().copied().filter(u8::is_ascii_digit).collect();
    digits.extend_from_slice(b"e-2");
    if text.contains(&b'-') || text.starts_with(b"(") {
        digits.insert(0, b'-');
    }
    Scalar::Decimal(Decimal::Text(Cow::Owned(digits)))
}

fn hexadecimal(text: &[u8]) -> Option<Vec<u8>> {
    let digit = |byte: u8| {
        char::from(byte)
            .to_digit(16)
            .and_then(|digit| u8::try_from(digit).ok())
    };
    let (pairs, []) = text.strip_prefix(b"\\x")?.as_chunks::<2>() else {
        return None;
    };
    pairs
        .iter()
        .map(|[high, low]| Some(digit(*high)? << 4 | digit(*low)?))
        .collect()
}
