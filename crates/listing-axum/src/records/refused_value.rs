//! Finds the field to blame when the database refuses a value, and says what is wrong with it (b105).
//!
//! What an entity declares was looked at before (`fits.rs`). What comes here only the schema knows: a column that is
//! narrower than its entity says, or a `CHECK`.

use sea_orm::sea_query::Value;
use sea_orm::sqlx::error::{DatabaseError, ErrorKind};
use sea_orm::{
    ActiveModelTrait, ActiveValue, DbErr, EntityTrait, IdenStatic, Iterable, RuntimeErr,
};

use super::constraint::columns_in;
use super::field_names::{FieldNames, RECORD};

/// The field and its message. Where the database names no field, it is said of the record.
pub(super) fn blamed<E: EntityTrait>(
    error: &DbErr,
    record: &E::ActiveModel,
    names: FieldNames,
) -> Option<(String, String)> {
    let (DbErr::Query(RuntimeErr::SqlxError(error)) | DbErr::Exec(RuntimeErr::SqlxError(error))) =
        error
    else {
        return None;
    };
    let error = error.as_database_error()?;
    let words = what_is_wrong(error)?;
    let message = |column: &str| {
        let name = names.shown(column);
        (name.to_string(), format!("{name} {words}."))
    };
    let field = match error.kind() {
        ErrorKind::CheckViolation => checked::<E>(error),
        _ => named::<E>(error.message()).or_else(|| too_long::<E>(error.message(), record)),
    };
    Some(field.map_or_else(
        || {
            let whole = format!("A value in this record {words}.");
            (RECORD.to_owned(), whole)
        },
        message,
    ))
}

fn what_is_wrong(error: &dyn DatabaseError) -> Option<&'static str> {
    if error.kind() == ErrorKind::CheckViolation {
        return Some("is not allowed");
    }
    // PostgreSQL and MariaDB share most of these.
    match &*error.code()? {
        "22001" => Some("is too long"),
        "22003" => Some("is out of range"),
        "22007" | "22008" | "22P02" | "22021" => Some("cannot be stored"),
        // Of MySQL: data that was cut, or that is of another character set.
        "01000" | "HY000" if error.message().contains(" for column ") => Some("cannot be stored"),
        _ => None,
    }
}

/// The column of a `CHECK`, from its name or, on SQLite, from its text.
fn checked<E: EntityTrait>(error: &dyn DatabaseError) -> Option<&'static str> {
    let text = error.message();
    let name = error.constraint().unwrap_or_else(|| {
        let quoted = text.split(['`', '\'']).nth(1);
        let after = text.split_once("constraint failed: ");
        after.map(|(_, name)| name).or(quoted).unwrap_or_default()
    });
    columns_in::<E>(name).first().copied()
}

/// The column that MySQL names after the value, which can be a client's own text.
fn named<E: EntityTrait>(text: &str) -> Option<&'static str> {
    let (_, column) = text.rsplit_once(" for column ")?;
    let column = column.split(" at row").next()?;
    let column = column.rsplit('.').next()?.trim_matches(['`', '\'']);
    let mut known = E::Column::iter().map(|known| known.as_str());
    known.find(|known| *known == column)
}

/// PostgreSQL names the length and not the column; where only one text is longer, that is it.
fn too_long<E: EntityTrait>(text: &str, record: &E::ActiveModel) -> Option<&'static str> {
    let (_, most) = text.rsplit_once("character")?;
    let (_, most) = most.split_once('(')?;
    let most: usize = most.strip_suffix(')')?.parse().ok()?;
    let mut longer = E::Column::iter().filter(|column| match record.get(*column) {
        ActiveValue::Set(Value::String(Some(text))) => text.chars().count() > most,
        _ => false,
    });
    match (longer.next(), longer.next()) {
        (Some(column), None) => Some(column.as_str()),
        _ => None,
    }
}
