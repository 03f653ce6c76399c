//! Binds a value as SQLite stores it, in the forms that SeaORM's driver writes: text is compared as text.

use chrono::{DateTime, SecondsFormat, TimeZone};
use rusqlite::ToSql;
use rusqlite::types::{ToSqlOutput, Value as Owned, ValueRef};
use sea_orm::sea_query::{OptionEnum, Value};

/// A value of a statement, as the driver takes it.
pub(super) struct Bound<'v>(pub(super) &'v Value);

impl ToSql for Bound<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        let borrowed = |value| Ok(ToSqlOutput::Borrowed(value));
        let integer =
            |value: Option<i64>| borrowed(value.map_or(ValueRef::Null, ValueRef::Integer));
        let real = |value: Option<f64>| borrowed(value.map_or(ValueRef::Null, ValueRef::Real));
        let text =
            |value: Option<String>| Ok(ToSqlOutput::Owned(value.map_or(Owned::Null, Owned::Text)));
        match self.0 {
            Value::Bool(value) => integer(value.map(i64::from)),
            Value::TinyInt(value) => integer(value.map(i64::from)),
            Value::SmallInt(value) => integer(value.map(i64::from)),
            Value::Int(value) => integer(value.map(i64::from)),
            Value::BigInt(value) => integer(*value),
            Value::TinyUnsigned(value) => integer(value.map(i64::from)),
            Value::SmallUnsigned(value) => integer(value.map(i64::from)),
            Value::Unsigned(value) => integer(value.map(i64::from)),
            Value::BigUnsigned(value) => {
                let value = value.map(i64::try_from).transpose();
                integer(value.map_err(|error| unbound(error.into()))?)
            }
            Value::Float(value) => real(value.map(f64::from)),
            Value::Double(value) => real(*value),
            Value::String(value) => borrowed(
                value
                    .as_ref()
                    .map_or(ValueRef::Null, |value| ValueRef::Text(value.as_bytes())),
            ),
            Value::Enum(OptionEnum::Some(value)) => {
                borrowed(ValueRef::Text(value.value.as_bytes()))
            }
            Value::Enum(OptionEnum::None(_)) => borrowed(ValueRef::Null),
            Value::Bytes(value) => {
                borrowed(value.as_deref().map_or(ValueRef::Null, ValueRef::Blob))
            }
            Value::Uuid(value) => borrowed(
                value
                    .as_ref()
                    .map_or(ValueRef::Null, |value| ValueRef::Blob(value.as_bytes())),
            ),
            Value::Char(value) => text(value.map(|value| value.to_string())),
            Value::Decimal(value) => text(value.map(|value| value.to_string())),
            Value::Json(value) => text(value.as_ref().map(|value| value.to_string())),
            Value::ChronoDate(value) => text(value.map(|day| day.format("%F").to_string())),
            Value::ChronoTime(value) => text(value.map(|time| time.format("%T%.f").to_string())),
            Value::ChronoDateTime(value) => {
                text(value.map(|moment| moment.format("%F %T%.f").to_string()))
            }
            Value::ChronoDateTimeUtc(value) => text(value.map(zoned)),
            Value::ChronoDateTimeLocal(value) => text(value.map(zoned)),
            Value::ChronoDateTimeWithTimeZone(value) => text(value.map(zoned)),
            // Arrays, and variants of features of SeaORM that this crate does not turn on.
            _ => Err(unbound("SQLite has no such type".into())),
        }
    }
}

fn zoned<Z: TimeZone<Offset: std::fmt::Display>>(moment: DateTime<Z>) -> String {
    moment.to_rfc3339_opts(SecondsFormat::AutoSi, false)
}

fn unbound(error: Box<dyn std::error::Error + Send + Sync>) -> rusqlite::Error {
    rusqlite::Error::ToSqlConversionFailure(error)
}
