//! A value as a key that can be compared between tables (d41).

use std::borrow::Cow;

use chrono::{DateTime, NaiveDate};

use super::scalar::Scalar;
use super::text;
use crate::vocabulary::{Key, Kind};

/// The key that `scalar` is.
pub(crate) fn key_of(scalar: &Scalar<'_>, kind: &Kind) -> Key {
    match scalar {
        Scalar::Null => Key::Null,
        Scalar::Bool(value) => Key::Int(i64::from(*value)),
        Scalar::Int(value) => Key::Int(*value),
        Scalar::UInt(value) => i64::try_from(*value).map_or(Key::UInt(*value), Key::Int),
        Scalar::Date(_) | Scalar::Time { .. } | Scalar::Timestamp(_) => of_calendar(scalar, kind),
        Scalar::Uuid(bytes) => Key::Uuid(*bytes),
        Scalar::Bytes(bytes) => of_bytes(bytes, kind),
        Scalar::Text(bytes) | Scalar::Json(bytes) => of_text(bytes, kind),
        Scalar::Decimal(decimal) => {
            let mut plain = Vec::new();
            decimal.write_plain(&mut plain, None);
            of_text(&plain, &Kind::Integer)
        }
        // Bit for bit, which is how the databases join them too.
        Scalar::F32(value) => of_float(f64::from(*value)),
        Scalar::F64(value) => of_float(*value),
        Scalar::Bits { bytes, .. } => Key::Bytes((*bytes).into()),
        Scalar::Interval { .. } => without_order(scalar),
        #[cfg(feature = "mysql")]
        Scalar::NoDate => without_order(scalar),
        #[cfg(feature = "postgres")]
        Scalar::Array(_) => without_order(scalar),
    }
}

/// A value that a cursor cannot come back to (`has_place`): it is not a valid date, or its kind is not that of the database, so
/// that a parameter of that kind would be compared differently than the values are ordered. Its text still identifies it.
fn without_order(scalar: &Scalar<'_>) -> Key {
    let written = format!("without order: {scalar:?}");
    Key::Bytes(written.into_bytes().into_boxed_slice())
}

/// Whether a cursor can hold the key: of bytes, only those of a float.
pub(crate) fn has_place(key: &Key) -> bool {
    !matches!(key, Key::Bytes(bytes) if bytes.len() != size_of::<f64>())
}

/// A day and a moment are both numbers, of days and of microseconds, and only the kind says which.
fn of_calendar(scalar: &Scalar<'_>, kind: &Kind) -> Key {
    let value = match (scalar, kind) {
        (Scalar::Date(days), Kind::Date) => i32::try_from(*days)
            .ok()
            .and_then(NaiveDate::from_epoch_days)
            .map(|_| *days),
        (Scalar::Timestamp(micros), Kind::Timestamp) => {
            DateTime::from_timestamp_micros(*micros).map(|_| *micros)
        }
        (
            Scalar::Time {
                micros,
                offset: None,
            },
            Kind::Time,
        ) => Some(*micros),
        _ => None,
    };
    value.map_or_else(|| without_order(scalar), Key::Int)
}

fn of_float(value: f64) -> Key {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "compared with the value just below"
    )]
    let whole = value as i64;
    #[expect(
        clippy::cast_precision_loss,
        reason = "a value that lost digits is not equal"
    )]
    // The largest integer is not a float, and larger floats become it.
    if (whole as f64).to_bits() == value.to_bits() && whole != i64::MAX {
        Key::Int(whole)
    } else {
        Key::Bytes(value.to_be_bytes().into())
    }
}

fn of_bytes(bytes: &[u8], kind: &Kind) -> Key {
    match kind {
        Kind::Uuid => match <[u8; 16]>::try_from(bytes) {
            Ok(uuid) => Key::Uuid(uuid),
            Err(_) => of_text(bytes, kind),
        },
        // Text under a binary collation arrives as bytes.
        Kind::Text | Kind::Enum(_) | Kind::Integer | Kind::IntegerText => of_text(bytes, kind),
        Kind::Float32
        | Kind::Float64
        | Kind::Decimal { .. }
        | Kind::Boolean
        | Kind::Date
        | Kind::Time
        | Kind::Timestamp => without_order(&Scalar::bytes(bytes)),
        _ => Key::Bytes(bytes.into()),
    }
}

