//! Writes columns of SQLite in SeaORM's form if they keep another, and values in the form of their column (b611).

use chrono::{DateTime, Utc};
use sea_orm::sea_query::{Expr, Value};

use super::{Dialect, Writer, moment};
use crate::define::{ColumnMeta, FilterValue, Through};
use crate::plan::{ColumnOf, OrderBy, OrderTerm};
use crate::vocabulary::{Form, Key, Kind};

/// Writes the column, or what `column` writes in its place, as the expression that is compared: its meaning in SeaORM's form if
/// its values have several forms.
pub(super) fn write(writer: &mut Writer, meta: &ColumnMeta, column: &dyn Fn(&mut Writer)) {
    if writer.dialect == Dialect::Sqlite && meta.form() == Form::Several {
        meaning(writer, meta, column);
    } else {
        column(writer);
    }
}

/// Writes a value of any form in SeaORM's form.
pub(super) fn meaning(writer: &mut Writer, meta: &ColumnMeta, column: &dyn Fn(&mut Writer)) {
    match meta.kind {
        Kind::Timestamp => moment::write(writer, meta.is_zoned(), column),
        Kind::Uuid => filled(writer, UUID_BYTES, column),
        Kind::Date => filled(writer, DAY, column),
        Kind::Boolean => filled(writer, TRUTH, column),
        _ => column(writer),
    }
}

/// Writes a template in which `@` stands for the column.
pub(super) fn filled(writer: &mut Writer, template: &str, column: &dyn Fn(&mut Writer)) {
    for (at, piece) in template.split('@').enumerate() {
        if at > 0 {
            column(writer);
        }
        writer.text(piece);
    }
}

const UUID_BYTES: &str = "CASE typeof(@) WHEN 'text' THEN coalesce(unhex(@, '-{}'), @) \
    WHEN 'blob' THEN CASE length(@) WHEN 16 THEN @ ELSE coalesce(unhex(CAST(@ AS TEXT), '-{}'), @) END \
    ELSE @ END";

const DAY: &str =
    "CASE WHEN typeof(@) = 'text' AND @ GLOB '????-??-??[Tt ]*' THEN substr(@, 1, 10) ELSE @ END";

const TRUTH: &str = "CASE typeof(@) WHEN 'integer' THEN @ <> 0 WHEN 'real' THEN @ <> 0 \
    WHEN 'text' THEN CASE WHEN lower(@) IN ('1', 't', 'true') THEN 1 \
    WHEN lower(@) IN ('0', 'f', 'false') THEN 0 ELSE @ END ELSE @ END";

/// The bytes of a UUID as text in small letters, with hyphens.
fn uuid_text(writer: &mut Writer, column: &dyn Fn(&mut Writer)) {
    let digits = format!("hex({UUID_BYTES})");
    let parts = [(1, 8), (9, 4), (13, 4), (17, 4), (21, 12)];
    let parts = parts.map(|(from, length)| format!("substr({digits}, {from}, {length})"));
    filled(
        writer,
        &format!("lower({})", parts.join(" || '-' || ")),
        column,
    );
}

/// One side of a join of two tables.
#[derive(Clone, Copy)]
pub(super) struct Side<'s> {
    pub(super) kind: &'s Kind,
    pub(super) form: Form,
    pub(super) column: &'s dyn Fn(&mut Writer),
}

impl<'s> Side<'s> {
    /// A column, written as `column` does.
    pub(super) fn of(meta: &'s ColumnMeta, column: &'s dyn Fn(&mut Writer)) -> Self {
        Self {
            kind: &meta.kind,
            form: meta.form(),
            column,
        }
    }

    /// Writes it in a form. Only UUIDs are joined in different forms.
    pub(super) fn write_as(self, writer: &mut Writer, form: Form) {
        if writer.dialect != Dialect::Sqlite || *self.kind != Kind::Uuid || self.form == form {
            (self.column)(writer);
        } else if form == Form::UuidText {
            uuid_text(writer, self.column);
        } else {
            filled(writer, UUID_BYTES, self.column);
        }
    }

