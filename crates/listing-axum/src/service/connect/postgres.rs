//! Settings of connections to PostgreSQL.

use sea_orm::ConnectOptions;
use sea_orm::sqlx::Connection as _;
use sea_orm::sqlx::postgres::{PgConnectOptions, PgSslMode};

/// With TLS where the URL only allows it, if it `is_encrypted`.
pub(super) fn server(options: &mut ConnectOptions, is_encrypted: bool) {
    options.map_sqlx_postgres_opts(move |server| set_up(server, is_encrypted));
    options.map_sqlx_postgres_pool_opts(|pool| {
        pool.after_release(|connection, _| Box::pin(super::answers(connection.ping())))
    });
}

fn set_up(server: PgConnectOptions, is_encrypted: bool) -> PgConnectOptions {
    let server = listing::postgres_server(server);
    match server.get_ssl_mode() {
        PgSslMode::Allow if is_encrypted => server.ssl_mode(PgSslMode::Require),
        _ => server,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn b326_only_a_mode_that_allows_plain_connections_is_changed_to_encrypt() {
        let mode =
            |url: &str, is_encrypted| set_up(url.parse().unwrap(), is_encrypted).get_ssl_mode();
        let allow = "postgres://host/db?sslmode=allow";
        assert!(matches!(mode(allow, true), PgSslMode::Require));
        assert!(matches!(mode(allow, false), PgSslMode::Allow));
        let verified = "postgres://host/db?sslmode=require&sslrootcert=ca.pem";
        assert!(matches!(mode(verified, true), PgSslMode::VerifyCa));
    }
}
