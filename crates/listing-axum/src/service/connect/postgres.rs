//! Settings of connections to PostgreSQL.

use std::sync::Arc;

use listing::PostgresPooler;
use sea_orm::sqlx::postgres::{PgConnectOptions, PgConnection, PgSslMode};
use sea_orm::sqlx::{Error, Postgres, Row as _, raw_sql};
use sea_orm::{ConnectOptions, Database, DatabaseConnection, DbBackend, DbErr, RuntimeErr};
use tokio::time::timeout;

use super::follow::{HostDriver, Moves, watched};
use super::hosts::{Host, Hosts, Wanted};
use super::{WAIT_FOR_CONNECTION, unusable};

/// With TLS where the URL only allows it, if it `is_encrypted`.
pub(super) fn server(options: &mut ConnectOptions, is_encrypted: bool, moves: Option<&Moves>) {
    options.map_sqlx_postgres_opts(move |server| set_up(server, is_encrypted));
    let moves = moves.cloned();
    options.map_sqlx_postgres_pool_opts(move |pool| watched(pool, moves.as_ref()));
}

/// Connects to one of several hosts.
pub(super) async fn several(
    hosts: Hosts,
    max_connections: u32,
) -> Result<DatabaseConnection, DbErr> {
    let chosen = hosts.choose::<Postgres>().await?;
    let moves = Moves::new(hosts.wanted);
    let url = &hosts.chosen(&chosen).url;
    let db = super::one(url, max_connections, Some(&moves)).await?;
    let pool = db.get_postgres_connection_pool().clone();
    tokio::spawn(hosts.follow(pool, moves, chosen));
    Ok(db)
}

impl HostDriver for Postgres {
    fn options(url: &str) -> Result<PgConnectOptions, Error> {
        Ok(set_up(url.parse()?, false))
    }

    fn at(options: &PgConnectOptions, host: &Host) -> PgConnectOptions {
        options.clone().host(&host.name).port(host.port)
    }

    /// With a statement that every version and pooler understands, and without naming the statement.
    async fn refusal(
        connection: &mut PgConnection,
        wanted: Wanted,
    ) -> Result<Option<&'static str>, Error> {
        let (asked, why) = match wanted {
            Wanted::Any => ("SELECT 'off'", ""),
            Wanted::ReadWrite => ("SHOW transaction_read_only", "is read-only"),
            Wanted::Primary => (
                "SELECT CASE WHEN pg_is_in_recovery() THEN 'on' ELSE 'off' END",
                "is a standby",
            ),
        };
        let row = raw_sql(asked).fetch_one(connection).await?;
        let told: String = row.try_get_unchecked(0)?;
        Ok((told != "off").then_some(why))
    }
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
    // Rows are sent in binary, where this setting has no effect, and a pooler would refuse it.
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
