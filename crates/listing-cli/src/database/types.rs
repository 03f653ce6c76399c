//! Determines the type of a column's values, and the Rust type that SeaORM can read them as.

use sea_orm::sea_query::{ColumnType, StringLen};

use crate::naming;

/// A Rust type, and the column type that an entity declares where the Rust type alone does not say it.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct RustType {
    pub(super) name: String,
    pub(super) column_type: Option<String>,
    /// The type that SeaORM casts it to and from, if the driver cannot read it directly.
    pub(super) casts: Option<(&'static str, String)>,
}

impl RustType {
    /// A type that says everything itself.
    pub(super) fn plain(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            column_type: None,
            casts: None,
        }
    }
}

/// The Rust type of a column; `None` if SeaORM cannot read it.
pub(super) fn rust_type(column_type: &ColumnType) -> Option<RustType> {
    let mut declared = None;
    let mut casts = None;
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
        // An enumeration of PostgreSQL whose values cannot be variants: `read` leaves them out.
        ColumnType::Enum { name, variants } if variants.is_empty() => {
            let (name, literal) = (name.to_string(), naming::literal);
            let call = literal(&format!("custom({})", literal(&name)));
            declared = Some(call.trim_matches('"').to_owned());
            casts = Some(("text", format!("\"{}\"", name.replace('"', "\"\""))));
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
        // By its length a hash is recognized.
        ColumnType::Binary(length) => {
            declared = Some(format!("Binary({length})"));
            "Vec<u8>"
        }
        ColumnType::Blob | ColumnType::VarBinary(_) => "Vec<u8>",
        ColumnType::Money(_) => {
            declared = Some("Money(None)".to_owned());
            casts = Some(("numeric", "money".to_owned()));
            "Decimal"
        }
        ColumnType::Interval(..) => {
            declared = Some("Interval(None, None)".to_owned());
            casts = Some(("text", "interval".to_owned()));
            "String"
        }
        ColumnType::Inet => {
            declared = Some("Inet".to_owned());
            casts = Some(("text", "inet".to_owned()));
            "String"
        }
        ColumnType::Cidr => {
            declared = Some("Cidr".to_owned());
            casts = Some(("text", "cidr".to_owned()));
            "String"
        }
        ColumnType::Custom(name) if name.to_string() == "citext" => {
            declared = Some("custom(\\\"citext\\\")".to_owned());
            casts = Some(("text", "citext".to_owned()));
            "String"
        }
        ColumnType::Custom(name) if name.to_string() == "macaddr" => {
            declared = Some("MacAddr".to_owned());
            casts = Some(("text", "macaddr".to_owned()));
            "String"
        }
        // Bits are text of zeros and ones; MySQL's own are left out where columns are read.
        ColumnType::Bit(length) => {
            let length = length.unwrap_or(1);
            declared = Some(format!("Bit(Some({length}))"));
            casts = Some(("text", format!("bit({length})")));
            "String"
        }
        ColumnType::VarBit(length) => {
            declared = Some(format!("VarBit({length})"));
            casts = Some(("text", "bit varying".to_owned()));
            "String"
        }
        ColumnType::Custom(name) => {
            let name = name.to_string();
            let (_, cast, rust) = OWN.iter().find(|(known, ..)| *known == name)?;
            declared = Some(format!("custom(\\\"{name}\\\")"));
            casts = Some((cast, name));
            rust
        }
        ColumnType::Array(element) => return array(element),
        _ => return None,
    };
    Some(RustType {
        name: name.to_owned(),
        column_type: declared,
        casts,
    })
}

/// Types of PostgreSQL that SeaORM cannot name, the types they are read as, and their Rust types.
const OWN: [(&str, &str, &str); 3] = [
    ("ltree", "text", "String"),
    ("time with time zone", "text", "String"),
    ("oid", "bigint", "i64"),
];

/// A list of values of a type that SeaORM can read lists of.
fn array(element: &ColumnType) -> Option<RustType> {
    let element = match element {
        ColumnType::SmallInteger => "i16",
        ColumnType::Integer => "i32",
        ColumnType::BigInteger => "i64",
        ColumnType::Float => "f32",
        ColumnType::Double => "f64",
        ColumnType::Boolean => "bool",
        ColumnType::Char(_) | ColumnType::String(_) | ColumnType::Text => "String",
        ColumnType::Uuid => "Uuid",
        ColumnType::Date => "Date",
        ColumnType::Decimal(_) => "Decimal",
        _ => return None,
    };
    Some(RustType {
        name: format!("Vec<{element}>"),
        column_type: None,
        casts: None,
    })
}

