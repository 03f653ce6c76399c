//! Text that must not appear in a log, and URLs without their secrets (b144).

use std::fmt;

/// Text that is never shown: its `Debug` hides it, and it has no `Display`.
///
/// ```
/// use listing_axum::config::Secret;
///
/// let secret = Secret::from("correct horse");
/// assert_eq!(format!("{secret:?}"), "Secret(…)");
/// assert_eq!(secret.expose(), "correct horse");
/// ```
#[derive(Clone, PartialEq, Eq, Default)]
pub struct Secret(String);

impl Secret {
    /// The text itself.
    #[must_use]
    pub fn expose(&self) -> &str {
        &self.0
    }

    /// Whether there is no text.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The text as a URL that can be shown: without a password, and without the values of parameters that sound secret.
    #[must_use]
    pub fn as_shown_url(&self) -> String {
        shown_url(&self.0)
    }
}

impl From<String> for Secret {
    fn from(text: String) -> Self {
        Self(text)
    }
}

impl From<&str> for Secret {
    fn from(text: &str) -> Self {
        Self(text.to_owned())
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_empty() {
            "Secret()"
        } else {
            "Secret(…)"
        })
    }
}

/// A password can hold any character that its writer forgot to escape, so the last `@` ends it. One in the value of a parameter
/// cannot be told from that: what follows the user is not shown then.
fn shown_url(url: &str) -> String {
    let (scheme, rest) = match url.split_once("://") {
        Some((scheme, rest)) => (format!("{scheme}://"), rest),
        None => (String::new(), url),
    };
    let (user, rest) = match rest.rsplit_once('@') {
        Some((login, rest)) => {
            let user = login.split([':', '/', '?', '@']).next().unwrap_or_default();
            let parameters = login.split_once('?').map(|(_, after)| after);
            if parameters.is_some_and(|parameters| parameters.contains('=')) {
                return format!("{scheme}{user}@…");
            }
            (format!("{user}@"), rest)
        }
        None => (String::new(), rest),
    };
    let (place, parameters) = match rest.split_once('?') {
        Some((place, parameters)) => (place, Some(parameters)),
        None => (rest, None),
    };
    let parameters = parameters.map_or_else(String::new, |parameters| {
        let shown: Vec<_> = parameters.split('&').map(shown_parameter).collect();
        format!("?{}", shown.join("&"))
    });
    format!("{scheme}{user}{place}{parameters}")
}

fn shown_parameter(parameter: &str) -> String {
    let (name, _) = parameter.split_once('=').unwrap_or((parameter, ""));
    let lower = name.to_ascii_lowercase();
    let is_secret = ["pass", "pwd", "secret", "token", "key"]
        .iter()
        .any(|word| lower.contains(word));
    if is_secret {
        format!("{name}=…")
    } else {
        parameter.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::Secret;

    /// Rule b144.
    #[test]
    fn a_url_is_shown_without_its_password() {
        for (url, shown) in [
            (
                "postgres://ann:hunter2@host:5432/db",
                "postgres://ann@host:5432/db",
            ),
            ("postgres://ann@host/db", "postgres://ann@host/db"),
            (
                "postgres://ann:hun@t/er?2@host/db",
                "postgres://ann@host/db",
            ),
            (
                "postgres://host/db?user=ann&password=hunter2&sslmode=require",
                "postgres://host/db?user=ann&password=…&sslmode=require",
            ),
            (
                "mysql://host/db?PASSWD=hunter2&ssl-key=hunter2",
                "mysql://host/db?PASSWD=…&ssl-key=…",
            ),
            (
                "postgres://ann@host/db?sslmode=disable&password=hunt@er2",
                "postgres://ann@…",
            ),
            ("postgres://ann:hun?t=e@r2@host/db", "postgres://ann@…"),
            (
                "postgres://ann:hun?ter@host/db?password=hunt@er2",
                "postgres://ann@…",
            ),
            ("sqlite:blog.sqlite?mode=rwc", "sqlite:blog.sqlite?mode=rwc"),
            ("ann:hunter2@host", "ann@host"),
        ] {
            assert_eq!(Secret::from(url).as_shown_url(), shown);
        }
    }
}
