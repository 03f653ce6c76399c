//! Writes the service's log to standard error: a line for each request, and the reason if one failed.

use std::io::{IsTerminal as _, stderr};

use anyhow::{Context as _, Result};
use tracing_subscriber::filter::Targets;
use tracing_subscriber::prelude::*;

/// The levels, unless `RUST_LOG` names others.
const LEVELS: &str = "info,sqlx=warn";

pub(super) fn start() -> Result<()> {
    let levels = std::env::var("RUST_LOG");
    let levels: Targets = levels
        .as_deref()
        .unwrap_or(LEVELS)
        .parse()
        .context("cannot read the levels in RUST_LOG")?;
    let lines = tracing_subscriber::fmt::layer()
        .with_ansi(stderr().is_terminal())
        .with_writer(stderr);
    tracing_subscriber::registry()
        .with(lines)
        .with(levels)
        .init();
    Ok(())
}
