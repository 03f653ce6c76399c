//! How a pool of readers is made, with its defaults.

use std::time::Duration;

/// How a [`ReadPool`](super::ReadPool) reads. The defaults suit most applications.
///
/// ```
/// use listing::ReadOptions;
///
/// let options = ReadOptions::new().connections(8).statements(1_000);
/// # let _ = options;
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadOptions {
    pub(super) connections: Option<usize>,
    slow_statements: Option<usize>,
    pub(super) statements: usize,
    pub(super) acquire_timeout: Duration,
    pub(super) statement_timeout: Option<Duration>,
}

impl Default for ReadOptions {
    fn default() -> Self {
        Self {
            connections: None,
            slow_statements: None,
            statements: 500,
            acquire_timeout: Duration::from_secs(5),
            statement_timeout: None,
        }
    }
}

impl ReadOptions {
    #[cfg(any(feature = "mysql", feature = "postgres"))]
    pub(super) const STATEMENT_TIMEOUT: Duration = Duration::from_secs(30);

    /// The defaults.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// How many connections, or threads of SQLite, read at the same time.
    ///
    /// By default 4 on PostgreSQL, where many requests share a connection, and up to 4 more for each of them while slow
    /// statements hold those, and one for each of the statements that are known to be [slow](Self::slow); one for each
    /// processor, and at least 2, on SQLite; as many as SeaORM's pool has on MariaDB and MySQL.
    #[must_use]
    pub fn connections(mut self, connections: usize) -> Self {
        self.connections = Some(connections.max(1));
        self
    }

    /// How many prepared statements each connection keeps; 500 by default. The one that was not used for longest makes
    /// room. Statements with more than 256 values, or very long texts, are not kept.
    #[must_use]
    pub fn statements(mut self, statements: usize) -> Self {
        self.statements = statements.max(1);
        self
    }

    /// How long a request waits for a connection, or SQLite for a lock; 5 seconds by default.
    #[must_use]
    pub fn acquire_timeout(mut self, acquire_timeout: Duration) -> Self {
        self.acquire_timeout = acquire_timeout;
        self
    }

    /// How many statements that are known to be slow run at the same time; up to 128 others wait for their turn. By default
    /// half as many as this machine has processors, and at least 1, so that quick statements find a free processor also
    /// where the database runs on the same machine. On PostgreSQL and SQLite slow ones have connections of their own.
    ///
    /// A statement is known to be slow when it ran for more than 100 ms the last time, whatever its values were. Quick ones
    /// do not wait for it.
    #[must_use]
    pub fn slow(mut self, statements: usize) -> Self {
        self.slow_statements = Some(statements.max(1));
        self
    }

    /// How many statements that are known to be slow run at the same time.
    #[cfg(any(feature = "mysql", feature = "postgres", feature = "sqlite"))]
    pub(super) fn slow_statements(&self) -> usize {
        let processors = || std::thread::available_parallelism().map_or(2, |number| number.get());
        self.slow_statements
            .unwrap_or_else(|| (processors() / 2).max(1))
    }

    /// How long one statement may run on PostgreSQL, MariaDB and MySQL before the server ends it. By default as long as on
    /// the application's own connections, or 30 seconds where those have no limit.
    ///
    /// A statement whose request is given up is cancelled; this is for what cancelling does not reach. It should be little
    /// more than the time limit of a request. It is at least a millisecond, and at most the 24 days that PostgreSQL can
    /// count.
    #[must_use]
    pub fn statement_timeout(mut self, statement_timeout: Duration) -> Self {
        self.statement_timeout = Some(statement_timeout);
        self
    }
}
