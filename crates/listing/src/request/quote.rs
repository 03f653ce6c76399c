//! Text of a client in an error: as much of it as may be sent back.

use std::fmt;

use crate::vocabulary::Complaint;

/// Text of a client in an error: always short enough to be sent back, and without NUL.
#[derive(Clone, PartialEq, Eq)]
pub struct Quote(String);

impl Quote {
    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// As a sentence names it: a text without letters has no place between two backticks.
    pub(super) fn in_words(&self) -> String {
        match self.as_str() {
            "" => "an empty text".to_owned(),
            text => format!("`{text}`"),
        }
    }

    pub(super) fn new(text: &str) -> Self {
        Self(Complaint::shorten(text).replace('\0', "␀"))
    }
}

impl fmt::Display for Quote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for Quote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::Quote;

    /// Rule b14.
    #[test]
    fn quoted_text_is_short_and_has_no_nul() {
        assert_eq!(Quote::new("a\0").to_string(), "a␀");
        assert_eq!(
            Quote::new(&"é".repeat(5000)).to_string().chars().count(),
            81
        );
    }
}
