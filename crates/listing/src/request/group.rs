//! The groups of filters, `$and`, `$or` and `$not`, and which of them a misspelt name means (d65).

use super::error::RequestError;
use super::node::{Node, is_index};
use super::place::Place;
use super::quote::Quote;
use crate::vocabulary::{FilterOperator, Quantifier};

/// How the conditions in a group are joined.
#[derive(Clone, Copy)]
pub(super) enum Group {
    And,
    Or,
    Not,
}

impl Group {
    pub(super) const NAMES: &'static [&'static str] = &["$and", "$or", "$not"];

    pub(super) fn from_wire(wire: &str) -> Option<Self> {
        match wire {
            "$and" => Some(Self::And),
            "$or" => Some(Self::Or),
            "$not" => Some(Self::Not),
            _ => None,
        }
    }
}

/// The group that is certainly meant by the name of a list of objects, or of an object: `or`, `_or`, `$OR`.
pub(crate) fn meant_group(name: &str) -> Option<&'static str> {
    let bare = name.trim_start_matches(['$', '_']);
    let mut groups = Group::NAMES.iter().copied();
    groups.find(|group| bare.eq_ignore_ascii_case(&group[1..]))
}

/// The error for a name that means a group, at its place: with the spelling that we have.
pub(super) fn misspelt(name: &str, place: &Place<'_>) -> Option<RequestError> {
    let not = place.named("$not");
    let meant = match meant_group(name) {
        Some(group) => place.named(group).quote(),
        // `nor` means none of them: `$not` around `$or`.
        None if name.trim_start_matches(['$', '_']) == "nor" => not.at("$or").quote(),
        None => return None,
    };
    Some(RequestError::MisspeltParameter {
        token: place.quote(),
        meant,
        allowed: Group::NAMES,
    })
}

/// The error for a name that begins as groups and operators do, where a field or a group is expected.
pub(super) fn unknown(name: &str, place: &Place<'_>) -> RequestError {
    let parameter = place.quote();
    let stands_after_field =
        FilterOperator::from_wire(name).is_some() || Quantifier::from_wire(name).is_some();
    match stands_after_field {
        true => RequestError::FilterWithoutField { parameter },
        false => misspelt(name, place).unwrap_or_else(|| RequestError::UnknownGroup {
            parameter,
            token: Quote::new(name),
        }),
    }
}

/// Whether a member of a group is a list of objects and not one object, as in `[$or][0][1][title]`. A field can be called `2024`:
/// a name with operators or a value after it is a field.
pub(super) fn is_list_of_objects(node: &Node<'_>, after_field: bool) -> bool {
    match node {
        Node::List(items) => items
            .iter()
            .any(|item| matches!(item, Node::Map(_) | Node::List(_))),
        Node::Map(entries) if !entries.is_empty() => entries.iter().all(|(name, node)| {
            is_index(name) && node.has_objects() && (after_field || is_of_related(node))
        }),
        Node::Map(_) | Node::Text(_) | Node::Null => false,
    }
}

/// Whether a group after a field is about related rows: there are names in it, and none of them is an operator (b205).
pub(super) fn is_of_related(node: &Node<'_>) -> bool {
    any_name(node, |_| true) && !any_name(node, |name| name.starts_with('$'))
}

/// Whether one of the names in a group, and in the groups in it, is one of these.
fn any_name(node: &Node<'_>, is_it: fn(&str) -> bool) -> bool {
    match node {
        Node::Map(entries) => entries.iter().any(|(name, node)| {
            match is_index(name) || Group::from_wire(name).is_some() {
                true => any_name(node, is_it),
                false => is_it(name),
            }
        }),
        Node::List(items) => items.iter().any(|node| any_name(node, is_it)),
        Node::Text(_) | Node::Null => false,
    }
}
