//! Settings of connections to MariaDB and MySQL.

use sea_orm::ConnectOptions;
use sea_orm::sqlx::mysql::{MySqlConnectOptions, MySqlSslMode};
use sea_orm::sqlx::{ConnectOptions as _, Connection as _};

pub(super) fn server(options: &mut ConnectOptions) {
    options.map_sqlx_mysql_opts(set_up);
    options.map_sqlx_mysql_pool_opts(|pool| {
        pool.after_release(|connection, _| Box::pin(super::answers(connection.ping())))
    });
}

fn set_up(server: MySqlConnectOptions) -> MySqlConnectOptions {
    let server = match super::without_brackets(server.get_host()) {
        Some(host) => server.host(&host),
        None => server,
    };
    let bare = server.clone().username("user").host("host");
    let bare = bare.database("database").to_url_lossy();
    let names_authority = bare.query_pairs().any(|(name, _)| name == "ssl-ca");
    match server.get_ssl_mode() {
        MySqlSslMode::Required if names_authority => server.ssl_mode(MySqlSslMode::VerifyCa),
        _ => server,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn b326_b526_an_authority_counts_and_an_ipv6_address_has_no_brackets() {
        let url = "mysql://u@[::1]/db?ssl-mode=REQUIRED&ssl-ca=ca.pem";
        let server = set_up(url.parse().unwrap());
        assert_eq!(server.get_host(), "::1");
        assert!(matches!(server.get_ssl_mode(), MySqlSslMode::VerifyCa));
    }
}