fn of_text(bytes: &[u8], kind: &Kind) -> Key {
    match kind {
        Kind::Uuid => {
            if let Some(uuid) = text::parse_uuid(bytes) {
                return Key::Uuid(uuid);
            }
        }
        Kind::Integer | Kind::IntegerText => {
            let number = str::from_utf8(bytes).ok();
            if let Some(value) = number.and_then(|number| number.parse::<i64>().ok()) {
                return Key::Int(value);
            }
            if let Some(value) = number.and_then(|number| number.parse::<u64>().ok()) {
                return Key::UInt(value);
            }
        }
        _ => {}
    }
    match String::from_utf8_lossy(bytes) {
        Cow::Borrowed(text) => Key::Text(text.into()),
        // Replacing bytes could make two keys equal that are not.
        Cow::Owned(_) => Key::Bytes(bytes.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::decimal::Decimal;

    /// Rule d41.
    #[test]
    fn the_same_key_from_every_column_is_equal() {
        let decimal = Scalar::Decimal(Decimal::Text(Cow::Borrowed(b"5")));
        for scalar in [
            Scalar::Int(5),
            Scalar::UInt(5),
            Scalar::F64(5.0),
            Scalar::text(b"5"),
            decimal,
        ] {
            assert_eq!(key_of(&scalar, &Kind::Integer), Key::Int(5));
        }
        assert_eq!(
            key_of(&Scalar::UInt(u64::MAX), &Kind::Integer),
            Key::UInt(u64::MAX)
        );
        let bytes = [0xab; 16];
        for scalar in [
            Scalar::Uuid(bytes),
            Scalar::bytes(&bytes),
            Scalar::text(b"ABABABAB-abab-abab-abab-abababababab"),
        ] {
            assert_eq!(key_of(&scalar, &Kind::Uuid), Key::Uuid(bytes));
        }
        assert_eq!(
            key_of(&Scalar::text(b"5"), &Kind::Text),
            Key::Text("5".into())
        );
        assert_eq!(
            key_of(&Scalar::bytes(b"5"), &Kind::Text),
            Key::Text("5".into())
        );
        assert_eq!(key_of(&Scalar::Null, &Kind::Uuid), Key::Null);
    }

    /// Rule b95.
    #[test]
    fn what_its_kind_does_not_order_has_no_place() {
        let (day, moment) = (Scalar::Date(20_000), Scalar::Timestamp(20_000));
        let time = |offset| Scalar::Time { micros: 5, offset };
        for (scalar, kind) in [
            (day.clone(), Kind::Date),
            (moment.clone(), Kind::Timestamp),
            (time(None), Kind::Time),
            (Scalar::F64(0.5), Kind::Float64),
            (Scalar::F64(0.5), Kind::Decimal { scale: None }),
        ] {
            assert!(has_place(&key_of(&scalar, &kind)), "{scalar:?} as {kind:?}");
        }
        for (scalar, kind) in [
            (day.clone(), Kind::Timestamp),
            (day, Kind::Text),
            (moment.clone(), Kind::Date),
            (moment, Kind::Integer),
            (time(Some(0)), Kind::Time),
            (Scalar::Date(i64::from(i32::MAX)), Kind::Date),
            (Scalar::bytes(&[0; 8]), Kind::Float64),
            (Scalar::text(b"\xff"), Kind::Text),
        ] {
            assert!(
                !has_place(&key_of(&scalar, &kind)),
                "{scalar:?} as {kind:?}"
            );
        }
    }

    #[test]
    fn a_float_over_the_integers_stays_one() {
        let two_to_63 = 9_223_372_036_854_775_808.0_f64;
        let key = key_of(&Scalar::F64(two_to_63), &Kind::Float64);
        assert_eq!(key, Key::Bytes(two_to_63.to_be_bytes().into()));
    }

    #[test]
    fn keys_that_differ_stay_different() {
        let text = Kind::Text;
        assert_ne!(
            key_of(&Scalar::text(b"\xff"), &text),
            key_of(&Scalar::text(b"\xfe"), &text)
        );
        assert_ne!(
            key_of(&Scalar::F64(0.5), &text),
            key_of(&Scalar::F64(0.25), &text)
        );
        assert_ne!(
            key_of(&Scalar::text(b"a"), &text),
            key_of(&Scalar::text(b"A"), &text)
        );
    }
}
