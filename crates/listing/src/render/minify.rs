//! Copies JSON text from a database without the white space between its tokens, and refuses text that is not JSON.
//!
//! Copied rather than parsed: no number loses digits, no member changes place, nothing is allocated.

use super::text::plain_prefix;

/// Appends `text` without white space and says `true`; if it is not JSON appends nothing.
pub(crate) fn write_minified(out: &mut Vec<u8>, text: &[u8]) -> bool {
    let start = out.len();
    let done = str::from_utf8(text).is_ok() && copy(out, text).is_some();
    if !done {
        out.truncate(start);
    }
    done
}

/// The tokens that are allowed next.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Next {
    Value,
    /// Just after `[`.
    ValueOrEnd,
    /// Just after `{`.
    NameOrEnd,
    Name,
    /// After a value.
    CommaOrEnd,
}

fn copy(out: &mut Vec<u8>, text: &[u8]) -> Option<()> {
    let mut open = Open::default();
    let mut next = Next::Value;
    let mut rest = text;
    loop {
        rest = skip_space(rest);
        let Some(&first) = rest.first() else {
            return (next == Next::CommaOrEnd && open.depth == 0).then_some(());
        };
        next = match (next, first) {
            (Next::CommaOrEnd, b',') if open.depth > 0 => {
                rest = &rest[1..];
                out.push(b',');
                if open.is_object() {
                    Next::Name
                } else {
                    Next::Value
                }
            }
            (Next::CommaOrEnd | Next::NameOrEnd, b'}') if open.depth > 0 && open.is_object() => {
                rest = close(out, &mut open, rest);
                Next::CommaOrEnd
            }
            (Next::CommaOrEnd | Next::ValueOrEnd, b']') if open.depth > 0 && !open.is_object() => {
                rest = close(out, &mut open, rest);
                Next::CommaOrEnd
            }
            (Next::Name | Next::NameOrEnd, b'"') => {
                rest = skip_space(copy_string(out, rest)?).strip_prefix(b":")?;
                out.push(b':');
                Next::Value
            }
            (Next::Value | Next::ValueOrEnd, b'{' | b'[') => {
                open.push(first == b'{')?;
                rest = &rest[1..];
                out.push(first);
                if first == b'{' {
                    Next::NameOrEnd
                } else {
                    Next::ValueOrEnd
                }
            }
            (Next::Value | Next::ValueOrEnd, _) => {
                rest = match first {
                    b'"' => copy_string(out, rest)?,
                    b't' => copy_word(out, rest, b"true")?,
                    b'f' => copy_word(out, rest, b"false")?,
                    b'n' => copy_word(out, rest, b"null")?,
                    _ => copy_number(out, rest)?,
                };
                Next::CommaOrEnd
            }
            _ => return None,
        };
    }
}

fn skip_space(text: &[u8]) -> &[u8] {
    let space = |byte: &&u8| matches!(byte, b' ' | b'\t' | b'\n' | b'\r');
    &text[text.iter().take_while(space).count()..]
}

fn close<'a>(out: &mut Vec<u8>, open: &mut Open, text: &'a [u8]) -> &'a [u8] {
    open.depth -= 1;
    out.push(text[0]);
    &text[1..]
}

fn copy_word<'a>(out: &mut Vec<u8>, text: &'a [u8], word: &[u8]) -> Option<&'a [u8]> {
    let rest = text.strip_prefix(word)?;
    out.extend_from_slice(word);
    Some(rest)
}

/// Copies a string that begins here, with its escapes as they are.
fn copy_string<'a>(out: &mut Vec<u8>, text: &'a [u8]) -> Option<&'a [u8]> {
    let mut end = 1;
    loop {
        end += plain_prefix(text.get(end..)?);
        match text.get(end)? {
            b'"' => break,
            b'\\' => match text.get(end + 1)? {
                b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => end += 2,
                b'u' if text
                    .get(end + 2..end + 6)?
                    .iter()
                    .all(u8::is_ascii_hexdigit) =>
                {
                    end += 6
                }
                _ => return None,
            },
            _ => return None,
        }
    }
    let (string, rest) = text.split_at(end + 1);
    out.extend_from_slice(string);
    Some(rest)
}

fn copy_number<'a>(out: &mut Vec<u8>, text: &'a [u8]) -> Option<&'a [u8]> {
    let digits = |from: usize| {
        let rest = text.get(from..).unwrap_or_default();
        rest.iter().take_while(|byte| byte.is_ascii_digit()).count()
    };
    let mut end = usize::from(text.first() == Some(&b'-'));
    let whole = digits(end);
    if whole == 0 || (whole > 1 && text[end] == b'0') {
        return None;
    }
    end += whole;
    if text.get(end) == Some(&b'.') {
        let fraction = digits(end + 1);
        if fraction == 0 {
            return None;
        }
        end += 1 + fraction;
    }
    if let Some(b'e' | b'E') = text.get(end) {
        end += 1 + usize::from(matches!(text.get(end + 1), Some(b'+' | b'-')));
        let exponent = digits(end);
        if exponent == 0 {
            return None;
        }
        end += exponent;
    }
    let (number, rest) = text.split_at(end);
    out.extend_from_slice(number);
    Some(rest)
}

