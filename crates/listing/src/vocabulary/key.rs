//! The value of a key column, in one form for primary and foreign keys (d41).

use std::fmt;

use serde::{Deserialize, Serialize};

/// The value of a key column, in one form whether it stood in a primary or in a foreign key.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Key {
    /// No value: joins to nothing.
    Null,
    /// Every integer that fits, signed on the wire or not.
    Int(i64),
    /// An integer over `i64::MAX`.
    UInt(u64),
    /// From 16 bytes or from text in any case.
    Uuid([u8; 16]),
    /// Text, exactly as the database sends it.
    Text(Box<str>),
    /// Anything else.
    Bytes(Box<[u8]>),
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Null => Ok(()),
            Self::Int(value) => value.fmt(f),
            Self::UInt(value) => value.fmt(f),
            Self::Uuid(bytes) => uuid::Uuid::from_bytes(*bytes).fmt(f),
            Self::Text(text) => f.write_str(text),
            Self::Bytes(bytes) => f.write_str(&String::from_utf8_lossy(bytes)),
        }
    }
}
