//! Options for replicas: their URLs and how long to wait for them.

use std::time::Duration;

/// The replicas of a [`ReadPool`](crate::ReadPool).
///
/// ```
/// use std::time::Duration;
/// use listing::replicas::ReplicaOptions;
///
/// let replicas = ReplicaOptions::new(["postgres://one.example/blog", "postgres://two.example/blog"])
///     .max_lag(Duration::from_secs(2));
/// # let _ = replicas;
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct ReplicaOptions {
    pub(super) urls: Vec<String>,
    pub(super) max_lag: Duration,
    pub(super) wait: Duration,
}

impl ReplicaOptions {
    /// Replicas by their URLs. Each URL names one server.
    #[must_use]
    pub fn new<U: Into<String>>(urls: impl IntoIterator<Item = U>) -> Self {
        Self {
            urls: urls.into_iter().map(Into::into).collect(),
            max_lag: Duration::from_secs(10),
            wait: Duration::from_millis(200),
        }
    }

    /// How far a replica may be behind. It is not used if it takes longer than this to reach a position of the primary; 10
    /// seconds by default.
    #[must_use]
    pub fn max_lag(mut self, max_lag: Duration) -> Self {
        self.max_lag = max_lag;
        self
    }

    /// How long a read waits for a replica to reach the position that it sends, before it goes to the primary; 200 milliseconds
    /// by default.
    #[must_use]
    pub fn wait(mut self, wait: Duration) -> Self {
        self.wait = wait;
        self
    }
}

impl std::fmt::Debug for ReplicaOptions {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // The URLs may contain passwords.
        f.debug_struct("ReplicaOptions")
            .field("replicas", &self.urls.len())
            .field("max_lag", &self.max_lag)
            .field("wait", &self.wait)
            .finish()
    }
}
