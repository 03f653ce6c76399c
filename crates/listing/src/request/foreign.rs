//! Reads an unknown parameter as a condition in the words of other interfaces: `title=eq.x`, `views[gt]=5`, `or=(a.eq.1)` (d151).

use compact_str::CompactString;

use super::node::{Map, Node, is_index};
use crate::vocabulary::{Complaint, FilterOperator};

/// A top-level parameter that a list does not have.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct AskedUnknown {
    /// Its name, as sent.
    pub name: CompactString,
    /// Whether it can only be a condition, whatever it is called.
    pub is_condition: bool,
    /// The operator that its brackets or its value name, in our words.
    pub operator: Option<FilterOperator>,
    /// The name in its brackets, if there is one: `author[name]=x`.
    pub inside: Option<CompactString>,
    /// The value that it is compared with, short enough to be sent back.
    pub value: String,
    /// The whole condition in our words, where it is a group.
    pub group: Option<String>,
}

/// The names of our operators in other interfaces, in brackets or in front of a value.
const WORDS: &[(&str, FilterOperator)] = &[
    ("eq", FilterOperator::Equal),
    ("ne", FilterOperator::NotEqual),
    ("neq", FilterOperator::NotEqual),
    ("gt", FilterOperator::GreaterThan),
    ("gte", FilterOperator::GreaterThanEqual),
    ("lt", FilterOperator::LessThan),
    ("lte", FilterOperator::LessThanEqual),
    ("like", FilterOperator::Contains),
    ("ilike", FilterOperator::Contains),
    ("contains", FilterOperator::Contains),
    ("in", FilterOperator::In),
    ("is", FilterOperator::Null),
];

/// Our operator for a word of another interface, or for one of our own.
pub(crate) fn operator(word: &str) -> Option<FilterOperator> {
    let known = WORDS.iter().find(|(known, _)| *known == word);
    known
        .map(|(_, operator)| *operator)
        .or_else(|| FilterOperator::from_wire(word))
}

/// The known information about a parameter that a list does not have.
pub(super) fn unknown(name: &str, node: &Node<'_>) -> AskedUnknown {
    let unknown = AskedUnknown {
        name: name.into(),
        ..AskedUnknown::default()
    };
    // `or[0][title]=x`; a bare `or=` may be an application's own.
    let is_group = name.starts_with('$') || matches!(node, Node::List(_) | Node::Map(_));
    if let Some(group) = group_of(name).filter(|_| is_group) {
        return AskedUnknown {
            is_condition: true,
            group: Some(format!("filters[{group}][0][<field>][$eq]=…")),
            ..unknown
        };
    }
    match node {
        Node::Null => unknown,
        Node::Text(text) => of_text(unknown, text),
        Node::List(_) => AskedUnknown {
            operator: Some(FilterOperator::In),
            value: first_text(node),
            ..unknown
        },
        Node::Map(entries) => of_brackets(unknown, entries),
    }
}

fn of_text(unknown: AskedUnknown, text: &str) -> AskedUnknown {
    if let Some(parts) = in_parentheses(text) {
        let group = as_group(&unknown.name, &parts);
        return AskedUnknown {
            is_condition: true,
            value: Complaint::shorten(text),
            group: Some(group),
            ..unknown
        };
    }
    match prefixed(text) {
        Some((operator, value)) => AskedUnknown {
            is_condition: true,
            operator: Some(operator),
            value: Complaint::shorten(value),
            ..unknown
        },
        None => AskedUnknown {
            value: Complaint::shorten(text),
            ..unknown
        },
    }
}

fn of_brackets(unknown: AskedUnknown, entries: &Map<'_>) -> AskedUnknown {
    let Some((key, inner)) = entries.first() else {
        return unknown;
    };
    let found = operator(key);
    let is_ours = key.starts_with('$') && found.is_some();
    let is_operator = is_ours || ["eq", "ne", "neq", "gt", "gte", "lt", "lte"].contains(&&**key);
    AskedUnknown {
        is_condition: is_operator,
        operator: match is_index(key) {
            true => Some(FilterOperator::In),
            false => found,
        },
        inside: (found.is_none() && !is_index(key)).then(|| Complaint::shorten(key).into()),
        value: first_text(inner),
        ..unknown
    }
}

