//! Writes a tree of conditions as the text of a dialect.

use std::cmp::Ordering;

use sea_orm::sea_query::{ColumnType, Expr};

use super::{
    Dialect, Writer, computed, first, part, related, search, sub_query, text_match, value,
};
use crate::define::{ColumnMeta, FilterValue};
use crate::plan::{ColumnOf, Comparison, Computed, Predicate};
use crate::vocabulary::Plans;

/// The condition as an expression for a query of the application; `None` if every row meets it.
pub(crate) fn expression(predicate: &Predicate<'_>, dialect: Dialect) -> Option<Expr> {
    if predicate.is_always() {
        return None;
    }
    Some(super::expr(dialect, |writer| condition(writer, predicate)))
}

/// Writes a condition that can be joined to others with `AND`. Conditions that every row meets are not allowed.
pub(super) fn condition(writer: &mut Writer, predicate: &Predicate<'_>) {
    match predicate {
        Predicate::All(parts) => {
            let counting = parts.iter().filter(|part| !part.is_always());
            if parts.len() > FEW {
                joined(writer, &counting.collect::<Vec<_>>(), " AND ");
            } else {
                for (at, part) in counting.enumerate() {
                    writer.text(if at == 0 { "" } else { " AND " });
                    condition(writer, part);
                }
            }
        }
        Predicate::Any(parts) if parts.is_empty() => writer.text("1 = 0"),
        Predicate::Any(parts) if parts.len() == 1 => condition(writer, &parts[0]),
        Predicate::Any(parts) => {
            writer.text("(");
            joined(writer, &parts.iter().collect::<Vec<_>>(), " OR ");
            writer.text(")");
        }
        Predicate::Compare {
            column,
            comparison,
            value,
        } => compare(writer, &Compared::column(*column), *comparison, value),
        Predicate::OneOf {
            column,
            values,
            negated,
        } => list(writer, &Compared::column(*column), values, *negated),
        Predicate::OnDays {
            column,
            days,
            negated,
        } => {
            utc_day(writer, *column);
            writer.text(one_of(*negated));
            writer.list(days, |writer, day| writer.value(*day));
            writer.text(")");
        }
        Predicate::Null { column, is_null } => {
            writer.column(*column);
            writer.text(if *is_null { " IS NULL" } else { " IS NOT NULL" });
        }
        Predicate::Text {
            column,
            place,
            any_case,
            text,
        } => text_match::write(writer, *column, *place, *any_case, text),
        Predicate::Holds {
            column,
            all,
            values,
        } => part::holds(writer, *column, *all, values),
        // Neither false nor unknown is true, on every database.
        Predicate::Not(part) => {
            writer.text("(");
            condition(writer, part);
            writer.text(") IS NOT TRUE");
        }
        Predicate::Exists { rows, negated } => related::exists(writer, rows, *negated),
        Predicate::First(row) => first::is_first(writer, row),
        Predicate::Search(sought) => search::condition(writer, sought),
        Predicate::Computed { computed, test } => computed::condition(writer, computed, test),
        Predicate::Custom(custom) => writer.condition(custom),
    }
}

/// The expression that is compared with values.
pub(super) struct Compared<'c> {
    /// Says what its values are.
    pub(super) meta: &'c ColumnMeta,
    pub(super) by: By<'c>,
}

pub(super) enum By<'c> {
    Column(ColumnOf<'c>),
    Computed(&'c Computed<'c>),
}

impl<'c> Compared<'c> {
    fn column(of: ColumnOf<'c>) -> Self {
        Self {
            meta: of.meta,
            by: By::Column(of),
        }
    }

    fn write(&self, writer: &mut Writer) {
        match self.by {
            By::Column(of) => writer.compared(of),
            By::Computed(computed) => sub_query(writer, computed),
        }
    }
}

