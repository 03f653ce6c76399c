//! Finds values that their columns cannot hold before a record is written (b104).
//!
//! Databases disagree: SQLite stores a text of any length, and PostgreSQL does not say which one was too long. The entity's
//! declarations are the same on all of them.

use chrono::Datelike;
use listing::Dialect;
use listing::reply::FieldErrors;
use rust_decimal::Decimal;
use sea_orm::sea_query::{ColumnType, StringLen, Value};
use sea_orm::{ActiveModelTrait, ActiveValue, ColumnTrait, EntityTrait, IdenStatic, Iterable};

use super::field_names::FieldNames;
use super::wording::{longest, message};

/// Adds a message for each value that does not fit.
pub(super) fn check<E: EntityTrait>(
    record: &E::ActiveModel,
    names: FieldNames,
    dialect: Option<Dialect>,
    errors: &mut FieldErrors,
) {
    for column in E::Column::iter() {
        let name = names.shown(column.as_str());
        let ActiveValue::Set(value) = record.get(column) else {
            continue;
        };
        // A value with an error does not get a second one.
        if errors.contains_key(&*name) {
            continue;
        }
        let words = wanted(&value, column.def().get_column_type());
        let words = words.or_else(|| wanted_of_year(&value));
        let words = words.or_else(|| wanted_of_float(&value, dialect));
        if let Some(words) = words {
            let message = message(&name, &words);
            errors.insert(name.into_owned(), vec![message]);
        }
    }
}

/// What the column accepts; `None` if the value fits, or if the entity does not declare a limit.
fn wanted(value: &Value, column: &ColumnType) -> Option<String> {
    match (value, column) {
        (
            Value::String(Some(text)),
            ColumnType::String(StringLen::N(most)) | ColumnType::Char(Some(most)),
        ) => (text.chars().count() > *most as usize).then(|| longest(most)),
        (
            Value::Bytes(Some(bytes)),
            ColumnType::VarBinary(StringLen::N(most)) | ColumnType::Binary(most),
        ) => (bytes.len() > *most as usize).then(|| longest(most)),
        (Value::Decimal(Some(number)), ColumnType::Decimal(Some((digits, scale)))) => {
            let most = Decimal::from(10_u64.checked_pow(digits.checked_sub(*scale)?)?);
            if number.abs() >= most {
                return Some(format!("must be less than {most} and more than -{most}"));
            }
            // A database would round it, and store another value than was sent.
            (number.normalize().scale() > *scale).then(|| match scale {
                0 => "must not have digits after the decimal point".to_owned(),
                1 => "must have at most 1 digit after the decimal point".to_owned(),
                _ => format!("must have at most {scale} digits after the decimal point"),
            })
        }
        _ => {
            let (least, most) = range(column)?;
            let number = integer(value)?;
            (number < least || number > most)
                .then(|| format!("must be an integer from {least} to {most}"))
        }
    }
}

/// The years that every database and every driver can store, in UTC. Filters accept the same range (b18).
fn wanted_of_year(value: &Value) -> Option<String> {
    let year = match value {
        Value::ChronoDate(Some(day)) => day.year(),
        Value::ChronoDateTime(Some(moment)) => moment.year(),
        Value::ChronoDateTimeUtc(Some(moment)) => moment.year(),
        Value::ChronoDateTimeLocal(Some(moment)) => moment.naive_utc().year(),
        Value::ChronoDateTimeWithTimeZone(Some(moment)) => moment.naive_utc().year(),
        _ => return None,
    };
    (!(1..=9999).contains(&year)).then(|| "must be in a year from 1 to 9999".to_owned())
}

/// SQLite stores decimals as floats, which have 15 exact digits.
fn wanted_of_float(value: &Value, dialect: Option<Dialect>) -> Option<String> {
    let Value::Decimal(Some(number)) = value else {
        return None;
    };
    let digits = number.normalize().mantissa().unsigned_abs().to_string();
    (dialect == Some(Dialect::Sqlite) && digits.len() > 15)
        .then(|| "must have at most 15 digits on this database".to_owned())
}

/// The integers that a column can hold.
pub(super) fn range(column: &ColumnType) -> Option<(i128, i128)> {
    Some(match column {
        ColumnType::TinyInteger => (i8::MIN.into(), i8::MAX.into()),
        ColumnType::SmallInteger => (i16::MIN.into(), i16::MAX.into()),
        ColumnType::Integer => (i32::MIN.into(), i32::MAX.into()),
        ColumnType::BigInteger => (i64::MIN.into(), i64::MAX.into()),
        ColumnType::TinyUnsigned => (0, u8::MAX.into()),
        ColumnType::SmallUnsigned => (0, u16::MAX.into()),
        ColumnType::Unsigned => (0, u32::MAX.into()),
        // PostgreSQL and SQLite have no larger ones.
        ColumnType::BigUnsigned => (0, i64::MAX.into()),
        _ => return None,
    })
}

/// The value of an integer of any width.
pub(super) fn integer(value: &Value) -> Option<i128> {
    Some(match value {
        Value::TinyInt(Some(number)) => (*number).into(),
        Value::SmallInt(Some(number)) => (*number).into(),
        Value::Int(Some(number)) => (*number).into(),
        Value::BigInt(Some(number)) => (*number).into(),
        Value::TinyUnsigned(Some(number)) => (*number).into(),
        Value::SmallUnsigned(Some(number)) => (*number).into(),
        Value::Unsigned(Some(number)) => (*number).into(),
        Value::BigUnsigned(Some(number)) => (*number).into(),
        _ => return None,
    })
}
