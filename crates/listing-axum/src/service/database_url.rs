//! Reads the URL of a database and reports mistakes in it.
//!
//! Written by hand: the drivers parse it too, but their errors quote it. If a character of the password is not encoded, they even
//! quote a part of the password as the host.

use sea_orm::{DbErr, RuntimeErr};

const MALFORMED: &str = "the database URL is malformed";

const NOT_ENCODED: &str = "the database URL is malformed: in a user name or a password, write `/` as %2F, `?` as %3F, \
     `#` as %23 and `@` as %40";

/// The database that a URL names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Server { port: u16 },
    SqliteFile { create: bool },
    SqliteMemory,
}

impl Kind {
    pub(super) fn of(url: &str) -> Result<Self, DbErr> {
        let (scheme, rest) = url.split_once(':').unwrap_or_default();
        match scheme {
            "postgres" | "postgresql" => Ok(Self::Server { port: 5432 }),
            "mysql" => Ok(Self::Server { port: 3306 }),
            "sqlite" => {
                let (path, parameters) = rest.split_once('?').unwrap_or((rest, ""));
                let mode = parameters
                    .split('&')
                    .find_map(|pair| pair.strip_prefix("mode="));
                if path.trim_start_matches('/') == ":memory:" || mode == Some("memory") {
                    Ok(Self::SqliteMemory)
                } else {
                    // `rw` and `ro` mean that a missing file is an error.
                    Ok(Self::SqliteFile {
                        create: matches!(mode, None | Some("rwc")),
                    })
                }
            }
            _ => Err(unusable(
                "the database URL must start with `sqlite:`, `postgres://` or `mysql://` (also for MariaDB)",
            )),
        }
    }
}

/// The value of a URL parameter, which can have several names.
pub(super) fn parameter<'u>(url: &'u str, names: &[&str]) -> Option<&'u str> {
    let (_, parameters) = url.split_once('?')?;
    let mut pairs = parameters
        .split('&')
        .filter_map(|pair| pair.split_once('='));
    pairs.find_map(|(name, value)| names.contains(&name).then_some(value))
}

/// A URL without these parameters.
pub(super) fn without(url: &str, unwanted: &[&str]) -> String {
    let Some((start, parameters)) = url.split_once('?') else {
        return url.to_owned();
    };
    let is_wanted = |pair: &&str| !unwanted.contains(pair);
    let wanted: Vec<_> = parameters.split('&').filter(is_wanted).collect();
    match wanted.is_empty() {
        true => start.to_owned(),
        false => format!("{start}?{}", wanted.join("&")),
    }
}

/// The host and port of a URL; `None` if it names a Unix socket, or names the host in a parameter.
///
/// # Errors
/// When a character of the password ends the address: the rest of the password must not appear in a log (b144).
pub(super) fn address(url: &str, port: u16) -> Result<Option<String>, DbErr> {
    let Some((_, rest)) = url.split_once("://") else {
        return Ok(None);
    };
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let (authority, after) = rest.split_at(end);
    let (path, parameters) = after.split_once('?').unwrap_or((after, ""));
    let first_name = parameters.split('=').next().unwrap_or_default();
    if path.contains('@') || first_name.contains('@') {
        return Err(unusable(NOT_ENCODED));
    }
    let host = authority.rsplit('@').next().unwrap_or_default();
    if host.is_empty() || host.contains('%') || url.contains("host=") || url.contains("socket=") {
        return Ok(None);
    }
    // The colons of an IPv6 address are in brackets.
    let name_end = host.rfind(']').unwrap_or(0);
    Ok(Some(match host[name_end..].split_once(':') {
        None => format!("{host}:{port}"),
        Some((_, "")) => format!("{host}{port}"),
        Some((_, given)) if given.parse::<u16>().is_ok() => host.to_owned(),
        Some(_) => return Err(unusable(MALFORMED)),
    }))
}

/// A connection error without the URL: SeaORM quotes a URL that it cannot parse, including the password.
#[must_use]
pub fn without_url(error: DbErr, url: &str) -> DbErr {
    if error.to_string().contains(url) {
        return unusable(MALFORMED);
    }
    error
}

pub(super) fn unusable(reason: &str) -> DbErr {
    DbErr::Conn(RuntimeErr::Internal(reason.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_url_tells_its_kind() {
        let file = |create| Kind::SqliteFile { create };
        let server = |port| Kind::Server { port };
        for (url, kind) in [
            ("postgres://u:p@host/db", server(5432)),
            ("postgresql://host/db", server(5432)),
            ("mysql://u:p@host/db", server(3306)),
            ("sqlite::memory:", Kind::SqliteMemory),
            ("sqlite://:memory:", Kind::SqliteMemory),
            ("sqlite://?mode=memory&cache=private", Kind::SqliteMemory),
            ("sqlite:blog.sqlite", file(true)),
            ("sqlite:///var/blog.sqlite?mode=rwc", file(true)),
            ("sqlite:blog.sqlite?mode=rw", file(false)),
            ("sqlite:blog.sqlite?cache=shared&mode=ro", file(false)),
        ] {
            assert_eq!(Kind::of(url).unwrap(), kind, "{url}");
        }
    }

    #[test]
    fn a_url_tells_its_address() {
        for (url, address) in [
            ("postgres://u:p@host/db", Some("host:5432")),
            ("postgres://u:p@host:1/db?sslmode=disable", Some("host:1")),
            ("postgres://u:p@host:/db", Some("host:5432")),
            ("postgres://u:p@[::1]/db", Some("[::1]:5432")),
            ("postgres://u:p@[::1]:1/db", Some("[::1]:1")),
            ("postgres://u:p@x:y@host", Some("host:5432")),
            ("postgres://host/db?user=a@b", Some("host:5432")),
            ("postgres://%2Fvar%2Frun/db", None),
            ("postgres:///db?host=/var/run", None),
        ] {
            let found = super::address(url, 5432).unwrap();
            assert_eq!(found.as_deref(), address, "{url}");
        }
    }

    #[test]
    fn an_unknown_url_is_refused_without_its_password() {
        let error = Kind::of("oracle://scott:tiger@host")
            .unwrap_err()
            .to_string();
        assert!(error.contains("postgres://"), "{error}");
        assert!(!error.contains("tiger"), "{error}");
    }
}
