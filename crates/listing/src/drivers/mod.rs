//! Reads databases: a driver for each, the pool that chooses one, and SeaORM's own connections.
//!
//! Each driver is a feature. `missing.rs` replaces a driver that is off, so that other code need not know which are on.

#[cfg(any(feature = "mysql", feature = "postgres"))]
mod abandoned;
mod asked;
#[cfg(any(feature = "mysql", feature = "postgres"))]
mod attended;
mod available;
mod driver;
mod error;
mod exports;
mod failure;
#[cfg(any(feature = "mysql", feature = "postgres"))]
mod followed;
#[cfg(any(feature = "mysql", feature = "postgres", feature = "sqlite"))]
mod lanes;
#[cfg(any(feature = "mysql", feature = "postgres", feature = "sqlite"))]
mod lend;
mod options;
mod own_connection;
mod pool;
#[cfg(any(feature = "mysql", feature = "postgres", feature = "sqlite"))]
mod prepared;
pub(crate) mod replicas;
mod seaorm;
#[cfg(any(feature = "mysql", feature = "postgres"))]
mod server;
#[cfg(any(feature = "mysql", feature = "postgres", feature = "sqlite"))]
mod streaming;

#[cfg(feature = "mysql")]
mod mysql;
#[cfg(feature = "postgres")]
mod postgres;
#[cfg(feature = "sqlite")]
mod sqlite;

#[cfg(not(feature = "mysql"))]
#[path = "missing.rs"]
#[allow(clippy::duplicate_mod, reason = "every driver can be off")]
mod mysql;
#[cfg(not(feature = "postgres"))]
#[path = "missing.rs"]
#[allow(clippy::duplicate_mod, reason = "every driver can be off")]
mod postgres;
#[cfg(not(feature = "sqlite"))]
#[path = "missing.rs"]
#[allow(clippy::duplicate_mod, reason = "every driver can be off")]
mod sqlite;

pub use error::ReadPoolError;
pub use failure::is_outcome_unknown;
pub use options::{ReadOptions, SLOW_STATEMENT};
pub use pool::ReadPool;
#[cfg(feature = "postgres")]
pub use postgres::PostgresPooler;
#[cfg(feature = "mysql")]
pub use server::mysql_server;
#[cfg(feature = "postgres")]
pub use server::postgres_server;
