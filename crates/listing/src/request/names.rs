//! Reads a list of names in any of its spellings: brackets, repeated keys, commas (d1, d2, d11, d12).

use std::collections::HashSet;

use compact_str::CompactString;

use super::AskedNames;
use super::budget::Budget;
use super::error::RequestError;
use super::node::{Node, Texts};
use super::place::Place;

/// The names of a list; `None` where there are none.
pub(super) fn names(
    node: Node<'_>,
    place: &Place<'_>,
    budget: &Budget<'_>,
) -> Result<Option<AskedNames>, RequestError> {
    let texts = list(node, place, budget)?;
    let mut names: Vec<CompactString> = entries(&texts).map(CompactString::from).collect();
    first_of_each(&mut names, CompactString::as_str);
    let sent = names.len();
    names.retain(|name| name != "*");
    Ok((sent > 0).then(|| AskedNames {
        all: names.len() < sent,
        names,
    }))
}

/// The values of a parameter that is a list; null is not sent.
pub(super) fn list<'a>(
    node: Node<'a>,
    place: &Place<'_>,
    budget: &Budget<'_>,
) -> Result<Texts<'a>, RequestError> {
    match node {
        Node::Null => Ok(Texts::new()),
        node => node.into_list(place, budget),
    }
}

/// The entries of a list.
pub(super) fn entries<'t>(texts: &'t Texts<'_>) -> impl Iterator<Item = &'t str> {
    texts.iter().flat_map(|(_, text)| split(text))
}

/// One value of a list can be several entries with commas between (d2). Empty ones are not sent (d12).
pub(super) fn split(text: &str) -> impl Iterator<Item = &str> {
    let entries = text.split(',').map(str::trim);
    entries.filter(|entry| !entry.is_empty())
}

/// Drops what comes again under a name that has been there (d11).
pub(super) fn first_of_each<T>(items: &mut Vec<T>, name: impl Fn(&T) -> &str) {
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
