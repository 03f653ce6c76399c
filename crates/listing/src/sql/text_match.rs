//! Writes the condition that a column's text has a text in it, at its start or at its end, or is that text.
//!
//! Nothing in the text means more than itself (d26, d86). How far "any case" goes beyond ASCII is each database's own.

use sea_orm::sea_query::ColumnType;

use super::{Dialect, Writer};
use crate::plan::{ColumnOf, TextPlace};
use crate::vocabulary::{Kind, Plans};

pub(super) fn write(
    writer: &mut Writer,
    of: ColumnOf<'_>,
    place: TextPlace,
    any_case: bool,
    text: &str,
) {
    match writer.dialect {
        Dialect::Postgres => postgres(writer, of, place, any_case, text),
        Dialect::Mysql => mysql(writer, of, place, any_case, text),
        Dialect::Sqlite => sqlite(writer, of, place, any_case, text),
    }
}

/// `LIKE` and `ILIKE`, because indexes serve them: one of `text_pattern_ops`, or in the collation C, serves the start of a
/// text, and one of trigrams serves all. Their own escape is a backslash in a bound pattern, whatever the server's settings.
fn postgres(writer: &mut Writer, of: ColumnOf<'_>, place: TextPlace, any_case: bool, text: &str) {
    /// In bytes: no real search is longer.
    const LONG: usize = 1_000;
    let as_text = |writer: &mut Writer| {
        writer.text("CAST(");
        writer.column(of);
        writer.text(" AS text)");
    };
    // Numbers and enumerations have no upper and lower case.
    let is_text = matches!(of.meta.kind, Kind::Text);
    let lower = |writer: &mut Writer| {
        writer.text("lower(");
        match is_text {
            true => writer.column(of),
            false => as_text(writer),
        }
        writer.text(")");
    };
    // `LIKE` would see the spaces with which the column is filled up.
    let column = |writer: &mut Writer| match of.meta.column_type {
        ColumnType::Char(_) => as_text(writer),
        _ if !is_text => as_text(writer),
        _ => writer.column(of),
    };
    // The number of rows with a part of a text depends on the text. A plan for all texts assumes many, and walks along the
    // order instead of using the index of trigrams (b262).
    if place != TextPlace::Whole && (any_case || place != TextPlace::Start) {
        writer.plans = Plans::ForEachRequest;
    }
    match (place, any_case) {
        // An index on `lower(column)` serves it.
        (TextPlace::Whole, true) => {
            lower(writer);
            writer.text(" = lower(");
            writer.value(text);
            writer.text(")");
        }
        (_, false) => {
            let pattern = pattern(text, place, '\\');
            // The padding at the end does not matter for the beginning: an index on the column itself serves it.
            let is_filled = matches!(of.meta.column_type, ColumnType::Char(_));
            let is_found = is_filled && place == TextPlace::Start;
            if is_found {
                writer.text("(");
                writer.column(of);
                writer.text(" LIKE ");
                writer.value(pattern.clone());
                writer.text(" AND ");
            }
            column(writer);
            writer.text(" LIKE ");
            writer.value(pattern);
            if is_found {
                writer.text(")");
            }
        }
        (_, true) if text.len() <= LONG => {
            column(writer);
            writer.text(" ILIKE ");
            writer.value(pattern(text, place, '\\'));
        }
        // ILIKE puts the pattern into lower case for each row, and a hundred times while planning: a pattern of a megabyte takes
        // seconds on a small table. The sub-query is evaluated once.
        (TextPlace::Anywhere, true) => {
            writer.text("strpos(");
            lower(writer);
            writer.text(", (SELECT lower(");
            writer.value(text);
            writer.text("))) > 0");
        }
        (_, true) => {
            lower(writer);
            writer.text(" LIKE (SELECT lower(");
            writer.value(pattern(text, place, '\\'));
            writer.text("))");
        }
    }
}

/// `LIKE` on the column itself would follow its collation, which may be case-sensitive or take é for e. It compares
/// character by character, so that trailing spaces count, as they do not with `=`.
fn mysql(writer: &mut Writer, of: ColumnOf<'_>, place: TextPlace, any_case: bool, text: &str) {
    let exact = |writer: &mut Writer| {
        writer.text("CONVERT(");
        writer.column(of);
        writer.text(" USING utf8mb4)");
    };
    match (place, any_case) {
        (TextPlace::Anywhere, true) => {
            writer.text("LOCATE(LOWER(CONVERT(");
            writer.value(text);
            writer.text(" USING utf8mb4)), LOWER(");
            exact(writer);
            writer.text(") COLLATE utf8mb4_bin) > 0");
        }
        (_, true) => {
            writer.text("LOWER(");
            exact(writer);
            writer.text(") COLLATE utf8mb4_bin LIKE LOWER(CONVERT(");
            writer.value(pattern(text, place, '!'));
            writer.text(" USING utf8mb4)) ESCAPE '!'");
        }
        (_, false) => {
            // The column's own index finds a few rows too many, which the second condition drops.
            if place == TextPlace::Start {
                writer.text("(");
                writer.column(of);
                writer.text(" LIKE ");
                writer.value(pattern(text, place, '!'));
                writer.text(" ESCAPE '!' AND ");
            }
            exact(writer);
            writer.text(" COLLATE utf8mb4_bin LIKE ");
            writer.value(pattern(text, place, '!'));
            writer.text(" ESCAPE '!'");
            if place == TextPlace::Start {
                writer.text(")");
            }
        }
    }
}