/// The open brackets: a bit each, set for objects.
///
/// A fixed depth, because few readers support more; deeper JSON is returned as a string.
#[derive(Default)]
struct Open {
    depth: usize,
    objects: [u64; Self::DEEPEST / 64],
}

impl Open {
    const DEEPEST: usize = 512;

    fn push(&mut self, object: bool) -> Option<()> {
        let word = self.objects.get_mut(self.depth / 64)?;
        let bit = 1 << (self.depth % 64);
        *word = if object { *word | bit } else { *word & !bit };
        self.depth += 1;
        Some(())
    }

    fn is_object(&self) -> bool {
        let top = self.depth.saturating_sub(1);
        self.objects
            .get(top / 64)
            .is_some_and(|word| word >> (top % 64) & 1 == 1)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::Value;

    use super::*;

    fn minified(text: &[u8]) -> Option<String> {
        let mut out = b"#".to_vec();
        let done = write_minified(&mut out, text);
        assert_eq!(out[0], b'#');
        assert!(done || out.len() == 1);
        done.then(|| String::from_utf8(out[1..].to_vec()).unwrap())
    }

    /// Rule b52.
    #[test]
    fn white_space_goes_and_all_else_stays() {
        for (text, expected) in [
            (
                " { \"b\" : [ 1 , 2.50e+1 , -0 ] , \"a\" : { } }\n",
                "{\"b\":[1,2.50e+1,-0],\"a\":{}}",
            ),
            ("\t[ ]\r\n", "[]"),
            ("\" a \\\" b \"", "\" a \\\" b \""),
            ("\"\\u00e9 é\"", "\"\\u00e9 é\""),
            (" null ", "null"),
            ("[[[]],[{}]]", "[[[]],[{}]]"),
            (
                "123456789012345678901234567890",
                "123456789012345678901234567890",
            ),
        ] {
            assert_eq!(minified(text.as_bytes()).as_deref(), Some(expected));
        }
    }

    #[test]
    fn what_is_not_json_is_refused() {
        for text in [
            "",
            " ",
            "{",
            "[",
            "]",
            "}",
            "[1,]",
            "{\"a\":1,}",
            "{\"a\"}",
            "{a:1}",
            "[1 2]",
            "01",
            "1.",
            ".5",
            "+1",
            "-",
            "1e",
            "tru",
            "nul",
            "\"",
            "\"\\x\"",
            "\"\\u12\"",
            "\"\n\"",
            "1 2",
            "[}",
            "{]",
            ",",
            "[,1]",
            "{,}",
            "'a'",
            "NaN",
            "{\"a\":}",
            "{1:2}",
            "truefalse",
        ] {
            assert_eq!(minified(text.as_bytes()), None, "{text}");
        }
        assert_eq!(minified(b"\"\xff\""), None);
    }

    #[test]
    fn depth_is_bounded() {
        let nested = |depth| [b"[".repeat(depth), b"]".repeat(depth)].concat();
        assert!(minified(&nested(512)).is_some());
        assert!(minified(&nested(513)).is_none());
    }

    fn json() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            any::<f64>().prop_map(Value::from),
            any::<String>().prop_map(Value::from),
        ];
        leaf.prop_recursive(5, 64, 8, |inner| {
            prop_oneof![
                proptest::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
                proptest::collection::vec((any::<String>(), inner), 0..6)
                    .prop_map(|members| Value::Object(members.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn pretty_json_becomes_compact_json(value in json()) {
            let pretty = serde_json::to_vec_pretty(&value).unwrap();
            prop_assert_eq!(minified(&pretty), Some(serde_json::to_string(&value).unwrap()));
        }

        #[test]
        fn agrees_with_serde_json_about_what_is_json(text in "[\\[\\]{}:, \"\\\\a0-9.eE+-]{0,12}|(true|null|\\[|\\]|,| ){0,6}") {
            // serde_json refuses numbers that no f64 holds; the grammar does not.
            let theirs: Result<Value, _> = serde_json::from_str(&text);
            match (minified(text.as_bytes()), theirs) {
                (Some(ours), Ok(theirs)) => {
                    prop_assert_eq!(serde_json::from_str::<Value>(&ours).unwrap(), theirs);
                }
                (None, Err(_)) => {}
                (ours, Err(error)) if error.to_string().contains("out of range") => prop_assert!(ours.is_some()),
                (ours, theirs) => prop_assert!(false, "{:?} {:?}", ours, theirs),
            }
        }

        #[test]
        fn no_bytes_panic(bytes in any::<Vec<u8>>()) {
            minified(&bytes);
        }
    }
}
