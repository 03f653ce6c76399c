//! Reads databases: a driver for each, the pool that chooses one, and SeaORM's own connections.

mod error;
mod failure;
#[cfg(feature = "mysql")]
mod mysql;
mod options;
mod pool;
#[cfg(feature = "postgres")]
mod postgres;
#[cfg(any(feature = "postgres", feature = "mysql", feature = "sqlite"))]
mod prepared;
mod seaorm;
#[cfg(feature = "sqlite")]
mod sqlite;

pub use error::ReadPoolError;
pub use options::ReadOptions;
pub use pool::ReadPool;
