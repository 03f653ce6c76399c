//! The errors in a value that a driver sent.

/// A value that a driver sent and that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DecodeError {
    /// The row has fewer columns than the statement requested.
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
