//! In: a database. Out: one reader for it, the fastest that there is.

mod options;
#[cfg(feature = "postgres-reader")]
mod postgres;
#[cfg(feature = "postgres-reader")]
mod postgres_session;
#[cfg(feature = "postgres-reader")]
mod postgres_value;

pub use options::ReadOptions;

use std::fmt;
use std::sync::Arc;

use sea_orm::{DatabaseConnection, DatabaseConnectionType, DbErr, RuntimeErr};

use super::{ExecuteError, ReadFuture, Reader, Shape};
use crate::sql::{Dialect, Statement};

/// Reads lists and records, whatever the database is: what an application keeps in its state beside SeaORM's
/// `DatabaseConnection`, which writes.
///
/// ```no_run
/// # async fn start() -> Result<(), Box<dyn std::error::Error>> {
/// use listing::{ReadOptions, ReadPool};
///
/// let db = sea_orm::Database::connect("postgres://localhost/blog").await?;
/// let reads = ReadPool::beside(&db, ReadOptions::new())?;
/// # let _ = reads;
/// # Ok(())
/// # }
/// ```
///
/// It is cheap to clone; all clones share their connections.
#[derive(Clone)]
pub struct ReadPool(Arc<Inner>);

struct Inner {
    driver: Driver,
    /// SeaORM's connections to the same database.
    beside: Option<DatabaseConnection>,
}

enum Driver {
    #[cfg(feature = "postgres-reader")]
    Postgres(postgres::PostgresReader),
    /// Whatever SeaORM can be connected to.
    SeaOrm(DatabaseConnection),
}

impl ReadPool {
    /// Readers on connections of their own to the database of `db`, with the same server, user and database. They are
    /// opened when they are needed, and refuse to read once `db` is closed.
    ///
    /// # Errors
    /// When the database wants something that the readers do not have; [`ReadPool::from`] reads through `db` itself.
    pub fn beside(db: &DatabaseConnection, options: ReadOptions) -> Result<Self, ReadPoolError> {
        let driver = match &db.inner {
            #[cfg(feature = "postgres-reader")]
            DatabaseConnectionType::SqlxPostgresPoolConnection(_) => {
                let pool = db.get_postgres_connection_pool();
                let reader = postgres::PostgresReader::new(&pool.connect_options(), options)?;
                Driver::Postgres(reader)
            }
            _ => Driver::SeaOrm(db.clone()),
        };
        Ok(Self(Arc::new(Inner {
            driver,
            beside: Some(db.clone()),
        })))
    }
}

/// Reads through SeaORM: slower, and the same answers. For a database in memory, which other connections cannot see, and
/// for connections with functions or collations of an application's own.
impl From<DatabaseConnection> for ReadPool {
    fn from(db: DatabaseConnection) -> Self {
        Self(Arc::new(Inner {
            driver: Driver::SeaOrm(db),
            beside: None,
        }))
    }
}

impl Reader for ReadPool {
    fn dialect(&self) -> Result<Dialect, ExecuteError> {
        match &self.0.driver {
            #[cfg(feature = "postgres-reader")]
            Driver::Postgres(_) => Ok(Dialect::Postgres),
            Driver::SeaOrm(db) => db.dialect(),
        }
    }

    fn read<'a>(&'a self, statement: Statement, shape: &'a Shape) -> ReadFuture<'a> {
        if self.0.is_closed() {
            return Box::pin(async { Err(unavailable("the connections are closed")) });
        }
        match &self.0.driver {
            #[cfg(feature = "postgres-reader")]
            Driver::Postgres(reader) => {
                Box::pin(async move { reader.read(&statement, shape).await })
            }
            Driver::SeaOrm(db) => db.read(statement, shape),
        }
    }
}

impl Inner {
    fn is_closed(&self) -> bool {
        let Some(db) = &self.beside else {
            return false;
        };
        match &db.inner {
            DatabaseConnectionType::SqlxPostgresPoolConnection(_) => {
                db.get_postgres_connection_pool().is_closed()
            }
            DatabaseConnectionType::SqlxMySqlPoolConnection(_) => {
                db.get_mysql_connection_pool().is_closed()
            }
            DatabaseConnectionType::SqlxSqlitePoolConnection(_) => {
                db.get_sqlite_connection_pool().is_closed()
            }
            _ => false,
        }
    }
}

impl fmt::Debug for ReadPool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Not the options: they hold a password.
        let driver = match &self.0.driver {
            #[cfg(feature = "postgres-reader")]
            Driver::Postgres(_) => "tokio-postgres",
            Driver::SeaOrm(_) => "SeaORM",
        };
        f.debug_tuple("ReadPool").field(&driver).finish()
    }
}

/// Why a [`ReadPool`] could not be made.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadPoolError {
    /// The URL asks for an encrypted connection.
    #[error(
        "this build has no TLS: with `sslmode=require` and stricter, read through a tunnel or a local proxy and set \
         `sslmode=disable`"
    )]
    NoTls,
}

/// The database may answer later.
fn unavailable(text: &str) -> ExecuteError {
    ExecuteError::Unavailable(DbErr::Conn(RuntimeErr::Internal(text.to_owned())))
}

/// The database will not answer this.
fn refused(text: &str) -> ExecuteError {
    ExecuteError::Refused(DbErr::Query(RuntimeErr::Internal(text.to_owned())))
}
