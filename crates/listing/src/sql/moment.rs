//! Writes a timestamp that SQLite may keep as a number as the text that SeaORM's driver would have written (b250).

use sea_orm::sea_query::ColumnType;

use super::{Dialect, Writer};
use crate::define::ColumnMeta;

/// Writes the column, or what `column` writes in its place; the text of the moment where it may be a number.
pub(super) fn write(writer: &mut Writer<'_>, meta: &ColumnMeta, column: &dyn Fn(&mut Writer<'_>)) {
    if !meta.numeric || writer.dialect != Dialect::Sqlite {
        return column(writer);
    }
    let is_zoned = matches!(meta.column_type, ColumnType::TimestampWithTimeZone);
    let (between, zone) = if is_zoned { ("T", "+00:00") } else { (" ", "") };
    let text = TEMPLATE.replace("{T}", between).replace("{Z}", zone);
    for (at, piece) in text.split('@').enumerate() {
        if at > 0 {
            column(writer);
        }
        writer.text(piece);
    }
}

/// `@` is the column. The units are those in which numbers are shown (b186), and fractions have the digits with which the
/// driver writes them: none, three or six. What lies outside SQLite's calendar stays what it is.
const TEMPLATE: &str = "CASE typeof(@) \
    WHEN 'integer' THEN coalesce(CASE \
    WHEN @ BETWEEN -253402300799 AND 253402300799 THEN strftime('%Y-%m-%d{T}%H:%M:%S', @, 'unixepoch') || '{Z}' \
    WHEN @ BETWEEN -253402300799999 AND 253402300799999 THEN \
    strftime('%Y-%m-%d{T}%H:%M:%S', (@ - (@ % 1000 + 1000) % 1000) / 1000, 'unixepoch') \
    || CASE @ % 1000 WHEN 0 THEN '' ELSE printf('.%03d', (@ % 1000 + 1000) % 1000) END || '{Z}' \
    ELSE strftime('%Y-%m-%d{T}%H:%M:%S', (@ - (@ % 1000000 + 1000000) % 1000000) / 1000000, 'unixepoch') \
    || CASE WHEN @ % 1000000 = 0 THEN '' \
    WHEN @ % 1000 = 0 THEN printf('.%03d', (@ % 1000000 + 1000000) % 1000000 / 1000) \
    ELSE printf('.%06d', (@ % 1000000 + 1000000) % 1000000) END || '{Z}' END, @) \
    WHEN 'real' THEN coalesce(replace(strftime('%Y-%m-%d{T}%H:%M:%f', @), '.000', '') || '{Z}', @) \
    ELSE @ END";
