//! The key with which cursors are sealed.

use std::fmt;

/// The key that seals cursors. If it is empty, a new key is generated whenever the program starts.
#[derive(Clone, PartialEq, Eq, Default)]
pub struct CursorKey(String);

impl CursorKey {
    /// The fewest characters of a key, where there is one.
    pub const SHORTEST: usize = 16;

    /// A key from any text that is long enough; `None` if it is too short to keep a secret.
    #[must_use]
    pub fn new(text: &str) -> Option<Self> {
        let long_enough = text.is_empty() || text.chars().count() >= Self::SHORTEST;
        long_enough.then(|| Self(text.to_owned()))
    }

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

// Settings are logged; the key is not.
impl fmt::Debug for CursorKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_empty() { "none" } else { "…" })
    }
}

#[cfg(test)]
mod tests {
    use super::CursorKey;

    #[test]
    fn keys_are_not_shown_and_not_short() {
        let key = CursorKey::new("a key that is long enough").unwrap();
        assert!(!format!("{key:?}").contains("long"));
        assert_eq!(CursorKey::new("short"), None);
        assert_eq!(CursorKey::new("").unwrap(), CursorKey::default());
    }
}
