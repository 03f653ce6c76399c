//! Writes the one statement that reads the keys and labels of an entity's rows (d34).

use sea_orm::sea_query::Condition;

use super::keys::one_of_either;
use super::writer::Writer;
use super::{Dialect, Statement};
use crate::define::LabelColumn;
use crate::vocabulary::Key;

/// Keys and labels, in two columns, of the rows with these keys that meet a condition.
pub(crate) fn labels(
    column: &LabelColumn,
    keys: &[Key],
    visible: &Condition,
    dialect: Dialect,
) -> Statement {
    let mut writer = Writer::new(dialect);
    let [table, key] = column.key;
    writer.text("SELECT ");
    writer.qualified(table, key);
    writer.text(", ");
    writer.expr(&column.label);
    writer.text(" FROM ");
    writer.table(&column.table);
    writer.text(" WHERE ");
    if !visible.is_empty() {
        writer.condition(visible);
        writer.text(" AND ");
    }
    writer.qualified(table, key);
    one_of_either(&mut writer, &column.kind, keys);
    writer.finish()
}
