//! Writes a column of SQLite so that SeaORM can read whatever the column holds, as far as it is of the column's type (b610).
//!
//! SQLite's columns hold any storage class: a whole number in a column of decimals is an integer. SeaORM's driver reads a type
//! from one or two storage classes only.

use sea_orm::sea_query::Expr;

use super::expr;
use super::form::{filled, meaning};
use super::{Dialect, Writer};
use crate::plan::ColumnOf;
use crate::vocabulary::Kind;

/// The column as SeaORM can read it; `None` if it can be read as it is.
pub(crate) fn readable(of: ColumnOf<'_>, dialect: Dialect) -> Option<Expr> {
    if dialect != Dialect::Sqlite || !has_classes(&of.meta.kind) {
        return None;
    }
    Some(expr(dialect, |writer| write(writer, of)))
}

/// The condition that a row holds a value that SeaORM cannot read, and that is not of the column's type.
pub(crate) fn unfit(of: ColumnOf<'_>) -> Option<String> {
    let test = match &of.meta.kind {
        Kind::Integer | Kind::IntegerText | Kind::Boolean => "typeof(@) <> 'integer'",
        Kind::Float32 | Kind::Float64 | Kind::Decimal { .. } => "typeof(@) <> 'real'",
        Kind::Uuid => "typeof(@) <> 'blob' OR length(@) <> 16",
        Kind::Date => "@ NOT GLOB '????-??-??' OR date(@) IS NULL",
        Kind::Timestamp => "@ NOT GLOB '????-??-??[T ]??:??:??*' OR datetime(@) IS NULL",
        Kind::Json => "NOT json_valid(@)",
        _ => return None,
    };
    let mut writer = Writer::new(Dialect::Sqlite);
    writer.column(of);
    writer.text(" IS NOT NULL AND (");
    filled(&mut writer, test, &|writer| write(writer, of));
    writer.text(")");
    Some(writer.finish().text)
}

fn write(writer: &mut Writer, of: ColumnOf<'_>) {
    let column = |writer: &mut Writer| writer.column(of);
    let template = match &of.meta.kind {
        Kind::Integer | Kind::IntegerText => INTEGER,
        Kind::Float32 | Kind::Float64 | Kind::Decimal { .. } => REAL,
        Kind::Text | Kind::Enum(_) | Kind::Json => TEXT,
        _ => return meaning(writer, of.meta, &column),
    };
    filled(writer, &template.replace("{number}", NUMBER), &column);
}

/// Whether SeaORM reads the kind from some storage classes, and SQLite may have used others.
fn has_classes(kind: &Kind) -> bool {
    !matches!(
        kind,
        Kind::Time | Kind::Binary | Kind::Bits { .. } | Kind::Array(_) | Kind::Natural
    )
}

const INTEGER: &str = "CASE typeof(@) \
    WHEN 'real' THEN CASE WHEN @ = CAST(@ AS INTEGER) THEN CAST(@ AS INTEGER) ELSE @ END \
    WHEN 'text' THEN CASE WHEN {number} AND CAST(@ AS NUMERIC) = CAST(@ AS INTEGER) THEN CAST(@ AS INTEGER) ELSE @ END \
    ELSE @ END";

const REAL: &str = "CASE typeof(@) WHEN 'integer' THEN CAST(@ AS REAL) \
    WHEN 'text' THEN CASE WHEN {number} THEN CAST(@ AS REAL) ELSE @ END \
    ELSE @ END";

const TEXT: &str =
    "CASE WHEN typeof(@) IN ('integer', 'real', 'blob') THEN CAST(@ AS TEXT) ELSE @ END";

/// The condition that a text is a number: a cast would read any leading digits.
const NUMBER: &str =
    "CASE WHEN json_valid(trim(@)) THEN json_type(trim(@)) IN ('integer', 'real') ELSE 0 END";
