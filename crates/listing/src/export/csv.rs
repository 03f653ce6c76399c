//! Writes rows as CSV (d114).
//!
//! Written by hand because the crate `csv` has one way to write an empty value. Here, null is empty and an empty text is `""`.

use super::cells::{Cells, text};
use super::layout::Part;
use crate::request::AskedExport;
use crate::vocabulary::Kind;

/// The byte order mark by which Excel recognizes UTF-8.
const BOM: &[u8] = b"\xEF\xBB\xBF";

/// Writes the beginning of the file.
pub(super) fn begin(out: &mut Vec<u8>, asked: &AskedExport, header: &[String]) {
    if asked.bom {
        out.extend_from_slice(BOM);
    }
    if header.is_empty() {
        return;
    }
    for (at, name) in header.iter().enumerate() {
        if at > 0 {
            out.push(asked.delimiter);
        }
        write_text(out, name.as_bytes(), *asked);
    }
    out.extend_from_slice(b"\r\n");
}

/// Writes a row.
pub(super) fn row(
    out: &mut Vec<u8>,
    asked: &AskedExport,
    parts: &[Part<'_>],
    cells: &mut Cells<'_>,
    label: &mut dyn FnMut(usize, &[u8]) -> String,
) {
    let mut line = Line {
        out,
        asked: *asked,
        is_first: true,
        label,
    };
    line.parts(parts, cells);
    line.out.extend_from_slice(b"\r\n");
}

struct Line<'l> {
    out: &'l mut Vec<u8>,
    asked: AskedExport,
    is_first: bool,
    label: &'l mut dyn FnMut(usize, &[u8]) -> String,
}

impl Line<'_> {
    /// Writes the values of the parts. If there is no related row, all of its values are null.
    fn parts(&mut self, parts: &[Part<'_>], cells: &mut Cells<'_>) {
        for part in parts {
            let cell = cells.next().unwrap_or(b"null");
            match part {
                Part::One { parts, .. } => self.parts(parts, cells),
                Part::Count { .. } => self.value(cell, &Kind::Integer),
                Part::Value { kind, label, .. } => {
                    self.value(cell, kind);
                    if let Some(label) = label {
                        self.delimit();
                        if cell != b"null" {
                            let label = (self.label)(*label, cell);
                            write_text(self.out, label.as_bytes(), self.asked);
                        }
                    }
                }
            }
        }
    }

    fn delimit(&mut self) {
        if !std::mem::take(&mut self.is_first) {
            self.out.push(self.asked.delimiter);
        }
    }

    fn value(&mut self, json: &[u8], kind: &Kind) {
        self.delimit();
        // A JSON column stays JSON, even if the value is a text.
        let text = match kind {
            Kind::Json => None,
            _ => text(json),
        };
        match text {
            Some(text) if is_measure(kind, &text) => quoted_if_needed(self.out, b"", &text),
            Some(text) => write_text(self.out, &text, self.asked),
            None if json == b"null" => {}
            None => quoted_if_needed(self.out, b"", json),
        }
    }
}

/// Whether this is a number, a time or a UUID, which is never changed. SQLite's columns can hold anything: a text in a numeric
/// column is a text.
fn is_measure(kind: &Kind, text: &[u8]) -> bool {
    let can_be = matches!(
        kind,
        Kind::IntegerText
            | Kind::Decimal { .. }
            | Kind::Uuid
            | Kind::Date
            | Kind::Time
            | Kind::Timestamp
    );
    let is_part = |byte: &u8| byte.is_ascii_hexdigit() || b"+-.:TZ".contains(byte);
    can_be && text.iter().all(is_part) && !text.starts_with(b"+")
}

/// Writes a text so that a spreadsheet does not take it for a formula.
fn write_text(out: &mut Vec<u8>, text: &[u8], asked: AskedExport) {
    let escape: &[u8] = match !asked.keeps_formulas && is_formula(text) {
        true => b"'",
        false => b"",
    };
    quoted_if_needed(out, escape, text);
}

/// Whether a spreadsheet could take a text for a formula, because of its first character or a full-width form of it.
pub fn is_formula(text: &[u8]) -> bool {
    const FULL_WIDTH: [&[u8]; 4] = [
        "＝".as_bytes(),
        "＋".as_bytes(),
        "－".as_bytes(),
        "＠".as_bytes(),
    ];
    match text.first() {
        Some(b'=' | b'+' | b'-' | b'@' | b'\t' | b'\r' | b'\n') => true,
        Some(0xEF) => FULL_WIDTH.iter().any(|form| text.starts_with(form)),
        _ => false,
    }
}

