//! Reads a JSON body into a [`Request`], by way of the tree (d13).
//!
//! Each value is read as raw JSON text first: numbers keep their digits, and nothing is entered deeper than is allowed.

use std::borrow::Cow;
use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::budget::{Budget, check_name};
use super::error::{Door, RequestError};
use super::node::{Map, Node};
use super::place::Place;
use super::quote::Quote;
use super::{Request, interpret, parameters};
use crate::vocabulary::Bounds;

/// Reads a JSON body such as `{"filters": {"views": {"$gt": 5}}, "sort": ["title:asc"]}`.
///
/// # Errors
///
/// If the body is not a JSON object, is over a bound, or asks for something in a way that cannot be understood.
pub fn parse_json(body: &[u8], bounds: &Bounds) -> Result<Request, RequestError> {
    parse(body, Budget::new(bounds, Door::Body))
}

/// Reads the JSON body of a request for groups, which has `by` and `having` in addition.
///
/// # Errors
///
/// As [`parse_json`].
pub fn parse_groups_json(body: &[u8], bounds: &Bounds) -> Result<Request, RequestError> {
    parse(body, Budget::new(bounds, Door::Body).of_groups())
}

/// Reads the JSON body of an export, which says in addition how its file is written.
///
/// # Errors
///
/// As [`parse_json`].
pub fn parse_export_json(body: &[u8], bounds: &Bounds) -> Result<Request, RequestError> {
    parse(body, Budget::new(bounds, Door::Body).of_exports())
}

fn parse(body: &[u8], mut budget: Budget<'_>) -> Result<Request, RequestError> {
    let bounds = budget.bounds;
    if body.len() > bounds.body_bytes {
        return Err(RequestError::BodyTooLarge {
            length: body.len(),
            limit: bounds.body_bytes,
        });
    }
    let text = utf8(body)?;
    if text.trim_ascii().is_empty() {
        return Err(RequestError::EmptyBody {});
    }
    let body: &RawValue = serde_json::from_str(text).map_err(|error| malformed(&error, text))?;
    if !body.get().starts_with('{') {
        return Err(RequestError::BodyNotAnObject {
            token: Quote::new(body.get()),
        });
    }
    let mut tree = Map::new();
    for (name, value) in parameters_of(body, bounds.pairs)? {
        // Only the beginning of a value without effect is read.
        let is_ours = parameters::PARAMETERS.contains(&&*name)
            || (budget.groups && parameters::OF_GROUPS.contains(&&*name))
            || (budget.exports && parameters::OF_EXPORTS.contains(&&*name));
        let node = match is_ours {
            true => node(value, &Place::top(&name), 0, bounds.depth)?,
            false => loosely(value, true),
        };
        tree.push((name, node));
    }
    interpret::request(tree, &mut budget)
}

/// The tree below `place`. Goes no deeper than `limit`.
fn node<'a>(
    value: &'a RawValue,
    place: &Place<'_>,
    depth: usize,
    limit: usize,
) -> Result<Node<'a>, RequestError> {
    let json = value.get();
    let nested = json.starts_with(['{', '[']);
    if nested && depth == limit {
        return Err(RequestError::TooDeep {
            parameter: place.quote(),
            limit,
        });
    }
    Ok(match json.as_bytes().first() {
        Some(b'{') => Node::Map(
            entries(value, place)?
                .into_iter()
                .map(|(name, value)| {
                    let node = node(value, &place.at(&name), depth + 1, limit)?;
                    Ok((name, node))
                })
                .collect::<Result<_, RequestError>>()?,
        ),
        Some(b'[') => Node::List(
            read::<Vec<&RawValue>>(value, Some(place))?
                .into_iter()
                .enumerate()
                .map(|(at, item)| {
                    let mut digits = itoa::Buffer::new();
                    node(item, &place.at(digits.format(at)), depth + 1, limit)
                })
                .collect::<Result<_, RequestError>>()?,
        ),
        Some(b'"') => Node::Text(without_nul(read::<Text<'_>>(value, Some(place))?.0, place)?),
        Some(b'n') => Node::Null,
        // Numbers and booleans, exactly as written.
        _ => Node::Text(Cow::Borrowed(json)),
    })
}

/// The plain content of an unknown parameter: nothing in it is an error.
fn loosely(value: &RawValue, may_nest: bool) -> Node<'_> {
    let json = value.get();
    match json.as_bytes().first() {
        Some(b'"') => match read::<Text<'_>>(value, None) {
            Ok(Text(text)) if !text.contains('\0') => Node::Text(text),
            _ => Node::Null,
        },
        Some(b'[') => Node::List(Vec::new()),
        Some(b'{') if may_nest => {
            let entries = read::<Entries<'_>>(value, None).map_or_else(|_| Vec::new(), |all| all.0);
            let first = entries.into_iter().next();
            let first = first.map(|(name, value)| (name, loosely(value, false)));
            Node::Map(first.into_iter().collect())
        }
        Some(b'{' | b'n') => Node::Null,
        _ => Node::Text(Cow::Borrowed(json)),
    }
}

