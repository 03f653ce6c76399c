//! The parts of the crate that the fuzzer reaches; only compiled for `cargo xtask fuzz`.

use crate::cursor::Bookmark;
use crate::render::{MysqlWire, Wire, decode_mysql, decode_postgres, write, write_postgres_direct};
use crate::vocabulary::Kind;

/// Types of PostgreSQL, by their numbers.
const JSON: u16 = 114;
const JSONB: u16 = 3802;
const JSON_ARRAY: u16 = 199;
const JSONB_ARRAY: u16 = 3807;

/// The content of a cursor is either read correctly or not at all.
pub fn cursor(bytes: &[u8]) {
    if let Some(bookmark) = Bookmark::from_bytes(bytes) {
        assert_eq!(Bookmark::from_bytes(&bookmark.to_bytes()), Some(bookmark));
    }
}

/// A value from the wire becomes JSON, or an error. The first bytes select the database and type of the value, and the kind as
/// which it is written.
pub fn wire(bytes: &[u8]) {
    let [database, kind, high, low, value @ ..] = bytes else {
        return;
    };
    let kind = kind_of(*kind);
    let mut out = Vec::new();
    let number = u16::from_be_bytes([*high, *low]);
    // A server never sends malformed JSON, and its JSON is copied.
    let sends_json;
    let done = if database % 2 == 0 {
        let wire = Wire::of_oid(number.into());
        sends_json = matches!(number, JSON | JSONB | JSON_ARRAY | JSONB_ARRAY);
        // The two ways by which a value is written agree.
        let direct = write_postgres_direct(&mut out, wire, &kind, value);
        let mut other = Vec::new();
        let decoded = decode_postgres(wire, value);
        let decoded = decoded.and_then(|scalar| write(&mut other, &scalar, &kind));
        if direct.is_ok() && decoded.is_ok() {
            assert_eq!(out, other, "{wire:?} as {kind:?}");
        }
        direct
    } else {
        let wire = mysql_wire(*low);
        sends_json = wire == MysqlWire::Json;
        decode_mysql(wire, value).and_then(|scalar| write(&mut out, &scalar, &kind))
    };
    if done.is_ok() && (!sends_json || is_json(value)) {
        assert!(is_json(&out), "{}", String::from_utf8_lossy(&out));
    }
}

fn is_json(bytes: &[u8]) -> bool {
    serde_json::from_slice::<serde::de::IgnoredAny>(bytes).is_ok()
}

fn mysql_wire(number: u8) -> MysqlWire {
    use MysqlWire::{Bits, Bytes, Date, Decimal, Json, Text, Time, Timestamp};
    let all = [Text, Bytes, Decimal, Date, Time, Timestamp, Json, Bits];
    all[usize::from(number) % all.len()]
}

fn kind_of(number: u8) -> Kind {
    let some = u32::from(number / 32);
    let one = |number| match number % 16 {
        0 => Kind::Integer,
        1 => Kind::IntegerText,
        2 => Kind::Float32,
        3 => Kind::Float64,
        4 => Kind::Decimal { scale: Some(some) },
        5 => Kind::Decimal { scale: None },
        6 => Kind::Boolean,
        7 => Kind::Text,
        8 => Kind::Uuid,
        9 => Kind::Date,
        10 => Kind::Time,
        11 => Kind::Timestamp,
        12 => Kind::Json,
        13 => Kind::Binary,
        14 => Kind::Bits { length: Some(some) },
        _ => Kind::Natural,
    };
    if number & 16 == 0 {
        one(number)
    } else {
        Kind::Array(Box::new(one(number)))
    }
}