/// Writes a text, quoted if it is empty or contains a character that any program could take for a separator. The program may
/// expect another delimiter than this one.
fn quoted_if_needed(out: &mut Vec<u8>, before: &[u8], text: &[u8]) {
    let divides = |byte: &u8| matches!(byte, b',' | b';' | b'\t' | b'"' | b'\r' | b'\n');
    if !text.is_empty() && !text.iter().any(divides) {
        out.extend_from_slice(before);
        out.extend_from_slice(text);
        return;
    }
    out.push(b'"');
    out.extend_from_slice(before);
    for (at, piece) in text.split(|byte| *byte == b'"').enumerate() {
        if at > 0 {
            out.extend_from_slice(b"\"\"");
        }
        out.extend_from_slice(piece);
    }
    out.push(b'"');
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::request::Header;

    fn line(kinds: &[Kind], row: &str, asked: AskedExport) -> String {
        let part = |kind| Part::Value {
            name: "",
            kind,
            label: None,
        };
        let parts: Vec<_> = kinds.iter().map(part).collect();
        let mut out = Vec::new();
        let mut cells = Cells(row.as_bytes());
        super::row(&mut out, &asked, &parts, &mut cells, &mut |_, _| {
            String::new()
        });
        let line = String::from_utf8(out).unwrap();
        line.strip_suffix("\r\n").unwrap().to_owned()
    }

    /// The line of one value.
    fn one(kind: Kind, json: &str) -> String {
        let row = format!("{{\"\":{json}");
        line(&[kind], &row, AskedExport::default())
    }

    /// Rule d114.
    #[test]
    fn null_is_empty_and_an_empty_text_is_not() {
        let kinds = [Kind::Text, Kind::Text, Kind::Integer];
        let row = r#"{"":null,"":"","":null"#;
        assert_eq!(line(&kinds, row, AskedExport::default()), ",\"\",");
    }

    /// Rules d114, b943.
    #[test]
    fn a_value_is_quoted_if_it_could_divide_a_line() {
        for (json, wanted) in [
            (r#""plain""#, "plain"),
            (r#"" a ""#, " a "),
            (r#""a,b""#, "\"a,b\""),
            (r#""a;b""#, "\"a;b\""),
            (r#""a\tb""#, "\"a\tb\""),
            (r#""a\"b""#, "\"a\"\"b\""),
            (r#""a\r\nb""#, "\"a\r\nb\""),
            (r#""é\u0001""#, "é\u{1}"),
        ] {
            assert_eq!(one(Kind::Text, json), wanted);
        }
        assert_eq!(
            one(Kind::Json, r#"{"a":"=1"}"#),
            "\"{\"\"a\"\":\"\"=1\"\"}\""
        );
        assert_eq!(one(Kind::Json, r#""=1""#), "\"\"\"=1\"\"\"");
    }

    /// Rules d114, b942.
    #[test]
    fn texts_that_could_be_formulas_are_inert_and_nothing_else_is_touched() {
        for (text, wanted) in [
            ("=1+1", "'=1+1"),
            ("+1", "'+1"),
            ("-1", "'-1"),
            ("@SUM(A1)", "'@SUM(A1)"),
            ("\\t=1", "\"'\t=1\""),
            ("\\r=1", "\"'\r=1\""),
            ("\\n=1", "\"'\n=1\""),
            ("＝1", "'＝1"),
            ("＋1", "'＋1"),
            ("－1", "'－1"),
            ("＠1", "'＠1"),
            ("a=1", "a=1"),
            ("'=1", "'=1"),
            ("！", "！"),
        ] {
            let json = format!("\"{text}\"");
            assert_eq!(one(Kind::Text, &json), wanted);
            assert_eq!(one(Kind::Enum([].into()), &json), wanted);
            let keeps = AskedExport {
                keeps_formulas: true,
                ..AskedExport::default()
            };
            let kept = line(&[Kind::Text], &format!("{{\"\":{json}"), keeps);
            assert!(!kept.trim_start_matches('"').starts_with('\'') || text.starts_with('\''));
        }
        let decimal = Kind::Decimal { scale: None };
        assert_eq!(one(decimal.clone(), "\"-12.50\""), "-12.50");
        assert_eq!(
            one(Kind::IntegerText, "\"-9007199254740993\""),
            "-9007199254740993"
        );
        assert_eq!(one(Kind::Integer, "-5"), "-5");
        assert_eq!(one(Kind::Time, "\"-00:30:00.000000\""), "-00:30:00.000000");
        assert_eq!(one(Kind::Boolean, "true"), "true");
        // SQLite can hold a text in a numeric column.
        assert_eq!(one(decimal, "\"=1+1\""), "'=1+1");
        assert_eq!(one(Kind::Timestamp, "\"-cmd\""), "'-cmd");
    }

    /// Rule d114.
    #[test]
    fn the_delimiter_can_be_chosen_and_the_file_can_begin_with_a_mark() {
        let asked = AskedExport {
            delimiter: b'\t',
            bom: true,
            header: Header::Names,
            ..AskedExport::default()
        };
        let mut out = Vec::new();
        begin(&mut out, &asked, &["id".to_owned(), "=a".to_owned()]);
        assert_eq!(out, b"\xEF\xBB\xBFid\t'=a\r\n");
        let kinds = [Kind::Integer, Kind::Integer];
        assert_eq!(line(&kinds, "{\"\":1,\"\":2", asked), "1\t2");
    }
}
