//! Reads `sort` in its spellings: a list of `<name>:<direction>` or `-<name>`, an object of names, or a list of such objects (d10, d88).

use super::AskedSort;
use super::budget::{Budget, check_name};
use super::error::RequestError;
use super::names::{first_of_each, list, split};
use super::node::{Map, Node, is_index};
use super::place::Place;
use super::quote::Quote;
use crate::vocabulary::SortDirection;

/// The sorts, in the order sent; `None` where there are none.
pub(super) fn sort(
    node: Node<'_>,
    place: &Place<'_>,
    budget: &Budget<'_>,
) -> Result<Option<Vec<AskedSort>>, RequestError> {
    let mut sorts = Vec::new();
    if node.has_objects() {
        let mut objects = Objects {
            budget,
            place,
            sorts,
        };
        objects.read(node)?;
        sorts = objects.sorts;
    } else {
        for (index, text) in &list(node, place, budget)? {
            for entry in split(text) {
                sorts.push(by_text(entry, || index.quote(place))?);
            }
        }
    }
    first_of_each(&mut sorts, |sort| &sort.name);
    Ok((!sorts.is_empty()).then_some(sorts))
}

/// Reads sorts that are objects, no more of them than a list may have.
struct Objects<'o, 'b> {
    budget: &'o Budget<'b>,
    /// The parameter.
    place: &'o Place<'o>,
    sorts: Vec<AskedSort>,
}

impl Objects<'_, '_> {
    fn read(&mut self, node: Node<'_>) -> Result<(), RequestError> {
        let place = self.place;
        if let Node::Map(entries) = node {
            return match entries.iter().filter(|(name, _)| is_index(name)).count() {
                0 => self.by_names(entries, "", place),
                indexes if indexes == entries.len() => self.members(Node::Map(entries)),
                _ => Err(RequestError::ListAndObject {
                    parameter: place.quote(),
                }),
            };
        }
        self.members(node)
    }

    /// A list in which objects stand, and texts.
    fn members(&mut self, node: Node<'_>) -> Result<(), RequestError> {
        for (index, node) in node.into_members(self.place)? {
            let place = self.place.at(&index);
            match node {
                Node::Map(names) => self.by_names(names, "", &place)?,
                node => {
                    let text = node.into_one(&place)?;
                    for entry in split(&text) {
                        self.push(by_text(entry, || place.quote())?)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// `{"views": "desc"}`; a name in a name is one of a relation: `{"author": {"name": "asc"}}`.
    fn by_names(
        &mut self,
        names: Map<'_>,
        around: &str,
        place: &Place<'_>,
    ) -> Result<(), RequestError> {
        for (name, node) in names {
            let place = place.at(&name);
            let whole = match around {
                "" => name.to_string(),
                around => format!("{around}.{name}"),
            };
            check_name(&whole, || place.quote())?;
            match node {
                Node::Map(names) if !names.is_empty() => self.by_names(names, &whole, &place)?,
                node => {
                    let direction = node.into_one(&place)?;
                    self.push(asked(&whole, &direction, || place.quote())?)?;
                }
            }
        }
        Ok(())
    }

    fn push(&mut self, sort: AskedSort) -> Result<(), RequestError> {
        self.budget.list(self.sorts.len() + 1, self.place)?;
        self.sorts.push(sort);
        Ok(())
    }
}

/// `<name>`, `<name>:<direction>` (d10), or `-<name>` for the descending one (d151).
fn by_text(entry: &str, parameter: impl FnOnce() -> Quote) -> Result<AskedSort, RequestError> {
    let descending = entry.strip_prefix('-').map(str::trim_start);
    match (
        descending.filter(|name| !name.is_empty()),
        entry.rsplit_once(':'),
    ) {
        (Some(name), None) => Ok(AskedSort {
            name: name.into(),
            direction: SortDirection::Desc,
        }),
        (Some(_), Some(_)) => Err(RequestError::TwoDirections {
            parameter: parameter(),
            token: Quote::new(entry),
        }),
        (None, None) => asked(entry, SortDirection::Asc.wire(), parameter),
        (None, Some((name, direction))) => asked(name.trim(), direction.trim(), parameter),
    }
}

fn asked(
    name: &str,
    direction: &str,
    parameter: impl FnOnce() -> Quote,
) -> Result<AskedSort, RequestError> {
    match SortDirection::from_wire(direction) {
        Some(direction) => Ok(AskedSort {
            name: name.into(),
            direction,
        }),
        None => Err(RequestError::BadDirection {
            parameter: parameter(),
            name: Quote::new(name),
            token: Quote::new(direction),
        }),
    }
}
