//! Finds the kind of a column's values in JSON from the type that the entity declares.

use sea_orm::sea_query::ColumnType;

use crate::vocabulary::Kind;

/// Whether values that are text or numbers in JSON have a special type in PostgreSQL, which cannot be compared with text or
/// numbers that clients send.
pub(crate) fn is_own_type(column_type: &ColumnType) -> bool {
    matches!(
        column_type,
        ColumnType::Interval(..)
            | ColumnType::Cidr
            | ColumnType::Inet
            | ColumnType::MacAddr
            | ColumnType::LTree
            | ColumnType::Money(_)
    )
}

/// The kind of a column's values in JSON.
#[must_use]
pub fn kind_of(column_type: &ColumnType) -> Kind {
    match column_type {
        ColumnType::TinyInteger
        | ColumnType::SmallInteger
        | ColumnType::Integer
        | ColumnType::BigInteger
        | ColumnType::TinyUnsigned
        | ColumnType::SmallUnsigned
        | ColumnType::Unsigned
        | ColumnType::BigUnsigned
        | ColumnType::Year => Kind::Integer,
        ColumnType::Float => Kind::Float32,
        ColumnType::Double => Kind::Float64,
        ColumnType::Decimal(size) => Kind::Decimal {
            scale: size.map(|(_, scale)| scale),
        },
        // PostgreSQL's own type has two digits in all locales but a few.
        ColumnType::Money(size) => Kind::Decimal {
            scale: Some(size.map_or(2, |(_, scale)| scale)),
        },
        ColumnType::Boolean => Kind::Boolean,
        ColumnType::Char(_)
        | ColumnType::String(_)
        | ColumnType::Text
        | ColumnType::Interval(..)
        | ColumnType::Cidr
        | ColumnType::Inet
        | ColumnType::MacAddr
        | ColumnType::LTree => Kind::Text,
        ColumnType::Uuid => Kind::Uuid,
        ColumnType::Date => Kind::Date,
        ColumnType::Time => Kind::Time,
        ColumnType::DateTime | ColumnType::Timestamp | ColumnType::TimestampWithTimeZone => {
            Kind::Timestamp
        }
        ColumnType::Json | ColumnType::JsonBinary => Kind::Json,
        ColumnType::Enum { variants, .. } => {
            Kind::Enum(variants.iter().map(ToString::to_string).collect())
        }
        ColumnType::Blob | ColumnType::Binary(_) | ColumnType::VarBinary(_) => Kind::Binary,
        // Without a length both databases that have it mean one bit.
        ColumnType::Bit(length) => Kind::Bits {
            length: Some(length.unwrap_or(1)),
        },
        ColumnType::VarBit(length) => Kind::Bits {
            length: Some(*length),
        },
        ColumnType::Array(element) => Kind::Array(Box::new(kind_of(element))),
        ColumnType::Vector(_) => Kind::Array(Box::new(Kind::Float32)),
        ColumnType::Custom(name) => custom(&name.to_string()),
        // The enum can grow.
        _ => Kind::Natural,
    }
}

/// A custom type, such as `datetime(6)`: SeaORM has no fraction of a second for MySQL. Only names with the same meaning
/// everywhere are recognized; for all others, the wire decides.
fn custom(name: &str) -> Kind {
    let end = name.find(['(', ' ']).unwrap_or(name.len());
    match name[..end].to_ascii_lowercase().as_str() {
        "datetime" | "timestamp" | "timestamptz" => Kind::Timestamp,
        "citext" | "text" | "tinytext" | "mediumtext" | "longtext" | "varchar" => Kind::Text,
        "json" | "jsonb" => Kind::Json,
        "uuid" => Kind::Uuid,
        _ => Kind::Natural,
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use sea_orm::sea_query::{ColumnType, IntoIden as _, StringLen};

    use super::*;

    /// Rule d55.
    #[test]
    fn every_column_type_has_a_kind() {
        for (column_type, kind) in [
            (ColumnType::BigUnsigned, Kind::Integer),
            (ColumnType::Year, Kind::Integer),
            (ColumnType::Float, Kind::Float32),
            (
                ColumnType::Decimal(Some((10, 4))),
                Kind::Decimal { scale: Some(4) },
            ),
            (ColumnType::Decimal(None), Kind::Decimal { scale: None }),
            (ColumnType::Money(None), Kind::Decimal { scale: Some(2) }),
            (ColumnType::String(StringLen::Max), Kind::Text),
            (ColumnType::TimestampWithTimeZone, Kind::Timestamp),
            (ColumnType::Bit(None), Kind::Bits { length: Some(1) }),
            (ColumnType::custom("datetime(6)"), Kind::Timestamp),
            (
                ColumnType::custom("TIMESTAMP WITH TIME ZONE"),
                Kind::Timestamp,
            ),
            (ColumnType::custom("point"), Kind::Natural),
            (
                ColumnType::Vector(Some(3)),
                Kind::Array(Box::new(Kind::Float32)),
            ),
            (
                ColumnType::Array(Arc::new(ColumnType::Uuid)),
                Kind::Array(Box::new(Kind::Uuid)),
            ),
            (
                ColumnType::Enum {
                    name: "state".into_iden(),
                    variants: vec!["new".into_iden(), "old".into_iden()],
                },
                Kind::Enum(["new".to_owned(), "old".to_owned()].into()),
            ),
        ] {
            assert_eq!(kind_of(&column_type), kind, "{column_type:?}");
        }
    }
}
