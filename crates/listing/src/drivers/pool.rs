//! The pool of readers that an application keeps: it chooses the fastest driver for its database.

use std::fmt;
use std::sync::Arc;

use sea_orm::{DatabaseConnection, DatabaseConnectionType};

use super::error::ReadPoolError;
use super::failure::unavailable;
#[cfg(feature = "mysql")]
use super::mysql;
use super::options::ReadOptions;
#[cfg(feature = "postgres")]
use super::postgres;
#[cfg(feature = "sqlite")]
use super::sqlite;
use crate::execute::{Counts, ExecuteError, ReadFuture, Reader, SharedReader};
use crate::render::Shape;
use crate::sql::{Dialect, Statement};

/// Reads lists and records, whatever the database is: what an application keeps in its state beside SeaORM's
/// `DatabaseConnection`, which writes.
///
/// ```no_run
/// # async fn start() -> Result<(), Box<dyn std::error::Error>> {
/// use listing::{ReadOptions, ReadPool};
///
/// let db = sea_orm::Database::connect("postgres://localhost/blog").await?;
/// let reads = ReadPool::alongside(&db, ReadOptions::new())?;
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
    alongside: Option<DatabaseConnection>,
    /// What requests count at the same time.
    counts: Arc<Counts>,
}

enum Driver {
    #[cfg(feature = "postgres")]
    Postgres(postgres::PostgresReader),
    #[cfg(feature = "sqlite")]
    Sqlite(sqlite::SqliteReader),
    #[cfg(feature = "mysql")]
    Mysql(Box<mysql::MysqlReader>),
    /// Whatever SeaORM can be connected to.
    SeaOrm(DatabaseConnection),
}

impl ReadPool {
    /// Readers on connections of their own to the database of `db`, with the same server, user and database. They are
    /// opened when they are needed, and refuse to read once `db` is closed.
    ///
    /// # Errors
    /// When the database wants something that the readers do not have; [`ReadPool::from`] reads through `db` itself.
    pub fn alongside(db: &DatabaseConnection, options: ReadOptions) -> Result<Self, ReadPoolError> {
        Ok(Self(Arc::new(Inner {
            driver: Driver::alongside(db, options)?,
            alongside: Some(db.clone()),
            counts: Arc::default(),
        })))
    }

    /// Readers of a database that this program only reads, by its URL; the database has answered once. The feature of the
    /// database's reader must be on.
    ///
    /// # Errors
    /// As [`ReadPool::alongside`], and when the URL is malformed or the database does not answer.
    pub async fn connect(url: &str, options: ReadOptions) -> Result<Self, ReadPoolError> {
        let pool = Self(Arc::new(Inner {
            driver: Driver::of_url(url, options)?,
            alongside: None,
            counts: Arc::default(),
        }));
        pool.ping().await?;
        Ok(pool)
    }

    /// Reads once, to hear at start-up that the database answers.
    ///
    /// # Errors
    /// When it does not.
    pub async fn ping(&self) -> Result<(), ExecuteError> {
        let statement = Statement::new("SELECT 1", Vec::new());
        self.read(statement, &Shape::default()).await.map(drop)
    }
}

impl Driver {
    fn of_url(url: &str, options: ReadOptions) -> Result<Self, ReadPoolError> {
        // The drivers' own errors may quote the URL, and with it the password.
        let unusable = |_| ReadPoolError::Url;
        match url.split(':').next() {
            #[cfg(feature = "postgres")]
            Some("postgres" | "postgresql") => {
                let server = url.parse().map_err(unusable)?;
                Ok(Self::Postgres(postgres::PostgresReader::new(
                    &server, options,
                )?))
            }
            #[cfg(feature = "sqlite")]
            Some("sqlite") => {
                let file = sqlite::file(&url.parse().map_err(unusable)?);
                let file = file.ok_or(ReadPoolError::Memory)?;
                Ok(Self::Sqlite(sqlite::SqliteReader::new(&file, &options)?))
            }
            #[cfg(feature = "mysql")]
            Some("mysql" | "mariadb") => {
                let server = url.parse().map_err(unusable)?;
                let reader = mysql::MysqlReader::new(server, None, &options);
                Ok(Self::Mysql(Box::new(reader)))
            }
            _ => Err(ReadPoolError::Url),
        }
    }

