//! Writes the condition that a column holds one of several keys.
//!
//! On a database with arrays the keys are one value: the text is the same for any number of keys, and so is its plan.

use sea_orm::sea_query::{ArrayType, Value};

use super::writer::Writer;
use super::{Dialect, form};
use crate::vocabulary::{Form, Key, Kind};

/// The text after the column: `= $1`, `= ANY($1)` or `IN (?, ?)`.
pub(super) fn one_of(writer: &mut Writer, kind: &Kind, form: Form, keys: &[Key]) {
    if let [key] = keys {
        // For an array PostgreSQL expects ten keys, and may read all of a small table for them.
        writer.text(" = ");
        writer.value(value(key, form));
        return;
    }
    if writer.dialect.has_arrays() {
        writer.text(" = ANY(");
        writer.value(array(kind, keys));
    } else {
        writer.text(" IN (");
        writer.list(keys, |writer, key| writer.value(value(key, form)));
    }
    writer.text(")");
}

/// The text after the column if its form is not known: SQLite may store UUIDs as bytes and as text.
pub(super) fn one_of_either(writer: &mut Writer, kind: &Kind, keys: &[Key]) {
    if writer.dialect != Dialect::Sqlite || *kind != Kind::Uuid {
        return one_of(writer, kind, Form::Ours, keys);
    }
    let all = |key| {
        let text = value(key, Form::UuidText);
        let large = match &text {
            Value::String(Some(text)) => Value::from(text.to_uppercase()),
            other => other.clone(),
        };
        [value(key, Form::Ours), text, large]
    };
    writer.text(" IN (");
    writer.list(keys.iter().flat_map(all), Writer::value);
    writer.text(")");
}

/// The keys as one value.
pub(super) fn array(kind: &Kind, keys: &[Key]) -> Value {
    let (of, _) = array_type(kind);
    Value::Array(
        of,
        Some(Box::new(
            keys.iter().map(|key| value(key, Form::Ours)).collect(),
        )),
    )
}

/// The keys as a JSON array, bytes in hexadecimal; `None` if one of them is neither a number nor a UUID.
pub(super) fn json(keys: &[Key], form: Form) -> Option<String> {
    let mut json = String::with_capacity(keys.len() * 8);
    for key in keys {
        json.push(if json.is_empty() { '[' } else { ',' });
        match key {
            Key::Int(key) => json.push_str(itoa::Buffer::new().format(*key)),
            Key::Uuid(key) => {
                json.push('"');
                let mut text = [0; uuid::fmt::Hyphenated::LENGTH];
                let uuid = uuid::Uuid::from_bytes(*key);
                json.push_str(match form {
                    Form::UuidText => uuid.hyphenated().encode_lower(&mut text),
                    _ => uuid.simple().encode_lower(&mut text),
                });
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

/// The key as a column of that form keeps it.
pub(super) fn value(key: &Key, form: Form) -> Value {
    if let Some(value) = form::key(key, form) {
        return value;
    }
    match key {
        Key::Null => Value::BigInt(None),
        Key::Int(key) => Value::from(*key),
        Key::UInt(key) => Value::from(*key),
        Key::Uuid(key) => Value::from(uuid::Uuid::from_bytes(*key)),
        Key::Text(key) => Value::from(key.as_ref()),
        Key::Bytes(key) => Value::from(key.to_vec()),
    }
}
