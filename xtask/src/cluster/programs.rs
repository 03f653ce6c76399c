//! Finds or installs the programs of a cluster.

use std::path::PathBuf;

use anyhow::{Context, Result};

use super::Engine;
use crate::machine::install::{Packages, install};
use crate::machine::programs::programs;
use crate::machine::python;

const HAPROXY: (&str, Packages) = (
    "haproxy",
    Packages {
        brings: "HAProxy",
        names: &["haproxy"],
        variable: None,
    },
);

const POSTGRES: &[(&str, Packages)] = &[
    HAPROXY,
    (
        "etcd",
        Packages {
            brings: "etcd",
            names: &["etcd-server"],
            variable: None,
        },
    ),
];

const GALERA: &[(&str, Packages)] = &[
    HAPROXY,
    (
        // What a node copies its rows with to a new one.
        "wsrep_sst_rsync",
        Packages {
            brings: "MariaDB with Galera",
            names: &["mariadb-server", "galera-4", "rsync"],
            variable: None,
        },
    ),
    (
        "mariadb",
        Packages {
            brings: "MariaDB's client",
            names: &["mariadb-client-core"],
            variable: None,
        },
    ),
];

/// Patroni from PyPI. Debian 12 has 3.0.2, which keeps an old revision of a key of etcd after it stood still, and then names
/// another synchronous standby than the one that answers: what that one has acknowledged is lost at the next failover
/// (patroni/patroni#2779).
pub(super) const PATRONI: &[&str] = &["patroni[etcd3]==4.1.5", "psycopg2-binary==2.9.13"];

/// Where Debian, and others, have Galera's library.
const LIBRARIES: [&str; 3] = [
    "/usr/lib/galera/libgalera_smm.so",
    "/usr/lib64/galera-4/libgalera_smm.so",
    "/usr/lib64/galera/libgalera_smm.so",
];

/// Installs what is missing.
pub(crate) fn find_or_install(engine: Engine) -> Result<()> {
    let needed = match engine {
        Engine::Postgres => POSTGRES,
        Engine::Galera => GALERA,
    };
    let missing = needed.iter().filter(|(program, _)| find(program).is_err());
    install(&missing.map(|(_, packages)| packages).collect::<Vec<_>>())?;
    if engine == Engine::Postgres {
        python::find_or_install()?;
    }
    Ok(())
}

pub(super) fn find(program: &str) -> Result<PathBuf> {
    let found = programs(program).next();
    found.with_context(|| format!("`{program}` is not where programs are looked for"))
}

pub(super) fn galera_library() -> Result<PathBuf> {
    let found = LIBRARIES.map(PathBuf::from).into_iter();
    let found = found.clone().find(|library| library.is_file());
    found.with_context(|| format!("Galera's library is none of {}", LIBRARIES.join(", ")))
}
