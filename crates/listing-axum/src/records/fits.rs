//! Finds values that their columns cannot hold before a record is written (b104).
//!
//! Databases disagree: SQLite keeps a text of any length, PostgreSQL does not say which one was too long. What the
//! entity declares is the same on all of them.

use listing::FieldErrors;
use rust_decimal::{Decimal, RoundingStrategy};
use sea_orm::sea_query::{ColumnType, StringLen, Value};
use sea_orm::{ActiveModelTrait, ActiveValue, ColumnTrait, EntityTrait, IdenStatic, Iterable};

use super::wording::{longest, message};

/// Adds a message for each value that does not fit.
pub(super) fn check<E: EntityTrait>(record: &E::ActiveModel, errors: &mut FieldErrors) {
    for column in E::Column::iter() {
        let name = column.as_str();
        let ActiveValue::Set(value) = record.get(column) else {
            continue;
        };
        // A value that is wrong already need not be wrong twice.
        if errors.contains_key(name) {
            continue;
        }
        if let Some(words) = wanted(&value, column.def().get_column_type()) {
            errors.insert(name.to_owned(), vec![message(name, &words)]);
        }
    }
}

/// What the column wants instead; none where the value fits, or where the entity does not declare a limit.
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
            // Databases round before they look.
            let rounded =
                number.round_dp_with_strategy(*scale, RoundingStrategy::MidpointAwayFromZero);
            (rounded.abs() >= most)
                .then(|| format!("must be less than {most} and more than -{most}"))
        }
        _ => {
            let (least, most) = range(column)?;
            let number = integer(value)?;
            (number < least || number > most)
                .then(|| format!("must be an integer from {least} to {most}"))
        }
    }
}

fn range(column: &ColumnType) -> Option<(i128, i128)> {
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

fn integer(value: &Value) -> Option<i128> {
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
