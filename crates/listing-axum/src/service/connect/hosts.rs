//! The hosts in a database's URL, only one of which accepts writes at a time.

use sea_orm::{DbErr, RuntimeErr};

use super::super::database_url::{address, parameter, unusable, without};
use super::encryption;

const ATTRIBUTE: &str = "target_session_attrs";

/// The required state of the host.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wanted {
    /// It answers.
    Any,
    /// It accepts writes.
    ReadWrite,
    /// It accepts writes, or would if its sessions were not read-only by default.
    Primary,
}

/// The hosts in the order of the URL.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Hosts {
    pub(super) each: Vec<Host>,
    pub(super) wanted: Wanted,
}

/// A host.
#[derive(PartialEq, Eq)]
pub(super) struct Host {
    /// Without brackets, as drivers expect it.
    pub(super) name: String,
    pub(super) port: u16,
    /// The URL with only this host.
    pub(super) url: String,
}

impl Hosts {
    /// The hosts of a URL; `None` if it names a single host and does not say what its state must be. `port` is the default port.
    ///
    /// # Errors
    /// When a host or the required state is invalid.
    pub(super) fn of(url: &str, port: u16) -> Result<Option<Self>, DbErr> {
        let Some((scheme, rest)) = url.split_once("://") else {
            return Ok(None);
        };
        let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
        let (authority, after) = rest.split_at(end);
        let (login, hosts) = match authority.rsplit_once('@') {
            Some((login, hosts)) => (format!("{login}@"), hosts),
            None => (String::new(), authority),
        };
        let attribute = parameter(url, &[ATTRIBUTE]);
        let is_one = !hosts.contains(',');
        if is_one && attribute.is_none() {
            return Ok(None);
        }
        let wanted = attribute.map_or(Ok(Wanted::ReadWrite), Wanted::of)?;
        let pair = format!("{ATTRIBUTE}={}", attribute.unwrap_or_default());
        let after = without(after, &[&pair]);
        let each = hosts.split(',').map(|host| {
            let url = format!("{scheme}://{login}{host}{after}");
            Host::of(url, port)
        });
        let each = each.collect::<Result<_, _>>()?;
        if parameter(url, &["sslmode", "ssl-mode"]) == Some("allow") {
            return Err(unusable(
                "`sslmode=allow` is for one host: with several, or with `target_session_attrs`, write `disable`, `prefer` or a \
                 stricter mode",
            ));
        }
        encryption::is_possible(url)?;
        Ok(Some(Self { each, wanted }))
    }
}

impl Hosts {
    /// Succeeds if a server listens at one of the hosts.
    ///
    /// # Errors
    /// When none does: the result for each host.
    pub(super) async fn reach(&self) -> Result<(), DbErr> {
        let mut told = Vec::with_capacity(self.each.len());
        for host in &self.each {
            match super::reach_one(&host.url, host.port).await {
                Ok(()) => return Ok(()),
                Err(DbErr::Conn(RuntimeErr::Internal(why))) => told.push(why),
                Err(error) => return Err(error),
            }
        }
        Err(unusable(&told.join("; ")))
    }
}

impl Wanted {
    fn of(text: &str) -> Result<Self, DbErr> {
        match text {
            "any" => Ok(Self::Any),
            "read-write" => Ok(Self::ReadWrite),
            "primary" => Ok(Self::Primary),
            "read-only" | "standby" | "prefer-standby" => Err(unusable(&format!(
                "`target_session_attrs={text}` asks for a host without writes, and these connections write: write `read-write`, \
                 `primary` or `any`"
            ))),
            // It could be a part of a password that is not percent-encoded.
            _ => Err(unusable(
                "`target_session_attrs` in the database's URL must be `read-write`, `primary` or `any`",
            )),
        }
    }
}

impl Host {
    fn of(url: String, port: u16) -> Result<Self, DbErr> {
        let Some(address) = address(&url, port)? else {
            return Err(unusable(
                "with several hosts, or with `target_session_attrs`, each host in the database's URL must be a name or an address, \
                 written before the database: `postgres://user@host1:5432,host2:5432/database`",
            ));
        };
        let (name, port) = address.rsplit_once(':').unwrap_or((&address, ""));
        let port = port
            .parse()
            .map_err(|_| unusable("the database URL is malformed"))?;
        let name = name.trim_start_matches('[').trim_end_matches(']');
        Ok(Self {
            name: name.to_owned(),
            port,
            url,
        })
    }

    /// As errors and logs show it.
    pub(super) fn address(&self) -> String {
        match self.name.contains(':') {
            true => format!("[{}]:{}", self.name, self.port),
            false => format!("{}:{}", self.name, self.port),
        }
    }
}

/// The URL contains a password.
impl std::fmt::Debug for Host {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.address())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hosts(url: &str) -> Option<(Vec<(String, String)>, Wanted)> {
        let hosts = Hosts::of(url, 5432).unwrap()?;
        let each = hosts.each.into_iter();
        let each = each.map(|host| (host.address(), host.url)).collect();
        Some((each, hosts.wanted))
    }

    /// Rule b1150.
    #[test]
    fn a_url_names_several_hosts_as_postgresqls_own_library_has_it() {
        let pair = |address: &str, url: &str| (address.to_owned(), url.to_owned());
        assert_eq!(hosts("postgres://u:p@h/db?sslmode=disable"), None);
        assert_eq!(
            hosts(
                "postgres://u:p,w@h1,h2:5433,[::1]/db?target_session_attrs=primary&sslmode=disable"
            ),
            Some((
                vec![
                    pair("h1:5432", "postgres://u:p,w@h1/db?sslmode=disable"),
                    pair("h2:5433", "postgres://u:p,w@h2:5433/db?sslmode=disable"),
                    pair("[::1]:5432", "postgres://u:p,w@[::1]/db?sslmode=disable"),
                ],
                Wanted::Primary
            ))
        );
        // The default is a host that accepts writes.
        let (_, wanted) = hosts("postgres://h1,h2").unwrap();
        assert_eq!(wanted, Wanted::ReadWrite);
        let (one, wanted) = hosts("mysql://h1/db?target_session_attrs=any").unwrap();
        assert_eq!(
            (one, wanted),
            (vec![pair("h1:5432", "mysql://h1/db")], Wanted::Any)
        );
    }

    /// Rule b1150.
    #[test]
    fn hosts_that_cannot_be_used_are_refused_with_what_is_allowed() {
        for (url, part) in [
            (
                "postgres://u:secret@h1,h2/db?target_session_attrs=standby",
                "`read-write`, `primary` or `any`",
            ),
            (
                "postgres://u:secret@h1,h2/db?target_session_attrs=secret",
                "must be `read-write`",
            ),
            ("postgres://u:secret@h1,,h2/db", "each host"),
            ("postgres://u:secret@h1,%2Frun/db", "each host"),
            ("postgres://u:secret@h1,h2/db?host=h3", "each host"),
            ("postgres://u:secret@h1:x,h2/db", "malformed"),
            (
                "postgres://u:secret@h1,h2/db?sslmode=allow",
                "`sslmode=allow`",
            ),
        ] {
            let error = match Hosts::of(url, 5432) {
                Err(error) => error.to_string(),
                Ok(hosts) => panic!("{url}: {hosts:?}"),
            };
            assert!(error.contains(part), "{url}: {error}");
            assert!(!error.contains("secret"), "{error}");
        }
    }
}
