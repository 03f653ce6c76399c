//! Reads the values of a row of MySQL or MariaDB by the types of its columns.

use sqlx::mysql::{MySql, MySqlRow, MySqlTypeInfo};
use sqlx::{Column as _, Decode, Row as _, TypeInfo as _, ValueRef as _};

use crate::render::{DecodeError, MysqlWire, RowSource, Scalar, decode_mysql};

impl RowSource for MySqlRow {
    fn scalar(&self, index: usize) -> Result<Scalar<'_>, DecodeError> {
        let missing = DecodeError::Missing { column: index };
        let value = self.try_get_raw(index).map_err(|_| missing.clone())?;
        // The driver also calls zero dates null, although they have bytes.
        if value.is_null() {
            let bytes = <&[u8] as Decode<MySql>>::decode(value);
            return Ok(bytes.map_or(Scalar::Null, |_| Scalar::NoDate));
        }
        let type_info = self
            .columns()
            .get(index)
            .ok_or_else(|| missing.clone())?
            .type_info();
        let number = || DecodeError::malformed("number");
        Ok(match Wire::of(type_info) {
            Wire::Signed => {
                Scalar::Int(<i64 as Decode<MySql>>::decode(value).map_err(|_| number())?)
            }
            Wire::Unsigned => {
                Scalar::UInt(<u64 as Decode<MySql>>::decode(value).map_err(|_| number())?)
            }
            Wire::Boolean => match <i64 as Decode<MySql>>::decode(value).map_err(|_| number())? {
                0 => Scalar::Bool(false),
                1 => Scalar::Bool(true),
                other => Scalar::Int(other),
            },
            Wire::Float => {
                Scalar::F32(<f32 as Decode<MySql>>::decode(value).map_err(|_| number())?)
            }
            Wire::Double => {
                Scalar::F64(<f64 as Decode<MySql>>::decode(value).map_err(|_| number())?)
            }
            Wire::Other(other) => {
                let bytes = <&[u8] as Decode<MySql>>::decode(value).map_err(|_| missing)?;
                decode_mysql(other, bytes)?
            }
        })
    }
}

enum Wire {
    Signed,
    Unsigned,
    /// `TINYINT(1)`.
    Boolean,
    Float,
    Double,
    Other(MysqlWire),
}

impl Wire {
    fn of(type_info: &MySqlTypeInfo) -> Self {
        Self::Other(match type_info.name() {
            "INT" | "BIGINT" | "SMALLINT" | "TINYINT" | "MEDIUMINT" => return Self::Signed,
            "BOOLEAN" => return Self::Boolean,
            "INT UNSIGNED" | "BIGINT UNSIGNED" | "SMALLINT UNSIGNED" | "TINYINT UNSIGNED"
            | "MEDIUMINT UNSIGNED" | "YEAR" => return Self::Unsigned,
            "FLOAT" => return Self::Float,
            "DOUBLE" => return Self::Double,
            "DECIMAL" => MysqlWire::Decimal,
            "DATETIME" | "TIMESTAMP" => MysqlWire::Timestamp,
            "DATE" => MysqlWire::Date,
            "TIME" => MysqlWire::Time,
            "JSON" => MysqlWire::Json,
            "BIT" => MysqlWire::Bits,
            "SET" | "ENUM" => MysqlWire::Text,
            // The names are ambiguous: `VARBINARY` is also a VARCHAR whose collation ends in
            // `_bin`, and `LONGBLOB` is MariaDB's JSON. The driver knows the character set.
            _ if <str as sqlx::Type<MySql>>::compatible(type_info) => MysqlWire::Text,
            _ => MysqlWire::Bytes,
        })
    }
}
