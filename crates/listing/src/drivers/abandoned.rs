//! How long to wait for a server when a request is gone and its statement still runs.

use std::time::Duration;

/// An abandoned statement is cancelled unless it ends by itself within this time. Most do, and cancelling takes a connection.
pub(super) const ENDED_AFTER: Duration = Duration::from_millis(20);

/// How long the server may take to cancel a statement before the connection is given up.
pub(super) const TIME_TO_END: Duration = Duration::from_secs(5);
