//! Reads through any SeaORM connection or transaction.

use std::fmt::Write;

use sea_orm::sea_query::Value;
use sea_orm::{ConnectionTrait, DbBackend, QueryResult, Statement as SeaStatement};

use super::available::require;
use super::{mysql, postgres, sqlite};
use crate::execute::{ExecuteError, ReadFuture, Reader};
use crate::render::{Batch, DecodeError, Shape};
use crate::sql::{Dialect, Statement};

impl<C: ConnectionTrait> Reader for C {
    fn dialect(&self) -> Result<Dialect, ExecuteError> {
        let dialect = Dialect::of(self.get_database_backend());
        let dialect = dialect.ok_or(ExecuteError::UnknownDatabase)?;
        require(dialect)?;
        Ok(dialect)
    }

    fn read<'a>(&'a self, statement: Statement, shape: &'a Shape) -> ReadFuture<'a> {
        Box::pin(async move {
            let statement = sea_statement(self.get_database_backend(), statement);
            let rows = self.query_all_raw(statement).await?;
            let mut batch = Batch::for_shape(shape);
            for row in &rows {
                batch.push_result(shape, row)?;
            }
            Ok(batch)
        })
    }
}

/// The statement in SeaORM's words.
pub(super) fn sea_statement(backend: DbBackend, statement: Statement) -> SeaStatement {
    let Statement {
        mut text, values, ..
    } = statement;
    if backend == DbBackend::Postgres && !values.is_empty() {
        name_types(&mut text, &values);
    }
    SeaStatement::from_sql_and_values(backend, text, values)
}

impl Batch {
    /// Adds a row that came through SeaORM. All rows of a batch have the same shape.
    ///
    /// # Errors
    ///
    /// If a value cannot be read; the batch is then as it was before.
    pub fn push_result(&mut self, shape: &Shape, row: &QueryResult) -> Result<(), DecodeError> {
        postgres::push(self, shape, row)
            .or_else(|| mysql::push(self, shape, row))
            .or_else(|| sqlite::push(self, shape, row))
            // Another database, or one whose driver is off.
            .unwrap_or(Err(DecodeError::Missing { column: 0 }))
    }
}

/// Names the types of the values in a comment.
///
/// The driver identifies prepared statements only by their text, and PostgreSQL prepares a text for the types that are bound
/// first. Application code may compare a column with an `i32` and a filter of ours with an `i64`: the text would be the same, and
/// the second statement would be refused.
fn name_types(text: &mut String, values: &[Value]) {
    text.push_str(" /*");
    for run in values.chunk_by(|a, b| type_name(a) == type_name(b)) {
        // Writing to a string cannot fail.
        let _ = write!(text, " {}*{}", run.len(), type_name(&run[0]));
    }
    text.push_str(" */");
}

/// A name for each group of types that the driver binds alike. Only types that can take each other's places need names.
fn type_name(value: &Value) -> &'static str {
    match value {
        Value::TinyInt(_) => "char",
        Value::SmallInt(_) | Value::TinyUnsigned(_) => "int2",
        Value::Int(_) | Value::SmallUnsigned(_) => "int4",
        Value::BigInt(_) | Value::Unsigned(_) | Value::BigUnsigned(_) => "int8",
        Value::Float(_) => "float4",
        Value::Double(_) => "float8",
        Value::Decimal(_) => "numeric",
        Value::String(_) | Value::Char(_) => "text",
        Value::ChronoDate(_) => "date",
        Value::ChronoDateTime(_) => "timestamp",
        Value::ChronoDateTimeUtc(_)
        | Value::ChronoDateTimeLocal(_)
        | Value::ChronoDateTimeWithTimeZone(_) => "timestamptz",
        _ => "other",
    }
}

#[cfg(test)]
mod tests {
    use super::{Value, name_types};

    #[test]
    fn types_are_named_in_a_comment() {
        let named = |values: &[Value]| {
            let mut text = "SELECT 1".to_owned();
            name_types(&mut text, values);
            text
        };
        let mixed = [1_i64.into(), 2_i64.into(), 3_i32.into(), "x".into()];
        assert_eq!(named(&mixed), "SELECT 1 /* 2*int8 1*int4 1*text */");
        assert_ne!(named(&[1_i64.into()]), named(&[1_i32.into()]));
        assert_ne!(named(&[1.5_f64.into()]), named(&[1.5_f32.into()]));
    }
}
