//! Finds the field to blame when the database refuses a value, and describes the error (b105, b466).
//!
//! The entity's declarations were checked before (`fits.rs`). What remains only the schema knows: a column that is narrower than
//! the entity says or that requires a value, a `CHECK`, an exclusion constraint, a trigger.

use sea_orm::sea_query::Value;
use sea_orm::sqlx::error::{DatabaseError, ErrorKind};
use sea_orm::{
    ActiveModelTrait, ActiveValue, DbErr, EntityTrait, IdenStatic, Iterable, RuntimeErr,
};

use super::constraint::columns_in;
use super::field_names::FieldNames;
use crate::http::RECORD;

/// The field and its message. If the database does not name a field, the message is about the record.
pub(super) fn blamed<E: EntityTrait>(
    error: &DbErr,
    record: &E::ActiveModel,
    names: FieldNames,
) -> Option<(String, String)> {
    let error = database_error(error)?;
    if is_raised(error) {
        return Some(raised(error));
    }
    if error.kind() == ErrorKind::NotNullViolation {
        return missing::<E>(error.message(), record, names);
    }
    let words = what_is_wrong(error)?;
    let message = |column: &str| {
        let name = names.shown(column);
        (name.to_string(), format!("{name} {words}."))
    };
    let field = match error.kind() {
        ErrorKind::CheckViolation | ErrorKind::ExclusionViolation => checked::<E>(error),
        _ if is_of_index(error) => checked::<E>(error),
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

/// The same for a deletion, for which no field can be blamed.
pub(super) fn of_deletion(error: &DbErr) -> Option<(String, String)> {
    let error = database_error(error)?;
    is_raised(error).then(|| raised(error))
}

fn database_error(error: &DbErr) -> Option<&dyn DatabaseError> {
    match error {
        DbErr::Query(RuntimeErr::SqlxError(error)) | DbErr::Exec(RuntimeErr::SqlxError(error)) => {
            error.as_database_error()
        }
        _ => None,
    }
}

/// Whether a trigger raised the error: `RAISE EXCEPTION` of PostgreSQL, `SIGNAL` of MySQL, `RAISE` of SQLite.
fn is_raised(error: &dyn DatabaseError) -> bool {
    let code = error.code();
    code.is_some_and(|code| matches!(&*code, "P0001" | "45000" | "1811"))
}

/// The trigger's own message is only logged, because it was not written for clients.
fn raised(error: &dyn DatabaseError) -> (String, String) {
    tracing::info!(error = error.message(), "the database refused a write");
    let message = "A rule of the database does not allow this change.".to_owned();
    (RECORD.to_owned(), message)
}

/// A column that has neither a value nor a default. If clients cannot send it, this is an error of the application.
fn missing<E: EntityTrait>(
    text: &str,
    record: &E::ActiveModel,
    names: FieldNames,
) -> Option<(String, String)> {
    let name = match text.split_once("constraint failed: ") {
        Some((_, name)) => name.rsplit('.').next(),
        // `null value in column "place" of …`, `Field 'place' doesn't have …`
        None => text.split(['"', '\'']).nth(1),
    };
    let column = E::Column::iter().find(|column| name == Some(column.as_str()))?;
    if !names.has(column.as_str()) {
        return None;
    }
    let name = names.shown(column.as_str()).into_owned();
    let message = match record.get(column) {
        ActiveValue::Set(_) => format!("{name} must not be null."),
        _ => format!("{name} is required."),
    };
    Some((name, message))
}

fn what_is_wrong(error: &dyn DatabaseError) -> Option<&'static str> {
    if error.kind() == ErrorKind::CheckViolation {
        return Some("is not allowed");
    }
    if error.kind() == ErrorKind::ExclusionViolation {
        return Some("conflicts with another record");
    }
    if is_of_index(error) {
        return Some("is too long");
    }
    // PostgreSQL and MariaDB share most of these.
    match &*error.code()? {
        "22001" => Some("is too long"),
        "22003" => Some("is out of range"),
        "22007" | "22008" | "22P02" | "22021" => Some("cannot be stored"),
        // MySQL: truncated data, or data in another character set.
        "01000" | "HY000" if error.message().contains(" for column ") => Some("cannot be stored"),
        _ => None,
    }
}

/// Whether a value is too long for an index of PostgreSQL.
fn is_of_index(error: &dyn DatabaseError) -> bool {
    error.code().is_some_and(|code| code == "54000") && error.message().starts_with("index row ")
}

/// The column of a constraint or index, from its name or, on SQLite, from its text.
fn checked<E: EntityTrait>(error: &dyn DatabaseError) -> Option<&'static str> {
    let text = error.message();
    let name = error.constraint().unwrap_or_else(|| {
        let quoted = text.split(['`', '\'']).nth(1);
        let after = text.split_once("constraint failed: ");
        after.map(|(_, name)| name).or(quoted).unwrap_or_default()
    });
    columns_in::<E>(name).first().copied()
}

/// The column that MySQL names after the value. The value can be any text of a client.
fn named<E: EntityTrait>(text: &str) -> Option<&'static str> {
    let (_, column) = text.rsplit_once(" for column ")?;
    let column = column.split(" at row").next()?;
    let column = column.rsplit('.').next()?.trim_matches(['`', '\'']);
    let mut known = E::Column::iter().map(|known| known.as_str());
    known.find(|known| *known == column)
}

/// PostgreSQL names the length and not the column. If only one text is longer, it is that one.
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
