//! In: a row of tokio-postgres. Out: its values, read from the wire by their types.

use std::error::Error;

use tokio_postgres::Row;
use tokio_postgres::types::{FromSql, Kind, Type};

use super::binary;
use super::wire::{Base, Wire};
use crate::execute::batch::RowSource;
use crate::execute::scalar::{DecodeError, Scalar};

impl RowSource for Row {
    fn scalar(&self, index: usize) -> Result<Scalar<'_>, DecodeError> {
        let missing = |_| DecodeError::Missing { column: index };
        let Raw(Some(bytes)) = self.try_get(index).map_err(missing)? else {
            return Ok(Scalar::Null);
        };
        let column_type = self.columns()[index].type_();
        binary::decode(wire_of(column_type), bytes)
            .map_err(|error| error.of_type(column_type.name()))
    }
}

/// The bytes of a value of any type.
struct Raw<'r>(Option<&'r [u8]>);

impl<'r> FromSql<'r> for Raw<'r> {
    fn from_sql(_: &Type, raw: &'r [u8]) -> Result<Self, Box<dyn Error + Sync + Send>> {
        Ok(Self(Some(raw)))
    }

    fn from_sql_null(_: &Type) -> Result<Self, Box<dyn Error + Sync + Send>> {
        Ok(Self(None))
    }

    fn accepts(_: &Type) -> bool {
        true
    }
}

/// As for SeaORM's rows: types of the server by their numbers, others by what the driver asked about them.
fn wire_of(column_type: &Type) -> Wire {
    let wire = Wire::of_oid(column_type.oid());
    if wire != Wire::One(Base::Unknown) {
        return wire;
    }
    match column_type.kind() {
        Kind::Simple => Wire::One(Base::of_name(column_type.name())),
        Kind::Enum(_) => Wire::One(Base::Text),
        Kind::Domain(base) => wire_of(base),
        Kind::Array(element) => match wire_of(element) {
            Wire::One(element) => Wire::Array(element),
            Wire::Array(_) => Wire::One(Base::Unsupported),
        },
        _ => Wire::One(Base::Unsupported),
    }
}
