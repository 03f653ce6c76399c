//! Adjusts the options of a server, for connections that read and for those of SeaORM that `listing-axum` opens.
//!
//! It starts from sqlx's options, because sqlx reads more than the URL, such as `PGSSLROOTCERT`.

use sqlx::ConnectOptions;
#[cfg(feature = "mysql")]
use sqlx::mysql::{MySqlConnectOptions, MySqlSslMode};
#[cfg(feature = "postgres")]
use sqlx::postgres::{PgConnectOptions, PgSslMode};

/// PostgreSQL options with their intended meaning: a named authority is used, as in PostgreSQL's own library (b326).
#[cfg(feature = "postgres")]
#[must_use]
pub fn postgres_server(server: PgConnectOptions) -> PgConnectOptions {
    let server = match without_brackets(server.get_host()) {
        Some(host) => server.host(&host),
        None => server,
    };
    let names_authority = parameter(&bare(&server), "sslrootcert").is_some();
    match server.get_ssl_mode() {
        PgSslMode::Require if names_authority => server.ssl_mode(PgSslMode::VerifyCa),
        _ => server,
    }
}

/// Whether nothing is kept prepared on these connections: `statement-cache-capacity=0`.
///
/// SeaORM's driver still names every statement, and leaves it on the server.
#[cfg(feature = "postgres")]
pub(super) fn forgets_statements(server: &PgConnectOptions) -> bool {
    parameter(&bare(server), "statement-cache-capacity").as_deref() == Some("0")
}

/// MariaDB and MySQL options with their intended meaning: a named authority is used (b326). The driver's own lines about slow
/// statements are logged at the level `debug`, because they repeat the whole statement (b625).
#[cfg(feature = "mysql")]
#[must_use]
pub fn mysql_server(server: MySqlConnectOptions) -> MySqlConnectOptions {
    let server = match without_brackets(server.get_host()) {
        Some(host) => server.host(&host),
        None => server,
    };
    let bare = server.clone().username("user").host("host");
    let bare = bare.database("database");
    let names_authority = parameter(&bare, "ssl-ca").is_some();
    let server = match "debug".parse() {
        Ok(level) => server.log_slow_statements(level, super::SLOW_STATEMENT),
        Err(_) => server,
    };
    match server.get_ssl_mode() {
        MySqlSslMode::Required if names_authority => server.ssl_mode(MySqlSslMode::VerifyCa),
        _ => server,
    }
}

/// The options for [`parameter`] and for the password, which can only be read from a URL. Everything else is replaced, because a
/// user name with a space does not result in a valid URL.
#[cfg(feature = "postgres")]
pub(super) fn bare(server: &PgConnectOptions) -> PgConnectOptions {
    let bare = server.clone().username("user").host("host");
    bare.database("database")
}

/// A parameter of the URL that the options result in, such as the name of a file.
pub(super) fn parameter(bare: &impl ConnectOptions, wanted: &str) -> Option<String> {
    let url = bare.to_url_lossy();
    let mut pairs = url.query_pairs();
    pairs.find_map(|(name, value)| (name == wanted).then(|| value.into_owned()))
}

/// An IPv6 address as drivers expect it: it has brackets only in a URL (b526).
fn without_brackets(host: &str) -> Option<String> {
    let address = host.strip_prefix('[')?.strip_suffix(']')?;
    Some(address.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rule b326.
    #[cfg(feature = "postgres")]
    #[test]
    fn an_authority_of_postgresql_counts_wherever_it_is_named() {
        let server = |url: &str| url.parse::<PgConnectOptions>().unwrap();
        let mode = |server| postgres_server(server).get_ssl_mode();
        let in_url = server("postgres://a%20b@host/db?sslmode=require&sslrootcert=ca.pem");
        assert!(matches!(mode(in_url), PgSslMode::VerifyCa));
        // As with `PGSSLROOTCERT`.
        let elsewhere = server("postgres://host/db?sslmode=require").ssl_root_cert("ca.pem");
        assert!(matches!(mode(elsewhere), PgSslMode::VerifyCa));
        let none = server("postgres://host/db?sslmode=require");
        assert!(matches!(mode(none), PgSslMode::Require));
        let not_required = server("postgres://host/db?sslmode=prefer&sslrootcert=ca.pem");
        assert!(matches!(mode(not_required), PgSslMode::Prefer));
    }

    /// Rule b326.
    #[cfg(feature = "mysql")]
    #[test]
    fn an_authority_of_mariadb_counts() {
        let mode = |url: &str| mysql_server(url.parse().unwrap()).get_ssl_mode();
        let named = mode("mysql://u@host/db?ssl-mode=REQUIRED&ssl-ca=ca.pem");
        assert!(matches!(named, MySqlSslMode::VerifyCa));
        let none = mode("mysql://u@host/db?ssl-mode=REQUIRED");
        assert!(matches!(none, MySqlSslMode::Required));
    }

    /// Rule b625.
    #[cfg(feature = "mysql")]
    #[test]
    fn slow_statements_of_mariadb_are_logged_for_those_who_debug() {
        let server = mysql_server("mysql://u@host/db".parse().unwrap());
        let shown = format!("{server:?}");
        assert!(shown.contains("slow_statements_level: Debug"), "{shown}");
    }

    /// Rule b526.
    #[cfg(feature = "postgres")]
    #[test]
    fn postgresql_is_told_an_ipv6_address_without_brackets() {
        let host = |url: &str| postgres_server(url.parse().unwrap()).get_host().to_owned();
        assert_eq!(host("postgres://u@[::1]:5432/db"), "::1");
        assert_eq!(host("postgres://u@db.example/db"), "db.example");
    }

    /// Rule b526.
    #[cfg(feature = "mysql")]
    #[test]
    fn mariadb_is_told_an_ipv6_address_without_brackets() {
        let host = |url: &str| mysql_server(url.parse().unwrap()).get_host().to_owned();
        assert_eq!(host("mysql://u@[::1]:3306/db"), "::1");
        assert_eq!(host("mysql://u@db.example/db"), "db.example");
    }
}
