//! Settings of connections to PostgreSQL.
//!
//! They are decided from what the driver has read: it looks at more than the URL, such as `PGSSLROOTCERT`.

use sea_orm::ConnectOptions;
use sea_orm::sqlx::postgres::{PgConnectOptions, PgSslMode};
use sea_orm::sqlx::{ConnectOptions as _, Connection as _};

/// With TLS, whatever the URL says, if it `is_encrypted`.
pub(super) fn server(options: &mut ConnectOptions, is_encrypted: bool) {
    options.map_sqlx_postgres_opts(move |server| set_up(server, is_encrypted));
    options.map_sqlx_postgres_pool_opts(|pool| {
        pool.after_release(|connection, _| Box::pin(super::answers(connection.ping())))
    });
}

fn set_up(server: PgConnectOptions, is_encrypted: bool) -> PgConnectOptions {
    let server = match super::without_brackets(server.get_host()) {
        Some(host) => server.host(&host),
        None => server,
    };
    // The options tell their files in a URL only, whose other parts need not make one.
    let bare = server.clone().username("user").host("host");
    let bare = bare.database("database").to_url_lossy();
    let names_authority = bare.query_pairs().any(|(name, _)| name == "sslrootcert");
    match server.get_ssl_mode() {
        // As PostgreSQL's own library does (b326).
        PgSslMode::Require if names_authority => server.ssl_mode(PgSslMode::VerifyCa),
        _ if is_encrypted => server.ssl_mode(PgSslMode::Require),
        _ => server,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn b326_an_authority_counts_wherever_it_is_named() {
        let server = |url: &str| url.parse::<PgConnectOptions>().unwrap();
        let mode = |server| set_up(server, false).get_ssl_mode();
        let in_url = server("postgres://host/db?sslmode=require&sslrootcert=ca.pem");
        assert!(matches!(mode(in_url), PgSslMode::VerifyCa));
        // As `PGSSLROOTCERT` does.
        let elsewhere = server("postgres://host/db?sslmode=require").ssl_root_cert("ca.pem");
        assert!(matches!(mode(elsewhere), PgSslMode::VerifyCa));
        let none = server("postgres://host/db?sslmode=require");
        assert!(matches!(mode(none), PgSslMode::Require));
    }

    #[test]
    fn b526_an_ipv6_address_is_told_without_brackets() {
        let host = |url: &str| set_up(url.parse().unwrap(), false).get_host().to_owned();
        assert_eq!(host("postgres://u@[::1]:5432/db"), "::1");
        assert_eq!(host("postgres://u@db.example/db"), "db.example");
    }
}
