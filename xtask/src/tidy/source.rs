//! Blanks out comments, literals or tests in Rust text, so that a search finds only code.
//!
//! Every line and column stays where it is.

/// Blanks comments and the insides of string and character literals.
pub(super) fn code(text: &str) -> String {
    let mut bytes = text.as_bytes().to_vec();
    let mut at = 0;
    while at < text.len() {
        let length = blank_length(text, at);
        if length > 0 {
            blank(&mut bytes[at..at + length]);
            at += length;
        } else {
            at += char_length(text, at);
        }
    }
    into_text(bytes)
}

/// Blanks what is compiled for tests only: an item under `#[cfg(test)]`, to its `;` or closing brace.
pub(super) fn without_tests(code: &str) -> String {
    const MARK: &str = "#[cfg(test)]";
    let mut bytes = code.as_bytes().to_vec();
    for (start, _) in code.match_indices(MARK) {
        let mut depth = 0_usize;
        let mut end = code.len();
        for (offset, byte) in code.bytes().enumerate().skip(start + MARK.len()) {
            match byte {
                b'{' => depth += 1,
                b'}' => depth = depth.saturating_sub(1),
                _ => {}
            }
            if depth == 0 && matches!(byte, b'}' | b';') {
                end = offset + 1;
                break;
            }
        }
        blank(&mut bytes[start..end]);
    }
    into_text(bytes)
}

/// The identifiers of blanked code, each with the offset where it starts.
pub(super) fn identifiers(code: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    code.split_inclusive(|c| !is_word(c))
        .filter_map(move |piece| {
            let start = at;
            at += piece.len();
            let word = piece.trim_end_matches(|c| !is_word(c));
            (!word.is_empty()).then_some((start, word))
        })
}

/// The number of the line that an offset is on.
pub(super) fn line_of(text: &str, offset: usize) -> usize {
    text[..offset].matches('\n').count() + 1
}

pub(super) fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// How many bytes from here are a comment or a literal; 0 if none starts here.
fn blank_length(text: &str, at: usize) -> usize {
    let rest = &text[at..];
    if rest.starts_with("//") {
        return rest.find('\n').unwrap_or(rest.len());
    }
    if rest.starts_with("/*") {
        return block_comment_length(rest);
    }
    if rest.starts_with('"') {
        return quoted_length(rest, '"');
    }
    if rest.starts_with('\'') {
        return character_length(rest);
    }
    let begins_word = !text[..at].ends_with(is_word);
    match rest.find('r') {
        // `r"…"`, `br#"…"#`, `cr"…"`
        Some(r @ 0..=1) if begins_word && rest[..r].bytes().all(|b| b"bc".contains(&b)) => {
            raw_string_length(rest, r + 1)
        }
        _ => 0,
    }
}

/// Block comments nest.
fn block_comment_length(rest: &str) -> usize {
    let (mut depth, mut at) = (0, 0);
    while at < rest.len() {
        if rest[at..].starts_with("/*") {
            depth += 1;
            at += 2;
        } else if rest[at..].starts_with("*/") {
            depth -= 1;
            at += 2;
            if depth == 0 {
                return at;
            }
        } else {
            at += char_length(rest, at);
        }
    }
    rest.len()
}

fn quoted_length(rest: &str, quote: char) -> usize {
    let mut escaped = false;
    for (offset, c) in rest.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            c if c == quote => return offset + 1,
            _ => {}
        }
    }
    rest.len()
}

/// `'x'` and `'\n'` are literals; `'a` is a lifetime.
fn character_length(rest: &str) -> usize {
    let mut chars = rest.chars().skip(1);
    match (chars.next(), chars.next()) {
        (Some('\\'), _) | (Some(_), Some('\'')) => quoted_length(rest, '\''),
        _ => 0,
    }
}

/// `hashes` is the offset after the `r`.
fn raw_string_length(rest: &str, hashes: usize) -> usize {
    let count = rest[hashes..].bytes().take_while(|&b| b == b'#').count();
    let open = hashes + count;
    if !rest[open..].starts_with('"') {
        return 0;
    }
    let close = format!("\"{}", "#".repeat(count));
    match rest[open + 1..].find(&close) {
        Some(end) => open + 1 + end + close.len(),
        None => rest.len(),
    }
}

fn char_length(text: &str, at: usize) -> usize {
    text[at..].chars().next().map_or(1, char::len_utf8)
}

fn blank(bytes: &mut [u8]) {
    for byte in bytes.iter_mut().filter(|byte| **byte != b'\n') {
        *byte = b' ';
    }
}

fn into_text(bytes: Vec<u8>) -> String {
    // Only whole characters were blanked, so this loses nothing.
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_literals_are_blanked_and_lines_stay() {
        for (text, expected) in [
            ("a // b\nc", "a     \nc"),
            ("a /* b /* c */ d */ e", "a                   e"),
            (r#"x("a\"b", y)"#, "x(      , y)"),
            (r##"x(r#"a"b"#, r#type)"##, "x(        , r#type)"),
            ("'a' 'b '\\'' &'c d", "    'b      &'c d"),
            ("\"é\" é", "     é"),
            ("b\"x\" var\"", "b    var "),
        ] {
            assert_eq!(code(text), expected, "{text}");
        }
    }

    #[test]
    fn items_for_tests_are_blanked() {
        let text = "a;\n#[cfg(test)]\nmod tests { fn x() {} }\nb;\n#[cfg(test)] mod tests;\nc";
        let words: Vec<_> = without_tests(text)
            .split_whitespace()
            .map(str::to_owned)
            .collect();
        assert_eq!(words, ["a;", "b;", "c"]);
        assert_eq!(without_tests(text).lines().count(), text.lines().count());
    }

    #[test]
    fn identifiers_have_their_place() {
        let found: Vec<_> = identifiers("fn a_1(b) é").collect();
        assert_eq!(found, [(0, "fn"), (3, "a_1"), (7, "b"), (10, "é")]);
        assert_eq!(line_of("a\nb\nc", 4), 3);
    }
}
