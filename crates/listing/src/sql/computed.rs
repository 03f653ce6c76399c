//! Writes conditions on values that are computed for each row, with a sub-query in place of a column (d146).

use super::condition::{By, Compared, compare, list};
use super::{Writer, sub_query};
use crate::plan::{Computed, Predicate};

/// Writes a test of a computed value. A test consists only of comparisons, lists and nulls.
pub(super) fn condition(writer: &mut Writer, computed: &Computed<'_>, test: &Predicate<'_>) {
    let by = By::Computed(computed);
    match test {
        Predicate::All(parts) if parts.is_empty() => writer.text("1 = 1"),
        Predicate::Any(parts) if parts.is_empty() => writer.text("1 = 0"),
        Predicate::All(parts) => joined(writer, computed, parts, " AND "),
        Predicate::Any(parts) => joined(writer, computed, parts, " OR "),
        Predicate::Compare {
            column,
            comparison,
            value,
        } => {
            let meta = column.meta;
            compare(writer, &Compared { meta, by }, *comparison, value);
        }
        Predicate::OneOf {
            column,
            values,
            negated,
        } => {
            let meta = column.meta;
            list(writer, &Compared { meta, by }, values, *negated);
        }
        Predicate::Null { is_null, .. } => {
            sub_query(writer, computed);
            writer.text(if *is_null { " IS NULL" } else { " IS NOT NULL" });
        }
        Predicate::Not(part) => {
            writer.text("(");
            condition(writer, computed, part);
            writer.text(") IS NOT TRUE");
        }
        // Definitions allow no other operators.
        _ => writer.text("1 = 0"),
    }
}

fn joined(writer: &mut Writer, computed: &Computed<'_>, parts: &[Predicate<'_>], word: &str) {
    writer.text("(");
    for (at, part) in parts.iter().enumerate() {
        writer.text(if at == 0 { "" } else { word });
        condition(writer, computed, part);
    }
    writer.text(")");
}
