//! Writes the URL of a database for the files of an application.

use listing_axum::config::Secret;

/// The URL as it means the same database from the application's folder.
pub(super) fn absolute(url: &str) -> String {
    let Some(file) = url.strip_prefix("sqlite:") else {
        return url.to_owned();
    };
    let (file, options) = file.split_once('?').unwrap_or((file, ""));
    let file = file.strip_prefix("//").unwrap_or(file);
    match std::path::absolute(file) {
        Ok(file) if options.is_empty() => format!("sqlite:{}", file.display()),
        Ok(file) => format!("sqlite:{}?{options}", file.display()),
        Err(_) => url.to_owned(),
    }
}

/// The URL for a file that others see: without its password, and without secret parameters.
pub(super) fn without_password(url: &str) -> String {
    // A file has no password, and its name can have any character.
    if url.starts_with("sqlite:") {
        return url.to_owned();
    }
    let shown = Secret::from(url).as_shown_url();
    let Some((place, parameters)) = shown.split_once('?') else {
        return shown;
    };
    let kept: Vec<_> = parameters
        .split('&')
        .filter(|parameter| !parameter.ends_with("=…"))
        .collect();
    match kept.is_empty() {
        true => place.to_owned(),
        false => format!("{place}?{}", kept.join("&")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rule b362.
    #[test]
    fn the_password_of_a_url_is_in_no_file() {
        for (url, written) in [
            ("postgres://me:hunter2@host/db", "postgres://me@host/db"),
            ("postgres://me:p@ssw0rd@host/db", "postgres://me@host/db"),
            (
                "postgres://me@host/db?password=hunter2",
                "postgres://me@host/db",
            ),
            (
                "mysql://me@host/db?ssl-mode=required&passwd=hunter2",
                "mysql://me@host/db?ssl-mode=required",
            ),
            // It is unknown where this password ends, so it is not a URL any more.
            ("postgres://me@host/db?password=p@ss", "postgres://me@…"),
        ] {
            assert_eq!(without_password(url), written);
        }
        for open in [
            "postgres://me@host/db?sslmode=disable",
            "sqlite:/srv@work/shop.sqlite?mode=rwc",
        ] {
            assert_eq!(without_password(open), open);
        }
    }
}
