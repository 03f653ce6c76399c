//! How to treat filters and sorts without an index on a large table.

use std::fmt;
use std::str::FromStr;

/// How to treat a filter, a sort or a search without an index on a large table.
///
/// ```
/// use listing::Unindexed;
///
/// assert_eq!("refuse".parse(), Ok(Unindexed::Refuse));
/// assert_eq!(Unindexed::default().to_string(), "warn");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Unindexed {
    /// Nothing, and nothing is read about indexes.
    Allow,
    /// A warning at start-up for each of them.
    #[default]
    Warn,
    /// Logs the warning, and refuses the request unless another condition finds few rows.
    Refuse,
}

impl fmt::Display for Unindexed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Allow => "allow",
            Self::Warn => "warn",
            Self::Refuse => "refuse",
        })
    }
}

/// A text that names none of them.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("expected `allow`, `warn` or `refuse`")]
pub struct UnknownUnindexed;

impl FromStr for Unindexed {
    type Err = UnknownUnindexed;

    fn from_str(text: &str) -> Result<Self, UnknownUnindexed> {
        match text {
            "allow" => Ok(Self::Allow),
            "warn" => Ok(Self::Warn),
            "refuse" => Ok(Self::Refuse),
            _ => Err(UnknownUnindexed),
        }
    }
}
