//! Writes a moment that SQLite keeps in any form as the text that SeaORM's driver would have written (b250, b611).

use super::Writer;
use super::form::filled;

/// Writes what `column` writes as the text of its moment.
pub(super) fn write(writer: &mut Writer, is_zoned: bool, column: &dyn Fn(&mut Writer)) {
    let (between, zone) = if is_zoned { ("T", "+00:00") } else { (" ", "") };
    let text = TEMPLATE
        .replace("{offset}", OFFSET)
        .replace("{fraction}", FRACTION)
        .replace("{micros}", MICROS)
        .replace("{after}", AFTER)
        .replace("{T}", between)
        .replace("{Z}", zone);
    filled(writer, &text, column);
}

/// `@` is the column. The units of numbers are those in which they are shown (b186), and fractions have as many digits as the
/// driver writes: none, three or six. SQLite's functions round to milliseconds, so fractions are copied as text. Values that the
/// functions cannot read stay unchanged.
const TEMPLATE: &str = "CASE typeof(@) \
    WHEN 'text' THEN CASE \
    WHEN @ GLOB '????-??-??[Tt ]??:??:??*' THEN CASE \
    WHEN substr(@, 20) IN ('', 'Z', '+00:00') THEN substr(@, 1, 10) || '{T}' || substr(@, 12, 8) || '{Z}' \
    ELSE coalesce(strftime('%Y-%m-%d{T}%H:%M:%S', substr(@, 1, 10) || ' ' || substr(@, 12, 8) || {offset}) \
    || {fraction} || '{Z}', @) END \
    WHEN @ GLOB '????-??-??*' THEN coalesce(strftime('%Y-%m-%d{T}%H:%M:%S', @) || '{Z}', @) \
    WHEN @ <> '' AND @ NOT GLOB '*[^0-9]*' THEN \
    coalesce(strftime('%Y-%m-%d{T}%H:%M:%S', CAST(@ AS INTEGER), 'unixepoch') || '{Z}', @) \
    ELSE @ END \
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

/// The text after the fraction: nothing, or a zone.
const AFTER: &str = "ltrim(substr(@, 20), '.,0123456789')";

/// The zone as SQLite reads it: it knows neither `UTC` nor `+02` nor `+0200`.
const OFFSET: &str = "CASE length(trim({after})) \
    WHEN 3 THEN CASE trim({after}) WHEN 'UTC' THEN 'Z' ELSE trim({after}) || ':00' END \
    WHEN 5 THEN substr(trim({after}), 1, 3) || ':' || substr(trim({after}), 4) \
    ELSE trim({after}) END";

const FRACTION: &str = "CASE WHEN substr(@, 20, 1) NOT IN ('.', ',') OR {micros} = '000000' THEN '' \
    WHEN substr({micros}, 4) = '000' THEN '.' || substr({micros}, 1, 3) \
    ELSE '.' || {micros} END";

/// Six digits, as many as are shown.
const MICROS: &str = "substr(substr(@, 21, length(@) - 20 - length({after})) || '000000', 1, 6)";