pub(super) fn compare(
    writer: &mut Writer,
    of: &Compared<'_>,
    comparison: Comparison,
    to: &FilterValue,
) {
    use Comparison::{Equal, Greater, GreaterOrEqual, Less, LessOrEqual, NotEqual};
    // A value that the column cannot hold is not equal to any of its values, but less or greater than the nearest one (b182).
    let comparison = match (value::nearest(to, of.meta, writer.dialect), comparison) {
        (Ordering::Equal, comparison) => comparison,
        (_, Equal) => return writer.text("1 = 0"),
        (_, NotEqual) => {
            of.write(writer);
            return writer.text(" IS NOT NULL");
        }
        (Ordering::Greater, Less | LessOrEqual) => Less,
        (Ordering::Greater, Greater | GreaterOrEqual) => GreaterOrEqual,
        (Ordering::Less, Less | LessOrEqual) => LessOrEqual,
        (Ordering::Less, Greater | GreaterOrEqual) => Greater,
    };
    // The number of rows in a range depends on its end. A plan for all ends assumes a third of the table, and reads all of
    // it (b442).
    let is_range = !matches!(comparison, Equal | NotEqual);
    if is_range && writer.dialect == Dialect::Postgres {
        writer.plans = Plans::ForEachRequest;
    }
    of.write(writer);
    writer.text(match comparison {
        Equal => " = ",
        NotEqual => " <> ",
        Less => " < ",
        LessOrEqual => " <= ",
        Greater => " > ",
        GreaterOrEqual => " >= ",
    });
    value::bound(writer, to, of.meta);
}

/// One of the values, or none of them.
pub(super) fn list(writer: &mut Writer, of: &Compared<'_>, values: &[FilterValue], negated: bool) {
    let dialect = writer.dialect;
    // Values that the column cannot hold are left out (b182).
    let mut held = values
        .iter()
        .filter(|value| value::nearest(value, of.meta, dialect) == Ordering::Equal)
        .peekable();
    if held.peek().is_none() {
        return writer.text(if negated { "1 = 1" } else { "1 = 0" });
    }
    of.write(writer);
    writer.text(one_of(negated));
    writer.list(held, |writer, value| {
        value::bound(writer, value, of.meta);
    });
    writer.text(")");
}

/// Up to this number, parts are written one after the other.
const FEW: usize = 64;

/// Writes many parts in halves: SQLite takes expressions of a depth of at most 1,000, and a list of days has one condition for
/// each day.
fn joined(writer: &mut Writer, parts: &[&Predicate<'_>], word: &str) {
    if parts.len() > FEW {
        let (left, right) = parts.split_at(parts.len() / 2);
        writer.text("(");
        joined(writer, left, word);
        writer.text(")");
        writer.text(word);
        writer.text("(");
        joined(writer, right, word);
        writer.text(")");
        return;
    }
    for (at, part) in parts.iter().enumerate() {
        writer.text(if at == 0 { "" } else { word });
        // AND binds closer than OR: a group of ANDs needs no parentheses among ORs, and ORs bring their own.
        condition(writer, part);
    }
}

const fn one_of(negated: bool) -> &'static str {
    if negated { " NOT IN (" } else { " IN (" }
}

/// The UTC day of a moment.
fn utc_day(writer: &mut Writer, of: ColumnOf<'_>) {
    let (before, after) = match (writer.dialect, &of.meta.column_type) {
        (Dialect::Postgres, ColumnType::TimestampWithTimeZone) => {
            ("CAST(", " AT TIME ZONE 'UTC' AS date)")
        }
        (Dialect::Postgres, _) => ("CAST(", " AS date)"),
        (Dialect::Mysql, _) => ("DATE(", ")"),
        // `date` would round to milliseconds first: the last microsecond of a day would belong to the next day.
        (Dialect::Sqlite, _) => ("substr(", ", 1, 10)"),
    };
    writer.text(before);
    writer.compared(of);
    writer.text(after);
}
