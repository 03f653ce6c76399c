//! Writes the condition that only rows after a given place in an order meet.
//!
//! For an order by `a` and then `id` it is `a >= 5 AND (a > 5 OR id > 7)`. The part in front is what makes it fast: it
//! alone is a range of an index. A comparison of rows, `(a, id) > (5, 7)`, would do for equal directions without nulls
//! only, and MariaDB uses no index for it.

use chrono::{DateTime, NaiveDate};
use sea_orm::sea_query::{ColumnType, Expr, Value};

use super::{Dialect, Writer, form, order, selected};
use crate::plan::{NullsPlace, OrderBy, OrderTerm, Plan};
use crate::vocabulary::{Key, Kind, SortDirection};

/// A part of the rows, which one statement reads.
///
/// If the first term can be null, its nulls and its values are read one after the other: each of the two is a range of an
/// index, but both together are not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    /// All of them.
    Whole,
    /// Those in which the first term has a value.
    Values,
    /// Those in which it has none.
    Nulls,
}

/// The parts of the plan's rows, in order.
///
/// A list by a column begins at one end of the column's index whether or not there are nulls, so it has parts only after a
/// cursor. A list by a column of a related row always has parts: only its values can be read from the related side, which has
/// the index (b270).
pub(super) fn parts(plan: &Plan<'_>) -> &'static [Part] {
    const WHOLE: &[Part] = &[Part::Whole];
    let Some(first) = plan.order.first().filter(|_| plan.order.len() > 1) else {
        return WHOLE;
    };
    let cursor = plan.cursor.as_ref();
    let place = cursor.and_then(|cursor| cursor.after.as_ref()?.first());
    let is_joined = matches!(&first.by, OrderBy::Related(row) if row.unique);
    // No index has a computed value.
    let is_column = matches!(first.by, OrderBy::Column(_)) && place.is_some();
    let Some(nulls) = first.nulls.filter(|_| is_joined || is_column) else {
        return WHOLE;
    };
    match (nulls, place) {
        (NullsPlace::First, Some(Key::Null) | None) => &[Part::Nulls, Part::Values],
        (NullsPlace::Last, Some(Key::Null)) => &[Part::Nulls],
        (NullsPlace::First, Some(_)) => &[Part::Values],
        (NullsPlace::Last, _) => &[Part::Values, Part::Nulls],
    }
}

/// Writes the condition for a part of the plan's rows: those after its cursor, if it has a place.
pub(super) fn within(writer: &mut Writer, plan: &Plan<'_>, part: Part) {
    let values = plan
        .cursor
        .as_ref()
        .and_then(|cursor| cursor.after.as_ref());
    let Some(values) = values else {
        return in_part(writer, plan, part);
    };
    let dialect = writer.dialect;
    let mut places = Vec::with_capacity(plan.order.len());
    for ((at, term), value) in plan.order.iter().enumerate().zip(values) {
        places.push(Place::of(plan, at, term, value, dialect));
    }
    let Some(first) = places.first_mut() else {
        return writer.text(NEVER);
    };
    match (part, values.first()) {
        (Part::Values, Some(Key::Null)) => return first.is_null(writer, false),
        (Part::Nulls, Some(value)) if *value != Key::Null => return first.is_null(writer, true),
        (Part::Whole, _) => {}
        _ => first.nulls = None,
    }
    // Computed values are in no index, and with a single term the condition is as short.
    let has_index = match &first.term.by {
        OrderBy::Column(_) => plan.order.len() > 1,
        OrderBy::Related(row) => row.unique,
        _ => false,
    };
    if !has_index || first.value.is_none() {
        return rest(writer, &places);
    }
    let (first, others) = (&places[0], &places[1..]);
    first.compare(writer, " >= ", " <= ");
    writer.text(" AND (");
    first.comes_after(writer);
    // A row that is not after it is equal.
    writer.text(" OR ");
    rest(writer, others);
    writer.text(")");
}

/// The rows in which the first term has a value, or has none.
fn in_part(writer: &mut Writer, plan: &Plan<'_>, part: Part) {
    match plan.order.first() {
        Some(term) if part != Part::Whole => {
            let first = Place::of(plan, 0, term, &Key::Null, writer.dialect);
            first.is_null(writer, part == Part::Nulls);
        }
        _ => writer.text("1 = 1"),
    }
}

const NEVER: &str = "1 = 0";

/// The row comes after it in the first term, or is equal there and comes after it in the following terms.
fn rest(writer: &mut Writer, places: &[Place<'_, '_>]) {
    match places {
        [] => writer.text(NEVER),
        [last] if last.can_come_after() => last.comes_after(writer),
        [_] => writer.text(NEVER),
        [first, others @ ..] if first.can_come_after() => {
            writer.text("(");
            first.comes_after(writer);
            writer.text(" OR (");
            first.equal(writer);
            writer.text(" AND ");
            rest(writer, others);
            writer.text("))");
        }
        [first, others @ ..] => {
            first.equal(writer);
            writer.text(" AND ");
            rest(writer, others);
        }
    }
}

/// The place of a row in one term of an order.
struct Place<'p, 'w> {
    plan: &'p Plan<'w>,
    at: usize,
    term: &'p OrderTerm<'w>,
    /// `None` if it is null.
    value: Option<Expr>,
    nulls: Option<NullsPlace>,
}

impl<'p, 'w> Place<'p, 'w> {
    fn of(
        plan: &'p Plan<'w>,
        at: usize,
        term: &'p OrderTerm<'w>,
        value: &Key,
        dialect: Dialect,
    ) -> Self {
        let value = match value {
            Key::Null => None,
            value => Some(bound(value, term, dialect)),
        };
        Self {
            plan,
            at,
            term,
            value,
            nulls: term.nulls,
        }
    }

    /// The expression that the term orders by.
    fn by(&self, writer: &mut Writer) {
        match &self.term.by {
            // An alias is not known in a condition.
            OrderBy::Selected(position) => {
                let source = &self.plan.columns[*position].source;
                selected(writer, source, &self.plan.order);
            }
            by => order::by(writer, by, self.at),
        }
    }

    fn is_null(&self, writer: &mut Writer, is_null: bool) {
        match &self.term.by {
            OrderBy::Related(row) if row.unique && is_null && self.at == 0 => {
                return order::has_no_value(writer, row);
            }
            _ => self.by(writer),
        }
        writer.text(if is_null { " IS NULL" } else { " IS NOT NULL" });
    }

    fn equal(&self, writer: &mut Writer) {
        match &self.value {
            Some(value) => {
                self.by(writer);
                writer.text(" = ");
                writer.expr(value);
            }
            None => self.is_null(writer, true),
        }
    }

    /// Nothing can come after a null that comes last.
    fn can_come_after(&self) -> bool {
        self.value.is_some() || self.nulls == Some(NullsPlace::First)
    }

    fn comes_after(&self, writer: &mut Writer) {
        match self.value {
            Some(_) => self.compare(writer, " > ", " < "),
            None => self.is_null(writer, false),
        }
    }

    /// Compared as the term ascends or descends, with the nulls that come after every value.
    fn compare(&self, writer: &mut Writer, ascending: &str, descending: &str) {
        let Some(value) = &self.value else { return };
        let or_null = self.nulls == Some(NullsPlace::Last);
        writer.text(if or_null { "(" } else { "" });
        self.by(writer);
        writer.text(match self.term.direction {
            SortDirection::Asc => ascending,
            SortDirection::Desc => descending,
        });
        writer.expr(value);
        if or_null {
            writer.text(" OR ");
            self.is_null(writer, true);
            writer.text(")");
        }
    }
}

/// Binds a value that was read, so that it can be compared with the column or expression that it came from.
///
/// A computed value need not have the type of its kind: an average that is declared as a float is a decimal. If the key has
/// another form than the kind's own, it is bound in that form.
fn bound(key: &Key, term: &OrderTerm<'_>, dialect: Dialect) -> Expr {
    let sqlite = dialect == Dialect::Sqlite;
    match (term.kind, key) {
        (Kind::Float32 | Kind::Float64, Key::Int(value)) => {
            #[expect(clippy::cast_precision_loss, reason = "the column holds floats")]
            match term.column_type {
                Some(column_type) => float(*value as f64, column_type),
                // A computed one can be an integer, or a decimal.
                None => Expr::val(*value),
            }
        }
        (_, Key::Bytes(bits)) => match (<[u8; 8]>::try_from(&bits[..]), term.column_type) {
            (Ok(bits), Some(column_type)) => float(f64::from_be_bytes(bits), column_type),
            (Ok(bits), None) => Expr::val(f64::from_be_bytes(bits)),
            // No cursor holds others.
            (Err(_), _) => Expr::val(bits.to_vec()),
        },
        // Only MariaDB has unsigned integers. PostgreSQL has a decimal instead, and SQLite a text.
        (_, Key::UInt(value)) => match dialect {
            Dialect::Mysql => Expr::val(*value),
            Dialect::Postgres => decimal(&value.to_string(), dialect),
            Dialect::Sqlite => Expr::val(value.to_string()),
        },
        // SQLite's columns have no types, so the key's own type decides.
        (_, key) if sqlite => {
            form::key(key, form::of_term(term)).map_or_else(|| plain(key), Expr::val)
        }
        (Kind::Boolean, Key::Int(value)) if dialect == Dialect::Postgres => Expr::val(*value != 0),
        (Kind::Date, Key::Int(days)) => {
            let day = i32::try_from(*days).ok();
            let day = day.and_then(NaiveDate::from_epoch_days);
            day.map_or_else(|| plain(key), Expr::val)
        }
        // As text: chrono has no time for midnight at the end of a day, 24:00.
        (Kind::Time, Key::Int(micros)) => match dialect {
            Dialect::Mysql => cast(&span(*micros), "TIME(6)", dialect),
            Dialect::Postgres | Dialect::Sqlite => cast(&span(*micros), "time", dialect),
        },
        (Kind::Timestamp, Key::Int(micros)) => {
            let Some(moment) = DateTime::from_timestamp_micros(*micros) else {
                return plain(key);
            };
            match term.column_type {
                // A computed moment is assumed to have a zone, as SeaORM's moments do.
                Some(ColumnType::TimestampWithTimeZone) | None if dialect.has_zoned_moments() => {
                    Expr::val(moment)
                }
                _ => Expr::val(moment.naive_utc()),
            }
        }
        (
            Kind::Decimal { .. }
            | Kind::Integer
            | Kind::IntegerText
            | Kind::Float32
            | Kind::Float64,
            Key::Text(digits),
        ) => decimal(digits, dialect),
        (Kind::Text, Key::Text(text)) => match term.column_type {
            // Such as `citext`, which compares in its own way with its own values only.
            Some(ColumnType::Custom(name)) if dialect == Dialect::Postgres => {
                cast(text, &name.to_string(), dialect)
            }
            _ => plain(key),
        },
        (_, key) => plain(key),
    }
}

fn plain(key: &Key) -> Expr {
    Expr::val(match key {
        Key::Int(value) => Value::from(*value),
        Key::UInt(value) => Value::from(*value),
        Key::Uuid(value) => Value::from(uuid::Uuid::from_bytes(*value)),
        Key::Text(value) => Value::from(value.as_ref()),
        Key::Bytes(value) => Value::from(value.to_vec()),
        Key::Null => Value::String(None),
    })
}

/// A single-precision column is equal to a single-precision value only. SQLite's columns always hold double precision.
fn float(number: f64, column_type: &ColumnType) -> Expr {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "compared with the number just below"
    )]
    let single = number as f32;
    if *column_type == ColumnType::Float && f64::from(single).to_bits() == number.to_bits() {
        Expr::val(single)
    } else {
        Expr::val(number)
    }
}

