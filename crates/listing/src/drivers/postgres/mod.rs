//! Reads PostgreSQL through tokio-postgres, and rows that came through SeaORM.

mod reader;
mod row;
mod session;
mod setup;
mod sqlx_row;
mod value;

use sea_orm::{DatabaseConnection, QueryResult};
use sqlx::postgres::PgConnectOptions;

use self::reader::PostgresReader;
use self::setup::SessionSetup;
use super::driver::Driver;
use super::error::ReadPoolError;
use super::options::ReadOptions;
use crate::render::{Batch, DecodeError, Shape};

pub(super) const IS_ON: bool = true;

/// A reader whose sessions are set up as those of `db` are.
pub(super) async fn alongside(
    db: &DatabaseConnection,
    options: ReadOptions,
) -> Result<Driver, ReadPoolError> {
    let server = db.get_postgres_connection_pool().connect_options();
    reader::check_tls(&server)?;
    let setup = SessionSetup::of(db, server.get_username()).await?;
    Ok(driver(PostgresReader::new(&server, setup, options)?))
}

pub(super) fn of_url(url: &str, options: ReadOptions) -> Result<Driver, ReadPoolError> {
    // The driver's own error may quote the URL, and with it the password.
    let server: PgConnectOptions = url.parse().map_err(|_| ReadPoolError::Url)?;
    let reader = PostgresReader::new(&server, SessionSetup::alone(), options)?;
    Ok(driver(reader))
}

fn driver(reader: PostgresReader) -> Driver {
    Driver::new("tokio-postgres", reader)
}

pub(super) fn is_closed(db: &DatabaseConnection) -> bool {
    db.get_postgres_connection_pool().is_closed()
}

/// Adds a row that came through SeaORM, if it is one of ours.
pub(super) fn push(
    batch: &mut Batch,
    shape: &Shape,
    row: &QueryResult,
) -> Option<Result<(), DecodeError>> {
    Some(batch.push(shape, row.try_as_pg_row()?))
}
