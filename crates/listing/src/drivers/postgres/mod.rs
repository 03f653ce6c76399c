//! Reads PostgreSQL through tokio-postgres, and rows that came through SeaORM.

#[cfg(feature = "tls")]
mod channel_binding;
mod pooled;
mod pooled_stream;
mod pooler;
mod reader;
mod row;
mod session;
mod setup;
mod shared;
mod sqlx_row;
mod stream;
#[cfg(feature = "tls")]
mod tls;
#[cfg(not(feature = "tls"))]
#[path = "no_tls.rs"]
mod tls;
mod value;
#[cfg(feature = "tls")]
mod verify;

use sea_orm::{DatabaseConnection, QueryResult};
use sqlx::postgres::Postgres;

pub use self::pooler::PostgresPooler;
use self::reader::PostgresReader;
use self::setup::SessionSetup;
use self::tls::Encryption;
use super::driver::Driver;
use super::error::ReadPoolError;
use super::followed::Followed;
use super::options::ReadOptions;
use super::server::{forgets_statements, postgres_server};
use super::streaming::on_own_connection;
use crate::execute::{ExecuteError, RowSink};
use crate::render::{Batch, DecodeError, Shape};

pub(super) const IS_ON: bool = true;

const NAME: &str = "tokio-postgres";

/// A reader whose sessions are set up like those of `db`.
pub(super) async fn alongside(
    db: &DatabaseConnection,
    options: ReadOptions,
) -> Result<Driver, ReadPoolError> {
    let pool = db.get_postgres_connection_pool();
    let server = postgres_server(pool.connect_options().as_ref().clone());
    let encryption = Encryption::of(&server)?;
    let connections = usize::try_from(pool.options().get_max_connections()).unwrap_or(usize::MAX);
    match pooler::found(&server, &encryption, &options).await? {
        PostgresPooler::Absent => {}
        PostgresPooler::KeepsNone if !forgets_statements(&server) => {
            return Err(ReadPoolError::Pooler);
        }
        PostgresPooler::KeepsStatements | PostgresPooler::KeepsNone => {
            return Ok(pooled(Followed::of(pool), connections, &options));
        }
    }
    let setup = SessionSetup::of(db, server.get_username()).await?;
    let followed = Followed::of(pool);
    let reader = PostgresReader::new(followed, encryption, setup, connections, options);
    Ok(Driver::new(NAME, reader))
}

pub(super) async fn of_url(url: &str, options: ReadOptions) -> Result<Driver, ReadPoolError> {
    // The driver's own error may quote the URL, including the password.
    let server = postgres_server(url.parse().map_err(|_| ReadPoolError::Url)?);
    let encryption = Encryption::of(&server)?;
    let connections = ReadOptions::CONNECTIONS;
    if pooler::found(&server, &encryption, &options).await? != PostgresPooler::Absent {
        return Ok(pooled(Followed::fixed(server), connections, &options));
    }
    let setup = SessionSetup::alone();
    let fixed = Followed::fixed(server);
    let reader = PostgresReader::new(fixed, encryption, setup, connections, options);
    Ok(Driver::new(NAME, reader))
}

/// A reader of a replica, with sessions that are set up like those of `db`.
pub(super) async fn replica(
    url: &str,
    db: Option<&DatabaseConnection>,
    options: ReadOptions,
) -> Result<Driver, ReadPoolError> {
    let server = postgres_server(url.parse().map_err(|_| ReadPoolError::Url)?);
    let encryption = Encryption::of(&server)?;
    let own = db.map(DatabaseConnection::get_postgres_connection_pool);
    let connections = own.map_or(ReadOptions::CONNECTIONS, |pool| {
        usize::try_from(pool.options().get_max_connections()).unwrap_or(usize::MAX)
    });
    if pooler::found(&server, &encryption, &options).await? != PostgresPooler::Absent {
        return Ok(pooled(Followed::fixed(server), connections, &options));
    }
    let setup = match (db, own) {
        (Some(db), Some(pool)) => {
            SessionSetup::of(db, pool.connect_options().get_username()).await?
        }
        _ => SessionSetup::alone(),
    };
    let fixed = Followed::fixed(server);
    let reader = PostgresReader::new(fixed, encryption, setup, connections, options);
    Ok(Driver::new(NAME, reader))
}

fn pooled(server: Followed<Postgres>, connections: usize, options: &ReadOptions) -> Driver {
    let reader = pooled::reader(server, connections, options);
    Driver::new("sqlx, through a pooler", reader)
}

pub(super) fn is_closed(db: &DatabaseConnection) -> bool {
    db.get_postgres_connection_pool().is_closed()
}

/// Passes on the rows of statements in one snapshot while they are read, from a connection of `db`.
pub(super) async fn stream_alongside(
    db: &DatabaseConnection,
    sink: &mut dyn RowSink,
) -> Result<(), ExecuteError> {
    let pool = db.get_postgres_connection_pool();
    on_own_connection(pool, "", stream::SNAPSHOT, sink).await
}

/// Adds a row that came through SeaORM, if it is a row of this database.
pub(super) fn push(
    batch: &mut Batch,
    shape: &Shape,
    row: &QueryResult,
) -> Option<Result<(), DecodeError>> {
    Some(batch.push(shape, row.try_as_pg_row()?))
}
