//! Writes what lies at a path inside a JSON column as the value that it is, and conditions on what arrays hold (d149).
//!
//! What is there but is of another kind is null, on every database: a number is no text, and an object is no array.

use sea_orm::sea_query::{ArrayType, ColumnType, Value};

use super::{Dialect, Writer, form};
use crate::define::FilterValue;
use crate::plan::ColumnOf;
use crate::vocabulary::Kind;

/// Writes the part of the column to which the names lead.
pub(super) fn write(writer: &mut Writer, of: ColumnOf<'_>, path: &[String]) {
    let column = |writer: &mut Writer| writer.qualified(of.table, &of.meta.name);
    if is_native(writer.dialect, of) {
        return column(writer);
    }
    let template = template(writer.dialect, &of.meta.kind, &at(writer.dialect, path));
    form::filled(writer, &template, &column);
}

/// Whether it is an array of PostgreSQL's own.
fn is_native(dialect: Dialect, of: ColumnOf<'_>) -> bool {
    dialect == Dialect::Postgres && matches!(of.meta.column_type, ColumnType::Array(_))
}

/// A path as the database writes it. Definitions allow no names that would have to be escaped.
fn at(dialect: Dialect, path: &[String]) -> String {
    let names = path.iter().map(|name| format!("\"{name}\""));
    let names: Vec<_> = names.collect();
    match dialect {
        Dialect::Postgres => format!("'{{{}}}'", names.join(",")),
        Dialect::Mysql | Dialect::Sqlite => {
            let names = std::iter::once("$".to_owned()).chain(names);
            format!("'{}'", names.collect::<Vec<_>>().join("."))
        }
    }
}

/// The value of a kind at a path; `@` stands for the column.
fn template(dialect: Dialect, kind: &Kind, at: &str) -> String {
    match dialect {
        // `json` has fewer functions than `jsonb`. A cast from `jsonb` to itself vanishes, so that an index on the expression
        // without it serves.
        Dialect::Postgres => {
            let value = format!("CAST(@ #> {at} AS jsonb)");
            let (name, shown) = match kind {
                Kind::Boolean => ("boolean", format!("CAST(@ #>> {at} AS boolean)")),
                Kind::Integer | Kind::Decimal { .. } => {
                    ("number", format!("CAST(@ #>> {at} AS numeric)"))
                }
                Kind::Array(_) => ("array", value.clone()),
                _ => ("string", format!("@ #>> {at}")),
            };
            format!("CASE jsonb_typeof({value}) WHEN '{name}' THEN {shown} END")
        }
        Dialect::Mysql => {
            let value = format!("JSON_EXTRACT(@, {at})");
            let (names, shown) = of_mysql(kind, &value);
            format!("CASE WHEN JSON_TYPE({value}) IN ({names}) THEN {shown} END")
        }
        // What is not JSON would be an error.
        Dialect::Sqlite => {
            let value = format!("json_extract(@, {at})");
            let cases = match kind {
                Kind::Boolean => "WHEN 'true' THEN 1 WHEN 'false' THEN 0".to_owned(),
                Kind::Integer | Kind::Decimal { .. } => {
                    format!("WHEN 'integer' THEN {value} WHEN 'real' THEN {value}")
                }
                Kind::Array(_) => format!("WHEN 'array' THEN {value}"),
                _ => format!("WHEN 'text' THEN {value}"),
            };
            format!("CASE CASE WHEN json_valid(@) THEN json_type(@, {at}) END {cases} END")
        }
    }
}

/// The names that MariaDB and MySQL have for a kind of JSON, and how the value is read from its JSON.
fn of_mysql(kind: &Kind, value: &str) -> (&'static str, String) {
    match kind {
        Kind::Boolean => ("'BOOLEAN'", format!("JSON_UNQUOTE({value}) = 'true'")),
        Kind::Integer | Kind::Decimal { .. } => (
            "'INTEGER', 'UNSIGNED INTEGER', 'DOUBLE', 'DECIMAL'",
            format!("CAST(JSON_UNQUOTE({value}) AS DECIMAL(65, 30))"),
        ),
        Kind::Array(_) => ("'ARRAY'", value.to_owned()),
        _ => ("'STRING'", format!("JSON_UNQUOTE({value})")),
    }
}

/// Writes the condition that all of the values are in the array, or one of them. There is at least one.
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

/// `@>` and `&&`, which a GIN index on the column serves.
fn native(writer: &mut Writer, of: ColumnOf<'_>, all: bool, values: &[FilterValue]) {
    let ColumnType::Array(element) = &of.meta.column_type else {
        return;
    };
    let held: Vec<_> = values.iter().filter(|value| fits(value, element)).collect();
    let Some(first) = held.first().filter(|_| !all || held.len() == values.len()) else {
        return writer.text("1 = 0");
    };
    // Arrays of `varchar` and of `text` are not compared with one another, and SeaORM calls both `String`.
    let is_text = matches!(
        **element,
        ColumnType::Char(_) | ColumnType::String(_) | ColumnType::Text
    );
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

/// An element of an array that is bound.
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

/// Whether an element of the array can be this value: a cast to its type would be an error otherwise.
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

/// `@>`, which a GIN index on the column, or on the path, serves. What is no array holds no array.
fn jsonb(writer: &mut Writer, of: ColumnOf<'_>, values: &[FilterValue]) {
    let at = at(writer.dialect, of.path.unwrap_or_default());
    let value = match of.path {
        Some([]) | None => "CAST(@ AS jsonb)".to_owned(),
        Some(_) => format!("CAST(@ #> {at} AS jsonb)"),
    };
    form::filled(writer, &value, &|writer| {
        writer.qualified(of.table, &of.meta.name);
    });
    writer.text(" @> ");
    writer.value(values.iter().map(json).collect::<serde_json::Value>());
}

/// Its own functions for this compare texts as they are written, with their escapes.
fn mysql(writer: &mut Writer, of: ColumnOf<'_>, value: &FilterValue) {
    let (names, shown) = of_mysql(element(of), "listing_element.held");
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

/// What the elements of an array are.
fn element<'c>(of: ColumnOf<'c>) -> &'c Kind {
    match &of.meta.kind {
        Kind::Array(element) => element,
        kind => kind,
    }
}

/// Binds a value as it is compared with one that was read from JSON.
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