/// The first text in it.
fn first_text(node: &Node<'_>) -> String {
    match node {
        Node::Null => String::new(),
        Node::Text(text) => Complaint::shorten(text),
        Node::List(items) => items.first().map(first_text).unwrap_or_default(),
        Node::Map(entries) => {
            let first = entries.first();
            first.map(|(_, node)| first_text(node)).unwrap_or_default()
        }
    }
}

/// `eq.5`, `not.in.(1,2)`. What could as well be the name of a host in some country (`lt.example.org`) has to look like a
/// value, too.
fn prefixed(text: &str) -> Option<(FilterOperator, &str)> {
    if let Some(rest) = text.strip_prefix("not.") {
        let (operator, value) = prefixed(rest)?;
        return Some((negated(operator), value));
    }
    let (word, rest) = text.split_once('.')?;
    let is_value = match word {
        "eq" | "neq" | "ilike" => true,
        "gt" | "gte" | "lt" | "lte" => {
            rest.starts_with(|first: char| first.is_ascii_digit() || first == '-')
        }
        "like" => rest.contains(['*', '%']),
        "in" => rest.starts_with('(') && rest.ends_with(')'),
        "is" => ["null", "true", "false"].contains(&rest),
        _ => false,
    };
    let operator = operator(word).filter(|_| is_value)?;
    Some(match (operator, rest) {
        (FilterOperator::Null, "null") => (operator, "true"),
        (FilterOperator::Null, _) => (FilterOperator::Equal, rest),
        (FilterOperator::Contains, _) => (operator, rest.trim_matches(['*', '%'])),
        (FilterOperator::In, _) => {
            let list = rest.trim_start_matches('(').trim_end_matches(')');
            (operator, list.split(',').next().unwrap_or_default())
        }
        _ => (operator, rest),
    })
}

const fn negated(operator: FilterOperator) -> FilterOperator {
    match operator {
        FilterOperator::Equal => FilterOperator::NotEqual,
        FilterOperator::Contains => FilterOperator::NotContains,
        FilterOperator::In => FilterOperator::NotIn,
        FilterOperator::Null => FilterOperator::NotNull,
        FilterOperator::GreaterThan => FilterOperator::LessThanEqual,
        FilterOperator::GreaterThanEqual => FilterOperator::LessThan,
        FilterOperator::LessThan => FilterOperator::GreaterThanEqual,
        FilterOperator::LessThanEqual => FilterOperator::GreaterThan,
        operator => operator,
    }
}

/// `(a.eq.1,b.gt.2)`: the parts, if the first of them is a condition or a group of them.
fn in_parentheses(text: &str) -> Option<Vec<&str>> {
    let inside = text.strip_prefix('(')?.strip_suffix(')')?;
    let mut depth = 0_usize;
    let parts: Vec<_> = inside
        .split(|c| {
            match c {
                '(' => depth += 1,
                ')' => depth = depth.saturating_sub(1),
                _ => {}
            }
            c == ',' && depth == 0
        })
        .collect();
    let first = parts.first()?;
    let is_group = ["or(", "and(", "not."]
        .iter()
        .any(|word| first.starts_with(word));
    (is_group || condition(first).is_some()).then_some(parts)
}

/// `a.eq.1`: the field, our operator and the value.
fn condition(part: &str) -> Option<(&str, FilterOperator, &str)> {
    let (field, rest) = part.split_once('.')?;
    let (operator, value) = prefixed(rest).filter(|_| !field.contains('('))?;
    Some((field, operator, value))
}

/// The group that a name means.
fn group_of(name: &str) -> Option<&'static str> {
    match name.trim_start_matches('$') {
        "or" => Some("$or"),
        "and" => Some("$and"),
        "not" => Some("$not"),
        _ => None,
    }
}

