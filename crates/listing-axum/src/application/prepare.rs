//! Prepares the database before it is served, in one copy of the service at a time.

use std::any::Any;
#[cfg(any(feature = "postgres", feature = "mysql"))]
use std::sync::Arc;
#[cfg(any(feature = "postgres", feature = "mysql"))]
use std::time::Duration;

#[cfg(any(feature = "postgres", feature = "mysql"))]
use sea_orm::DatabaseConnectionType;
#[cfg(any(feature = "postgres", feature = "mysql"))]
use sea_orm::RuntimeErr;
#[cfg(any(feature = "postgres", feature = "mysql"))]
use sea_orm::sqlx::{self, ConnectOptions as _};
use sea_orm::{DatabaseConnection, DbErr};
#[cfg(any(feature = "postgres", feature = "mysql"))]
use tokio::time::sleep;

use super::ServiceError;
use super::builder::Step;

/// How often a copy tries to take the lock.
#[cfg(any(feature = "postgres", feature = "mysql"))]
const EVERY: Duration = Duration::from_millis(200);

/// A connection that holds the lock. Closing it lets another copy continue, however this program ends. SQLite has no lock that
/// would leave room for a migration.
type Turn = Option<Box<dyn Any + Send>>;

/// Runs the steps in order while no other copy runs its own on this database.
pub(super) async fn prepare(steps: Vec<Step>, db: &DatabaseConnection) -> Result<(), ServiceError> {
    if steps.is_empty() {
        return Ok(());
    }
    let turn = turn(db).await;
    let turn = turn.map_err(|error| ServiceError::failed("cannot prepare the database", error))?;
    for Step { failure, run } in steps {
        let done = run(db.clone()).await;
        done.map_err(|error| ServiceError::failed(failure, error))?;
    }
    drop(turn);
    Ok(())
}

/// Waits until no other copy is preparing the database.
async fn turn(db: &DatabaseConnection) -> Result<Turn, DbErr> {
    match &db.inner {
        #[cfg(feature = "postgres")]
        DatabaseConnectionType::SqlxPostgresPoolConnection(_) => postgres(db).await,
        #[cfg(feature = "mysql")]
        DatabaseConnectionType::SqlxMySqlPoolConnection(_) => mysql(db).await,
        _ => Ok(None),
    }
}

/// A lock that lasts as long as a transaction; poolers keep a transaction on one connection.
///
/// The lock is polled rather than waited for: a waiting statement holds a snapshot, and `CREATE INDEX CONCURRENTLY` in another
/// copy's migration would wait for that snapshot in turn.
#[cfg(feature = "postgres")]
async fn postgres(db: &DatabaseConnection) -> Result<Turn, DbErr> {
    let server = db.get_postgres_connection_pool().connect_options();
    let mut connection = server.connect().await.map_err(failed)?;
    let mut waiting = Waiting::default();
    loop {
        let begin = "BEGIN; SET LOCAL idle_in_transaction_session_timeout = 0";
        let begun = sqlx::raw_sql(begin).execute(&mut connection).await;
        begun.map_err(failed)?;
        // The first number is `list` in ASCII. Locks are separate for each database.
        let lock = sqlx::query_scalar("SELECT pg_try_advisory_xact_lock(1818850164, 1)");
        let lock = lock.persistent(false).fetch_one(&mut connection).await;
        if lock.map_err(failed)? {
            return Ok(Some(Box::new(connection)));
        }
        let ended = sqlx::raw_sql("ROLLBACK").execute(&mut connection).await;
        ended.map_err(failed)?;
        waiting.pause().await;
    }
}

/// A lock that lasts as long as a session, which must not be closed for being idle. The database is part of its name, because
/// lock names are shared by the whole server.
#[cfg(feature = "mysql")]
async fn mysql(db: &DatabaseConnection) -> Result<Turn, DbErr> {
    let server = db.get_mysql_connection_pool().connect_options();
    let mut connection = server.connect().await.map_err(failed)?;
    let patient = sqlx::raw_sql("SET SESSION wait_timeout = 31536000");
    patient.execute(&mut connection).await.map_err(failed)?;
    let mut waiting = Waiting::default();
    loop {
        let name = "CONCAT('listing_prepare_', MD5(COALESCE(DATABASE(), '')))";
        let lock = sqlx::AssertSqlSafe(format!("SELECT COALESCE(GET_LOCK({name}, 0), 0)"));
        let lock = sqlx::query_scalar(lock).fetch_one(&mut connection).await;
        let is_mine: i64 = lock.map_err(failed)?;
        if is_mine == 1 {
            return Ok(Some(Box::new(connection)));
        }
        waiting.pause().await;
    }
}

/// Logs once that another copy holds the lock.
#[cfg(any(feature = "postgres", feature = "mysql"))]
#[derive(Default)]
struct Waiting {
    is_told: bool,
}

#[cfg(any(feature = "postgres", feature = "mysql"))]
impl Waiting {
    async fn pause(&mut self) {
        if !std::mem::replace(&mut self.is_told, true) {
            tracing::info!("waiting until another copy of the service has prepared the database");
        }
        sleep(EVERY).await;
    }
}

#[cfg(any(feature = "postgres", feature = "mysql"))]
fn failed(error: sqlx::Error) -> DbErr {
    DbErr::Conn(RuntimeErr::SqlxError(Arc::new(error)))
}
