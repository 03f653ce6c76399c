//! Writes the condition that a column holds one of several keys.
//!
//! Where a database has arrays they are one value: the text is the same for any number of keys, and so is its plan.

use sea_orm::sea_query::{ArrayType, Value};

use super::writer::Writer;
use crate::vocabulary::{Key, Kind};

/// What follows the column: `= $1`, `= ANY($1)` or `IN (?, ?)`.
pub(super) fn one_of(writer: &mut Writer<'_>, kind: &Kind, keys: &[Key]) {
    if let [key] = keys {
        // For an array PostgreSQL expects ten, and may read a small table from end to end for them.
        writer.text(" = ");
        writer.value(value(key));
        return;
    }
    if writer.dialect.has_arrays() {
        writer.text(" = ANY(");
        writer.value(array(kind, keys));
    } else {
        writer.text(" IN (");
        writer.list(keys, |writer, key| writer.value(value(key)));
    }
    writer.text(")");
}

/// The keys as one value.
pub(super) fn array(kind: &Kind, keys: &[Key]) -> Value {
    let (of, _) = array_type(kind);
    Value::Array(of, Some(Box::new(keys.iter().map(value).collect())))
}

/// The keys as a JSON array, bytes in hexadecimal; none where one of them is something else than a number or a UUID.
pub(super) fn json(keys: &[Key]) -> Option<String> {
    let mut json = String::with_capacity(keys.len() * 8);
    for key in keys {
        json.push(if json.is_empty() { '[' } else { ',' });
        match key {
            Key::Int(key) => json.push_str(itoa::Buffer::new().format(*key)),
            Key::Uuid(key) => {
                json.push('"');
                let mut hex = [0; 32];
                let uuid = uuid::Uuid::from_bytes(*key).simple();
                json.push_str(uuid.encode_lower(&mut hex));
                json.push('"');
            }
            _ => return None,
        }
    }
    json.push(']');
    Some(json)
}

/// The type of an array of keys, and its cast.
pub(super) fn array_type(kind: &Kind) -> (ArrayType, &'static str) {
    match kind {
        Kind::Uuid => (ArrayType::Uuid, "::uuid[]"),
        Kind::Integer => (ArrayType::BigInt, "::int8[]"),
        _ => (ArrayType::String, "::text[]"),
    }
}

pub(super) fn value(key: &Key) -> Value {
    match key {
        Key::Null => Value::BigInt(None),
        Key::Int(key) => Value::from(*key),
        Key::UInt(key) => Value::from(*key),
        Key::Uuid(key) => Value::from(uuid::Uuid::from_bytes(*key)),
        Key::Text(key) => Value::from(key.as_ref()),
        Key::Bytes(key) => Value::from(key.to_vec()),
    }
}
