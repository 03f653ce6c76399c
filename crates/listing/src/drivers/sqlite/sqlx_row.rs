//! Reads the values of a SQLite row that came through SeaORM, by the storage class that each has.

use sqlx::sqlite::{Sqlite, SqliteRow};
use sqlx::{Column as _, Decode, Row as _, TypeInfo as _, ValueRef as _};

use crate::render::{DecodeError, RowSource, Scalar};

impl RowSource for SqliteRow {
    fn scalar(&self, index: usize) -> Result<Scalar<'_>, DecodeError> {
        let missing = DecodeError::Missing { column: index };
        let value = self.try_get_raw(index).map_err(|_| missing.clone())?;
        if value.is_null() {
            return Ok(Scalar::Null);
        }
        // The value's own class, not the column's: SQLite's columns hold any class.
        let class = match value.type_info().name() {
            "INTEGER" => Class::Integer,
            "REAL" => Class::Real,
            "TEXT" => Class::Text,
            _ => Class::Blob,
        };
        let unread = |_| DecodeError::malformed("value");
        Ok(match class {
            Class::Integer => {
                let integer = <i64 as Decode<Sqlite>>::decode(value).map_err(unread)?;
                let column = self.columns().get(index).ok_or(missing)?;
                let boolean = *column.type_info() == <bool as sqlx::Type<Sqlite>>::type_info();
                // Only where nothing is declared does it matter (a declared boolean takes both).
                match integer {
                    0 | 1 if boolean => Scalar::Bool(integer == 1),
                    _ => Scalar::Int(integer),
                }
            }
            Class::Real => Scalar::F64(<f64 as Decode<Sqlite>>::decode(value).map_err(unread)?),
            // As bytes: a text that is not UTF-8 is not an error here.
            Class::Text => Scalar::text(<&[u8] as Decode<Sqlite>>::decode(value).map_err(unread)?),
            Class::Blob => Scalar::bytes(<&[u8] as Decode<Sqlite>>::decode(value).map_err(unread)?),
        })
    }
}

enum Class {
    Integer,
    Real,
    Text,
    Blob,
}
