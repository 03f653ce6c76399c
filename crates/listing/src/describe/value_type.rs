//! The types of values as clients see them, in words that JSON Schema and TypeScript share.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::define::FilterValue;
use crate::vocabulary::Kind;

/// The type of a value in JSON.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ValueType {
    /// Its type.
    #[serde(rename = "type")]
    pub name: TypeName,
    /// Every value that it can be, where they can be counted.
    #[serde(rename = "enum", default, skip_serializing_if = "Option::is_none")]
    pub values: Option<Vec<Value>>,
    /// The type of an array's elements.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub items: Option<Box<ValueType>>,
    /// Digits after the point of a decimal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scale: Option<u32>,
}

/// The name of a type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum TypeName {
    /// A JSON number without fraction.
    Integer,
    /// An integer as a JSON string, because it may be over 2^53.
    BigInt,
    /// A JSON number.
    Number,
    /// An exact decimal as a JSON string.
    Decimal,
    /// `true` or `false`.
    Boolean,
    /// A JSON string.
    String,
    /// A UUID.
    Uuid,
    /// `2026-01-31`
    Date,
    /// `13:45:00.000000`
    Time,
    /// `2026-01-31T13:45:00.000000Z`
    DateTime,
    /// Any JSON.
    Json,
    /// Bytes as base64.
    Binary,
    /// A text of `0` and `1`.
    Bits,
    /// A JSON array.
    Array,
    /// Not declared.
    Any,
}

impl ValueType {
    /// The type of a kind; `values` are those of a column that is an enumeration stored as text or as an integer (d94).
    #[must_use]
    pub fn of(kind: &Kind, values: Option<&[String]>) -> Self {
        let plain = |name| Self {
            name,
            values: None,
            items: None,
            scale: None,
        };
        let mut found = match kind {
            Kind::Integer => plain(TypeName::Integer),
            Kind::IntegerText => plain(TypeName::BigInt),
            Kind::Float32 | Kind::Float64 => plain(TypeName::Number),
            Kind::Decimal { scale } => Self {
                scale: *scale,
                ..plain(TypeName::Decimal)
            },
            Kind::Boolean => plain(TypeName::Boolean),
            Kind::Text | Kind::Enum(_) => plain(TypeName::String),
            Kind::Uuid => plain(TypeName::Uuid),
            Kind::Date => plain(TypeName::Date),
            Kind::Time => plain(TypeName::Time),
            Kind::Timestamp => plain(TypeName::DateTime),
            Kind::Json => plain(TypeName::Json),
            Kind::Binary => plain(TypeName::Binary),
            Kind::Bits { .. } => plain(TypeName::Bits),
            Kind::Array(items) => Self {
                items: Some(Box::new(Self::of(items, None))),
                ..plain(TypeName::Array)
            },
            Kind::Natural => plain(TypeName::Any),
        };
        let values = match kind {
            Kind::Enum(variants) => Some(&**variants),
            _ => values,
        };
        found.values = values.map(|values| values.iter().map(|text| json(text, kind)).collect());
        found
    }
}

/// A value in the JSON form of its kind.
pub(super) fn json(text: &str, kind: &Kind) -> Value {
    match FilterValue::parse(text, kind) {
        Ok(FilterValue::Bool(value)) => value.into(),
        Ok(FilterValue::Int(value)) if *kind == Kind::Integer => value.into(),
        Ok(FilterValue::UInt(value)) if *kind == Kind::Integer => value.into(),
        Ok(FilterValue::Float(value)) => value.into(),
        Ok(other) => other.canonical().into(),
        Err(_) => text.into(),
    }
}
