//! Writes the value at a path inside a JSON column, and conditions on elements of arrays (d149).
//!
//! A value of another kind is null on every database: a number is not a text, and an object is not an array.

use sea_orm::sea_query::{ArrayType, ColumnType, Value};

use super::{Dialect, Writer, form};
use crate::define::FilterValue;
use crate::plan::ColumnOf;
use crate::vocabulary::{Kind, inside};

/// Writes the part of the column at this path.
pub(super) fn write(writer: &mut Writer, of: ColumnOf<'_>, path: &[String]) {
    let column = |writer: &mut Writer| writer.qualified(of.table, &of.meta.name);
    if is_native(writer.dialect, of) {
        return column(writer);
    }
    let kind = &of.meta.kind;
    let template = match writer.dialect {
        Dialect::Postgres => inside::postgres(kind, path),
        Dialect::Mysql => inside::mysql(kind, path),
        Dialect::Sqlite => inside::sqlite(kind, path),
    };
    form::filled(writer, &template, &column);
}

/// Whether it is a native PostgreSQL array.
fn is_native(dialect: Dialect, of: ColumnOf<'_>) -> bool {
    dialect == Dialect::Postgres && matches!(of.meta.column_type, ColumnType::Array(_))
}

/// Writes the condition that the array contains all of the values, or one of them. There is at least one.
pub(super) fn holds(writer: &mut Writer, of: ColumnOf<'_>, all: bool, values: &[FilterValue]) {
    let word = if all { " AND " } else { " OR " };
    match writer.dialect {
        Dialect::Postgres if is_native(writer.dialect, of) => native(writer, of, all, values),
        Dialect::Postgres if all => jsonb(writer, of, values),
        Dialect::Postgres => each(writer, values, word, |writer, value| {
            jsonb(writer, of, std::slice::from_ref(value));
        }),
        Dialect::Mysql => each(writer, values, word, |writer, value| {
            mysql(writer, of, value);
        }),
        Dialect::Sqlite => each(writer, values, word, |writer, value| {
            sqlite(writer, of, value);
        }),
    }
}

fn each(
    writer: &mut Writer,
    values: &[FilterValue],
    word: &str,
    write: impl Fn(&mut Writer, &FilterValue),
) {
    writer.text("(");
    for (at, value) in values.iter().enumerate() {
        writer.text(if at == 0 { "" } else { word });
        write(writer, value);
    }
    writer.text(")");
}

/// `@>` and `&&`, which can use a GIN index on the column.
fn native(writer: &mut Writer, of: ColumnOf<'_>, all: bool, values: &[FilterValue]) {
    let ColumnType::Array(element) = &of.meta.column_type else {
        return;
    };
    let held: Vec<_> = values.iter().filter(|value| fits(value, element)).collect();
    let Some(first) = held.first().filter(|_| !all || held.len() == values.len()) else {
        return writer.text("1 = 0");
    };
    // Arrays of `varchar` and of `text` cannot be compared with each other, and SeaORM calls both `String`.
    let is_text = of.meta.holds_texts();
    writer.text(if is_text { "CAST(" } else { "" });
    writer.qualified(of.table, &of.meta.name);
    writer.text(if is_text { " AS text[])" } else { "" });
    writer.text(if all { " @> CAST(" } else { " && CAST(" });
    let array_type = match first {
        FilterValue::Bool(_) => ArrayType::Bool,
        FilterValue::Int(_) | FilterValue::UInt(_) => ArrayType::BigInt,
        FilterValue::Decimal(_) => ArrayType::Decimal,
        FilterValue::Uuid(_) => ArrayType::Uuid,
        FilterValue::Date(_) => ArrayType::ChronoDate,
        _ => ArrayType::String,
    };
    let held = held.into_iter().map(bound).collect();
    writer.value(Value::Array(array_type, Some(Box::new(held))));
    writer.text(" AS ");
    match &**element {
        ColumnType::SmallInteger => writer.text("smallint"),
        ColumnType::Integer => writer.text("integer"),
        ColumnType::BigInteger => writer.text("bigint"),
        ColumnType::Decimal(_) => writer.text("numeric"),
        ColumnType::Boolean => writer.text("boolean"),
        ColumnType::Uuid => writer.text("uuid"),
        ColumnType::Date => writer.text("date"),
        ColumnType::Enum { name, .. } => writer.name(&name.inner()),
        // Definitions allow no other types.
        _ => writer.text("text"),
    }
    writer.text("[])");
}