/// Whether an entity has a field for a column of this type.
pub(crate) fn is_readable(column_type: &ColumnType) -> bool {
    rust_type(column_type).is_some()
}

/// The column type that an entity declares, where that is not the database's.
pub(crate) fn declared_type(column_type: &ColumnType) -> ColumnType {
    match column_type {
        ColumnType::Binary(16) => ColumnType::Uuid,
        ColumnType::Timestamp => ColumnType::TimestampWithTimeZone,
        ColumnType::Year => ColumnType::SmallUnsigned,
        ColumnType::Enum { name, variants } if variants.is_empty() => {
            ColumnType::Custom(name.clone())
        }
        other => other.clone(),
    }
}

/// The Rust types that the driver of PostgreSQL reads a column as: it takes numbers of one size only.
pub(super) fn readable_from_postgres(column_type: &ColumnType) -> &'static [&'static str] {
    match column_type {
        ColumnType::SmallInteger => &["i16"],
        ColumnType::Integer => &["i32"],
        ColumnType::BigInteger => &["i64"],
        ColumnType::Float => &["f32"],
        ColumnType::Double => &["f64"],
        ColumnType::DateTime => &["DateTime"],
        ColumnType::TimestampWithTimeZone => &["DateTimeUtc"],
        _ => &[],
    }
}

/// The Rust types that the driver of MariaDB and MySQL reads a column as: it minds signs and time zones, not sizes.
pub(super) fn readable_from_mysql(column_type: &ColumnType) -> &'static [&'static str] {
    match column_type {
        ColumnType::TinyInteger
        | ColumnType::SmallInteger
        | ColumnType::Integer
        | ColumnType::BigInteger => &["i8", "i16", "i32", "i64"],
        ColumnType::TinyUnsigned
        | ColumnType::SmallUnsigned
        | ColumnType::Unsigned
        | ColumnType::BigUnsigned
        | ColumnType::Year => &["u8", "u16", "u32", "u64"],
        ColumnType::Timestamp => &["DateTimeUtc"],
        ColumnType::DateTime => &["DateTime", "DateTimeUtc"],
        _ => &[],
    }
}

/// Whether rows can be matched by columns of these types.
pub(super) fn is_joinable(from: &ColumnType, to: &ColumnType) -> bool {
    let key = |column_type: &ColumnType| {
        let is_key = |kind: &&str| ["integer", "text", "uuid"].contains(kind);
        kind(column_type)
            .filter(is_key)
            .filter(|_| !is_own(column_type))
    };
    key(from).is_some() && key(from) == key(to)
}

/// Whether it is a type of PostgreSQL's own that is shown as text and not compared with text.
fn is_own(column_type: &ColumnType) -> bool {
    use ColumnType::{Cidr, Inet, Interval, MacAddr};
    matches!(column_type, Interval(..) | Inet | Cidr | MacAddr)
}

/// Whether rows can be ordered by a column of this type, on every database.
pub(super) fn is_ordered(column_type: &ColumnType) -> bool {
    let kinds = ["json", "binary", "bits", "array"];
    kind(column_type).is_some_and(|kind| !kinds.contains(&kind))
}

/// Whether a column can be the primary key, alone or with others.
pub(super) fn is_key(column_type: &ColumnType, alone: bool) -> bool {
    let keys: &[&str] = match alone {
        true => &["integer", "text", "uuid"],
        false => &["integer", "text", "uuid", "date", "timestamp"],
    };
    kind(column_type).is_some_and(|kind| keys.contains(&kind)) && !is_own(column_type)
}

/// The kind of a column's values, as in `listing::Kind::name`; `None` if it is not known.
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
        ColumnType::Char(_)
        | ColumnType::String(_)
        | ColumnType::Text
        | ColumnType::Interval(..)
        | ColumnType::Inet
        | ColumnType::Cidr
        | ColumnType::MacAddr => "text",
        ColumnType::Enum { variants, .. } if !variants.is_empty() => "enum",
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
