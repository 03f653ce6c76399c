//! Parses `by` and `having`: the keys of groups, and the conditions on them (d106).

use compact_str::CompactString;

use super::budget::{Budget, check_name};
use super::error::RequestError;
use super::names::{entries, first_of_each, list};
use super::node::Node;
use super::place::Place;

/// The keys of groups, and the conditions on them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct AskedGroups {
    /// `by`, in order, each key once.
    pub by: Vec<AskedKey>,
    /// `having`, in the order sent.
    pub having: Vec<AskedHaving>,
}

/// `<key>[:<unit>]`
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AskedKey {
    /// The key, as sent.
    pub name: CompactString,
    /// The unit of the calendar, as sent.
    pub unit: Option<CompactString>,
}

/// `having[<number>][<operator>]=<value>`
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AskedHaving {
    /// The number, as sent: `count` or `views.sum`.
    pub number: CompactString,
    /// The operator, as sent; `$eq` for `having[count]=5`.
    pub operator: CompactString,
    /// The value, as sent.
    pub value: CompactString,
}

/// `author_id,created_at:month`
pub(super) fn by(
    node: Node<'_>,
    place: &Place<'_>,
    budget: &Budget<'_>,
) -> Result<Vec<AskedKey>, RequestError> {
    let texts = list(node, place, budget)?;
    let mut keys = Vec::new();
    for entry in entries(&texts) {
        check_name(entry, || place.quote())?;
        let (name, unit) = match entry.split_once(':') {
            Some((name, unit)) => (name, Some(unit.into())),
            None => (entry, None),
        };
        keys.push(AskedKey {
            name: name.into(),
            unit,
        });
    }
    first_of_each(&mut keys, |key| &key.name);
    Ok(keys)
}

/// `[count][$gte]=10`
pub(super) fn having(
    node: Node<'_>,
    place: &Place<'_>,
    budget: &mut Budget<'_>,
) -> Result<Vec<AskedHaving>, RequestError> {
    let mut all = Vec::new();
    for (number, node) in node.into_map(place)? {
        let place = place.at(&number);
        let operators = match node {
            Node::Map(operators) => operators,
            node => vec![("$eq".into(), node)],
        };
        for (operator, node) in operators {
            budget.condition()?;
            let value = node.into_one(&place.at(&operator))?;
            all.push(AskedHaving {
                number: number.as_ref().into(),
                operator: operator.as_ref().into(),
                value: value.into(),
            });
        }
    }
    Ok(all)
}