/// A bound element of an array.
fn bound(value: &FilterValue) -> Value {
    match value {
        FilterValue::Bool(value) => Value::from(*value),
        FilterValue::Int(value) => Value::from(*value),
        FilterValue::UInt(value) => Value::from(i64::try_from(*value).ok()),
        FilterValue::Decimal(value) => Value::from(*value),
        FilterValue::Uuid(value) => Value::from(*value),
        FilterValue::Date(value) => Value::from(*value),
        other => Value::from(other.canonical()),
    }
}

/// Whether an element of the array can have this value. Otherwise, a cast to its type would be an error.
fn fits(value: &FilterValue, element: &ColumnType) -> bool {
    match (value, element) {
        (FilterValue::Int(value), ColumnType::SmallInteger) => i16::try_from(*value).is_ok(),
        (FilterValue::Int(value), ColumnType::Integer) => i32::try_from(*value).is_ok(),
        (FilterValue::UInt(value), ColumnType::SmallInteger) => i16::try_from(*value).is_ok(),
        (FilterValue::UInt(value), ColumnType::Integer) => i32::try_from(*value).is_ok(),
        (FilterValue::UInt(value), _) => i64::try_from(*value).is_ok(),
        _ => true,
    }
}

/// `@>`, which can use a GIN index on the column or on the path. A value that is not an array contains no array.
fn jsonb(writer: &mut Writer, of: ColumnOf<'_>, values: &[FilterValue]) {
    let value = inside::postgres_json(of.path.unwrap_or_default());
    form::filled(writer, &value, &|writer| {
        writer.qualified(of.table, &of.meta.name);
    });
    writer.text(" @> ");
    writer.value(values.iter().map(json).collect::<serde_json::Value>());
}

/// MySQL's own functions for this compare texts as they are written, including their escapes.
fn mysql(writer: &mut Writer, of: ColumnOf<'_>, value: &FilterValue) {
    let (names, shown) = inside::mysql_value(element(of), "listing_element.held");
    writer.exists();
    writer.text(" (SELECT 1 FROM JSON_TABLE(");
    writer.column(of);
    writer.text(", '$[*]' COLUMNS (held JSON PATH '$')) AS listing_element WHERE JSON_TYPE(listing_element.held) IN (");
    writer.text(names);
    writer.text(") AND (");
    writer.text(&shown);
    writer.text(") = ");
    scalar(writer, value);
    writer.text(")");
}

fn sqlite(writer: &mut Writer, of: ColumnOf<'_>, value: &FilterValue) {
    if let FilterValue::Bool(value) = value {
        writer.value(if *value { "true" } else { "false" });
        writer.text(" IN (SELECT type FROM json_each(");
        writer.column(of);
        return writer.text("))");
    }
    scalar(writer, value);
    writer.text(" IN (SELECT value FROM json_each(");
    writer.column(of);
    writer.text(match element(of) {
        Kind::Integer | Kind::Decimal { .. } => ") WHERE type IN ('integer', 'real'))",
        _ => ") WHERE type = 'text')",
    });
}

/// The kind of an array's elements.
fn element<'c>(of: ColumnOf<'c>) -> &'c Kind {
    match &of.meta.kind {
        Kind::Array(element) => element,
        kind => kind,
    }
}

/// Binds a value for comparison with one that was read from JSON.
fn scalar(writer: &mut Writer, value: &FilterValue) {
    match value {
        FilterValue::Bool(value) => writer.value(*value),
        FilterValue::Int(value) => writer.value(*value),
        FilterValue::UInt(value) if writer.dialect.has_unsigned() => writer.value(*value),
        FilterValue::UInt(value) => writer.number(*value),
        other => writer.value(other.canonical()),
    }
}

/// A value as JSON.
fn json(value: &FilterValue) -> serde_json::Value {
    match value {
        FilterValue::Bool(value) => (*value).into(),
        FilterValue::Int(value) => (*value).into(),
        FilterValue::UInt(value) => (*value).into(),
        other => other.canonical().into(),
    }
}
