//! The kinds of values in JSON, whichever database they come from (d54, d55).

use std::sync::Arc;

/// The kind of a field's value in JSON.
///
/// Databases disagree about the same value: a boolean is a bit, a byte or an integer, a decimal is a number or a text. The kind
/// is known from the definition and not from the wire, and it alone decides the JSON.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Kind {
    /// A JSON number without fraction.
    Integer,
    /// An integer as a JSON string, for readers that lose digits over 2^53 (d55).
    IntegerText,
    /// A JSON number with the fewest digits that give the same `f32`.
    Float32,
    /// A JSON number with the fewest digits that give the same `f64`.
    Float64,
    /// An exact decimal as a JSON string (d55).
    Decimal {
        /// Digits after the point; without it those that the database sends.
        scale: Option<u32>,
    },
    /// `true` or `false`.
    Boolean,
    /// A JSON string.
    Text,
    /// Lower-case and hyphenated.
    Uuid,
    /// `YYYY-MM-DD`.
    Date,
    /// `HH:MM:SS.ffffff`.
    Time,
    /// `YYYY-MM-DDTHH:MM:SS.ffffffZ`; a date and time without zone counts as UTC (d54).
    Timestamp,
    /// JSON as it is, without the white space between its tokens.
    Json,
    /// One of these texts.
    Enum(Arc<[String]>),
    /// Bytes as base64 (standard alphabet, padded).
    Binary,
    /// A text of `0` and `1`.
    Bits {
        /// How many there are. MySQL sends whole bytes, so only the definition knows.
        length: Option<u32>,
    },
    /// A JSON array; arrays with several dimensions nest.
    Array(Box<Kind>),
    /// Not declared: as on the wire.
    Natural,
}

impl Kind {
    /// One word for it: `integer`, `text`, `timestamp`, …
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Integer | Self::IntegerText => "integer",
            Self::Float32 | Self::Float64 => "float",
            Self::Decimal { .. } => "decimal",
            Self::Boolean => "boolean",
            Self::Text => "text",
            Self::Uuid => "uuid",
            Self::Date => "date",
            Self::Time => "time",
            Self::Timestamp => "timestamp",
            Self::Json => "json",
            Self::Enum(_) => "enum",
            Self::Binary => "binary",
            Self::Bits { .. } => "bits",
            Self::Array(_) => "array",
            Self::Natural => "natural",
        }
    }
}
