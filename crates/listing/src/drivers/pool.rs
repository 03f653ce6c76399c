//! The pool of readers of an application: it chooses the fastest driver for its database.

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
use super::replicas::{Position, ReplicaOptions, ReplicaStatus, Replicas, Visit};
use super::{mysql, postgres, sqlite};
use crate::execute::{
    Counts, ExecuteError, ReadFuture, Reader, RowSink, SharedReader, StreamFuture,
};
use crate::render::Shape;
use crate::sql::{Dialect, Statement};
use crate::vocabulary::{Plans, boxed};

/// Reads lists and records from any of the databases. An application keeps it in its state next to SeaORM's `DatabaseConnection`,
/// which writes.
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
    options: ReadOptions,
    replicas: Option<Arc<Replicas>>,
}

impl ReadPool {
    /// Readers on separate connections to the database of `db`, with the same server, user and database. They are opened when
    /// they are needed, and refuse to read once `db` is closed.
    ///
    /// Their sessions are set up like those of `db` (search path, settings, role, attached files, …), one of which is queried for
    /// its settings. A callback of the pool that acts for a single request does not apply to the readers.
    ///
    /// # Errors
    /// When the sessions of `db` have a property that the readers cannot have, when the feature of its database is off, or when
    /// the database does not answer. [`ReadPool::from`] reads through `db` itself.
    pub async fn alongside(
        db: &DatabaseConnection,
        options: ReadOptions,
    ) -> Result<Self, ReadPoolError> {
        let given = options.clone();
        let driver = match dialect_of(db)? {
            Dialect::Postgres => postgres::alongside(db, options).await?,
            Dialect::Mysql => mysql::alongside(db, options).await?,
            Dialect::Sqlite => sqlite::alongside(db, options).await?,
        };
        Self::answering(driver, Some(db.clone()), given).await
    }

    /// Readers of a database that this program only reads, by URL. The feature of the database must be on.
    ///
    /// # Errors
    /// The errors of [`ReadPool::alongside`], and a malformed URL.
    pub async fn connect(url: &str, options: ReadOptions) -> Result<Self, ReadPoolError> {
        let given = options.clone();
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
        Self::answering(driver, None, given).await
    }

    async fn answering(
        driver: Driver,
        alongside: Option<DatabaseConnection>,
        options: ReadOptions,
    ) -> Result<Self, ReadPoolError> {
        let pool = Self::of(driver, alongside, options);
        pool.ping().await?;
        Ok(pool)
    }

    fn of(driver: Driver, alongside: Option<DatabaseConnection>, options: ReadOptions) -> Self {
        Self(Arc::new(Inner {
            driver,
            alongside,
            counts: Arc::default(),
            exports: Exports::of(&options),
            options,
            replicas: None,
        }))
    }

    /// Adds replicas to the pool. It reads from them as long as they are close enough to the primary.
    ///
    /// A replica that does not answer yet is used as soon as it does. Each URL names one server of PostgreSQL or MariaDB, not a
    /// balancer in front of several, because the answer of one server about itself is not true of the others.
    ///
    /// ```no_run
    /// # async fn start() -> Result<(), Box<dyn std::error::Error>> {
    /// use listing::replicas::ReplicaOptions;
    /// use listing::{ReadOptions, ReadPool};
    ///
    /// let replicas = ReplicaOptions::new(["postgres://one.example/blog", "postgres://two.example/blog"]);
    /// let db = sea_orm::Database::connect("postgres://primary.example/blog").await?;
    /// let reads = ReadPool::alongside(&db, ReadOptions::new()).await?.with_replicas(replicas).await?;
    /// # let _ = reads;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// When a URL is malformed or for another kind of database, or the database is SQLite, which has no replicas.
    pub async fn with_replicas(self, replicas: ReplicaOptions) -> Result<Self, ReadPoolError> {
        let inner = &*self.0;
        let db = inner.alongside.as_ref();
        let replicas = Replicas::watch(replicas, &inner.driver, db, &inner.options).await?;
        Ok(Self(Arc::new(Inner {
            driver: inner.driver.clone(),
            alongside: inner.alongside.clone(),
            counts: Arc::default(),
            exports: Arc::clone(&inner.exports),
            options: inner.options.clone(),
            replicas: Some(Arc::new(replicas)),
        })))
    }

    /// The status of the replicas; empty if there are none.
    #[must_use]
    pub fn replicas(&self) -> Vec<ReplicaStatus> {
        let replicas = self.0.replicas.as_ref();
        replicas
            .map(|replicas| replicas.status())
            .unwrap_or_default()
    }

    /// Wraps a request so that everything it reads comes from one server that has reached these positions; `None` if there are no
    /// replicas. A request that `writes` only reads from the primary.
    #[must_use]
    pub fn visit(&self, reached: Vec<Position>, writes: bool) -> Option<Visit> {
        let replicas = Arc::clone(self.0.replicas.as_ref()?);
        Some(Visit::new(replicas, reached, writes))
    }

    /// Runs a trivial query to check that the database responds.
    ///
    /// # Errors
    /// When it does not.
    pub async fn ping(&self) -> Result<(), ExecuteError> {
        // Not kept prepared, because it rarely runs.
        let statement = Statement::new("SELECT 1", Vec::new()).planned(Plans::ForEachRequest);
        self.read(statement, &Shape::default()).await.map(drop)
    }
}

fn dialect_of(db: &DatabaseConnection) -> Result<Dialect, ReadPoolError> {
    Ok(db.dialect()?)
}

/// Reads through SeaORM, which is slower and gives the same results. It is for a database in memory, which other connections
/// cannot see, and for connections with functions or collations of the application.
impl From<DatabaseConnection> for ReadPool {
    fn from(db: DatabaseConnection) -> Self {
        let driver = Driver::new("SeaORM", OwnConnection(db));
        Self::of(driver, None, ReadOptions::new())
    }
}

impl Reader for ReadPool {
    fn dialect(&self) -> Result<Dialect, ExecuteError> {
        self.0.dialect()
    }

    fn read<'a>(&'a self, statement: Statement, shape: &'a Shape) -> ReadFuture<'a> {
        self.0.read(statement, shape)
    }

    fn stream<'a>(&'a self, sink: &'a mut dyn RowSink) -> StreamFuture<'a> {
        self.0.stream(sink)
    }

    fn shared(&self) -> Option<SharedReader> {
        let reader: Arc<dyn Reader + Send + Sync> = self.0.clone();
        let replicas = self.0.replicas.as_ref();
        let is_alone = replicas.is_some_and(|replicas| replicas.reads_alone());
        Some(SharedReader::new(reader, Arc::clone(&self.0.counts)).alone(is_alone))
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
        let primary = &*self.driver.reader;
        match &self.replicas {
            Some(replicas) => boxed(move || replicas.read(primary, statement, shape)),
            None => primary.read(statement, shape),
        }
    }

    fn stream<'a>(&'a self, sink: &'a mut dyn RowSink) -> StreamFuture<'a> {
        if self.is_closed() {
            return Box::pin(async { Err(unavailable("the connections are closed")) });
        }
        let primary = &*self.driver.reader;
        let export = match &self.replicas {
            Some(replicas) => Box::pin(replicas.stream(primary, sink)),
            None => primary.stream(sink),
        };
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
        // The options contain a password.
        let driver = self.0.driver.name;
        f.debug_tuple("ReadPool").field(&driver).finish()
    }
}
