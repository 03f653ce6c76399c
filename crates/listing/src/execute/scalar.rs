//! One value as a driver sends it, borrowed from the wire.

use std::borrow::Cow;

use super::decimal::Decimal;
use super::postgres::Array;

/// One value of one row, before it is known what it should be in JSON.
///
/// Text is bytes here: whether they are UTF-8 is asked once, where they are written.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Scalar<'r> {
    Null,
    Bool(bool),
    Int(i64),
    UInt(u64),
    F32(f32),
    F64(f64),
    Decimal(Decimal<'r>),
    Text(Cow<'r, [u8]>),
    Bytes(Cow<'r, [u8]>),
    Bits {
        /// `None` where the wire has whole bytes only.
        length: Option<usize>,
        bytes: &'r [u8],
    },
    Uuid([u8; 16]),
    /// Days since 1970-01-01.
    Date(i64),
    Time {
        /// Since midnight; MySQL's can be negative or longer than a day.
        micros: i64,
        /// Seconds east of Greenwich.
        offset: Option<i32>,
    },
    /// Microseconds since the Unix epoch.
    Timestamp(i64),
    Interval {
        months: i32,
        days: i32,
        micros: i64,
    },
    Json(Cow<'r, [u8]>),
    Array(Array<'r>),
}

impl<'r> Scalar<'r> {
    pub(crate) const fn text(bytes: &'r [u8]) -> Self {
        Self::Text(Cow::Borrowed(bytes))
    }

    pub(crate) const fn bytes(bytes: &'r [u8]) -> Self {
        Self::Bytes(Cow::Borrowed(bytes))
    }
}

/// A value that a driver sent and that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DecodeError {
    /// The row has fewer columns than the statement asked for.
    #[error("the row has no column {column}")]
    Missing {
        /// Counted from 0.
        column: usize,
    },
    /// Bytes that are not a value of their type.
    #[error("column {column} holds a malformed {wire}")]
    Malformed {
        /// Counted from 0.
        column: usize,
        /// The type that the bytes should have had.
        wire: &'static str,
    },
    /// A type of the database without a form in JSON, such as `point`.
    #[error("column {column} has the type {name}, which has no form in JSON: select it as text")]
    Unsupported {
        /// Counted from 0.
        column: usize,
        /// The database's name for the type.
        name: String,
    },
}

impl DecodeError {
    /// The decoders below a row do not know which column they read.
    pub(crate) const fn malformed(wire: &'static str) -> Self {
        Self::Malformed { column: 0, wire }
    }

    /// As `malformed`; the row adds the type's name too.
    pub(crate) const fn unsupported() -> Self {
        Self::Unsupported {
            column: 0,
            name: String::new(),
        }
    }

    pub(crate) fn of_type(mut self, type_name: &str) -> Self {
        if let Self::Unsupported { name, .. } = &mut self {
            type_name.clone_into(name);
        }
        self
    }

    pub(crate) fn at(mut self, index: usize) -> Self {
        match &mut self {
            Self::Missing { column }
            | Self::Malformed { column, .. }
            | Self::Unsupported { column, .. } => *column = index,
        }
        self
    }
}
