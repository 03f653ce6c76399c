//! The naming convention of an API: which form a name without an alias has for clients (d91).

use std::fmt;
use std::str::FromStr;

use heck::{ToLowerCamelCase, ToSnakeCase};

/// The form in which clients see names without an alias.
///
/// ```
/// use listing::Names;
///
/// assert_eq!(Names::CamelCase.of("created_at"), "createdAt");
/// assert_eq!(Names::SnakeCase.of("createdAt"), "created_at");
/// assert_eq!(Names::AsDefined.of("Created_At"), "Created_At");
/// assert_eq!("camelCase".parse(), Ok(Names::CamelCase));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Names {
    /// As columns and relations are called.
    #[default]
    AsDefined,
    /// `createdAt`
    CamelCase,
    /// `created_at`
    SnakeCase,
}

impl Names {
    /// A name in this form.
    #[must_use]
    pub fn of(self, name: &str) -> String {
        match self {
            Self::AsDefined => name.to_owned(),
            Self::CamelCase => name.to_lower_camel_case(),
            Self::SnakeCase => name.to_snake_case(),
        }
    }
}

impl fmt::Display for Names {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::AsDefined => "as_defined",
            Self::CamelCase => "camelCase",
            Self::SnakeCase => "snake_case",
        })
    }
}

/// A text that names no convention.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("expected `camelCase`, `snake_case` or `as_defined`")]
pub struct UnknownNames;

impl FromStr for Names {
    type Err = UnknownNames;

    fn from_str(text: &str) -> Result<Self, UnknownNames> {
        match text {
            "as_defined" => Ok(Self::AsDefined),
            "camelCase" => Ok(Self::CamelCase),
            "snake_case" => Ok(Self::SnakeCase),
            _ => Err(UnknownNames),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Names;

    /// Rule d91.
    #[test]
    fn names_change_their_form() {
        for (name, camel, snake) in [
            ("id", "id", "id"),
            ("created_at", "createdAt", "created_at"),
            ("createdAt", "createdAt", "created_at"),
            ("MetaTitle", "metaTitle", "meta_title"),
            ("line_2_text", "line2Text", "line_2_text"),
            ("htmlURL", "htmlUrl", "html_url"),
        ] {
            assert_eq!(Names::CamelCase.of(name), camel);
            assert_eq!(Names::SnakeCase.of(name), snake);
            assert_eq!(Names::AsDefined.of(name), name);
        }
    }
}
