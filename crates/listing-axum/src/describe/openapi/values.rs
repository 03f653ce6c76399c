//! The schemas of values: in responses, in query strings, and in JSON bodies.

use listing::describe::{TypeName, ValueType};
use serde_json::Value;

use super::model::Schema;
use crate::records::PayloadFieldDescription;

/// Where a value is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    Shown,
    Query,
    Body,
}

/// A value.
pub(super) fn value(of: &ValueType, place: Place) -> Schema {
    let text = || Schema::of("string");
    let formatted = |format: &str| Schema {
        format: Some(format.to_owned()),
        ..text()
    };
    let like = |pattern: &str| Schema {
        pattern: Some(pattern.to_owned()),
        ..text()
    };
    let either = |one: &str, other: &str| Schema {
        kind: Some(vec![one, other].into()),
        ..Schema::default()
    };
    let schema = match (of.name, place) {
        (TypeName::Integer | TypeName::BigInt, Place::Query) => integer_of_query(),
        (TypeName::Integer, _) => integer(),
        (TypeName::BigInt, Place::Shown) => like("^-?[0-9]+$"),
        (TypeName::BigInt, Place::Body) => either("integer", "string"),
        (TypeName::Number, _) => Schema::of("number"),
        (TypeName::Decimal, Place::Shown) => formatted("decimal"),
        (TypeName::Decimal, Place::Query) => Schema {
            format: Some("decimal".to_owned()),
            ..like("^-?[0-9]{1,20}(\\.[0-9]{1,8})?$")
        },
        (TypeName::Decimal, Place::Body) => either("string", "number"),
        (TypeName::Boolean, _) => Schema::of("boolean"),
        (TypeName::Uuid, _) => formatted("uuid"),
        (TypeName::Date, _) => formatted("date"),
        (TypeName::Time, _) => like("^[0-9]{2}:[0-9]{2}(:[0-9]{2}(\\.[0-9]{1,6})?)?$"),
        (TypeName::DateTime, _) => formatted("date-time"),
        (TypeName::Binary, _) => Schema {
            content_encoding: Some("base64"),
            ..text()
        },
        (TypeName::Bits, _) => like("^[01]*$"),
        (TypeName::Array, _) => {
            let items = of.items.as_deref();
            Schema::array(items.map_or_else(Schema::default, |items| value(items, place)))
        }
        (TypeName::Json | TypeName::Any, Place::Shown | Place::Body) => Schema::default(),
        _ => text(),
    };
    Schema {
        values: of.values.clone(),
        ..schema
    }
}

fn integer() -> Schema {
    Schema {
        format: Some("int64".to_owned()),
        ..Schema::of("integer")
    }
}

/// The format is the type that generated clients use, and the bounds are those that are accepted (b16). A column can hold more
/// than `int64`, and values that no column holds can still be compared.
fn integer_of_query() -> Schema {
    Schema {
        minimum: Some(i64::MIN.into()),
        maximum: Some(u64::MAX.into()),
        ..integer()
    }
}

/// A field of a payload.
pub(super) fn payload(field: &PayloadFieldDescription) -> Schema {
    let mut schema = value(&field.value, Place::Body);
    schema.min_length = field.min_length;
    schema.max_length = field.max_length;
    schema.minimum = field.minimum.map(number);
    schema.maximum = field.maximum.map(number);
    schema.pattern = field.pattern.clone().or(schema.pattern);
    schema.format = field.format.clone().or(schema.format);
    if field.trim && field.min_length.is_some_and(|least| least > 0) && schema.pattern.is_none() {
        // White space at both ends does not count.
        schema.pattern = Some("\\S".to_owned());
    }
    if field.unique {
        schema.description = Some("No two records have the same.".to_owned());
    }
    match field.nullable {
        true => schema.or_null(),
        false => schema,
    }
}

/// Whole numbers are written as such.
fn number(number: f64) -> Value {
    match number.fract() == 0.0 && number.abs() < 9_007_199_254_740_992.0 {
        true => (number as i64).into(),
        false => number.into(),
    }
}

/// A value that a payload can have.
pub(super) fn example(field: &PayloadFieldDescription) -> Value {
    if let Some(first) = field
        .value
        .values
        .as_ref()
        .and_then(|values| values.first())
    {
        return first.clone();
    }
    let least = field
        .minimum
        .unwrap_or(1.0)
        .max(1.0)
        .min(field.maximum.unwrap_or(f64::MAX));
    match field.value.name {
        TypeName::Integer | TypeName::Number => number(least),
        TypeName::BigInt => "1".into(),
        TypeName::Decimal => "1.00".into(),
        TypeName::Boolean => true.into(),
        TypeName::Uuid => "7f9c24e8-3b12-4fef-91e0-56a2d5a4c8b1".into(),
        TypeName::Date => "2026-01-31".into(),
        TypeName::Time => "13:45:00".into(),
        TypeName::DateTime => "2026-01-31T13:45:00Z".into(),
        TypeName::Binary => "aGVsbG8=".into(),
        TypeName::Bits => "01".into(),
        TypeName::Array => Value::Array(Vec::new()),
        TypeName::Json | TypeName::Any => Value::Object(serde_json::Map::new()),
        _ => match field.format.as_deref() {
            Some("email") => "ada@example.com".into(),
            Some("uri") => "https://example.com/".into(),
            Some("ipv4") => "192.0.2.1".into(),
            Some("ipv6") => "2001:db8::1".into(),
            _ => text_example(field).into(),
        },
    }
}

fn text_example(field: &PayloadFieldDescription) -> String {
    let mut text = format!("example-{}", field.name.replace('_', "-"));
    while (text.len() as u64) < field.min_length.unwrap_or(0) {
        text.push('x');
    }
    let most = field.max_length.unwrap_or(u64::MAX);
    text.chars()
        .take(usize::try_from(most).unwrap_or(usize::MAX))
        .collect()
}
