//! Reads MariaDB and MySQL through sqlx, the driver that SeaORM uses too.

mod pool;
mod reader;
mod row;

use sea_orm::{DatabaseConnection, QueryResult};
use sqlx::ConnectOptions as _;
use sqlx::mysql::{MySqlConnectOptions, MySqlPoolOptions, MySqlSslMode};

use self::reader::MysqlReader;
use super::driver::Driver;
use super::error::ReadPoolError;
use super::options::ReadOptions;
use crate::render::{Batch, DecodeError, Shape};

pub(super) const IS_ON: bool = true;

/// A reader whose connections are opened and set up as those of `db` are: the options and callbacks are the same.
pub(super) async fn alongside(
    db: &DatabaseConnection,
    options: ReadOptions,
) -> Result<Driver, ReadPoolError> {
    let pool = db.get_mysql_connection_pool();
    let server = verified(pool.connect_options().as_ref().clone());
    check_tls(&server)?;
    let setup = pool.options().clone().min_connections(0);
    Ok(driver(MysqlReader::new(server, setup, &options)))
}

pub(super) fn of_url(url: &str, options: ReadOptions) -> Result<Driver, ReadPoolError> {
    // The driver's own error may quote the URL, and with it the password.
    let server = verified(url.parse().map_err(|_| ReadPoolError::Url)?);
    check_tls(&server)?;
    let reader = MysqlReader::new(server, MySqlPoolOptions::new(), &options);
    Ok(driver(reader))
}

/// The options with a mode that verifies the server where an authority is named: who names one wants it to count (b326).
fn verified(server: MySqlConnectOptions) -> MySqlConnectOptions {
    // An IPv6 address has brackets in a URL, and only there (b526).
    let host = server.get_host().trim_matches(['[', ']']).to_owned();
    let server = server.host(&host);
    // The options tell their files in a URL only, whose other parts need not make one.
    let bare = server
        .clone()
        .username("user")
        .host("host")
        .database("database");
    let names_authority = bare
        .to_url_lossy()
        .query_pairs()
        .any(|(name, _)| name == "ssl-ca");
    match server.get_ssl_mode() {
        MySqlSslMode::Required if names_authority => server.ssl_mode(MySqlSslMode::VerifyCa),
        _ => server,
    }
}

/// Whether this program can encrypt, if it must.
fn check_tls(server: &MySqlConnectOptions) -> Result<(), ReadPoolError> {
    match server.get_ssl_mode() {
        MySqlSslMode::Disabled | MySqlSslMode::Preferred => Ok(()),
        MySqlSslMode::Required | MySqlSslMode::VerifyCa | MySqlSslMode::VerifyIdentity => {
            if cfg!(feature = "tls") {
                Ok(())
            } else {
                Err(ReadPoolError::NoTls)
            }
        }
    }
}

fn driver(reader: MysqlReader) -> Driver {
    Driver::new("sqlx", reader)
}

pub(super) fn is_closed(db: &DatabaseConnection) -> bool {
    db.get_mysql_connection_pool().is_closed()
}

/// Adds a row that came through SeaORM, if it is one of ours.
pub(super) fn push(
    batch: &mut Batch,
    shape: &Shape,
    row: &QueryResult,
) -> Option<Result<(), DecodeError>> {
    Some(batch.push(shape, row.try_as_mysql_row()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn b526_an_ipv6_address_is_told_without_brackets() {
        let host = |url: &str| verified(url.parse().unwrap()).get_host().to_owned();
        assert_eq!(host("mysql://u@[::1]:3306/db"), "::1");
        assert_eq!(host("mysql://u@db.example/db"), "db.example");
    }
}
