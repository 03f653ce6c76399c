//! Binds a typed value as the database of its column takes it.

use std::cmp::Ordering;

use rust_decimal::Decimal;
use sea_orm::sea_query::{ColumnType, Expr, ExprTrait, Value};

use super::{Dialect, Writer, form};
use crate::define::{ColumnMeta, FilterValue};
use crate::vocabulary::Form;

/// Binds the value so that it can be compared with the column.
pub(super) fn bound(writer: &mut Writer, value: &FilterValue, column: &ColumnMeta) {
    if writer.dialect == Dialect::Sqlite
        && let Some(text) = form::value(value, column.form())
    {
        return writer.value(text);
    }
    match (value, &column.column_type) {
        // Digits that were parsed as a number: safe as text, and only MySQL's driver binds them.
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

/// How the nearest value that the column can hold compares with the requested value.
///
/// A column of SQLite holds floats, each of which means the shortest decimal that reads as the same float. A decimal with more
/// digits can lie between two of them: it is then compared with the nearest, and the result says on which side of it that one
/// is (b182). The same holds for a moment if its column keeps fewer digits (b611).
pub(super) fn nearest(value: &FilterValue, column: &ColumnMeta, dialect: Dialect) -> Ordering {
    match value {
        FilterValue::Timestamp(asked) if dialect == Dialect::Sqlite => match column.form() {
            Form::Moments(text) => text.at_or_before(*asked).cmp(asked),
            _ => Ordering::Equal,
        },
        FilterValue::Decimal(asked) if !dialect.has_decimals() && !is_short(*asked) => {
            let float = float(*asked);
            match Decimal::from_str_exact(&float.to_string()) {
                Ok(meant) => meant.cmp(asked),
                // Only the largest floats do not fit into a decimal.
                Err(_) => float.total_cmp(&0.0),
            }
        }
        _ => Ordering::Equal,
    }
}

/// Whether a float that reads as these digits is written with them.
fn is_short(number: Decimal) -> bool {
    const FIFTEEN_DIGITS: u128 = 1_000_000_000_000_000;
    number.mantissa().unsigned_abs() < FIFTEEN_DIGITS
}

/// The float nearest to a decimal, rounded once. Two floats without error give one by division; others are read by
/// their digits.
fn float(number: Decimal) -> f64 {
    const FIFTEEN: u32 = 15;
    if is_short(number) && number.scale() <= FIFTEEN {
        #[expect(clippy::cast_precision_loss, reason = "fifteen digits fit")]
        return number.mantissa() as f64 / 10_u64.pow(number.scale()) as f64;
    }
    number.to_string().parse().unwrap_or(f64::MAX)
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
                Value::from(float(*value))
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
        FilterValue::Period(period) => plain(&period.first, column_type, dialect),
    }
}