/// The parts in our words, as far as they are conditions.
fn as_group(name: &str, parts: &[&str]) -> String {
    let group = group_of(name).unwrap_or("$and");
    let parts = parts.iter().zip(0..);
    let conditions: Vec<_> = parts
        .map_while(|(part, at)| {
            let (field, operator, value) = condition(part)?;
            Some(format!(
                "filters[{group}][{at}][{field}][{operator}]={value}"
            ))
        })
        .collect();
    match conditions.is_empty() {
        true => format!("filters[{group}][0][<field>][$eq]=…"),
        false => Complaint::shorten(&conditions.join("&")),
    }
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use super::{Node, in_parentheses, prefixed, unknown};

    fn text(text: &str) -> Node<'_> {
        Node::Text(Cow::Borrowed(text))
    }

    /// Rule d151.
    #[test]
    fn values_of_other_dialects_are_read_in_our_words() {
        for (sent, ours) in [
            ("eq.5", "$eq 5"),
            ("eq.a.b", "$eq a.b"),
            ("neq.x", "$ne x"),
            ("gte.2026-01-01", "$gte 2026-01-01"),
            ("lt.-3", "$lt -3"),
            ("like.*x*", "$contains x"),
            ("ilike.%x%", "$contains x"),
            ("in.(1,2)", "$in 1"),
            ("is.null", "$null true"),
            ("is.true", "$eq true"),
            ("not.eq.5", "$ne 5"),
            ("not.is.null", "$notNull true"),
            ("not.gt.5", "$lte 5"),
        ] {
            let read = prefixed(sent).map(|(operator, value)| format!("{operator} {value}"));
            assert_eq!(read.as_deref(), Some(ours), "{sent}");
        }
        for sent in [
            "",
            "eq",
            "5",
            "1.5",
            "lt.wikipedia.org",
            "in.example.com",
            "is.example.com",
            "like.com",
            "gt.example.com",
            "news.example.com",
            "newsletter",
            "not.com",
            "a.eq.1",
            "v1.2.3",
        ] {
            assert_eq!(prefixed(sent), None, "{sent}");
        }
    }

    /// Rule d151.
    #[test]
    fn groups_of_other_dialects_are_spelled_out() {
        for (name, sent, ours) in [
            (
                "or",
                "(views.gt.5,title.eq.x)",
                "filters[$or][0][views][$gt]=5&filters[$or][1][title][$eq]=x",
            ),
            (
                "and",
                "(a.in.(1,2),b.eq.3)",
                "filters[$and][0][a][$in]=1&filters[$and][1][b][$eq]=3",
            ),
            (
                "or",
                "(and(a.eq.1,b.eq.2),c.eq.3)",
                "filters[$or][0][<field>][$eq]=…",
            ),
            ("filter_by", "(a.eq.1)", "filters[$and][0][a][$eq]=1"),
        ] {
            let read = unknown(name, &text(sent));
            assert!(read.is_condition);
            assert_eq!(read.group.as_deref(), Some(ours), "{sent}");
        }
        for sent in [
            "",
            "()",
            "(a)",
            "(1.5)",
            "(a.b.c)",
            "(see below)",
            "a.eq.1",
            "(a.eq.1",
        ] {
            assert_eq!(in_parentheses(sent), None, "{sent}");
        }
    }

    /// Rule d151.
    #[test]
    fn brackets_name_an_operator_a_field_or_a_place_in_a_list() {
        let brackets = |key: &'static str| {
            let entries = vec![(Cow::Borrowed(key), text("5"))];
            let read = unknown("x", &Node::Map(entries));
            let operator = read.operator.map_or("", |operator| operator.wire());
            (operator, read.inside.map(String::from), read.is_condition)
        };
        assert_eq!(brackets("$gt"), ("$gt", None, true));
        assert_eq!(brackets("gte"), ("$gte", None, true));
        assert_eq!(brackets("0"), ("$in", None, false));
        assert_eq!(brackets(""), ("$in", None, false));
        assert_eq!(brackets("name"), ("", Some("name".to_owned()), false));
        let or = unknown("$or", &Node::Map(vec![(Cow::Borrowed("0"), text("x"))]));
        assert!(or.is_condition);
    }
}
