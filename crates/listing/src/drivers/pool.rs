//! The pool of readers that an application keeps: it chooses the fastest driver for its database.

use std::fmt;
use std::sync::Arc;

use sea_orm::DatabaseConnection;

use super::available::require;
use super::driver::Driver;
use super::error::ReadPoolError;
use super::exports::Exports;
use super::failure::unavailable;
use super::options::ReadOptions;
use super::own_connection::OwnConnection;
use super::{mysql, postgres, sqlite};
use crate::execute::{
    Counts, ExecuteError, ReadFuture, Reader, RowSink, SharedReader, StreamFuture,
};
use crate::render::Shape;
use crate::sql::{Dialect, Statement};
use crate::vocabulary::Plans;

/// Reads lists and records, whatever the database is: what an application keeps in its state next to SeaORM's
/// `DatabaseConnection`, which writes.
///
/// ```no_run
/// # async fn start() -> Result<(), Box<dyn std::error::Error>> {
/// use listing::{ReadOptions, ReadPool};
///
/// let db = sea_orm::Database::connect("postgres://localhost/blog").await?;
/// let reads = ReadPool::alongside(&db, ReadOptions::new()).await?;
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
    /// The counts that requests share.
    counts: Arc<Counts>,
    exports: Arc<Exports>,
}

impl ReadPool {
    /// Readers on connections of their own to the database of `db`, with the same server, user and database. They are
    /// opened when they are needed, and refuse to read once `db` is closed.
    ///
    /// Their sessions are set up like those of `db` (search path, settings, role, attached files, …), one of which is queried
    /// for its settings. What a callback of the pool does for a single request does not apply to the readers.
    ///
    /// # Errors
    /// When the sessions of `db` have something that the readers cannot have, when the feature of its database is off, or
    /// when the database does not answer. [`ReadPool::from`] reads through `db` itself.
    pub async fn alongside(
        db: &DatabaseConnection,
        options: ReadOptions,
    ) -> Result<Self, ReadPoolError> {
        let exports = Exports::of(&options);
        let driver = match dialect_of(db)? {
            Dialect::Postgres => postgres::alongside(db, options).await?,
            Dialect::Mysql => mysql::alongside(db, options).await?,
            Dialect::Sqlite => sqlite::alongside(db, options).await?,
        };
        Self::answering(driver, Some(db.clone()), exports).await
    }

    /// Readers of a database that this program only reads, by its URL. The feature of the database must be on.
    ///
    /// # Errors
    /// As [`ReadPool::alongside`], and when the URL is malformed.
    pub async fn connect(url: &str, options: ReadOptions) -> Result<Self, ReadPoolError> {
        let exports = Exports::of(&options);
        let driver = match url.split(':').next() {
            Some("postgres" | "postgresql") => {
                require(Dialect::Postgres)?;
                postgres::of_url(url, options).await?
            }
            Some("mysql" | "mariadb") => {
                require(Dialect::Mysql)?;
                mysql::of_url(url, options).await?
            }
            Some("sqlite") => {
                require(Dialect::Sqlite)?;
                sqlite::of_url(url, options).await?
            }
            _ => return Err(ReadPoolError::Url),
        };
        Self::answering(driver, None, exports).await
    }

    async fn answering(
        driver: Driver,
        alongside: Option<DatabaseConnection>,
        exports: Arc<Exports>,
    ) -> Result<Self, ReadPoolError> {
        let pool = Self::of(driver, alongside, exports);
        pool.ping().await?;
        Ok(pool)
    }

    fn of(driver: Driver, alongside: Option<DatabaseConnection>, exports: Arc<Exports>) -> Self {
        Self(Arc::new(Inner {
            driver,
            alongside,
            counts: Arc::default(),
            exports,
        }))
    }

    /// Runs a trivial query to check that the database responds.
    ///
    /// # Errors
    /// When it does not.
    pub async fn ping(&self) -> Result<(), ExecuteError> {
        // Not kept prepared: it rarely runs.
        let statement = Statement::new("SELECT 1", Vec::new()).planned(Plans::ForEachRequest);
        self.read(statement, &Shape::default()).await.map(drop)
    }
}

fn dialect_of(db: &DatabaseConnection) -> Result<Dialect, ReadPoolError> {
    Ok(db.dialect()?)
}

/// Reads through SeaORM, which is slower and gives the same answers. This is for a database in memory, which other connections
/// cannot see, and for connections with functions or collations of the application's own.
impl From<DatabaseConnection> for ReadPool {
    fn from(db: DatabaseConnection) -> Self {
        let exports = Exports::of(&ReadOptions::new());
        Self::of(Driver::new("SeaORM", OwnConnection(db)), None, exports)
    }
}

impl Reader for ReadPool {
    fn dialect(&self) -> Result<Dialect, ExecuteError> {
        self.0.dialect()
    }

    fn read<'a>(&'a self, statement: Statement, shape: &'a Shape) -> ReadFuture<'a> {
        self.0.read(statement, shape)
    }

    fn stream<'a>(
        &'a self,
        statements: Vec<(Statement, Shape)>,
        sink: &'a mut dyn RowSink,
    ) -> StreamFuture<'a> {
        self.0.stream(statements, sink)
    }

    fn shared(&self) -> Option<SharedReader> {
        let reader: Arc<dyn Reader + Send + Sync> = self.0.clone();
        Some(SharedReader::new(reader, Arc::clone(&self.0.counts)))
    }
}

impl Reader for Inner {
    fn dialect(&self) -> Result<Dialect, ExecuteError> {
        self.driver.reader.dialect()
    }

    fn read<'a>(&'a self, statement: Statement, shape: &'a Shape) -> ReadFuture<'a> {
        if self.is_closed() {
            return Box::pin(async { Err(unavailable("the connections are closed")) });
        }
        self.driver.reader.read(statement, shape)
    }

    fn stream<'a>(
        &'a self,
        statements: Vec<(Statement, Shape)>,
        sink: &'a mut dyn RowSink,
    ) -> StreamFuture<'a> {
        if self.is_closed() {
            return Box::pin(async { Err(unavailable("the connections are closed")) });
        }
        let export = self.driver.reader.stream(statements, sink);
        Box::pin(self.exports.run(export))
    }
}

impl Inner {
    fn is_closed(&self) -> bool {
        let Some(db) = &self.alongside else {
            return false;
        };
        match self.driver.reader.dialect() {
            Ok(Dialect::Postgres) => postgres::is_closed(db),
            Ok(Dialect::Mysql) => mysql::is_closed(db),
            Ok(Dialect::Sqlite) => sqlite::is_closed(db),
            Err(_) => false,
        }
    }
}

impl fmt::Debug for ReadPool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The options are left out: they hold a password.
        let driver = self.0.driver.name;
        f.debug_tuple("ReadPool").field(&driver).finish()
    }
}
