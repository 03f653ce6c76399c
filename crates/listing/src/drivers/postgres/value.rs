//! Binds a value as PostgreSQL takes it: its type and its bytes.
//!
//! The types are those that SeaORM's driver declares, so that a statement means the same on every reader. (The crate
//! sea-query-postgres declares others: a moment in UTC without its zone, a `u64` as a decimal with an integer's bytes.)

use std::error::Error;

use sea_orm::sea_query::{ArrayType, OptionEnum, Value};
use tokio_postgres::types::private::BytesMut;
use tokio_postgres::types::{IsNull, ToSql, Type, to_sql_checked};

/// A value of a statement, as the driver takes it.
#[derive(Debug)]
pub(super) struct Bound<'v>(pub(super) &'v Value);

/// The type that is declared for a value; `None` if it cannot be bound.
pub(super) fn type_of(value: &Value) -> Option<Type> {
    Some(match value {
        Value::Bool(_) => Type::BOOL,
        Value::TinyInt(_) => Type::CHAR,
        Value::SmallInt(_) | Value::TinyUnsigned(_) => Type::INT2,
        Value::Int(_) | Value::SmallUnsigned(_) => Type::INT4,
        Value::BigInt(_) | Value::Unsigned(_) | Value::BigUnsigned(_) => Type::INT8,
        Value::Float(_) => Type::FLOAT4,
        Value::Double(_) => Type::FLOAT8,
        Value::Decimal(_) => Type::NUMERIC,
        Value::String(_) | Value::Char(_) | Value::Enum(_) => Type::TEXT,
        Value::Bytes(_) => Type::BYTEA,
        Value::Json(_) => Type::JSONB,
        Value::Uuid(_) => Type::UUID,
        Value::ChronoDate(_) => Type::DATE,
        Value::ChronoTime(_) => Type::TIME,
        Value::ChronoDateTime(_) => Type::TIMESTAMP,
        Value::ChronoDateTimeUtc(_)
        | Value::ChronoDateTimeLocal(_)
        | Value::ChronoDateTimeWithTimeZone(_) => Type::TIMESTAMPTZ,
        Value::Array(of, _) => return array_of(of),
        // Variants of features of SeaORM that this crate does not turn on.
        #[allow(unreachable_patterns, reason = "an application can turn them on")]
        _ => return None,
    })
}

fn array_of(of: &ArrayType) -> Option<Type> {
    Some(match of {
        ArrayType::Bool => Type::BOOL_ARRAY,
        ArrayType::TinyInt => Type::CHAR_ARRAY,
        ArrayType::SmallInt | ArrayType::TinyUnsigned => Type::INT2_ARRAY,
        ArrayType::Int | ArrayType::SmallUnsigned => Type::INT4_ARRAY,
        ArrayType::BigInt | ArrayType::Unsigned | ArrayType::BigUnsigned => Type::INT8_ARRAY,
        ArrayType::Float => Type::FLOAT4_ARRAY,
        ArrayType::Double => Type::FLOAT8_ARRAY,
        ArrayType::Decimal => Type::NUMERIC_ARRAY,
        ArrayType::String | ArrayType::Char | ArrayType::Enum(_) => Type::TEXT_ARRAY,
        ArrayType::Bytes => Type::BYTEA_ARRAY,
        ArrayType::Json => Type::JSONB_ARRAY,
        ArrayType::Uuid => Type::UUID_ARRAY,
        ArrayType::ChronoDate => Type::DATE_ARRAY,
        ArrayType::ChronoTime => Type::TIME_ARRAY,
        ArrayType::ChronoDateTime => Type::TIMESTAMP_ARRAY,
        ArrayType::ChronoDateTimeUtc
        | ArrayType::ChronoDateTimeLocal
        | ArrayType::ChronoDateTimeWithTimeZone => Type::TIMESTAMPTZ_ARRAY,
        #[allow(unreachable_patterns, reason = "an application can turn them on")]
        _ => return None,
    })
}

impl ToSql for Bound<'_> {
    fn to_sql(
        &self,
        ty: &Type,
        out: &mut BytesMut,
    ) -> Result<IsNull, Box<dyn Error + Sync + Send>> {
        match self.0 {
            Value::Bool(value) => value.to_sql(ty, out),
            Value::TinyInt(value) => value.to_sql(ty, out),
            Value::SmallInt(value) => value.to_sql(ty, out),
            Value::Int(value) => value.to_sql(ty, out),
            Value::BigInt(value) => value.to_sql(ty, out),
            // PostgreSQL has no unsigned integers: the next larger type holds them.
            Value::TinyUnsigned(value) => value.map(i16::from).to_sql(ty, out),
            Value::SmallUnsigned(value) => value.map(i32::from).to_sql(ty, out),
            Value::Unsigned(value) => value.map(i64::from).to_sql(ty, out),
            Value::BigUnsigned(value) => value.map(i64::try_from).transpose()?.to_sql(ty, out),
            Value::Float(value) => value.to_sql(ty, out),
            Value::Double(value) => value.to_sql(ty, out),
            Value::Decimal(value) => value.to_sql(ty, out),
            Value::String(value) => value.to_sql(ty, out),
            Value::Char(value) => value.map(|value| value.to_string()).to_sql(ty, out),
            Value::Enum(OptionEnum::Some(value)) => value.value.as_ref().to_sql(ty, out),
            Value::Enum(OptionEnum::None(_)) | Value::Array(_, None) => Ok(IsNull::Yes),
            Value::Bytes(value) => value.to_sql(ty, out),
            Value::Json(value) => value.as_deref().to_sql(ty, out),
            Value::Uuid(value) => value.to_sql(ty, out),
            Value::ChronoDate(value) => value.to_sql(ty, out),
            Value::ChronoTime(value) => value.to_sql(ty, out),
            Value::ChronoDateTime(value) => value.to_sql(ty, out),
            Value::ChronoDateTimeUtc(value) => value.to_sql(ty, out),
            Value::ChronoDateTimeLocal(value) => value.to_sql(ty, out),
            Value::ChronoDateTimeWithTimeZone(value) => value.to_sql(ty, out),
            Value::Array(_, Some(values)) => {
                let values: Vec<Bound<'_>> = values.iter().map(Bound).collect();
                values.to_sql(ty, out)
            }
            #[allow(unreachable_patterns, reason = "an application can turn them on")]
            _ => Err("no such type on this connection".into()),
        }
    }

    fn accepts(_: &Type) -> bool {
        true
    }

    to_sql_checked!();
}
