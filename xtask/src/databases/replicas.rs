//! Starts servers of their own with replicas, so that those of all other tests need not write a log for anybody.

use std::ffi::OsString;
use std::{env, thread};

use anyhow::{Context, Result, anyhow};

use super::{mariadb, postgres};
use crate::machine::supervise::Supervised;

/// A primary and its replicas, which stop when this is dropped.
pub(crate) struct Replicated {
    pub(crate) primary: String,
    pub(crate) replicas: Vec<String>,
    /// Replicas first: they stop before what they copy.
    pub(super) _processes: Vec<Supervised>,
}

/// The variables that tests read: a primary, and its replicas separated by commas.
const POSTGRES: [&str; 2] = [
    "LISTING_TEST_POSTGRES_PRIMARY_URL",
    "LISTING_TEST_POSTGRES_REPLICA_URLS",
];
const MYSQL: [&str; 2] = [
    "LISTING_TEST_MYSQL_PRIMARY_URL",
    "LISTING_TEST_MYSQL_REPLICA_URLS",
];

/// Those that the environment does not name.
pub(crate) struct AllReplicated(Vec<([&'static str; 2], Replicated)>);

impl AllReplicated {
    pub(crate) fn variables(&self) -> Vec<(&'static str, OsString)> {
        let all = self.0.iter().flat_map(|([primary, replicas], servers)| {
            [
                (*primary, servers.primary.clone().into()),
                (*replicas, servers.replicas.join(",").into()),
            ]
        });
        all.collect()
    }
}

/// A primary of PostgreSQL with replicas.
pub(crate) fn of_postgres() -> Result<Replicated> {
    let programs = postgres::find().context("PostgreSQL is not installed")?;
    postgres::start_replicated(&programs)
}

/// Starts them at the same time, and fails if one cannot start.
pub(crate) fn bring_up() -> Result<AllReplicated> {
    let is_given = |[primary, replicas]: [&str; 2]| {
        env::var_os(primary).is_some() && env::var_os(replicas).is_some()
    };
    thread::scope(|scope| {
        let postgres = (!is_given(POSTGRES)).then(|| scope.spawn(of_postgres));
        let mariadb = (!is_given(MYSQL)).then(|| {
            scope.spawn(|| {
                let programs = mariadb::find().context("MariaDB is not installed")?;
                mariadb::start_replicated(&programs)
            })
        });
        let mut all = Vec::new();
        for (variables, started) in [(POSTGRES, postgres), (MYSQL, mariadb)] {
            if let Some(started) = started {
                let servers = started.join().map_err(|_| anyhow!("a thread panicked"))?;
                all.push((variables, servers.context("a server with replicas")?));
            }
        }
        Ok(AllReplicated(all))
    })
}
