//! Parses `facets` and `totals`: the numbers that are requested with the rows (d97, d104).

use compact_str::CompactString;

use super::AskedSort;
use super::budget::{Budget, check_name};
use super::error::RequestError;
use super::names::{entries, first_of_each, list, split};
use super::node::{Map, Node, is_index};
use super::pagination::{as_boolean, number};
use super::place::Place;
use super::quote::Quote;
use super::sort::sort;

/// The requested numbers.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct AskedNumbers {
    /// `facets`
    pub facets: AskedFacets,
    /// `totals`, in the order sent.
    pub totals: Vec<AskedTotal>,
}

/// The requested facets.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct AskedFacets {
    /// Whether `*` is among them: every facet of the listing.
    pub all: bool,
    /// Those that are named, in the order sent, each once.
    pub facets: Vec<AskedFacet>,
}

/// One facet with its options.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct AskedFacet {
    /// Its name, as sent.
    pub name: CompactString,
    /// `limit`; `None` when it was not sent.
    pub limit: Option<u64>,
    /// `sort`; `None` when it was not sent.
    pub sort: Option<AskedSort>,
    /// `search`; `None` when it was not sent (or sent empty).
    pub search: Option<String>,
    /// `unit`; `None` when it was not sent (or sent empty).
    pub unit: Option<String>,
    /// `offset`; `None` when it was not sent (or sent empty).
    pub offset: Option<String>,
}

/// `totals[<field>]=<functions>`
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AskedTotal {
    /// The field, as sent.
    pub field: CompactString,
    /// The functions, as sent, each once.
    pub functions: Vec<CompactString>,
}

/// The keys that are allowed under a facet.
pub(super) const KEYS: &[&str] = &["limit", "sort", "search", "unit", "offset"];

/// `is_active,author_id`, a list of names, or an object of names with options; names in a list and in an object may be mixed.
pub(super) fn facets(
    node: Node<'_>,
    place: &Place<'_>,
    budget: &Budget<'_>,
) -> Result<AskedFacets, RequestError> {
    let mut asked = AskedFacets::default();
    match node {
        Node::Map(members) if members.iter().any(|(name, _)| !is_index(name)) => {
            for (name, node) in members {
                let place = place.at(&name);
                if is_index(&name) {
                    add(&mut asked, node, &place, budget)?;
                } else if let Some(facet) = facet(&name, node, &place, budget)? {
                    asked.facets.push(facet);
                }
            }
        }
        node => add(&mut asked, node, place, budget)?,
    }
    let sent = asked.facets.len();
    asked.facets.retain(|facet| facet.name != "*");
    asked.all = asked.facets.len() < sent;
    first_of_each(&mut asked.facets, |facet| &facet.name);
    budget.list(asked.facets.len(), place)?;
    Ok(asked)
}

/// Names without options.
fn add(
    asked: &mut AskedFacets,
    node: Node<'_>,
    place: &Place<'_>,
    budget: &Budget<'_>,
) -> Result<(), RequestError> {
    let texts = list(node, place, budget)?;
    for name in entries(&texts) {
        check_name(name, || place.quote())?;
        asked.facets.push(AskedFacet {
            name: name.into(),
            ..AskedFacet::default()
        });
    }
    Ok(())
}

/// `[author_id][limit]=50`, or `[author_id]=true`; `None` if the facet is not wanted.
fn facet(
    name: &str,
    node: Node<'_>,
    place: &Place<'_>,
    budget: &Budget<'_>,
) -> Result<Option<AskedFacet>, RequestError> {
    let mut asked = AskedFacet {
        name: name.into(),
        ..AskedFacet::default()
    };
    let options = match node {
        Node::Null => return Ok(None),
        Node::Map(options) => options,
        node => {
            let text = node.into_one(place)?;
            return match as_boolean(&text) {
                Some(is_wanted) => Ok(is_wanted.then_some(asked)),
                None => Err(RequestError::ObjectExpected {
                    parameter: place.quote(),
                    token: Quote::new(&text),
                }),
            };
        }
    };
    for (key, node) in options {
        let place = place.at(&key);
        match &*key {
            "limit" => asked.limit = Some(number(node, &place, 1)?),
            "sort" => asked.sort = one_sort(node, &place, budget)?,
            "search" => asked.search = text(node, &place)?,
            "unit" => asked.unit = text(node, &place)?,
            "offset" => asked.offset = text(node, &place)?,
            _ => {
                return Err(RequestError::UnknownFacetKey {
                    parameter: place.quote(),
                    token: Quote::new(&key),
                });
            }
        }
    }
    Ok(Some(asked))
}

fn one_sort(
    node: Node<'_>,
    place: &Place<'_>,
    budget: &Budget<'_>,
) -> Result<Option<AskedSort>, RequestError> {
    let sorts = sort(node, place, budget)?.unwrap_or_default();
    let mut sorts = sorts.into_iter();
    match (sorts.next(), sorts.next()) {
        (_, Some(_)) => Err(RequestError::OneValueExpected {
            parameter: place.quote(),
        }),
        (first, None) => Ok(first),
    }
}

fn text(node: Node<'_>, place: &Place<'_>) -> Result<Option<String>, RequestError> {
    match node {
        Node::Null => Ok(None),
        node => {
            let text = node.into_one(place)?;
            Ok((!text.is_empty()).then(|| text.into_owned()))
        }
    }
}

/// `[views]=sum,avg`
pub(super) fn totals(
    node: Node<'_>,
    place: &Place<'_>,
    budget: &Budget<'_>,
) -> Result<Vec<AskedTotal>, RequestError> {
    let fields: Map<'_> = node.into_map(place)?;
    let mut asked = Vec::with_capacity(fields.len());
    for (field, node) in fields {
        let place = place.at(&field);
        let texts = list(node, &place, budget)?;
        let functions = texts.iter().flat_map(|(_, text)| split(text));
        let mut functions: Vec<CompactString> = functions.map(CompactString::from).collect();
        first_of_each(&mut functions, CompactString::as_str);
        if !functions.is_empty() {
            asked.push(AskedTotal {
                field: field.as_ref().into(),
                functions,
            });
        }
    }
    Ok(asked)
}