/// A decimal by its digits, which may be more than our types can hold. NaN has no digits.
fn decimal(digits: &str, dialect: Dialect) -> Expr {
    let digits = if digits.is_empty() { "NaN" } else { digits };
    match dialect {
        // There are at most 65 digits: none may be reserved for unused places after the point (b515).
        Dialect::Mysql => {
            let scale = places(digits);
            cast(digits, &format!("DECIMAL(65,{scale})"), dialect)
        }
        Dialect::Postgres | Dialect::Sqlite => cast(digits, "numeric", dialect),
    }
}

/// How many digits stand after the point, of those that a column can have.
fn places(digits: &str) -> usize {
    const MOST: usize = 38;
    // With an exponent the places are unknown; only a computed float is written with one.
    if digits.contains(['e', 'E']) {
        return 30;
    }
    let after = digits.split_once('.').map_or("", |(_, after)| after);
    after.len().min(MOST)
}

/// A text that the database reads as one of its own types.
fn cast(text: &str, to: &str, dialect: Dialect) -> Expr {
    let parameter = match dialect {
        Dialect::Postgres => "$1",
        Dialect::Mysql | Dialect::Sqlite => "?",
    };
    Expr::cust_with_values(format!("CAST({parameter} AS {to})"), [text])
}

/// MariaDB's times of day are spans, and can be negative or longer than a day.
fn span(micros: i64) -> String {
    let (sign, micros) = (if micros < 0 { "-" } else { "" }, micros.unsigned_abs());
    let (seconds, micros) = (micros / 1_000_000, micros % 1_000_000);
    let (hours, minutes, seconds) = (seconds / 3_600, seconds / 60 % 60, seconds % 60);
    format!("{sign}{hours:02}:{minutes:02}:{seconds:02}.{micros:06}")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rule b515.
    #[test]
    fn a_decimal_of_mariadb_keeps_all_its_digits() {
        let most = "9".repeat(65);
        let small = format!("0.{}", "1".repeat(40));
        for (digits, scale) in [
            (&*most, 0),
            ("-12.50", 2),
            ("7", 0),
            (&*small, 38),
            ("1.5e-7", 30),
            ("", 0),
        ] {
            let mut writer = Writer::new(Dialect::Mysql);
            writer.expr(&decimal(digits, Dialect::Mysql));
            let text = writer.finish().text;
            assert_eq!(text, format!("CAST(? AS DECIMAL(65,{scale}))"));
        }
    }
}
