//! The ways in which a list finds its total: exactly, or at less cost.

use std::fmt;
use std::str::FromStr;

/// How a list finds its total.
///
/// A count reads every row that it counts: on large tables it costs far more than the page does. A project chooses one
/// way for all its lists (`count` in `listing.toml`), and a listing its own (`Listing::count`). Where neither says
/// anything, the size of the table decides.
///
/// ```
/// use listing::CountMode;
///
/// assert_eq!("capped(10000)".parse(), Ok(CountMode::Capped(10_000)));
/// assert_eq!(CountMode::Cached(30).to_string(), "cached(30)");
/// assert!("capped(0)".parse::<CountMode>().is_err());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum CountMode {
    /// Every row is counted, unless the table was large at start-up: there, counting stops at
    /// [`CountMode::DEFAULT_CAP`] rows. A table is large from `Settings::unindexed_rows` rows on, by what
    /// `Listings::inspect_indexes` read; where nothing was read, every row is counted.
    #[default]
    Auto,
    /// Every row is counted, at each request.
    Exact,
    /// Counting stops at this number of rows: where there are more, the total is this number.
    Capped(u64),
    /// Asks the database's planner, and counts rows only if it expects few.
    Estimated,
    /// A total is kept for this number of seconds, where the reader can share it.
    Cached(u64),
    /// No total: `hasMore` tells if there is a next page.
    None,
}

impl CountMode {
    /// The number of rows at which counting stops on a large table by default.
    pub const DEFAULT_CAP: u64 = 10_000;
    /// The most rows at which counting can stop.
    pub const LARGEST_CAP: u64 = 1_000_000_000;
    /// The most seconds for which a total can be kept.
    pub const LONGEST_CACHE: u64 = 86_400;

    /// The error in its number, if there is one.
    pub(crate) fn problem(self) -> Option<String> {
        let (number, most) = match self {
            Self::Capped(rows) => (rows, Self::LARGEST_CAP),
            Self::Cached(seconds) => (seconds, Self::LONGEST_CACHE),
            Self::Auto | Self::Exact | Self::Estimated | Self::None => return None,
        };
        let right = (1..=most).contains(&number);
        (!right).then(|| format!("choose a number from 1 to {most}"))
    }
}

impl fmt::Display for CountMode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Auto => f.write_str("auto"),
            Self::Exact => f.write_str("exact"),
            Self::Capped(rows) => write!(f, "capped({rows})"),
            Self::Estimated => f.write_str("estimated"),
            Self::Cached(seconds) => write!(f, "cached({seconds})"),
            Self::None => f.write_str("none"),
        }
    }
}

/// A text that names no [`CountMode`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("expected `auto`, `exact`, `capped(<rows>)`, `estimated`, `cached(<seconds>)` or `none`")]
pub struct UnknownCountMode;

impl FromStr for CountMode {
    type Err = UnknownCountMode;

    fn from_str(text: &str) -> Result<Self, UnknownCountMode> {
        let number = |name: &str| -> Option<u64> {
            let inside = text.strip_prefix(name)?.strip_prefix('(')?;
            inside.strip_suffix(')')?.parse().ok()
        };
        let mode = match text {
            "auto" => Some(Self::Auto),
            "exact" => Some(Self::Exact),
            "estimated" => Some(Self::Estimated),
            "none" => Some(Self::None),
            _ => number("capped")
                .map(Self::Capped)
                .or_else(|| number("cached").map(Self::Cached)),
        };
        mode.filter(|mode| mode.problem().is_none())
            .ok_or(UnknownCountMode)
    }
}
