//! Writes the JSON of the types that most columns have straight from the wire, without a value between.
//!
//! The same bytes as by way of [`decode`](super::binary::decode) and `json::write`: most values of most pages come this
//! way.

use super::super::calendar::{DAY, write_timestamp};
use super::super::error::DecodeError;
use super::super::json;
use super::super::text::{write_string, write_uuid};
use super::binary::{EPOCH_DAYS, decode};
use super::wire::{Base, Wire};

use crate::vocabulary::Kind;

/// Appends a value that is not null.
pub(crate) fn write(
    out: &mut Vec<u8>,
    wire: Wire,
    kind: &Kind,
    bytes: &[u8],
) -> Result<(), DecodeError> {
    match (wire, kind) {
        (Wire::One(Base::Text), Kind::Text | Kind::Enum(_)) => {
            write_string(out, bytes);
            return Ok(());
        }
        (Wire::One(base), Kind::Integer) => {
            if let Some(value) = integer(base, bytes) {
                out.extend_from_slice(itoa::Buffer::new().format(value).as_bytes());
                return Ok(());
            }
        }
        (Wire::One(Base::Bool), Kind::Boolean) => {
            if let [byte] = bytes {
                json::write_bool(out, *byte != 0);
                return Ok(());
            }
        }
        (Wire::One(Base::Timestamp), Kind::Timestamp) => {
            let micros = bytes.try_into().map(i64::from_be_bytes).ok();
            // Infinity, at both ends, does not fit.
            let unix = micros.and_then(|micros| match micros {
                i64::MIN => None,
                _ => micros.checked_add(EPOCH_DAYS * DAY),
            });
            if let Some(unix) = unix {
                out.push(b'"');
                write_timestamp(out, unix);
                out.push(b'"');
                return Ok(());
            }
        }
        (Wire::One(Base::Uuid), Kind::Uuid) => {
            if let Ok(uuid) = bytes.try_into() {
                out.push(b'"');
                write_uuid(out, uuid);
                out.push(b'"');
                return Ok(());
            }
        }
        _ => {}
    }
    json::write(out, &decode(wire, bytes)?, kind)
}

fn integer(base: Base, bytes: &[u8]) -> Option<i64> {
    match base {
        Base::Int8 => bytes.try_into().map(i64::from_be_bytes).ok(),
        Base::Int4 => bytes.try_into().map(i32::from_be_bytes).ok().map(i64::from),
        Base::Int2 => bytes.try_into().map(i16::from_be_bytes).ok().map(i64::from),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Everything with a direct path, and some values without one.
    const BASES: [Base; 9] = [
        Base::Text,
        Base::Int8,
        Base::Int4,
        Base::Int2,
        Base::Bool,
        Base::Timestamp,
        Base::Uuid,
        Base::Float8,
        Base::Unknown,
    ];
    const KINDS: [Kind; 7] = [
        Kind::Text,
        Kind::Integer,
        Kind::IntegerText,
        Kind::Boolean,
        Kind::Timestamp,
        Kind::Uuid,
        Kind::Natural,
    ];

    fn agrees(bytes: &[u8]) {
        for base in BASES {
            for kind in KINDS {
                let wire = Wire::One(base);
                let (mut direct, mut by_value) = (Vec::new(), Vec::new());
                let done = write(&mut direct, wire, &kind, bytes);
                let other = decode(wire, bytes)
                    .and_then(|scalar| json::write(&mut by_value, &scalar, &kind));
                assert_eq!(done, other, "{base:?} {kind:?} {bytes:?}");
                assert_eq!(direct, by_value, "{base:?} {kind:?} {bytes:?}");
            }
        }
    }

    #[test]
    fn the_ends_of_every_range_are_the_same_both_ways() {
        for value in [i64::MIN, i64::MIN + 1, -1, 0, 1, i64::MAX - 1, i64::MAX] {
            agrees(&value.to_be_bytes());
        }
        for bytes in [
            &b""[..],
            b"\0",
            b"\x01",
            b"\xff",
            b"ab",
            b"\x80\0\0\0",
            &[9; 16],
        ] {
            agrees(bytes);
        }
    }

    proptest! {
        #[test]
        fn any_bytes_are_the_same_both_ways(bytes in prop::collection::vec(any::<u8>(), 0..20)) {
            agrees(&bytes);
        }
    }
}
