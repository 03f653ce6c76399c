//! In: any SeaORM connection or transaction. Out: a reader on it.

use sea_orm::{ConnectionTrait, DbBackend, Statement as SeaStatement};

use super::{Batch, ExecuteError, ReadFuture, Reader, Shape};
use crate::sql::{Dialect, Statement};

impl<C: ConnectionTrait> Reader for C {
    fn dialect(&self) -> Result<Dialect, ExecuteError> {
        Dialect::of(self.get_database_backend()).ok_or(ExecuteError::UnknownDatabase)
    }

    fn read<'a>(&'a self, statement: Statement, shape: &'a Shape) -> ReadFuture<'a> {
        Box::pin(async move {
            let backend: DbBackend = self.get_database_backend();
            let statement =
                SeaStatement::from_sql_and_values(backend, statement.text, statement.values);
            let rows = self.query_all_raw(statement).await?;
            let mut batch = Batch::with_capacity(rows.len());
            for row in &rows {
                batch.push_result(shape, row)?;
            }
            Ok(batch)
        })
    }
}
