//! Writes a tree of conditions as the text of a dialect.

use std::cmp::Ordering;

use sea_orm::sea_query::{ColumnType, Expr};

use super::{Dialect, Statement, Writer, first, related, search, text_match, value};
use crate::define::FilterValue;
use crate::plan::{ColumnOf, Comparison, Predicate};
use crate::vocabulary::Plans;

/// The condition as an expression for a query of the application; none where every row meets it.
pub(crate) fn expression(predicate: &Predicate<'_>, dialect: Dialect) -> Option<Expr> {
    if predicate.is_always() {
        return None;
    }
    let mut writer = Writer::new(dialect);
    condition(&mut writer, predicate);
    let Statement { text, values, .. } = writer.finish();
    Some(Expr::cust_with_values(text, values))
}

/// Writes a condition that can be joined to others with `AND`. It must not be one that every row meets.
pub(super) fn condition(writer: &mut Writer<'_>, predicate: &Predicate<'_>) {
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
        } => compare(writer, *column, *comparison, value),
        Predicate::OneOf {
            column,
            values,
            negated,
        } => list(writer, *column, values, *negated),
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
        // Neither false nor unknown is true, on every database.
        Predicate::Not(part) => {
            writer.text("(");
            condition(writer, part);
            writer.text(") IS NOT TRUE");
        }
        Predicate::Exists { rows, negated } => related::exists(writer, rows, *negated),
        Predicate::First(row) => first::is_first(writer, row),
        Predicate::Search(sought) => search::condition(writer, sought),
        Predicate::Custom(custom) => writer.condition(custom),
    }
}

fn compare(writer: &mut Writer<'_>, of: ColumnOf<'_>, comparison: Comparison, to: &FilterValue) {
    use Comparison::{Equal, Greater, GreaterOrEqual, Less, LessOrEqual, NotEqual};
    // No value of the column is equal to what it cannot hold: that lies on one side of the nearest (b182).
    let comparison = match (value::nearest(to, of.meta, writer.dialect), comparison) {
        (Ordering::Equal, comparison) => comparison,
        (_, Equal) => return writer.text("1 = 0"),
        (_, NotEqual) => {
            writer.column(of);
            return writer.text(" IS NOT NULL");
        }
        (Ordering::Greater, Less | LessOrEqual) => Less,
        (Ordering::Greater, Greater | GreaterOrEqual) => GreaterOrEqual,
        (Ordering::Less, Less | LessOrEqual) => LessOrEqual,
        (Ordering::Less, Greater | GreaterOrEqual) => Greater,
    };
    // How many rows a range has can only be known with its end. A plan for all ends takes it for a third of the table, and
    // reads all of it (b442).
    let is_range = !matches!(comparison, Equal | NotEqual);
    if is_range && writer.dialect == Dialect::Postgres {
        writer.plans = Plans::ForEachRequest;
    }
    writer.compared(of);
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
fn list(writer: &mut Writer<'_>, of: ColumnOf<'_>, values: &[FilterValue], negated: bool) {
    let dialect = writer.dialect;
    // What the column cannot hold is not among its values (b182).
    let mut held = values
        .iter()
        .filter(|value| value::nearest(value, of.meta, dialect) == Ordering::Equal)
        .peekable();
    if held.peek().is_none() {
        return writer.text(if negated { "1 = 1" } else { "1 = 0" });
    }
    writer.compared(of);
    writer.text(one_of(negated));
    writer.list(held, |writer, value| {
        value::bound(writer, value, of.meta);
    });
    writer.text(")");
}

/// So many parts are written one after the other.
const FEW: usize = 64;

/// In halves where they are many: SQLite takes expressions of a depth of at most 1,000, and a list of days is one
/// condition each.
fn joined(writer: &mut Writer<'_>, parts: &[&Predicate<'_>], word: &str) {
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
fn utc_day(writer: &mut Writer<'_>, of: ColumnOf<'_>) {
    let (before, after) = match (writer.dialect, &of.meta.column_type) {
        (Dialect::Postgres, ColumnType::TimestampWithTimeZone) => {
            ("CAST(", " AT TIME ZONE 'UTC' AS date)")
        }
        (Dialect::Postgres, _) => ("CAST(", " AS date)"),
        (Dialect::Mysql, _) => ("DATE(", ")"),
        // Not `date`, which rounds to milliseconds first: the last microsecond of a day would be the next day.
        (Dialect::Sqlite, _) => ("substr(", ", 1, 10)"),
    };
    writer.text(before);
    writer.compared(of);
    writer.text(after);
}
