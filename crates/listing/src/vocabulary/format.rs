//! The formats in which a whole list can be taken away (d111).

/// The format of an export.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Format {
    /// Text with a line for each row and a delimiter between values (RFC 4180).
    Csv,
    /// A JSON object on a line of its own for each row.
    Ndjson,
}

impl Format {
    /// Every format.
    pub const ALL: &'static [Self] = &[Self::Csv, Self::Ndjson];

    /// How the names of its files end.
    #[must_use]
    pub const fn extension(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::Ndjson => "ndjson",
        }
    }

    /// Its type in `Accept`, without parameters.
    #[must_use]
    pub const fn media_type(self) -> &'static str {
        match self {
            Self::Csv => "text/csv",
            Self::Ndjson => "application/x-ndjson",
        }
    }

    /// Its whole `Content-Type`.
    #[must_use]
    pub const fn content_type(self) -> &'static str {
        match self {
            Self::Csv => "text/csv; charset=utf-8",
            Self::Ndjson => "application/x-ndjson",
        }
    }
}
