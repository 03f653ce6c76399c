//! Settings of connections to PostgreSQL.

use std::sync::Arc;

use listing::PostgresPooler;
use sea_orm::sqlx::Connection as _;
use sea_orm::sqlx::postgres::{PgConnectOptions, PgSslMode};
use sea_orm::{ConnectOptions, Database, DatabaseConnection, DbBackend, DbErr, RuntimeErr};
use tokio::time::timeout;

use super::{WAIT_FOR_CONNECTION, unusable};

/// With TLS where the URL only allows it, if it `is_encrypted`.
pub(super) fn server(options: &mut ConnectOptions, is_encrypted: bool) {
    options.map_sqlx_postgres_opts(move |server| set_up(server, is_encrypted));
    options.map_sqlx_postgres_pool_opts(|pool| {
        pool.after_release(|connection, _| Box::pin(super::answers(connection.ping())))
    });
}

/// The same pool without prepared statements, if a pooler would forget them (b592).
pub(super) async fn through_pooler(
    db: DatabaseConnection,
    mut options: ConnectOptions,
) -> Result<DatabaseConnection, DbErr> {
    if db.get_database_backend() != DbBackend::Postgres || PostgresPooler::is_expected_by(&db) {
        return Ok(db);
    }
    let server = db.get_postgres_connection_pool().connect_options();
    let found = timeout(WAIT_FOR_CONNECTION, PostgresPooler::find(&server)).await;
    let found = found.map_err(|_| unusable("the database does not answer"))?;
    match found.map_err(|error| DbErr::Conn(RuntimeErr::SqlxError(Arc::new(error))))? {
        PostgresPooler::Absent | PostgresPooler::KeepsStatements => Ok(db),
        PostgresPooler::KeepsNone => {
            tracing::info!("the database's pooler keeps no prepared statements, and none are kept");
            db.close().await?;
            let server = server.as_ref().clone().statement_cache_capacity(0);
            options.map_sqlx_postgres_opts(move |_| server.clone());
            Database::connect(options).await
        }
    }
}

fn set_up(server: PgConnectOptions, is_encrypted: bool) -> PgConnectOptions {
    // Rows come in binary, where it means nothing, and a pooler would refuse it.
    let server = listing::postgres_server(server).extra_float_digits(None);
    match server.get_ssl_mode() {
        PgSslMode::Allow if is_encrypted => server.ssl_mode(PgSslMode::Require),
        _ => server,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rule b326.
    #[test]
    fn only_a_mode_that_allows_plain_connections_is_changed_to_encrypt() {
        let mode =
            |url: &str, is_encrypted| set_up(url.parse().unwrap(), is_encrypted).get_ssl_mode();
        let allow = "postgres://host/db?sslmode=allow";
        assert!(matches!(mode(allow, true), PgSslMode::Require));
        assert!(matches!(mode(allow, false), PgSslMode::Allow));
        let verified = "postgres://host/db?sslmode=require&sslrootcert=ca.pem";
        assert!(matches!(mode(verified, true), PgSslMode::VerifyCa));
    }
}
