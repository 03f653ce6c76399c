//! Reads MariaDB and MySQL through sqlx, the driver that SeaORM uses too.

mod connect;
mod reader;
mod row;
mod stream;

use sea_orm::{DatabaseConnection, QueryResult};
use sqlx::mysql::{MySqlConnectOptions, MySqlPoolOptions, MySqlSslMode};

use self::reader::MysqlReader;
use super::driver::Driver;
use super::error::ReadPoolError;
use super::options::ReadOptions;
use super::server::mysql_server;
use super::streaming::on_own_connection;
use crate::execute::{ExecuteError, RowSink};
use crate::render::{Batch, DecodeError, Shape};
use crate::sql::Statement;

pub(super) const IS_ON: bool = true;

/// A reader whose connections are opened and set up like those of `db`, by the same options and callbacks.
pub(super) async fn alongside(
    db: &DatabaseConnection,
    options: ReadOptions,
) -> Result<Driver, ReadPoolError> {
    let pool = db.get_mysql_connection_pool();
    let server = mysql_server(pool.connect_options().as_ref().clone());
    check_tls(&server)?;
    let setup = pool.options().clone().min_connections(0);
    Ok(driver(MysqlReader::new(server, setup, &options)))
}

pub(super) async fn of_url(url: &str, options: ReadOptions) -> Result<Driver, ReadPoolError> {
    // The driver's own error may quote the URL, and with it the password.
    let server = mysql_server(url.parse().map_err(|_| ReadPoolError::Url)?);
    check_tls(&server)?;
    let reader = MysqlReader::new(server, MySqlPoolOptions::new(), &options);
    Ok(driver(reader))
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

/// Gives the rows of statements in one snapshot on while they are read, from a connection of `db`.
pub(super) async fn stream_alongside(
    db: &DatabaseConnection,
    statements: Vec<(Statement, Shape)>,
    sink: &mut dyn RowSink,
) -> Result<(), ExecuteError> {
    let pool = db.get_mysql_connection_pool();
    on_own_connection(pool, stream::ISOLATION, stream::SNAPSHOT, statements, sink).await
}

/// Adds a row that came through SeaORM, if it is a row of this database.
pub(super) fn push(
    batch: &mut Batch,
    shape: &Shape,
    row: &QueryResult,
) -> Option<Result<(), DecodeError>> {
    Some(batch.push(shape, row.try_as_mysql_row()?))
}