    /// Writes it in the form in which the other side is compared with it.
    pub(super) fn write_as_met(self, writer: &mut Writer) {
        self.write_as(writer, self.met_as());
    }

    /// The same side after it has been written in that form.
    pub(super) fn met(self) -> Self {
        Self {
            form: self.met_as(),
            ..self
        }
    }

    /// The form in which the other side is compared with it: its own, so that an index on it can serve.
    pub(super) fn met_as(self) -> Form {
        met_as(self.form)
    }
}

/// A column of a junction: the one that holds the parent's key, or the one after it, which holds the related row's.
pub(super) fn link_side<'s>(
    through: &Through,
    at: usize,
    kind: &'s Kind,
    column: &'s dyn Fn(&mut Writer),
) -> Side<'s> {
    Side {
        kind,
        form: through.kept[at].get(),
        column,
    }
}

/// The form in which keys of a column are bound: its own, unless it has several.
pub(super) fn met_as(form: Form) -> Form {
    match form {
        Form::UuidText => Form::UuidText,
        _ => Form::Ours,
    }
}

/// Writes that the two are equal. An index on the first can serve, unless it has several forms.
pub(super) fn meet(writer: &mut Writer, first: Side<'_>, second: Side<'_>) {
    meet_as(writer, first, second, first.met_as());
}

/// Writes that the two are equal, both in that form.
pub(super) fn meet_as(writer: &mut Writer, first: Side<'_>, second: Side<'_>, form: Form) {
    first.write_as(writer, form);
    writer.text(" = ");
    second.write_as(writer, form);
}

/// A key as a value in that form.
pub(super) fn key(key: &Key, form: Form) -> Option<Value> {
    match (key, form) {
        (Key::Uuid(bytes), Form::UuidText) => {
            Some(Value::from(uuid::Uuid::from_bytes(*bytes).to_string()))
        }
        _ => None,
    }
}

/// The value of a filter as text, if its column stores texts of this form.
pub(super) fn value(value: &FilterValue, form: Form) -> Option<String> {
    match (value, form) {
        (FilterValue::Uuid(uuid), Form::UuidText) => Some(uuid.to_string()),
        (value, Form::Moments(text)) => moment_of(value).map(|moment| text.write(moment)),
        _ => None,
    }
}

/// The moment that a filter means.
pub(super) fn moment_of(value: &FilterValue) -> Option<DateTime<Utc>> {
    match value {
        FilterValue::Timestamp(moment) => Some(*moment),
        FilterValue::Day(day) => Some(FilterValue::day_bounds(*day).0),
        FilterValue::Period(period) => moment_of(&period.first),
        _ => None,
    }
}

/// A value as SeaORM would write it, in the form of its column; `None` if that form is SeaORM's.
pub(crate) fn stored(value: &Value, form: Form) -> Option<Value> {
    let moment = match value {
        Value::Uuid(Some(uuid)) if form == Form::UuidText => {
            return Some(Value::from(uuid.to_string()));
        }
        Value::ChronoDateTime(Some(moment)) => moment.and_utc(),
        Value::ChronoDateTimeUtc(Some(moment)) => *moment,
        Value::ChronoDateTimeLocal(Some(moment)) => moment.to_utc(),
        Value::ChronoDateTimeWithTimeZone(Some(moment)) => moment.to_utc(),
        _ => return None,
    };
    match form {
        Form::Moments(text) => Some(Value::from(text.write(moment))),
        _ => None,
    }
}

/// The form of the values that a term orders by.
pub(super) fn of_term(term: &OrderTerm<'_>) -> Form {
    match &term.by {
        OrderBy::Column(of) => of.meta.form(),
        OrderBy::Related(row) => row.target.columns[row.column].form(),
        _ => Form::Ours,
    }
}

/// The expression with which the column is compared; `None` if that is the column itself.
pub(crate) fn compared(of: ColumnOf<'_>, dialect: Dialect) -> Option<Expr> {
    if dialect != Dialect::Sqlite || of.meta.form() != Form::Several {
        return None;
    }
    Some(super::expr(dialect, |writer| writer.compared(of)))
}
