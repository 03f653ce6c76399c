//! Runs what waits for a database or a server, in a program that otherwise does not wait.

use anyhow::Result;

/// Runs a future to its end.
pub(crate) fn wait_for<T>(work: impl Future<Output = Result<T>>) -> Result<T> {
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?
        .block_on(work)
}
