//! The quantifiers of filters on related rows: `$some`, `$none` or `$every` (d75).

use std::fmt;

/// Which of the related rows must meet a filter (d75).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Quantifier {
    /// `$some`: at least one.
    #[default]
    Some,
    /// `$none`: not one of them.
    None,
    /// `$every`: all of them; where there are none, this holds.
    Every,
}

impl Quantifier {
    /// Every quantifier, the default one first.
    pub const ALL: &'static [Self] = &[Self::Some, Self::None, Self::Every];

    /// The quantifier that `wire` names.
    #[must_use]
    pub fn from_wire(wire: &str) -> Option<Self> {
        match wire {
            "$some" => Some(Self::Some),
            "$none" => Some(Self::None),
            "$every" => Some(Self::Every),
            _ => None,
        }
    }

    /// The text in a query string.
    #[must_use]
    pub const fn wire(self) -> &'static str {
        match self {
            Self::Some => "$some",
            Self::None => "$none",
            Self::Every => "$every",
        }
    }
}

impl fmt::Display for Quantifier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.wire())
    }
}