    fn alongside(db: &DatabaseConnection, options: ReadOptions) -> Result<Self, ReadPoolError> {
        Ok(match &db.inner {
            #[cfg(feature = "postgres")]
            DatabaseConnectionType::SqlxPostgresPoolConnection(_) => {
                let server = db.get_postgres_connection_pool().connect_options();
                Self::Postgres(postgres::PostgresReader::new(&server, options)?)
            }
            #[cfg(feature = "sqlite")]
            DatabaseConnectionType::SqlxSqlitePoolConnection(_) => {
                let pool = db.get_sqlite_connection_pool();
                match sqlite::file(&pool.connect_options()) {
                    Some(file) => Self::Sqlite(sqlite::SqliteReader::new(&file, &options)?),
                    None => Self::SeaOrm(db.clone()),
                }
            }
            #[cfg(feature = "mysql")]
            DatabaseConnectionType::SqlxMySqlPoolConnection(_) => {
                let pool = db.get_mysql_connection_pool();
                let server = pool.connect_options().as_ref().clone();
                let connections = pool.options().get_max_connections();
                let reader = mysql::MysqlReader::new(server, Some(connections), &options);
                Self::Mysql(Box::new(reader))
            }
            _ => Self::SeaOrm(db.clone()),
        })
    }
}

/// Reads through SeaORM: slower, and the same answers. For a database in memory, which other connections cannot see, and
/// for connections with functions or collations of an application's own.
impl From<DatabaseConnection> for ReadPool {
    fn from(db: DatabaseConnection) -> Self {
        Self(Arc::new(Inner {
            driver: Driver::SeaOrm(db),
            alongside: None,
            counts: Arc::default(),
        }))
    }
}

impl Reader for ReadPool {
    fn dialect(&self) -> Result<Dialect, ExecuteError> {
        match &self.0.driver {
            #[cfg(feature = "postgres")]
            Driver::Postgres(_) => Ok(Dialect::Postgres),
            #[cfg(feature = "sqlite")]
            Driver::Sqlite(_) => Ok(Dialect::Sqlite),
            #[cfg(feature = "mysql")]
            Driver::Mysql(_) => Ok(Dialect::Mysql),
            Driver::SeaOrm(db) => db.dialect(),
        }
    }

    fn read<'a>(&'a self, statement: Statement, shape: &'a Shape) -> ReadFuture<'a> {
        if self.0.is_closed() {
            return Box::pin(async { Err(unavailable("the connections are closed")) });
        }
        match &self.0.driver {
            #[cfg(feature = "postgres")]
            Driver::Postgres(reader) => {
                Box::pin(async move { reader.read(&statement, shape).await })
            }
            #[cfg(feature = "sqlite")]
            Driver::Sqlite(reader) => Box::pin(reader.read(statement, shape)),
            #[cfg(feature = "mysql")]
            Driver::Mysql(reader) => Box::pin(reader.read(statement, shape)),
            Driver::SeaOrm(db) => db.read(statement, shape),
        }
    }

    fn shared(&self) -> Option<SharedReader> {
        let reader = Arc::new(self.clone());
        Some(SharedReader::new(reader, Arc::clone(&self.0.counts)))
    }
}

impl Inner {
    #[allow(
        clippy::match_wildcard_for_single_variants,
        reason = "other features of SeaORM have more"
    )]
    fn is_closed(&self) -> bool {
        let Some(db) = &self.alongside else {
            return false;
        };
        match &db.inner {
            #[cfg(feature = "postgres")]
            DatabaseConnectionType::SqlxPostgresPoolConnection(_) => {
                db.get_postgres_connection_pool().is_closed()
            }
            #[cfg(feature = "mysql")]
            DatabaseConnectionType::SqlxMySqlPoolConnection(_) => {
                db.get_mysql_connection_pool().is_closed()
            }
            #[cfg(feature = "sqlite")]
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
            #[cfg(feature = "postgres")]
            Driver::Postgres(_) => "tokio-postgres",
            #[cfg(feature = "sqlite")]
            Driver::Sqlite(_) => "rusqlite",
            #[cfg(feature = "mysql")]
            Driver::Mysql(_) => "sqlx",
            Driver::SeaOrm(_) => "SeaORM",
        };
        f.debug_tuple("ReadPool").field(&driver).finish()
    }
}
