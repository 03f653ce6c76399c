//! Binds a typed value as the database of its column takes it.

use rust_decimal::prelude::ToPrimitive;
use sea_orm::sea_query::{ColumnType, Expr, ExprTrait, Value};

use super::{Dialect, Writer};
use crate::define::{ColumnMeta, FilterValue};

/// Binds the value as something that the column can be compared with.
pub(super) fn bound(writer: &mut Writer<'_>, value: &FilterValue, column: &ColumnMeta) {
    match (value, &column.column_type) {
        // Digits that we read as a number ourselves: safe as text, and no driver but MySQL's binds them.
        (FilterValue::UInt(number), _) if !writer.dialect.has_unsigned() => writer.number(*number),
        // PostgreSQL compares an enumeration with its own type only.
        (FilterValue::Text(text), ColumnType::Enum { name, .. }) => {
            writer.expr(&Expr::val(text.as_str()).as_enum(name.clone()));
        }
        (other, column_type) => {
            let value = plain(other, column_type, writer.dialect);
            writer.value(value);
        }
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
