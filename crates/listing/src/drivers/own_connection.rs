//! Reads and exports through SeaORM's own connections.

use sea_orm::DatabaseConnection;

use super::{mysql, postgres, sqlite};
use crate::execute::{ExecuteError, ReadFuture, Reader, RowSink, StreamFuture};
use crate::render::Shape;
use crate::sql::{Dialect, Statement};

/// SeaORM's connections. An export occupies one of them until it is finished. If it is abandoned, the driver reads the rest of
/// the statement and discards it.
pub(super) struct OwnConnection(pub(super) DatabaseConnection);

impl Reader for OwnConnection {
    fn dialect(&self) -> Result<Dialect, ExecuteError> {
        self.0.dialect()
    }

    fn read<'a>(&'a self, statement: Statement, shape: &'a Shape) -> ReadFuture<'a> {
        self.0.read(statement, shape)
    }

    fn stream<'a>(&'a self, sink: &'a mut dyn RowSink) -> StreamFuture<'a> {
        Box::pin(async move {
            match self.dialect()? {
                Dialect::Postgres => postgres::stream_alongside(&self.0, sink).await,
                Dialect::Mysql => mysql::stream_alongside(&self.0, sink).await,
                Dialect::Sqlite => sqlite::stream_alongside(&self.0, sink).await,
            }
        })
    }
}
