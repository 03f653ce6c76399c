//! Takes a row apart that was rendered as a JSON object: its values, each as JSON.
//!
//! The same bytes are behind every format, so that a value looks the same in a list and in each file. By hand, because it runs
//! for each value of an export, and the JSON is our own.

use std::borrow::Cow;

use crate::render::plain_prefix;

/// The values of an object without its closing brace, in their order.
pub(super) struct Cells<'r>(pub(super) &'r [u8]);

impl<'r> Iterator for Cells<'r> {
    type Item = &'r [u8];

    fn next(&mut self) -> Option<&'r [u8]> {
        // After the brace or the comma: the name, a colon, the value.
        let member = self.0.get(1..).filter(|member| !member.is_empty())?;
        let value = member.get(string_end(member) + 1..).unwrap_or_default();
        let end = value_end(value);
        let (value, rest) = value.split_at_checked(end).unwrap_or((value, &[]));
        self.0 = rest;
        Some(value)
    }
}

/// The length of the string at the front, with its quotes.
fn string_end(json: &[u8]) -> usize {
    let mut at = 1;
    while let Some(rest) = json.get(at..) {
        at += plain_prefix(rest);
        match json.get(at) {
            Some(b'"') => return at + 1,
            Some(b'\\') => at += 2,
            Some(_) => at += 1,
            None => break,
        }
    }
    json.len()
}

/// The length of the value at the front.
fn value_end(json: &[u8]) -> usize {
    match json.first() {
        Some(b'"') => string_end(json),
        Some(b'{' | b'[') => nested_end(json),
        _ => {
            let comma = json.iter().position(|byte| *byte == b',');
            comma.unwrap_or(json.len())
        }
    }
}

fn nested_end(json: &[u8]) -> usize {
    let (mut at, mut depth) = (0, 0_usize);
    while let Some(byte) = json.get(at) {
        match byte {
            b'"' => {
                at += string_end(&json[at..]);
                continue;
            }
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth -= 1,
            _ => {}
        }
        at += 1;
        if depth == 0 {
            return at;
        }
    }
    json.len()
}

/// The text of a JSON string; `None` for any other value.
pub(super) fn text(json: &[u8]) -> Option<Cow<'_, [u8]>> {
    let inner = json.strip_prefix(b"\"")?.strip_suffix(b"\"")?;
    if plain_prefix(inner) == inner.len() {
        return Some(Cow::Borrowed(inner));
    }
    let text: String = serde_json::from_slice(json).ok()?;
    Some(Cow::Owned(text.into_bytes()))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::Value;

    use super::{Cells, text};
    use crate::render::write_string;

    fn cells(row: &str) -> Vec<&str> {
        let cells = Cells(row.as_bytes());
        cells.map(|cell| str::from_utf8(cell).unwrap()).collect()
    }

    #[test]
    fn a_row_is_taken_apart() {
        for (row, wanted) in [
            ("{", &[][..]),
            (r#"{"":1"#, &["1"]),
            (r#"{"a":1,"b":"x","c":null"#, &["1", r#""x""#, "null"]),
            (
                r#"{"a,\"b":"},\"","":[1,{"x":"]}"}],"":{},"":-1.5"#,
                &[r#""},\"""#, r#"[1,{"x":"]}"}]"#, "{}", "-1.5"],
            ),
            (r#"{"id":"a\\","":true"#, &[r#""a\\""#, "true"]),
        ] {
            assert_eq!(cells(row), wanted, "{row}");
        }
    }

    proptest! {
        #[test]
        fn texts_come_back_whatever_they_hold(all in prop::collection::vec(".*", 0..4)) {
            let mut row = vec![b'{'];
            for (at, one) in all.iter().enumerate() {
                row.extend_from_slice(if at > 0 { b",\"\":" } else { b"\"\":" });
                write_string(&mut row, one.as_bytes());
            }
            let found: Vec<_> = Cells(&row).map(|cell| text(cell).unwrap().into_owned()).collect();
            let all: Vec<_> = all.iter().map(|one| one.as_bytes().to_vec()).collect();
            prop_assert_eq!(found, all);
        }

        #[test]
        fn any_row_is_taken_apart_without_a_panic(row in prop::collection::vec(any::<u8>(), 0..40)) {
            Cells(&row).for_each(|cell| drop(text(cell)));
        }
    }

    #[test]
    fn what_is_not_a_text_has_none() {
        assert_eq!(text(b"1"), None);
        assert_eq!(text(b"\""), None);
        let deep: Value = serde_json::from_str("[[]]").unwrap();
        assert_eq!(text(deep.to_string().as_bytes()), None);
    }
}