/// Without `LIKE`, which ignores case and refuses patterns of over 50,000 bytes.
fn sqlite(writer: &mut Writer, of: ColumnOf<'_>, place: TextPlace, any_case: bool, text: &str) {
    let lower = |writer: &mut Writer, piece: &dyn Fn(&mut Writer)| {
        writer.text(if any_case { "lower(" } else { "" });
        piece(writer);
        writer.text(if any_case { ")" } else { "" });
    };
    let column = |writer: &mut Writer| writer.column(of);
    let value = |writer: &mut Writer| writer.value(text);
    match place {
        TextPlace::Anywhere => {
            writer.text("instr(");
            lower(writer, &column);
            writer.text(", ");
            lower(writer, &value);
            writer.text(") > 0");
        }
        // A range of an index: bytes are in the order of characters.
        TextPlace::Start if !any_case => {
            writer.text("(");
            writer.column(of);
            writer.text(" COLLATE BINARY >= ");
            writer.value(text);
            if let Some(end) = after_all_that_start_with(text) {
                writer.text(" AND ");
                writer.column(of);
                writer.text(" COLLATE BINARY < ");
                writer.value(end);
            }
            writer.text(")");
        }
        TextPlace::Whole => {
            lower(writer, &column);
            // The column may ignore case or trailing spaces.
            writer.text(" COLLATE BINARY = ");
            lower(writer, &value);
        }
        TextPlace::Start | TextPlace::End => {
            lower(writer, &|writer| {
                writer.text("substr(");
                writer.column(of);
                writer.text(match place {
                    TextPlace::Start => ", 1, length(",
                    _ => ", -length(",
                });
                writer.value(text);
                writer.text("))");
            });
            writer.text(" = ");
            lower(writer, &value);
        }
    }
}

/// The first text, by bytes, after all those that start with this one.
fn after_all_that_start_with(text: &str) -> Option<String> {
    let mut characters: Vec<char> = text.chars().collect();
    while let Some(last) = characters.pop() {
        let next = match last {
            // The numbers between are not characters.
            '\u{D7FF}' => Some('\u{E000}'),
            last => char::from_u32(u32::from(last) + 1),
        };
        if let Some(next) = next {
            characters.push(next);
            return Some(characters.into_iter().collect());
        }
    }
    None
}

/// The text as a pattern of `LIKE`.
fn pattern(text: &str, place: TextPlace, escape: char) -> String {
    let mut pattern = String::with_capacity(text.len() + 2);
    if matches!(place, TextPlace::Anywhere | TextPlace::End) {
        pattern.push('%');
    }
    for character in text.chars() {
        if matches!(character, '%' | '_') || character == escape {
            pattern.push(escape);
        }
        pattern.push(character);
    }
    if matches!(place, TextPlace::Anywhere | TextPlace::Start) {
        pattern.push('%');
    }
    pattern
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::define::ColumnMeta;
    use crate::vocabulary::Kind;

    /// Rule d86.
    #[test]
    fn the_text_after_all_that_start_with_another() {
        for (text, after) in [
            ("a", Some("b")),
            ("ab", Some("ac")),
            ("z\u{D7FF}", Some("z\u{E000}")),
            ("a\u{10FFFF}", Some("b")),
            ("\u{10FFFF}", None),
            ("", None),
        ] {
            assert_eq!(after_all_that_start_with(text).as_deref(), after, "{text}");
        }
    }

    /// Rule b514.
    #[test]
    fn what_fills_up_a_column_of_postgres_is_not_seen() {
        let condition = |column_type, place, any_case| {
            let meta = ColumnMeta {
                name: "code".into(),
                kind: Kind::Text,
                column_type,
                nullable: false,
                unique: false,
                values: None,
                numeric: false,
                kept: crate::vocabulary::FormCell::default(),
            };
            let of = ColumnOf::of("samples", &meta);
            let mut writer = Writer::new(Dialect::Postgres);
            write(&mut writer, of, place, any_case, "b");
            writer.finish().text
        };
        let char = || ColumnType::Char(Some(6));
        let (column, as_text) = (r#""samples"."code""#, r#"CAST("samples"."code" AS text)"#);
        let end = |column_type, any_case| condition(column_type, TextPlace::End, any_case);
        assert_eq!(end(char(), false), format!("{as_text} LIKE $1"));
        assert_eq!(end(char(), true), format!("{as_text} ILIKE $1"));
        assert_eq!(end(ColumnType::Text, false), format!("{column} LIKE $1"));
        // An index on the column serves the beginning.
        let start = condition(char(), TextPlace::Start, false);
        assert_eq!(start, format!("({column} LIKE $1 AND {as_text} LIKE $2)"));
    }

    /// Rule d86.
    #[test]
    fn wildcards_are_literal_in_patterns() {
        assert_eq!(pattern("5%_\\!", TextPlace::Start, '\\'), "5\\%\\_\\\\!%");
        assert_eq!(pattern("5%_\\!", TextPlace::End, '!'), "%5!%!_\\!!");
        assert_eq!(pattern("a", TextPlace::Whole, '!'), "a");
    }
}
