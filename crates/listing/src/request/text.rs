//! Reads the query string of a URL into a [`Request`], by way of the tree (d1 to d6).

use std::borrow::Cow;
use std::collections::HashMap;

use super::budget::Budget;
use super::error::{Door, RequestError};
use super::node::{Map, Node};
use super::quote::Quote;
use super::{Request, brackets, interpret, parameters, percent};
use crate::vocabulary::Bounds;

/// Reads the query string of a URL, without its `?`.
///
/// # Errors
///
/// If the text is malformed, over a bound, or asks for something in a way that cannot be understood.
pub fn parse_query(query: &str, bounds: &Bounds) -> Result<Request, RequestError> {
    parse(query, Budget::new(bounds, Door::Query))
}

/// Reads the query string of a request for groups, which has `by` and `having` in addition.
///
/// # Errors
///
/// As [`parse_query`].
pub fn parse_groups_query(query: &str, bounds: &Bounds) -> Result<Request, RequestError> {
    parse(query, Budget::new(bounds, Door::Query).of_groups())
}

/// Reads the query string of an export, which says in addition how its file is written.
///
/// # Errors
///
/// As [`parse_query`].
pub fn parse_export_query(query: &str, bounds: &Bounds) -> Result<Request, RequestError> {
    parse(query, Budget::new(bounds, Door::Query).of_exports())
}

fn parse(query: &str, mut budget: Budget<'_>) -> Result<Request, RequestError> {
    let bounds = budget.bounds;
    if query.len() > bounds.query_bytes {
        return Err(RequestError::QueryTooLong {
            length: query.len(),
            limit: bounds.query_bytes,
        });
    }
    // The tree borrows from the decoded pairs, which is why they are kept.
    let pairs = pairs(query, bounds.pairs)?;
    let mut tree = Map::with_capacity(parameters::PARAMETERS.len());
    let mut far = Far::new();
    for (key, value) in &pairs {
        insert(&mut tree, key, value, bounds.depth, &mut far)?;
    }
    interpret::request(tree, &mut budget)
}

/// `key=value` and its decoded halves.
type Pair<'q> = (Cow<'q, str>, Cow<'q, str>);

fn pairs(query: &str, limit: usize) -> Result<Vec<Pair<'_>>, RequestError> {
    let separators = query.bytes().filter(|byte| *byte == b'&').count();
    let mut pairs = Vec::with_capacity(limit.min(separators + 1));
    let mut rest = query;
    while !rest.is_empty() {
        let (pair, others) = split_at_byte(rest, b'&').unwrap_or((rest, ""));
        rest = others;
        if pair.is_empty() {
            continue;
        }
        if pairs.len() == limit {
            return Err(RequestError::TooManyPairs { limit });
        }
        let (key, value) = split_at_byte(pair, b'=').unwrap_or((pair, ""));
        pairs.push((percent::decode(key, key)?, percent::decode(value, key)?));
    }
    Ok(pairs)
}

/// The text before and after the first such byte, which must be ASCII. Faster than `split_once`, whose search is optimised for
/// longer texts.
pub(super) fn split_at_byte(text: &str, byte: u8) -> Option<(&str, &str)> {
    let at = text.bytes().position(|one| one == byte)?;
    Some((&text[..at], &text[at + 1..]))
}

/// The positions of names that come after the first few of a map, each by the key up to it: in a long list, every name would
/// otherwise be compared with all earlier ones.
type Far<'p> = HashMap<&'p str, usize>;

/// Puts a value where its key says; a key that comes again makes a list.
fn insert<'p>(
    tree: &mut Map<'p>,
    key: &'p str,
    value: &'p str,
    depth: usize,
    far: &mut Far<'p>,
) -> Result<(), RequestError> {
    let conflict = |key| RequestError::ScalarAndObject {
        parameter: Quote::new(key),
    };
    let (mut name, pieces) = brackets::split(key, depth)?;
    let mut end = name.len();
    let mut map = tree;
    for piece in pieces {
        let piece = piece?;
        let node = slot(map, name, &key[..end], far);
        if let Node::Null = node {
            *node = Node::Map(Map::new());
        }
        let Node::Map(below) = node else {
            // The key up to these brackets already has a value.
            return Err(conflict(&key[..end]));
        };
        map = below;
        name = piece;
        end += piece.len() + "[]".len();
    }
    let value = Node::Text(Cow::Borrowed(value));
    let node = slot(map, name, key, far);
    *node = match std::mem::replace(node, Node::Null) {
        Node::Null => value,
        Node::Map(_) => return Err(conflict(key)),
        Node::List(mut values) => {
            values.push(value);
            Node::List(values)
        }
        single @ Node::Text(_) => Node::List(vec![single, value]),
    };
    Ok(())
}

/// The value of `name`, at the end of `key`; null if nothing has been put there yet, which text itself cannot express.
fn slot<'m, 'p>(
    map: &'m mut Map<'p>,
    name: &'p str,
    key: &'p str,
    far: &mut Far<'p>,
) -> &'m mut Node<'p> {
    /// Up to this number, names are compared one by one, which is quicker than hashing them.
    const FEW: usize = 16;
    let count = map.len();
    let few = &map[..count.min(FEW)];
    // From the end, because pairs of one parameter mostly follow each other.
    let near = few.iter().rposition(|(known, _)| known == name);
    let known = match near {
        None if count > FEW => far.get(key).copied(),
        near => near,
    };
    let at = known.unwrap_or_else(|| {
        if count >= FEW {
            far.insert(key, count);
        }
        map.push((Cow::Borrowed(name), Node::Null));
        count
    });
    &mut map[at].1
}