/// The parameters of a body, each once: as many as a query string can have (b548).
fn parameters_of(body: &RawValue, limit: usize) -> Result<Vec<Entry<'_>>, RequestError> {
    let Entries(entries) = read(body, None)?;
    if entries.len() > limit {
        return Err(RequestError::TooManyParameters { limit });
    }
    each_once(&entries, Quote::new)?;
    Ok(entries)
}

/// The keys and values of an object, each key once.
fn entries<'a>(object: &'a RawValue, place: &Place<'_>) -> Result<Vec<Entry<'a>>, RequestError> {
    let Entries(entries) = read(object, Some(place))?;
    for (name, _) in &entries {
        check_name(name, || place.at(name).quote())?;
    }
    each_once(&entries, |name| place.at(name).quote())?;
    Ok(entries)
}

fn each_once(entries: &[Entry<'_>], quote: impl Fn(&str) -> Quote) -> Result<(), RequestError> {
    let mut names: Vec<&str> = entries.iter().map(|(name, _)| &**name).collect();
    if let Some(name) = names.iter().find(|name| name.contains('\0')) {
        return Err(RequestError::Nul {
            parameter: quote(name),
            token: Quote::new(name),
        });
    }
    names.sort_unstable();
    match names.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(twice) => Err(RequestError::DuplicateKey {
            parameter: quote(twice[0]),
        }),
        None => Ok(()),
    }
}

/// Reads one level of a value whose syntax is known to be right.
fn read<'a, T: Deserialize<'a>>(
    value: &'a RawValue,
    place: Option<&Place<'_>>,
) -> Result<T, RequestError> {
    // An escape can still be wrong, such as half a surrogate pair. The error's position counts from this value.
    serde_json::from_str(value.get()).map_err(|error| {
        let problem = error.to_string();
        let problem = problem.split(" at line ").next().unwrap_or_default();
        RequestError::MalformedJson {
            detail: match place {
                Some(place) => format!("{problem} in `{}`", place.quote()),
                None => problem.to_owned(),
            },
            token: Quote::new(value.get()),
        }
    })
}

/// A text, borrowed where it has no escapes.
#[derive(Deserialize)]
struct Text<'a>(#[serde(borrow)] Cow<'a, str>);

/// A key of an object and its value.
type Entry<'a> = (Cow<'a, str>, &'a RawValue);

/// An object with all its keys, those too that come twice.
struct Entries<'a>(Vec<Entry<'a>>);

impl<'de> Deserialize<'de> for Entries<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Collect;

        impl<'de> Visitor<'de> for Collect {
            type Value = Entries<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut entries = Vec::new();
                while let Some((Text(name), value)) = map.next_entry()? {
                    entries.push((name, value));
                }
                Ok(Entries(entries))
            }
        }

        deserializer.deserialize_map(Collect)
    }
}

fn without_nul<'a>(text: Cow<'a, str>, place: &Place<'_>) -> Result<Cow<'a, str>, RequestError> {
    match text.find('\0') {
        None => Ok(text),
        Some(at) => Err(RequestError::Nul {
            parameter: place.quote(),
            token: Quote::new(&text[at..]),
        }),
    }
}

fn utf8(body: &[u8]) -> Result<&str, RequestError> {
    std::str::from_utf8(body).map_err(|error| {
        let rest = &body[error.valid_up_to()..];
        RequestError::InvalidUtf8 {
            parameter: Quote::new("body"),
            token: Quote::new(&rest[..rest.len().min(4)].escape_ascii().to_string()),
        }
    })
}

fn malformed(error: &serde_json::Error, text: &str) -> RequestError {
    let line = text
        .split('\n')
        .nth(error.line().saturating_sub(1))
        .unwrap_or_default();
    let rest = line
        .get(error.column().saturating_sub(1)..)
        .unwrap_or_default();
    RequestError::MalformedJson {
        detail: error.to_string(),
        token: Quote::new(rest),
    }
}
