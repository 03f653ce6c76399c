//! Reads the values of a row of rusqlite by the storage class that each has.

use rusqlite::types::ValueRef;
use rusqlite::{Row, Statement};

use crate::render::{
    DecodeError, RowSource, Scalar, Shape, ShapeColumn, copy_timestamp, write, write_string,
};
use crate::vocabulary::Kind;

/// A row, with what its statement says of its columns.
pub(super) struct SqliteRow<'r> {
    pub(super) row: &'r Row<'r>,
    pub(super) booleans: &'r [bool],
}

/// Which columns are declared to be booleans, which matters only to columns without a declared kind.
pub(super) fn booleans(statement: &Statement<'_>, shape: &Shape) -> Vec<bool> {
    let is_natural = |column: &ShapeColumn| column.kind == Kind::Natural;
    if !shape.columns.iter().any(is_natural) {
        return Vec::new();
    }
    let columns = statement.columns();
    let is_boolean = |declared: &str| {
        ["boolean", "bool"]
            .iter()
            .any(|name| declared.eq_ignore_ascii_case(name))
    };
    columns
        .iter()
        .map(|column| column.decl_type().is_some_and(is_boolean))
        .collect()
}

impl RowSource for SqliteRow<'_> {
    fn scalar(&self, index: usize) -> Result<Scalar<'_>, DecodeError> {
        let missing = |_| DecodeError::Missing { column: index };
        let boolean = self.booleans.get(index).copied().unwrap_or(false);
        Ok(match self.row.get_ref(index).map_err(missing)? {
            ValueRef::Null => Scalar::Null,
            ValueRef::Integer(integer @ (0 | 1)) if boolean => Scalar::Bool(integer == 1),
            ValueRef::Integer(integer) => Scalar::Int(integer),
            ValueRef::Real(real) => Scalar::F64(real),
            // As bytes: a text that is not UTF-8 is not an error here.
            ValueRef::Text(text) => Scalar::text(text),
            ValueRef::Blob(bytes) => Scalar::bytes(bytes),
        })
    }

    fn json(&self, index: usize, kind: &Kind, out: &mut Vec<u8>) -> Result<(), DecodeError> {
        let missing = |_| DecodeError::Missing { column: index };
        match (self.row.get_ref(index).map_err(missing)?, kind) {
            (ValueRef::Text(text), Kind::Text | Kind::Enum(_)) => write_string(out, text),
            (ValueRef::Integer(integer), Kind::Integer) => {
                out.extend_from_slice(itoa::Buffer::new().format(integer).as_bytes());
            }
            (ValueRef::Integer(0), Kind::Boolean) => out.extend_from_slice(b"false"),
            (ValueRef::Integer(1), Kind::Boolean) => out.extend_from_slice(b"true"),
            (ValueRef::Text(text), Kind::Timestamp) => {
                let start = out.len();
                out.push(b'"');
                if copy_timestamp(out, text) {
                    out.push(b'"');
                } else {
                    out.truncate(start);
                    return write(out, &Scalar::text(text), kind);
                }
            }
            _ => return write(out, &self.scalar(index)?, kind),
        }
        Ok(())
    }
}
