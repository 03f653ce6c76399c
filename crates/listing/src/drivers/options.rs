//! The options of a pool of readers, with their defaults.

use std::time::Duration;

/// Drivers log statements as slow from this duration on, which is their own threshold.
pub const SLOW_STATEMENT: Duration = Duration::from_secs(1);

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
    connections: Option<usize>,
    unindexed: Option<usize>,
    pub(super) statements: usize,
    pub(super) acquire_timeout: Duration,
    pub(super) statement_timeout: Option<Duration>,
    pub(super) exports: usize,
    pub(super) export_timeout: Duration,
}

impl Default for ReadOptions {
    fn default() -> Self {
        Self {
            connections: None,
            unindexed: None,
            statements: 500,
            acquire_timeout: Duration::from_secs(5),
            statement_timeout: None,
            exports: 2,
            export_timeout: Duration::from_mins(5),
        }
    }
}

impl ReadOptions {
    #[cfg(any(feature = "mysql", feature = "postgres"))]
    pub(super) const STATEMENT_TIMEOUT: Duration = Duration::from_secs(30);

    /// The default number of connections, as in SeaORM.
    #[cfg(feature = "postgres")]
    pub(super) const CONNECTIONS: usize = 10;

    /// The defaults.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// How many connections, or threads of SQLite, read at the same time. On PostgreSQL, statements share them.
    ///
    /// The default is 4 on PostgreSQL; on MariaDB and MySQL as many as SeaORM's pool has, or 10 without a pool; on SQLite one per
    /// processor, and at least 2. They are opened when they are needed. Those for [unindexed statements](Self::unindexed) are
    /// added to them.
    #[must_use]
    pub fn connections(mut self, connections: usize) -> Self {
        self.connections = Some(connections.max(1));
        self
    }

    /// How many prepared statements each connection keeps; 500 by default. The least recently used one is replaced. Statements
    /// with more than 256 values, or very long texts, are not kept.
    #[must_use]
    pub fn statements(mut self, statements: usize) -> Self {
        self.statements = statements.max(1);
        self
    }

    /// How long a request waits for a connection or a thread, or SQLite for a lock; 5 seconds by default.
    #[must_use]
    pub fn acquire_timeout(mut self, acquire_timeout: Duration) -> Self {
        self.acquire_timeout = acquire_timeout;
        self
    }

    /// How many connections, or threads of SQLite, there are for statements that cannot use an index, in addition to the others.
    /// The default is the number of [`connections`](Self::connections) if that is set, otherwise as many as SeaORM's pool has, or
    /// 10; on SQLite, whose statements only ever wait for a processor, half as many. These statements wait for each other, and no
    /// others wait for them.
    ///
    /// [`Listings::inspect_indexes`](crate::Listings::inspect_indexes) finds out in advance which statements these are. If it was
    /// not called, or [`Unindexed::Allow`](crate::Unindexed::Allow) is set, no statement counts as one of them.
    #[must_use]
    pub fn unindexed(mut self, connections: usize) -> Self {
        self.unindexed = Some(connections.max(1));
        self
    }

    /// The connections for indexed statements, by default `connections`, and for all others, by default one for each `part` of
    /// those.
    #[cfg(any(feature = "mysql", feature = "postgres", feature = "sqlite"))]
    pub(super) fn lanes(&self, connections: usize, part: usize) -> (usize, usize) {
        let connections = self.connections.unwrap_or(connections.max(1));
        let unindexed = connections.div_ceil(part.max(1));
        (connections, self.unindexed.unwrap_or(unindexed))
    }

    /// How many exports run at the same time, each on its own connection; 2 by default. Further ones wait as long as a request
    /// waits for a connection, and are then answered with 503.
    #[must_use]
    pub fn exports(mut self, exports: usize) -> Self {
        self.exports = exports.max(1);
        self
    }

    /// How long an export may take until its client has received the last byte; 300 seconds by default.
    #[must_use]
    pub fn export_timeout(mut self, export_timeout: Duration) -> Self {
        self.export_timeout = export_timeout;
        self
    }

    /// How long a statement may run on PostgreSQL, MariaDB and MySQL before the server cancels it. The default is the limit of
    /// the application's own connections, or 30 seconds if they have none.
    ///
    /// When a request is abandoned, its statement is cancelled; this limit is for statements that cannot be cancelled. It should
    /// be slightly longer than the time limit of a request. It is at least a millisecond and at most 24 days, the longest time
    /// that PostgreSQL accepts.
    #[must_use]
    pub fn statement_timeout(mut self, statement_timeout: Duration) -> Self {
        self.statement_timeout = Some(statement_timeout);
        self
    }
}
