//! Reads SQLite files through rusqlite, and rows that came through SeaORM.

mod connection;
mod in_place;
mod reader;
mod row;
mod setup;
mod sqlx_row;
mod stream;
mod value;

use sea_orm::{DatabaseConnection, QueryResult};

use self::reader::{SqliteReader, file};
use self::setup::SessionSetup;
use super::driver::Driver;
use super::error::ReadPoolError;
use super::options::ReadOptions;
use super::own_connection::OwnConnection;
use super::streaming::on_own_connection;
use crate::execute::{ExecuteError, RowSink};
use crate::render::{Batch, DecodeError, Shape};

pub(super) const IS_ON: bool = true;

/// A reader whose connections are set up like those of `db`. A database that no second connection can see is read through `db`
/// itself.
pub(super) async fn alongside(
    db: &DatabaseConnection,
    options: ReadOptions,
) -> Result<Driver, ReadPoolError> {
    let Some(file) = file(&db.get_sqlite_connection_pool().connect_options()) else {
        return Ok(Driver::new("SeaORM", OwnConnection(db.clone())));
    };
    let setup = SessionSetup::of(db).await?;
    let driver = driver(SqliteReader::new(&file, &setup, &options));
    SessionSetup::check(db, &*driver.reader).await?;
    Ok(driver)
}

pub(super) async fn of_url(url: &str, options: ReadOptions) -> Result<Driver, ReadPoolError> {
    let file = file(&url.parse().map_err(|_| ReadPoolError::Url)?);
    let file = file.ok_or(ReadPoolError::Memory)?;
    let setup = SessionSetup::default();
    Ok(driver(SqliteReader::new(&file, &setup, &options)))
}

fn driver(reader: SqliteReader) -> Driver {
    Driver::new("rusqlite", reader)
}

pub(super) fn is_closed(db: &DatabaseConnection) -> bool {
    db.get_sqlite_connection_pool().is_closed()
}

/// Passes on the rows of statements in one snapshot while they are read, from a connection of `db`.
pub(super) async fn stream_alongside(
    db: &DatabaseConnection,
    sink: &mut dyn RowSink,
) -> Result<(), ExecuteError> {
    let pool = db.get_sqlite_connection_pool();
    on_own_connection(pool, "", "BEGIN", sink).await
}

/// Adds a row that came through SeaORM, if it is a row of this database.
pub(super) fn push(
    batch: &mut Batch,
    shape: &Shape,
    row: &QueryResult,
) -> Option<Result<(), DecodeError>> {
    Some(batch.push(shape, row.try_as_sqlite_row()?))
}
