//! The small tree that both a query string and a JSON body become, read as one value, a list or an object.

use std::borrow::Cow;

use smallvec::SmallVec;

use super::budget::Budget;
use super::error::RequestError;
use super::place::Place;
use super::quote::Quote;

/// The value of a key.
#[derive(Debug)]
pub(super) enum Node<'a> {
    /// JSON null; text has none.
    Null,
    /// One scalar, as it was written.
    Text(Cow<'a, str>),
    /// A JSON array, or the values of a key that was repeated.
    List(Vec<Node<'a>>),
    /// A JSON object, or the brackets after a key.
    Map(Map<'a>),
}

/// Names and what stands under them, in the order sent, each name once. `[]` is the empty name.
pub(super) type Map<'a> = Vec<(Cow<'a, str>, Node<'a>)>;

/// The values of a list, with their indexes: mostly a few, which then need no allocation.
pub(super) type Texts<'a> = SmallVec<[(Index, Cow<'a, str>); 4]>;

impl<'a> Node<'a> {
    /// Expects exactly one value.
    pub(super) fn into_one(self, place: &Place<'_>) -> Result<Cow<'a, str>, RequestError> {
        match self {
            Self::Text(text) => Ok(text),
            Self::Null => Err(RequestError::NullValue {
                parameter: place.quote(),
            }),
            Self::List(_) | Self::Map(_) => Err(RequestError::OneValueExpected {
                parameter: place.quote(),
            }),
        }
    }

    /// Expects a list: in the order of its indexes, with `[]` after them; a single value is a list of one.
    pub(super) fn into_list(
        self,
        place: &Place<'_>,
        budget: &Budget<'_>,
    ) -> Result<Texts<'a>, RequestError> {
        let mut texts = Texts::new();
        match self {
            Self::Map(entries) => texts = by_index(entries, place)?,
            other => other.each_text(place, |index, text| texts.push((index, text)))?,
        }
        budget.list(texts.len(), place)?;
        Ok(texts)
    }

    /// Expects an object; nothing at all is an empty one.
    pub(super) fn into_map(self, place: &Place<'_>) -> Result<Map<'a>, RequestError> {
        let token = match self {
            Self::Map(entries) => return Ok(entries),
            Self::Null => return Ok(Map::new()),
            Self::List(items) if items.is_empty() => return Ok(Map::new()),
            Self::Text(text) if text.is_empty() => return Ok(Map::new()),
            Self::List(_) => Quote::new(""),
            Self::Text(text) => Quote::new(&text),
        };
        Err(RequestError::ObjectExpected {
            parameter: place.quote(),
            token,
        })
    }

    /// Expects a list of objects: its members in the order of their indexes, which are their names.
    pub(super) fn into_members(self, place: &Place<'_>) -> Result<Map<'a>, RequestError> {
        match self {
            Self::List(items) => Ok(items
                .into_iter()
                .enumerate()
                .map(|(at, node)| (Cow::Owned(at.to_string()), node))
                .collect()),
            Self::Map(entries) => {
                let mut indexed = Vec::with_capacity(entries.len());
                for (name, node) in entries {
                    let index = index(&name).ok_or_else(|| RequestError::ListExpected {
                        parameter: place.quote(),
                        token: Quote::new(&name),
                    })?;
                    indexed.push((index, name, node));
                }
                indexed.sort_by_key(|(index, ..)| *index);
                let members = indexed.into_iter();
                Ok(members.map(|(_, name, node)| (name, node)).collect())
            }
            Self::Null => Ok(Map::new()),
            Self::Text(text) if text.is_empty() => Ok(Map::new()),
            Self::Text(text) => Err(RequestError::ListExpected {
                parameter: place.quote(),
                token: Quote::new(&text),
            }),
        }
    }

    /// Whether it is an object, or a list with an object in it.
    pub(super) fn has_objects(&self) -> bool {
        let is_object = |node: &Node<'_>| matches!(node, Node::Map(_));
        match self {
            Self::Map(members) => members
                .iter()
                .any(|(name, node)| !is_index(name) || is_object(node)),
            Self::List(items) => items.iter().any(is_object),
            Self::Text(_) | Self::Null => false,
        }
    }

    /// Hands each plain value to `take`, whether there is one or a list of them.
    fn each_text(
        self,
        place: &Place<'_>,
        mut take: impl FnMut(Index, Cow<'a, str>),
    ) -> Result<(), RequestError> {
        let mut item = |index: Index, node| match node {
            Self::Text(text) => {
                take(index, text);
                Ok(())
            }
            Self::Null => Err(RequestError::NullValue {
                parameter: index.quote(place),
            }),
            Self::List(_) | Self::Map(_) => Err(RequestError::PlainValueExpected {
                parameter: index.quote(place),
            }),
        };
        match self {
            Self::List(items) => {
                let mut items = (0..).map(Index::At).zip(items);
                items.try_for_each(|(index, node)| item(index, node))
            }
            other => item(Index::Alone, other),
        }
    }
}

/// Whether `name` can be in the brackets of a list: `[]`, or digits only.
pub(super) fn is_index(name: &str) -> bool {
    name.bytes().all(|byte| byte.is_ascii_digit())
}

/// Sorting instead of placing: an index costs its digits and nothing more, however large it is.
fn by_index<'a>(entries: Map<'a>, place: &Place<'_>) -> Result<Texts<'a>, RequestError> {
    let mut indexed = Texts::with_capacity(entries.len());
    for (name, node) in entries {
        let index = index(&name).ok_or_else(|| RequestError::BadIndex {
            parameter: place.quote(),
            token: Quote::new(&name),
        })?;
        node.each_text(&place.at(&name), |_, text| indexed.push((index, text)))?;
    }
    indexed.sort_by_key(|(index, _)| *index);
    Ok(indexed)
}

/// The content of a value's brackets in a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Index {
    /// No brackets: it is the only value.
    Alone,
    At(u64),
    /// `[]`: after those that have a number.
    Append,
}

impl Index {
    /// The position of the value in a list, for an error.
    pub(super) fn quote(self, list: &Place<'_>) -> Quote {
        match self {
            Self::Alone => list.quote(),
            Self::At(index) => list.at(&index.to_string()).quote(),
            Self::Append => list.at("").quote(),
        }
    }
}

fn index(name: &str) -> Option<Index> {
    match name {
        "" => Some(Index::Append),
        digits if is_index(digits) => digits.parse().ok().map(Index::At),
        _ => None,
    }
}
