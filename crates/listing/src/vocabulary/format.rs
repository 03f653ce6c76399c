//! The formats of exports (d111).

/// The format of an export.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Format {
    /// Text with a line for each row and a delimiter between values (RFC 4180).
    Csv,
    /// One JSON object per line for each row.
    Ndjson,
    /// A workbook for spreadsheets (Office Open XML).
    #[cfg(feature = "xlsx")]
    Xlsx,
}

impl Format {
    /// Every format.
    pub const ALL: &'static [Self] = &[
        Self::Csv,
        Self::Ndjson,
        #[cfg(feature = "xlsx")]
        Self::Xlsx,
    ];

    /// The extension of its files.
    #[must_use]
    pub const fn extension(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::Ndjson => "ndjson",
            #[cfg(feature = "xlsx")]
            Self::Xlsx => "xlsx",
        }
    }

    /// Its media type in `Accept`, without parameters.
    #[must_use]
    pub const fn media_type(self) -> &'static str {
        match self {
            Self::Csv => "text/csv",
            Self::Ndjson => "application/x-ndjson",
            #[cfg(feature = "xlsx")]
            Self::Xlsx => XLSX,
        }
    }

    /// Its complete `Content-Type`.
    #[must_use]
    pub const fn content_type(self) -> &'static str {
        match self {
            Self::Csv => "text/csv; charset=utf-8",
            other => other.media_type(),
        }
    }
}

#[cfg(feature = "xlsx")]
const XLSX: &str = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
