//! Whether a list can be exported, and how many of its rows (d110).

use super::Whitelist;
use crate::vocabulary::{Format, Settings};

/// Lets clients export all matching rows of a list. Listings have no exports by default, because reading a page and exporting
/// everything are different permissions.
///
/// ```
/// use listing::Export;
///
/// // In `impl Listing`:
/// fn export() -> Option<Export> {
///     Some(Export::new().max_rows(50_000))
/// }
/// # assert!(export().is_some());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[must_use = "return it from `Listing::export`"]
pub struct Export {
    pub(crate) max_rows: Option<u64>,
}

impl Whitelist {
    /// The most rows of an export in this format; `None` without exports.
    #[must_use]
    pub fn export_rows(&self, format: Format, settings: &Settings) -> Option<u64> {
        let most = self.export?.max_rows.unwrap_or(settings.export_max_rows);
        Some(match format {
            #[cfg(feature = "xlsx")]
            Format::Xlsx => most.min(settings.export_xlsx_max_rows),
            _ => most,
        })
    }
}

impl Export {
    /// Allows as many rows as the setting `export_max_rows`.
    pub fn new() -> Self {
        Self::default()
    }

    /// Allows at most this many rows. A request that matches more is refused before the first byte (d117).
    pub fn max_rows(mut self, rows: u64) -> Self {
        self.max_rows = Some(rows.max(1));
        self
    }
}
