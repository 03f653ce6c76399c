//! JSON in which `…` stands for whatever is left out: a value, further keys or items, or a part of a text.

use serde_json::Value;

#[derive(Debug)]
pub(crate) enum Pattern {
    Anything,
    Exactly(Value),
    /// A text of which these pieces are left.
    Text(Vec<String>),
    /// Items, and whether others may follow.
    List(Vec<Pattern>, bool),
    /// Keys, and whether there may be others.
    Object(Vec<(String, Pattern)>, bool),
}

const LEFT_OUT: char = '…';

impl Pattern {
    /// Reads a pattern, and panics where it is not one.
    pub(crate) fn read(text: &str) -> Self {
        let (pattern, rest) = value(text);
        assert_eq!(rest.trim(), "", "after the pattern {text}");
        pattern
    }

    /// Whether the value is of that form, or where it is not.
    pub(crate) fn matches(&self, value: &Value) -> Result<(), String> {
        match (self, value) {
            (Self::Anything, _) => Ok(()),
            (Self::Exactly(expected), _) if expected == value => Ok(()),
            (Self::Text(pieces), Value::String(text)) if holds(pieces, text) => Ok(()),
            (Self::List(patterns, more), Value::Array(items))
                if patterns.len() == items.len() || (*more && patterns.len() < items.len()) =>
            {
                let mut pairs = patterns.iter().zip(items);
                pairs.try_for_each(|(pattern, item)| pattern.matches(item))
            }
            (Self::Object(entries, more), Value::Object(object))
                if *more || entries.len() == object.len() =>
            {
                entries
                    .iter()
                    .try_for_each(|(key, pattern)| match object.get(key) {
                        Some(value) => pattern
                            .matches(value)
                            .map_err(|difference| format!("{key}: {difference}")),
                        None => Err(format!("there is no {key} in {value}")),
                    })
            }
            _ => Err(format!("expected {self:?}, and it is {value}")),
        }
    }
}

/// Whether a text consists of these pieces, with something between them.
fn holds(pieces: &[String], text: &str) -> bool {
    let (first, last) = (&pieces[0], &pieces[pieces.len() - 1]);
    let mut rest = text;
    for piece in pieces {
        match rest.find(piece.as_str()) {
            Some(at) => rest = &rest[at + piece.len()..],
            None => return false,
        }
    }
    text.starts_with(first.as_str()) && text.ends_with(last.as_str())
}

/// A value at the start of the text, and what follows it.
fn value(text: &str) -> (Pattern, &str) {
    let text = text.trim_start();
    if let Some(rest) = text.strip_prefix(LEFT_OUT) {
        return (Pattern::Anything, rest);
    }
    if let Some(rest) = text.strip_prefix('[') {
        let (items, more, rest) = entries(rest, ']', value);
        return (Pattern::List(items, more), rest);
    }
    if let Some(rest) = text.strip_prefix('{') {
        let (entries, more, rest) = entries(rest, '}', entry);
        return (Pattern::Object(entries, more), rest);
    }
    if text.starts_with('"') {
        let (text, rest) = string(text);
        let pattern = match text.contains(LEFT_OUT) {
            true => Pattern::Text(text.split(LEFT_OUT).map(str::to_owned).collect()),
            false => Pattern::Exactly(Value::String(text)),
        };
        return (pattern, rest);
    }
    let end = text.find([',', ']', '}', '\n', ' ']);
    let (scalar, rest) = text.split_at(end.unwrap_or(text.len()));
    let scalar = serde_json::from_str(scalar).unwrap_or_else(|_| panic!("{scalar} before {rest}"));
    (Pattern::Exactly(scalar), rest)
}

/// What stands between brackets, whether something is left out there, and what follows.
fn entries<'t, T>(
    mut rest: &'t str,
    close: char,
    read: fn(&'t str) -> (T, &'t str),
) -> (Vec<T>, bool, &'t str) {
    let (mut entries, mut more) = (Vec::new(), false);
    loop {
        rest = rest.trim_start().trim_start_matches(',').trim_start();
        if let Some(rest) = rest.strip_prefix(close) {
            return (entries, more, rest);
        }
        if let Some(after) = rest.strip_prefix(LEFT_OUT) {
            more = true;
            rest = after;
            continue;
        }
        let (entry, after) = read(rest);
        entries.push(entry);
        rest = after;
    }
}

fn entry(text: &str) -> ((String, Pattern), &str) {
    let (key, rest) = string(text);
    let rest = rest.trim_start().strip_prefix(':');
    let (value, rest) = value(rest.unwrap_or_else(|| panic!("no colon after {key}")));
    ((key, value), rest)
}

fn string(text: &str) -> (String, &str) {
    assert!(text.starts_with('"'), "no text at {text:.40}");
    let mut escaped = false;
    let end = text[1..].find(|c: char| {
        let ends = c == '"' && !escaped;
        escaped = c == '\\' && !escaped;
        ends
    });
    let (string, rest) = text.split_at(end.unwrap_or_else(|| panic!("{text} does not end")) + 2);
    (serde_json::from_str(string).unwrap(), rest)
}

#[test]
fn what_is_left_out_can_be_anything_and_nothing_else_can() {
    use serde_json::json;
    let pattern = Pattern::read(
        r#"{"a": …, "b": [1, …], "c": {"d": "x…y", …},
            "e": […], "f": "as it \" is"}"#,
    );
    let value = json!({
        "a": [1], "b": [1, 2], "c": {"d": "x and y", "z": 1}, "e": [], "f": "as it \" is",
    });
    assert_eq!(pattern.matches(&value), Ok(()));
    for (pointer, other) in [
        ("/b", json!([2])),
        ("/b", json!([])),
        ("/c/d", json!("x and z")),
        ("/c", json!({})),
        ("/f", json!("something else")),
        ("/e", json!({})),
    ] {
        let mut changed = value.clone();
        *changed.pointer_mut(pointer).unwrap() = other;
        assert!(pattern.matches(&changed).is_err(), "{changed}");
    }
    let mut longer = value;
    longer["g"] = json!(1);
    assert!(pattern.matches(&longer).is_err());
}
