//! A server's position in the writes of its cluster, as text that clients send back.

use std::fmt;
use std::str::FromStr;

/// A server's position: answers return it in the header `Listing-Position`, and later reads send it back.
///
/// ```
/// use listing::replicas::Position;
///
/// let position: Position = "pg.6c5f0a1b2c3d4e5f.1.16b374d8".parse()?;
/// assert_eq!(position.to_string(), "pg.6c5f0a1b2c3d4e5f.1.16b374d8");
/// # Ok::<(), listing::replicas::NoPosition>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Position {
    /// A position that no replica is known to have reached.
    Primary,
    /// A place in the write-ahead log of PostgreSQL.
    Postgres {
        /// The identifier of the cluster.
        cluster: u64,
        /// The timeline. Each failover starts a new one.
        timeline: u32,
        /// The position in the log.
        place: u64,
    },
    /// The last transaction of each replication domain of MariaDB.
    Mariadb(Vec<Gtid>),
}

/// A transaction of MariaDB.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Gtid {
    /// The replication domain. Transactions of one domain are ordered.
    pub domain: u32,
    /// The server that wrote it.
    pub server: u32,
    /// Its number in the domain.
    pub number: u64,
}

/// The text is not a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "not a position: it must be one that an answer has told, such as `pg.6c5f0a1b2c3d4e5f.1.16b374d8`, or `primary`"
)]
pub struct NoPosition;

impl Position {
    /// The most replication domains in a position.
    const MOST_DOMAINS: usize = 32;

    /// Whether a server at this position has everything that was written up to the other.
    pub(super) fn has_reached(&self, needed: &Self) -> bool {
        match (self, needed) {
            (Self::Postgres { place: here, .. }, Self::Postgres { place: there, .. }) => {
                self.is_comparable(needed) && here >= there
            }
            (Self::Mariadb(here), Self::Mariadb(there)) => there.iter().all(|there| {
                let mut same = here.iter().filter(|here| here.domain == there.domain);
                same.any(|here| here.number >= there.number)
            }),
            _ => false,
        }
    }

    /// Whether both belong to the same history, so that one can reach the other.
    pub(super) fn is_comparable(&self, other: &Self) -> bool {
        match (self, other) {
            (
                Self::Postgres {
                    cluster, timeline, ..
                },
                Self::Postgres {
                    cluster: other_cluster,
                    timeline: other_timeline,
                    ..
                },
            ) => cluster == other_cluster && timeline == other_timeline,
            (Self::Mariadb(_), Self::Mariadb(_)) => true,
            _ => false,
        }
    }

    /// Parses a position of MariaDB: `0-1-100,1-2-5`.
    pub(super) fn of_mariadb(told: &str) -> Option<Self> {
        let gtids = told.split(',').map(str::trim).filter(|one| !one.is_empty());
        gtids
            .map(Gtid::parse)
            .collect::<Option<_>>()
            .map(Self::Mariadb)
    }
}

impl Gtid {
    fn parse(text: &str) -> Option<Self> {
        let mut parts = text.split('-');
        let gtid = Self {
            domain: decimal(parts.next()?)?,
            server: decimal(parts.next()?)?,
            number: decimal(parts.next()?)?,
        };
        parts.next().is_none().then_some(gtid)
    }
}

/// Unlike `parse`, does not accept a sign.
fn decimal<T: FromStr>(text: &str) -> Option<T> {
    let is_number = text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| is_number)
}

fn hexadecimal(text: &str) -> Option<u64> {
    let is_number = text.bytes().all(|byte| byte.is_ascii_hexdigit());
    let number = u64::from_str_radix(text, 16).ok();
    number.filter(|_| is_number)
}

impl FromStr for Position {
    type Err = NoPosition;

    fn from_str(text: &str) -> Result<Self, NoPosition> {
        if text == "primary" {
            return Ok(Self::Primary);
        }
        let read = match text.split_once('.') {
            Some(("pg", rest)) => {
                let mut parts = rest.split('.').map(hexadecimal);
                let mut next = || parts.next().flatten();
                let read = next().zip(next()).zip(next());
                read.filter(|_| parts.next().is_none())
                    .and_then(|((cluster, timeline), place)| {
                        Some(Self::Postgres {
                            cluster,
                            timeline: u32::try_from(timeline).ok()?,
                            place,
                        })
                    })
            }
            Some(("gtid", "")) => Some(Self::Mariadb(Vec::new())),
            Some(("gtid", rest)) if rest.split('.').count() <= Self::MOST_DOMAINS => {
                let gtids = rest.split('.').map(Gtid::parse);
                gtids.collect::<Option<_>>().map(Self::Mariadb)
            }
            _ => None,
        };
        read.ok_or(NoPosition)
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Primary => f.write_str("primary"),
            Self::Postgres {
                cluster,
                timeline,
                place,
            } => write!(f, "pg.{cluster:x}.{timeline:x}.{place:x}"),
            Self::Mariadb(gtids) => {
                f.write_str("gtid.")?;
                for (at, gtid) in gtids.iter().enumerate() {
                    let dot = if at > 0 { "." } else { "" };
                    write!(f, "{dot}{}-{}-{}", gtid.domain, gtid.server, gtid.number)?;
                }
                Ok(())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position(text: &str) -> Position {
        text.parse().unwrap()
    }

    /// Rule b1134.
    #[test]
    fn a_position_is_read_as_it_is_written_and_nothing_else_is_one() {
        for text in [
            "primary",
            "pg.6c5f0a1b2c3d4e5f.1.16b374d8",
            "pg.0.ffffffff.0",
            "gtid.",
            "gtid.0-1-100",
            "gtid.0-1-100.7-2-18446744073709551615",
        ] {
            assert_eq!(position(text).to_string(), text);
        }
        for text in [
            "",
            "Primary",
            "pg",
            "pg.",
            "pg.1.1",
            "pg.1.1.1.1",
            "pg.1.100000000.1",
            "pg.+1.1.1",
            "pg.1.1.g",
            "pg.10000000000000000.1.1",
            "gtid",
            "gtid.0-1",
            "gtid.0-1-1-1",
            "gtid.0-1-+1",
            "gtid.0-1-1.",
            "gtid.0-1-18446744073709551616",
            "0/16B374D8",
        ] {
            assert_eq!(text.parse::<Position>(), Err(NoPosition), "{text}");
        }
        let many = vec!["0-1-1"; 33].join(".");
        assert_eq!(format!("gtid.{many}").parse::<Position>(), Err(NoPosition));
    }

    /// Rule b1135.
    #[test]
    fn a_place_is_reached_in_its_own_history_alone() {
        let here = position("pg.a.2.100");
        for reached in ["pg.a.2.0", "pg.a.2.ff", "pg.a.2.100"] {
            assert!(here.has_reached(&position(reached)), "{reached}");
        }
        for other in [
            "pg.a.2.101",
            "pg.a.1.1",
            "pg.a.3.1",
            "pg.b.2.1",
            "primary",
            "gtid.",
        ] {
            assert!(!here.has_reached(&position(other)), "{other}");
        }
        let here = position("gtid.0-1-100.1-2-5");
        for reached in ["gtid.", "gtid.0-1-100", "gtid.0-9-7.1-2-5"] {
            assert!(here.has_reached(&position(reached)), "{reached}");
        }
        for other in [
            "gtid.0-1-101",
            "gtid.0-1-1.1-2-6",
            "gtid.2-1-1",
            "primary",
            "pg.a.2.1",
        ] {
            assert!(!here.has_reached(&position(other)), "{other}");
        }
        assert!(!Position::Primary.has_reached(&Position::Primary));
    }
}
