//! Writes the SQL for the value at a path inside a JSON column, for statements and for the indexes that serve them (d149).
//!
//! In the returned text, `@` stands for the column. Definitions do not allow names that need escaping.

use super::Kind;

/// The value of a kind at a path in PostgreSQL; null if the value is of another kind.
///
/// `json` has fewer functions than `jsonb`. PostgreSQL drops a cast from a type to itself, so an index without the cast serves as
/// well.
pub(crate) fn postgres(kind: &Kind, path: &[String]) -> String {
    let (at, value) = (postgres_path(path), postgres_json(path));
    let (name, shown) = match kind {
        Kind::Boolean => ("boolean", format!("(@ #>> {at})::boolean")),
        Kind::Integer | Kind::Decimal { .. } => ("number", format!("(@ #>> {at})::numeric")),
        Kind::Array(_) => ("array", value.clone()),
        _ => ("string", format!("@ #>> {at}")),
    };
    format!("CASE jsonb_typeof({value}) WHEN '{name}' THEN {shown} END")
}

/// The value at a path, in the form that PostgreSQL's JSON operators take.
pub(crate) fn postgres_json(path: &[String]) -> String {
    match path {
        [] => "@::jsonb".to_owned(),
        _ => format!("(@ #> {})::jsonb", postgres_path(path)),
    }
}

fn postgres_path(path: &[String]) -> String {
    let names: Vec<_> = path.iter().map(|name| format!("\"{name}\"")).collect();
    format!("'{{{}}}'", names.join(","))
}

/// The value of a kind at a path in MariaDB and MySQL.
pub(crate) fn mysql(kind: &Kind, path: &[String]) -> String {
    let value = format!("JSON_EXTRACT(@, {})", json_path(path));
    let (names, shown) = mysql_value(kind, &value);
    format!("CASE WHEN JSON_TYPE({value}) IN ({names}) THEN {shown} END")
}

/// The names that MariaDB and MySQL use for a kind of JSON value, and the expression that converts the value.
pub(crate) fn mysql_value(kind: &Kind, value: &str) -> (&'static str, String) {
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

/// The value of a kind at a path in SQLite, which would fail on text that is not JSON.
pub(crate) fn sqlite(kind: &Kind, path: &[String]) -> String {
    let at = json_path(path);
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

fn json_path(path: &[String]) -> String {
    let names = path.iter().map(|name| format!("\"{name}\""));
    let names = std::iter::once("$".to_owned()).chain(names);
    format!("'{}'", names.collect::<Vec<_>>().join("."))
}
