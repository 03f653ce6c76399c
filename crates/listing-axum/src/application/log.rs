//! Starts the log: to standard error, in the form that the configuration says and at the levels of `RUST_LOG`.

use super::ServiceError;
use crate::service::LogFormat;

#[cfg(feature = "log")]
pub(super) fn start(format: LogFormat) -> Result<(), ServiceError> {
    use std::io::IsTerminal as _;

    use tracing_subscriber::filter::Targets;
    use tracing_subscriber::prelude::*;

    const LEVELS: &str = "info,sqlx=warn,sea_orm_migration=warn";
    let levels = std::env::var("RUST_LOG");
    let levels = levels.as_deref().unwrap_or(LEVELS);
    let levels: Targets = levels
        .parse()
        .map_err(|error| ServiceError::failed("cannot read RUST_LOG", error))?;
    let log = tracing_subscriber::fmt::layer()
        .with_ansi(std::io::stderr().is_terminal())
        .with_writer(std::io::stderr);
    let log = match format {
        LogFormat::Text => log.boxed(),
        LogFormat::Json => log.json().flatten_event(true).boxed(),
    };
    // An application with its own log keeps it.
    let _ = tracing_subscriber::registry()
        .with(log)
        .with(levels)
        .try_init();
    Ok(())
}

/// Without the feature `log`, the log is the application's own.
#[cfg(not(feature = "log"))]
#[expect(clippy::unnecessary_wraps, reason = "with the feature it can fail")]
pub(super) fn start(_: LogFormat) -> Result<(), ServiceError> {
    Ok(())
}
