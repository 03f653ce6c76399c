//! Writes the one statement that reads the keys and labels of an entity's rows (d34).

use super::keys::one_of;
use super::writer::Writer;
use super::{Dialect, Statement};
use crate::define::LabelRows;

/// Keys and labels, in two columns.
pub(crate) fn labels(rows: &LabelRows, dialect: Dialect) -> Statement {
    let mut writer = Writer::new(dialect);
    let column = &*rows.column;
    let key = |writer: &mut Writer<'_>| {
        let [table, key] = column.key;
        writer.name(table);
        writer.text(".");
        writer.name(key);
    };
    writer.text("SELECT ");
    key(&mut writer);
    writer.text(", ");
    writer.expr(&column.label);
    writer.text(" FROM ");
    writer.table(&column.table);
    writer.text(" WHERE ");
    if !rows.visible.is_empty() {
        writer.condition(&rows.visible);
        writer.text(" AND ");
    }
    key(&mut writer);
    one_of(&mut writer, &column.kind, &rows.keys);
    writer.finish()
}
