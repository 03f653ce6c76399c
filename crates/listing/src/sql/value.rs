//! In: a typed value and its column. Out: the value as the column's database takes it.

use rust_decimal::prelude::ToPrimitive;
use sea_orm::sea_query::{ColumnType, Expr, ExprTrait, Value};

use super::Dialect;
use crate::define::{ColumnMeta, FilterValue};

/// The value, bound, as something that the column can be compared with.
pub(super) fn bound(value: &FilterValue, column: &ColumnMeta, dialect: Dialect) -> Expr {
    let column_type = &column.column_type;
    match value {
        // Digits that we read as a number ourselves: safe as text, and no driver but MySQL's binds them.
        FilterValue::UInt(number) if !dialect.has_unsigned() => Expr::cust(number.to_string()),
        FilterValue::Text(text) => match column_type {
            // PostgreSQL compares an enumeration with its own type only.
            ColumnType::Enum { name, .. } => Expr::val(text.as_str()).as_enum(name.clone()),
            _ => Expr::val(text.as_str()),
        },
        other => Expr::val(plain(other, column_type, dialect)),
    }
}

fn plain(value: &FilterValue, column_type: &ColumnType, dialect: Dialect) -> Value {
    match value {
        FilterValue::Bool(value) => Value::from(*value),
        FilterValue::Int(value) => Value::from(*value),
        FilterValue::UInt(value) => Value::from(*value),
        FilterValue::Float(value) => match column_type {
            // 1.1 of a single-precision column is equal to a single-precision 1.1 only.
            #[expect(
                clippy::cast_possible_truncation,
                reason = "the column has no more digits"
            )]
            ColumnType::Float => Value::from(*value as f32),
            _ => Value::from(*value),
        },
        FilterValue::Decimal(value) => {
            if dialect.has_decimals() {
                Value::from(*value)
            } else {
                Value::from(value.to_f64().unwrap_or(f64::MAX))
            }
        }
        FilterValue::Text(value) => Value::from(value.as_str()),
        FilterValue::Uuid(value) => Value::from(*value),
        FilterValue::Date(value) => Value::from(*value),
        FilterValue::Time(value) => Value::from(*value),
        FilterValue::Timestamp(value) => match column_type {
            ColumnType::TimestampWithTimeZone if dialect.has_zoned_moments() => Value::from(*value),
            _ => Value::from(value.naive_utc()),
        },
        FilterValue::Day(day) => {
            let (start, _) = FilterValue::day_bounds(*day);
            plain(&FilterValue::Timestamp(start), column_type, dialect)
        }
    }
}
