//! Why a pool of readers could not be created.

use crate::execute::ExecuteError;

/// Why a [`ReadPool`](super::ReadPool) could not be created.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadPoolError {
    /// The connection must be encrypted, and this program was built without encryption.
    #[error(
        "the database's URL asks for TLS, which this program was built without: turn on the feature `tls` of the crate \
         `listing` or `listing-axum`"
    )]
    NoTls,
    /// The URL is malformed, or names an unsupported database. Its text may contain a password and is not repeated.
    #[error(
        "the database's URL cannot be used: it must be a `sqlite:`, `postgres://` or `mysql://` URL"
    )]
    Url,
    /// SQLite has no replicas.
    #[error("SQLite has no replicas: leave `database_replicas` empty")]
    NoReplicas,
    /// A replica is a different kind of database.
    #[error(
        "a replica must be a database of the same kind as the primary: PostgreSQL (`postgres://…`) or MariaDB (`mysql://…`)"
    )]
    OtherReplica,
    /// The URL of a replica names several servers, so it would not be known which of them is used.
    #[error("the URL of a replica must name one server: give each replica a URL of its own")]
    SeveralHosts,
    /// The database is in memory, where no second connection sees it.
    #[error("a database in memory is read by `ReadPool::from` its own connection")]
    Memory,
    /// The application's connections have a property that the readers' connections cannot have.
    #[error(
        "the application's connections have {0}, which readers next to them cannot have: read through them, by \
         `ReadPool::from(db)`"
    )]
    Session(String),
    /// A pooler does not support the statements that the application's connections keep prepared.
    #[error(
        "PostgreSQL is reached through a pooler that keeps no prepared statements, such as PgBouncer before version 1.21 or \
         with `max_prepared_statements = 0`, and the application's connections keep theirs: add \
         `statement-cache-capacity=0` to the database's URL, or let the pooler keep them"
    )]
    Pooler,
    /// The database does not answer, or its driver is not included in this program.
    #[error(transparent)]
    Away(#[from] ExecuteError),
}
