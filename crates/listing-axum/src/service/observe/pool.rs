//! How many connections SeaORM's pool has, and how many of them are idle.

use sea_orm::{DatabaseConnection, DatabaseConnectionType};

/// All connections and the idle ones; none for a connection that is not a pool, or of a database whose feature is off.
pub(super) fn use_of(db: &DatabaseConnection) -> Option<(u64, u64)> {
    let (all, idle) = match &db.inner {
        #[cfg(feature = "postgres")]
        DatabaseConnectionType::SqlxPostgresPoolConnection(_) => {
            let pool = db.get_postgres_connection_pool();
            (pool.size(), pool.num_idle())
        }
        #[cfg(feature = "mysql")]
        DatabaseConnectionType::SqlxMySqlPoolConnection(_) => {
            let pool = db.get_mysql_connection_pool();
            (pool.size(), pool.num_idle())
        }
        #[cfg(feature = "sqlite")]
        DatabaseConnectionType::SqlxSqlitePoolConnection(_) => {
            let pool = db.get_sqlite_connection_pool();
            (pool.size(), pool.num_idle())
        }
        _ => return None,
    };
    Some((u64::from(all), idle as u64))
}
