//! Finds or installs PgBouncer, which tests start in front of PostgreSQL.

use anyhow::Result;

use crate::machine::install::{Packages, install};
use crate::machine::programs::programs;

const PACKAGES: Packages = Packages {
    brings: "PgBouncer",
    names: &["pgbouncer"],
    variable: None,
};

/// Installs it where it is missing. The tests start it themselves, each with a configuration of its own.
pub(crate) fn find_or_install() -> Result<()> {
    if programs("pgbouncer").next().is_some() {
        return Ok(());
    }
    install(&[&PACKAGES])
}
