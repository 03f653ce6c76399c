//! Decides what each parameter means, once for query strings and JSON.

use std::borrow::Cow;
use std::collections::HashSet;

use compact_str::CompactString;

use super::error::RequestError;
use super::node::{Longest, Map, Node, Texts, is_index};
use super::place::Place;
use super::quote::Quote;
use super::{AskedNames, AskedSort, Request, filters, pagination};
use crate::vocabulary::SortDirection;

/// The top-level parameters; others have no effect (d6).
pub(super) const PARAMETERS: &[&str] = &[
    "fields",
    "populate",
    "filters",
    "sort",
    "pagination",
    "trashed",
];

/// Reads the parameters of a list request.
pub(super) fn request(tree: Map<'_>, longest: Longest) -> Result<Request, RequestError> {
    let mut request = Request::default();
    for (name, node) in tree {
        let place = Place::top(&name);
        match &*name {
            "fields" => request.fields = names(node, &place, longest)?,
            "populate" => request.populate = populate(node, &place, longest)?,
            "filters" => request.filters = filters::filters(node, &place, longest)?,
            "sort" => request.sort = sort(node, &place, longest)?,
            "pagination" => {
                let asked = pagination::pagination(node, &place)?;
                request.page = asked.page;
                request.cursor = asked.cursor;
                request.with_count = asked.with_count;
            }
            "trashed" => request.trashed = trashed(node, &place)?,
            _ => {}
        }
    }
    Ok(request)
}

fn names(
    node: Node<'_>,
    place: &Place<'_>,
    longest: Longest,
) -> Result<Option<AskedNames>, RequestError> {
    let texts = list(node, place, longest)?;
    if entries(&texts).any(|name| name == "*") {
        return Ok(Some(AskedNames::All));
    }
    let mut names: Vec<CompactString> = entries(&texts).map(CompactString::from).collect();
    first_of_each(&mut names, CompactString::as_str);
    Ok((!names.is_empty()).then_some(AskedNames::These(names)))
}

/// Names, none of which goes into a relation (d47).
fn populate(
    node: Node<'_>,
    place: &Place<'_>,
    longest: Longest,
) -> Result<Option<AskedNames>, RequestError> {
    if let Some(token) = nested(&node, place) {
        return Err(RequestError::NestedPopulate { token });
    }
    let asked = names(node, place, longest)?;
    if let Some(AskedNames::These(names)) = &asked
        && let Some(name) = names.iter().find(|name| name.contains('.'))
    {
        return Err(RequestError::NestedPopulate {
            token: Quote::new(name),
        });
    }
    Ok(asked)
}

/// The first entry of `populate` that is more than a name.
fn nested(node: &Node<'_>, place: &Place<'_>) -> Option<Quote> {
    match node {
        Node::Map(entries) => entries
            .iter()
            .find(|(name, node)| !is_index(name) || holds_object(node))
            .map(|(name, _)| place.at(name).quote()),
        other => holds_object(other).then(|| place.quote()),
    }
}

fn holds_object(node: &Node<'_>) -> bool {
    match node {
        Node::Map(_) => true,
        Node::List(items) => items.iter().any(|item| matches!(item, Node::Map(_))),
        Node::Text(_) | Node::Null => false,
    }
}

fn sort(
    node: Node<'_>,
    place: &Place<'_>,
    longest: Longest,
) -> Result<Option<Vec<AskedSort>>, RequestError> {
    let texts = list(node, place, longest)?;
    let mut sorts = entries(&texts)
        .map(direction)
        .collect::<Result<Vec<_>, _>>()?;
    first_of_each(&mut sorts, |sort| &sort.name);
    Ok((!sorts.is_empty()).then_some(sorts))
}

/// `<name>` or `<name>:<direction>` (d10).
fn direction(entry: &str) -> Result<AskedSort, RequestError> {
    let (name, wire) = entry
        .rsplit_once(':')
        .unwrap_or((entry, SortDirection::Asc.wire()));
    match SortDirection::from_wire(wire) {
        Some(direction) => Ok(AskedSort {
            name: name.into(),
            direction,
        }),
        None => Err(RequestError::BadDirection {
            name: Quote::new(name),
            token: Quote::new(wire),
        }),
    }
}

fn trashed(node: Node<'_>, place: &Place<'_>) -> Result<Option<String>, RequestError> {
    match node {
        Node::Null => Ok(None),
        node => {
            let text = node.into_one(place)?;
            Ok((!text.is_empty()).then(|| text.into_owned()))
        }
    }
}

/// The values of a parameter that is a list; null is not sent.
fn list<'a>(
    node: Node<'a>,
    place: &Place<'_>,
    longest: Longest,
) -> Result<Texts<'a>, RequestError> {
    match node {
        Node::Null => Ok(Texts::new()),
        node => node.into_list(place, longest),
    }
}

/// The entries of a list, each of which can be several with commas between (d2). Empty ones are not sent (d12).
fn entries<'t>(texts: &'t [Cow<'_, str>]) -> impl Iterator<Item = &'t str> {
    texts
        .iter()
        .flat_map(|text| text.split(','))
        .map(str::trim)
        .filter(|entry| !entry.is_empty())
}

/// Drops what comes again under a name that has been there (d11).
fn first_of_each<T>(items: &mut Vec<T>, name: impl Fn(&T) -> &str) {
    // A few are compared with each other; a comma string has room for thousands, and those are hashed.
    const FEW: usize = 16;
    let again = |at: usize| {
        items[..at]
            .iter()
            .any(|earlier| name(earlier) == name(&items[at]))
    };
    if items.len() <= FEW && !(1..items.len()).any(again) {
        return;
    }
    let mut seen = HashSet::with_capacity(items.len());
    let first: Vec<bool> = items.iter().map(|item| seen.insert(name(item))).collect();
    let mut first = first.into_iter();
    items.retain(|_| first.next().unwrap_or(false));
}
