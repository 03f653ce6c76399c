//! One value as a driver sends it, borrowed from the wire.

use std::borrow::Cow;

use super::decimal::Decimal;
#[cfg(feature = "postgres")]
use super::postgres::array::Array;

/// One value of one row, before its kind in JSON is known.
///
/// Text is bytes here. Whether it is UTF-8 is checked once, when it is written.
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
    /// A date or moment that does not exist (`0000-00-00`): shown as null, but ordered before every other.
    #[cfg(feature = "mysql")]
    NoDate,
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
    #[cfg(feature = "postgres")]
    Array(Array<'r>),
}

impl<'r> Scalar<'r> {
    pub(crate) const fn text(bytes: &'r [u8]) -> Self {
        Self::Text(Cow::Borrowed(bytes))
    }

    pub(crate) const fn bytes(bytes: &'r [u8]) -> Self {
        Self::Bytes(Cow::Borrowed(bytes))
    }

    /// Whether there is nothing to show.
    pub(crate) const fn is_shown_as_null(&self) -> bool {
        match self {
            Self::Null => true,
            #[cfg(feature = "mysql")]
            Self::NoDate => true,
            _ => false,
        }
    }
}
