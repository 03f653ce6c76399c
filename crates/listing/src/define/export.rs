//! Whether, and how much of, a list can be taken away as a file (d110).

use super::Whitelist;
use crate::vocabulary::Settings;

/// Lets clients take all matching rows of a list away as a file. A listing has none unless it says so:
/// reading a page and taking everything away are different rights.
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
    /// The most rows of an export; `None` where there are no exports.
    #[must_use]
    pub fn export_rows(&self, settings: &Settings) -> Option<u64> {
        let export = self.export?;
        Some(export.max_rows.unwrap_or(settings.export_max_rows))
    }
}

impl Export {
    /// As many rows as the setting `export_max_rows` says.
    pub fn new() -> Self {
        Self::default()
    }

    /// At most this many rows; a request that matches more is refused before the first byte (d117).
    pub fn max_rows(mut self, rows: u64) -> Self {
        self.max_rows = Some(rows.max(1));
        self
    }
}
