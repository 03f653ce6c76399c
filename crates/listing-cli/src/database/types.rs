//! Says what a column's values are, and which Rust type SeaORM can read them as.

use sea_orm::sea_query::{ColumnType, StringLen};

/// A Rust type, and the column type that an entity declares where the Rust type alone does not say it.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct RustType {
    pub(super) name: &'static str,
    pub(super) column_type: Option<String>,
}

/// The Rust type of a column; none where SeaORM cannot read it.
pub(super) fn rust_type(column_type: &ColumnType) -> Option<RustType> {
    let mut declared = None;
    let name = match column_type {
        ColumnType::TinyInteger => "i8",
        ColumnType::SmallInteger => "i16",
        ColumnType::Integer => "i32",
        ColumnType::BigInteger => "i64",
        ColumnType::TinyUnsigned => "u8",
        // The driver reads a year as an unsigned number only.
        ColumnType::SmallUnsigned | ColumnType::Year => "u16",
        ColumnType::Unsigned => "u32",
        ColumnType::BigUnsigned => "u64",
        ColumnType::Float => "f32",
        ColumnType::Double => "f64",
        ColumnType::Decimal(size) => {
            declared = Some(format!("Decimal({size:?})"));
            "Decimal"
        }
        ColumnType::Boolean => "bool",
        ColumnType::Char(length) => {
            declared = length.map(|length| format!("Char(Some({length}))"));
            "String"
        }
        ColumnType::String(length) => {
            declared = Some(match length {
                StringLen::N(length) => format!("String(StringLen::N({length}))"),
                StringLen::None | StringLen::Max => "String(StringLen::None)".to_owned(),
            });
            "String"
        }
        ColumnType::Text => {
            declared = Some("Text".to_owned());
            "String"
        }
        // An enumeration of MySQL is read as text.
        ColumnType::Enum { .. } => "String",
        // A SeaORM UUID is kept in sixteen bytes where the database has no type for it.
        ColumnType::Uuid | ColumnType::Binary(16) => "Uuid",
        ColumnType::Date => "Date",
        ColumnType::Time => "Time",
        ColumnType::DateTime => "DateTime",
        ColumnType::Timestamp | ColumnType::TimestampWithTimeZone => "DateTimeUtc",
        ColumnType::Json => "Json",
        ColumnType::JsonBinary => {
            declared = Some("JsonBinary".to_owned());
            "Json"
        }
        ColumnType::Blob | ColumnType::Binary(_) | ColumnType::VarBinary(_) => "Vec<u8>",
        _ => return None,
    };
    Some(RustType {
        name,
        column_type: declared,
    })
}

/// What the values of a column are, in the words of `listing::Kind::name`; none where that is not known.
pub(crate) fn kind(column_type: &ColumnType) -> Option<&'static str> {
    Some(match column_type {
        ColumnType::TinyInteger
        | ColumnType::SmallInteger
        | ColumnType::Integer
        | ColumnType::BigInteger
        | ColumnType::TinyUnsigned
        | ColumnType::SmallUnsigned
        | ColumnType::Unsigned
        | ColumnType::BigUnsigned
        | ColumnType::Year => "integer",
        ColumnType::Float | ColumnType::Double => "float",
        ColumnType::Decimal(_) | ColumnType::Money(_) => "decimal",
        ColumnType::Boolean => "boolean",
        ColumnType::Char(_) | ColumnType::String(_) | ColumnType::Text => "text",
        ColumnType::Enum { .. } => "enum",
        ColumnType::Uuid | ColumnType::Binary(16) => "uuid",
        ColumnType::Date => "date",
        ColumnType::Time => "time",
        ColumnType::DateTime | ColumnType::Timestamp | ColumnType::TimestampWithTimeZone => {
            "timestamp"
        }
        ColumnType::Json | ColumnType::JsonBinary => "json",
        ColumnType::Blob | ColumnType::Binary(_) | ColumnType::VarBinary(_) => "binary",
        ColumnType::Bit(_) | ColumnType::VarBit(_) => "bits",
        ColumnType::Array(_) => "array",
        _ => return None,
    })
}
