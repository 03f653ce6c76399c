//! Writes the one statement that reads the keys and labels of an entity's rows (d34).

use super::keys::one_of;
use super::writer::Writer;
use super::{Dialect, Statement};
use crate::define::LabelRows;

/// Keys and labels, in two columns.
pub(crate) fn labels(rows: &LabelRows, dialect: Dialect) -> Statement {
    let mut writer = Writer::new(dialect);
    writer.text("SELECT ");
    writer.expr(&rows.key);
    writer.text(", ");
    writer.expr(&rows.label);
    writer.text(" FROM ");
    writer.table(&rows.table);
    writer.text(" WHERE ");
    if !rows.visible.is_empty() {
        writer.condition(&rows.visible);
        writer.text(" AND ");
    }
    writer.expr(&rows.key);
    one_of(&mut writer, &rows.kind, &rows.keys);
    writer.finish()
}
