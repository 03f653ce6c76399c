//! Freezes what filters compare inside JSON columns, and arrays (d149).

use sea_orm::sea_query::ColumnType;

use super::Mistakes;
use super::filter::{check_operators, operators, text};
use crate::define::{ColumnMeta, Filter, WhitelistPart};
use crate::vocabulary::{FilterOperator, FormCell, Kind};

/// Something is wrong with a filter, and has been told.
pub(super) struct Mistaken;

/// The part of a column that a filter compares; none if it compares the column as it is.
pub(super) fn freeze(
    column: &ColumnMeta,
    filter: &Filter<()>,
    said: &str,
    mistakes: &mut Mistakes,
) -> Result<Option<WhitelistPart>, Mistaken> {
    if filter.json || filter.path.is_some() {
        let part = inside(column, filter, said, mistakes);
        return part.map(Some).ok_or(Mistaken);
    }
    let asks_of_array = |operator: FilterOperator| {
        use FilterOperator::{Contains, In, NotContains, NotIn};
        matches!(operator, Contains | NotContains | In | NotIn)
    };
    let kind = match &column.kind {
        Kind::Json | Kind::Array(_) if !operators(filter).any(asks_of_array) => None,
        Kind::Json => filter.value_kind.clone().or(Some(Kind::Text)),
        Kind::Array(of) => Some((**of).clone()),
        _ => None,
    };
    if filter.value_kind.is_some() && !(column.kind == Kind::Json && kind.is_some()) {
        mistakes.add(
            "filter",
            said,
            "`value_kind` is for filters with a `custom_query`, and for arrays in a JSON column",
            "remove it: the type of the column decides",
        );
        return Err(Mistaken);
    }
    let Some(kind) = kind else {
        return Ok(None);
    };
    check_array(filter, said, mistakes);
    let can_be_asked = match &column.column_type {
        ColumnType::Array(of) => is_element(of),
        _ => is_json_element(&kind),
    };
    if !can_be_asked {
        mistakes.add(
            "filter",
            said,
            format!("elements of kind {kind:?} cannot be looked for in an array"),
            "remove the operators, or use a `custom_query`",
        );
        return Err(Mistaken);
    }
    let kind = Kind::Array(Box::new(kind));
    Ok(Some(WhitelistPart {
        path: Vec::new(),
        values: values(column, kind, column.column_type.clone()),
    }))
}

/// The value at a path inside a JSON column.
fn inside(
    column: &ColumnMeta,
    filter: &Filter<()>,
    said: &str,
    mistakes: &mut Mistakes,
) -> Option<WhitelistPart> {
    let mut mistake = |problem: String, remedy: &str| {
        mistakes.add("filter", said, problem, remedy.to_owned());
        None
    };
    let (true, Some(path), Some(kind)) = (filter.json, &filter.path, &filter.value_kind) else {
        return match filter.json {
            true => mistake(
                "it does not say where in the column it looks".to_owned(),
                "add `.path(\"address.city\", Kind::Text)`",
            ),
            false => mistake(
                "`path` is for filters inside a JSON column".to_owned(),
                "use `Filter::json`",
            ),
        };
    };
    if column.kind != Kind::Json {
        return mistake(
            format!(
                "the column `{}` is not JSON, and has nothing inside",
                column.name
            ),
            "use `Filter::make`",
        );
    }
    let path: Vec<_> = path.split('.').map(str::to_owned).collect();
    if let Some(name) = path.iter().find(|name| !is_name(name)) {
        return mistake(
            format!(
                "`{name}` in its path is not a name that clients can send and every database finds"
            ),
            "use names of letters, digits, `_` and `-`, which do not consist of digits alone",
        );
    }
    let (kind, column_type) = match kind {
        Kind::Text => (Kind::Text, ColumnType::Text),
        Kind::Integer => (Kind::Integer, ColumnType::BigInteger),
        Kind::Decimal { .. } => (Kind::Decimal { scale: None }, ColumnType::Decimal(None)),
        Kind::Boolean => (Kind::Boolean, ColumnType::Boolean),
        Kind::Array(of) if is_json_element(of) => {
            check_array(filter, said, mistakes);
            let values = values(column, kind.clone(), column.column_type.clone());
            return Some(WhitelistPart { path, values });
        }
        other => {
            return mistake(
                format!("{other:?} is not a kind that JSON has on every database"),
                "use `Kind::Text`, `Kind::Integer`, `Kind::Decimal`, `Kind::Boolean`, or an array of texts, integers or booleans",
            );
        }
    };
    check_operators(filter, said, &column_type, &kind, mistakes);
    let values = values(column, kind, column_type);
    Some(WhitelistPart { path, values })
}

/// An array only has filters by its elements.
fn check_array(filter: &Filter<()>, said: &str, mistakes: &mut Mistakes) {
    let known = FilterOperator::for_arrays();
    for operator in operators(filter).filter(|operator| !known.contains(operator)) {
        mistakes.add(
            "filter",
            said,
            format!("`{operator}` cannot be applied to an array"),
            "use `$contains`, `$notContains`, `$in`, `$notIn`, `$null` and `$notNull`",
        );
    }
}

fn is_name(name: &str) -> bool {
    let is_plain = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
    !name.is_empty() && name.chars().all(is_plain) && !name.chars().all(char::is_numeric)
}

/// The kinds that JSON has on every database.
fn is_json_element(kind: &Kind) -> bool {
    matches!(kind, Kind::Text | Kind::Integer | Kind::Boolean)
}

/// The element types of PostgreSQL's arrays that can be searched for.
fn is_element(column_type: &ColumnType) -> bool {
    text(column_type)
        || matches!(
            column_type,
            ColumnType::SmallInteger
                | ColumnType::Integer
                | ColumnType::BigInteger
                | ColumnType::Decimal(_)
                | ColumnType::Boolean
                | ColumnType::Uuid
                | ColumnType::Date
                | ColumnType::Enum { .. }
        )
}

/// A part as if it were a column. It has no value wherever something else is in its place.
fn values(column: &ColumnMeta, kind: Kind, column_type: ColumnType) -> ColumnMeta {
    ColumnMeta {
        name: column.name.clone(),
        kind,
        column_type,
        nullable: true,
        unique: false,
        values: None,
        numeric: false,
        kept: FormCell::default(),
    }
}
