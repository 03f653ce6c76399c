//! Writes types, names and values in TypeScript.

use std::fmt::Write as _;

use listing::describe::{Field, TypeName, ValueType};
use serde_json::Value;

/// A field of a response.
pub(super) fn fields(fields: &[Field]) -> Vec<(String, String)> {
    let field = |field: &Field| {
        let null = if field.nullable { " | null" } else { "" };
        (field.name.clone(), format!("{}{null}", shown(&field.value)))
    };
    fields.iter().map(field).collect()
}

pub(super) fn shown(value: &ValueType) -> String {
    if let Some(values) = &value.values {
        return literals(values);
    }
    match value.name {
        TypeName::Integer | TypeName::Number => "number".to_owned(),
        TypeName::Boolean => "boolean".to_owned(),
        TypeName::Array => {
            let items = value.items.as_deref();
            format!("({})[]", items.map_or_else(|| "unknown".to_owned(), shown))
        }
        TypeName::Json | TypeName::Any => "unknown".to_owned(),
        _ => "string".to_owned(),
    }
}

/// A value of a request.
pub(super) fn sent(value: &ValueType) -> String {
    if let Some(values) = &value.values {
        return literals(values);
    }
    match value.name {
        TypeName::BigInt | TypeName::Decimal => "string | number".to_owned(),
        TypeName::DateTime => "string | Date".to_owned(),
        _ => shown(value),
    }
}

fn literals(values: &[Value]) -> String {
    let values: Vec<_> = values.iter().map(Value::to_string).collect();
    match values.is_empty() {
        true => "never".to_owned(),
        false => values.join(" | "),
    }
}

pub(super) fn union<'n>(names: impl Iterator<Item = &'n str>) -> String {
    let names: Vec<_> = names.map(quoted).collect();
    match names.is_empty() {
        true => "never".to_owned(),
        false => names.join(" | "),
    }
}

pub(super) fn object(members: &[(String, String)]) -> String {
    if members.is_empty() {
        return "{}".to_owned();
    }
    let members: Vec<_> = members
        .iter()
        .map(|(name, text)| format!("{}: {text}", key(name)))
        .collect();
    format!("{{ {} }}", members.join("; "))
}

pub(super) fn interface(file: &mut String, name: &str, members: &[(String, String)]) {
    put(file, &format!("export interface {name} {{"));
    for (name, text) in members {
        put(file, &format!("  {}: {text};", key(name)));
    }
    put(file, "}\n");
}

/// A listing that allows the named members and nothing else.
pub(super) fn extended(file: &mut String, name: &str, members: &[(String, String)]) {
    const NOTHING: [(&str, &str); 17] = [
        ("fields", "{ id: never }"),
        ("defaults", "never"),
        ("record", "{}"),
        ("relations", "{}"),
        ("defaultRelations", "never"),
        ("filters", "{}"),
        ("related", "{}"),
        ("sorts", "never"),
        ("search", "false"),
        ("facets", "{}"),
        ("totals", "{}"),
        ("trashed", "never"),
        ("store", "never"),
        ("update", "never"),
        ("links", "never"),
        ("bulk", "never"),
        ("keyed", "never"),
    ];
    let member = |(key, nothing): (&str, &str)| {
        let said = members.iter().find(|(known, _)| known == key);
        (
            key.to_owned(),
            said.map_or_else(|| nothing.to_owned(), |(_, text)| text.clone()),
        )
    };
    interface(file, name, &NOTHING.map(member));
}

pub(super) fn put(file: &mut String, line: &str) {
    let _ = writeln!(file, "{line}");
}

/// A property's name, in quotes if it is not an identifier.
pub(super) fn key(name: &str) -> String {
    let is_letter = |letter: char| letter.is_ascii_alphabetic() || letter == '_' || letter == '$';
    let plain = name.starts_with(is_letter)
        && name
            .chars()
            .all(|letter| is_letter(letter) || letter.is_ascii_digit());
    match plain {
        true => name.to_owned(),
        false => quoted(name),
    }
}

pub(super) fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}

/// Text for a comment.
pub(super) fn one_line(text: &str) -> String {
    text.replace(['\r', '\n'], " ").replace("*/", "* /")
}

#[cfg(test)]
mod tests {
    use super::{key, one_line, sent, shown};
    use listing::Kind;
    use listing::describe::ValueType;

    /// Rule b296.
    #[test]
    fn values_have_the_types_that_json_gives_them() {
        let of = |kind: Kind| ValueType::of(&kind, None);
        for (kind, as_shown, as_sent) in [
            (Kind::Integer, "number", "number"),
            (Kind::IntegerText, "string", "string | number"),
            (
                Kind::Decimal { scale: Some(2) },
                "string",
                "string | number",
            ),
            (Kind::Timestamp, "string", "string | Date"),
            (Kind::Boolean, "boolean", "boolean"),
            (Kind::Json, "unknown", "unknown"),
            (
                Kind::Array(Box::new(Kind::Integer)),
                "(number)[]",
                "(number)[]",
            ),
        ] {
            assert_eq!(shown(&of(kind.clone())), as_shown);
            assert_eq!(sent(&of(kind)), as_sent);
        }
        let values = ["a".to_owned(), "b\"".to_owned()];
        let enumeration = ValueType::of(&Kind::Text, Some(&values));
        assert_eq!(shown(&enumeration), r#""a" | "b\"""#);
    }

    /// Rule b296.
    #[test]
    fn names_that_are_not_identifiers_are_quoted() {
        assert_eq!(key("created_at"), "created_at");
        assert_eq!(key("$eq"), "$eq");
        assert_eq!(key("2nd"), "\"2nd\"");
        assert_eq!(key("naïve-name"), "\"naïve-name\"");
        assert_eq!(one_line("a */\nb"), "a * / b");
    }
}
