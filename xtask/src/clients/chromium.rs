//! Finds a Chromium for the tests of the explorer, or installs one where that is possible.

use std::path::PathBuf;

use anyhow::{Context, Result};

use crate::machine::install::{Packages, install};
use crate::machine::programs::programs;

/// The names that it has on different systems.
const NAMES: &[&str] = &["chromium", "chromium-browser", "google-chrome"];

const PACKAGES: Packages = Packages {
    brings: "Chromium, for the tests of the explorer",
    names: &["chromium"],
    variable: None,
};

/// Looks for the program and installs it if it is missing.
pub(super) fn find_or_install() -> Result<PathBuf> {
    if let Some(chromium) = find() {
        return Ok(chromium);
    }
    install(&[&PACKAGES])?;
    find().context("the tests of the explorer need Chromium")
}

fn find() -> Option<PathBuf> {
    NAMES.iter().flat_map(|name| programs(name)).next()
}
