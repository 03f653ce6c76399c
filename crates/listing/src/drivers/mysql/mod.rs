//! Reads MariaDB and MySQL through sqlx, which SeaORM also uses.

mod connect;
mod reader;
mod row;
mod stream;

use sea_orm::{DatabaseConnection, QueryResult};
use sqlx::mysql::{MySqlConnectOptions, MySqlPoolOptions, MySqlSslMode};

use self::connect::MysqlServer;
use self::reader::reader;
use super::attended::AttendedReader;
use super::driver::Driver;
use super::error::ReadPoolError;
use super::followed::Followed;
use super::options::ReadOptions;
use super::server::mysql_server;
use super::streaming::on_own_connection;
use crate::execute::{ExecuteError, RowSink};
use crate::render::{Batch, DecodeError, Shape};

pub(super) const IS_ON: bool = true;

/// A reader whose connections are opened and set up like those of `db`, with the same options and callbacks.
pub(super) async fn alongside(
    db: &DatabaseConnection,
    options: ReadOptions,
) -> Result<Driver, ReadPoolError> {
    let pool = db.get_mysql_connection_pool();
    let server = mysql_server(pool.connect_options().as_ref().clone());
    check_tls(&server)?;
    let setup = pool.options().clone().min_connections(0);
    Ok(driver(reader(Followed::of(pool), setup, &options)))
}

pub(super) async fn of_url(url: &str, options: ReadOptions) -> Result<Driver, ReadPoolError> {
    // The driver's own error may quote the URL, including the password.
    let server = mysql_server(url.parse().map_err(|_| ReadPoolError::Url)?);
    check_tls(&server)?;
    let fixed = Followed::fixed(server);
    Ok(driver(reader(fixed, MySqlPoolOptions::new(), &options)))
}

/// A reader of a replica, with connections that are set up like those of `db`.
pub(super) async fn replica(
    url: &str,
    db: Option<&DatabaseConnection>,
    options: ReadOptions,
) -> Result<Driver, ReadPoolError> {
    let server = mysql_server(url.parse().map_err(|_| ReadPoolError::Url)?);
    check_tls(&server)?;
    let own = db.map(|db| db.get_mysql_connection_pool().options().clone());
    let setup = own.unwrap_or_default().min_connections(0);
    // The application's checks of its own connections, such as whether they accept writes, do not apply to a replica.
    let setup = setup.before_acquire(|_, _| Box::pin(async { Ok(true) }));
    Ok(driver(reader(Followed::fixed(server), setup, &options)))
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

fn driver(reader: AttendedReader<MysqlServer>) -> Driver {
    Driver::new("sqlx", reader)
}

pub(super) fn is_closed(db: &DatabaseConnection) -> bool {
    db.get_mysql_connection_pool().is_closed()
}

/// Passes on the rows of statements in one snapshot while they are read, from a connection of `db`.
pub(super) async fn stream_alongside(
    db: &DatabaseConnection,
    sink: &mut dyn RowSink,
) -> Result<(), ExecuteError> {
    let pool = db.get_mysql_connection_pool();
    on_own_connection(pool, stream::ISOLATION, stream::SNAPSHOT, sink).await
}

/// Adds a row that came through SeaORM, if it is a row of this database.
pub(super) fn push(
    batch: &mut Batch,
    shape: &Shape,
    row: &QueryResult,
) -> Option<Result<(), DecodeError>> {
    Some(batch.push(shape, row.try_as_mysql_row()?))
}
