//! Reads `filters` into a tree of groups, comparisons and filters on relations; names and operators are not yet judged.

use compact_str::CompactString;

use super::budget::Budget;
use super::error::RequestError;
use super::node::{Map, Node, is_index};
use super::place::Place;
use super::{AskedComparison, AskedFilter, AskedRelated, AskedValues, Nesting};
use crate::vocabulary::{FilterOperator, Quantifier};

/// Reads `filters[<field>][<operator>]` and what can stand around it, in the order sent.
pub(super) fn filters(
    node: Node<'_>,
    place: &Place<'_>,
    budget: &mut Budget<'_>,
) -> Result<AskedFilter, RequestError> {
    let fields = node.into_map(place)?;
    // Mostly one operator each, now and then two.
    let mut all = Vec::with_capacity(fields.len() + fields.len() / 2);
    Walk { budget, groups: 0 }.object(fields, place, &mut all)?;
    Ok(AskedFilter::All(all))
}

#[derive(Clone, Copy)]
enum Group {
    And,
    Or,
    Not,
}

impl Group {
    const NAMES: &'static [&'static str] = &["$and", "$or", "$not"];

    fn from_wire(wire: &str) -> Option<Self> {
        match wire {
            "$and" => Some(Self::And),
            "$or" => Some(Self::Or),
            "$not" => Some(Self::Not),
            _ => None,
        }
    }

    /// The group that was certainly meant by the name of a list of objects.
    fn meant_by(name: &str) -> Option<&'static str> {
        let bare = name.trim_start_matches('$');
        let mut groups = Self::NAMES.iter().copied();
        groups.find(|group| bare.eq_ignore_ascii_case(&group[1..]))
    }
}

/// Reads what stands in the brackets of one object.
type Object<'a, 'w> = &'w dyn Fn(
    &mut Walk<'_, '_>,
    Map<'a>,
    &Place<'_>,
    &mut Vec<AskedFilter>,
) -> Result<(), RequestError>;

struct Walk<'r, 'b> {
    budget: &'r mut Budget<'b>,
    /// Groups around the current place.
    groups: usize,
}

impl Walk<'_, '_> {
    /// An object of fields, relations and groups: all of them must hold.
    fn object(
        &mut self,
        entries: Map<'_>,
        place: &Place<'_>,
        all: &mut Vec<AskedFilter>,
    ) -> Result<(), RequestError> {
        for (name, node) in entries {
            if let Some(group) = Group::from_wire(&name) {
                let object: Object<'_, '_> =
                    &|walk, entries, place, all| walk.object(entries, place, all);
                all.push(self.group(group, node, &place.inside(&name), object)?);
            } else {
                self.field(&name, node, &place.at(&name), all)?;
            }
        }
        Ok(())
    }

    /// What stands under a name that is not a group: a value, operators, or a filter on related rows.
    fn field(
        &mut self,
        field: &str,
        node: Node<'_>,
        place: &Place<'_>,
        all: &mut Vec<AskedFilter>,
    ) -> Result<(), RequestError> {
        let parameter = || place.quote();
        match node {
            _ if field.is_empty() => Err(RequestError::FilterWithoutField {
                parameter: parameter(),
            }),
            Node::Text(value) => {
                let operator = FilterOperator::Equal.wire();
                let values = AskedValues::One(value.into());
                all.push(self.compare(field, operator, values, &place.at(operator))?);
                Ok(())
            }
            Node::List(_) => Err(list_under(field, place)),
            Node::Null => Err(RequestError::NullFilter {
                parameter: parameter(),
            }),
            Node::Map(entries) if entries.is_empty() => Err(RequestError::FilterWithoutOperator {
                parameter: parameter(),
            }),
            Node::Map(entries) => self.under_field(field, entries, place, all),
        }
    }

    /// What stands in the brackets after a field: operators, or else a filter on related rows. A group holds either.
    fn under_field(
        &mut self,
        field: &str,
        entries: Map<'_>,
        place: &Place<'_>,
        all: &mut Vec<AskedFilter>,
    ) -> Result<(), RequestError> {
        let mut of_related = Map::new();
        for (name, node) in entries {
            if is_index(&name) {
                return Err(list_under(field, place));
            }
            if let Some(quantifier) = Quantifier::from_wire(&name) {
                let around = place.telling(field);
                let here = around.inside(&name);
                let entries = node.into_map(&here)?;
                all.push(self.related(field, Some(quantifier), entries, place, &here)?);
            } else if let Some(group) = Group::from_wire(&name) {
                if is_of_related(&node) {
                    of_related.push((name, node));
                    continue;
                }
                let object: Object<'_, '_> =
                    &|walk, entries, place, all| walk.under_field(field, entries, place, all);
                all.push(self.group(group, node, &place.inside(&name), object)?);
            } else if name.starts_with('$') {
                let place = place.at(&name);
                let values = values(&name, node, &place, self.budget)?;
                all.push(self.compare(field, &name, values, &place)?);
            } else {
                of_related.push((name, node));
            }
        }
        if !of_related.is_empty() {
            let here = place.telling(field);
            all.push(self.related(field, None, of_related, place, &here)?);
        }
        Ok(())
    }

    fn related(
        &mut self,
        field: &str,
        quantifier: Option<Quantifier>,
        entries: Map<'_>,
        place: &Place<'_>,
        inside: &Place<'_>,
    ) -> Result<AskedFilter, RequestError> {
        let mut all = Vec::with_capacity(entries.len());
        self.object(entries, inside, &mut all)?;
        Ok(AskedFilter::Related(AskedRelated {
            key: field.into(),
            quantifier,
            filter: Box::new(one_or_all(all, inside)?),
            // `filters[author]` itself can be told without help.
            nesting: (place.depth() > 1).then(|| nesting(place)),
        }))
    }

    /// `$and` and `$or` take a list of objects, `$not` takes one. None of them may be empty (d68).
    fn group<'a>(
        &mut self,
        group: Group,
        node: Node<'a>,
        place: &Place<'_>,
        object: Object<'a, '_>,
    ) -> Result<AskedFilter, RequestError> {
        self.groups += 1;
        self.budget.groups(self.groups, place)?;
        let mut one = |node: Node<'a>, place: &Place<'_>| {
            let mut all = Vec::new();
            object(self, node.into_map(place)?, place, &mut all)?;
            one_or_all(all, place)
        };
        let asked = match group {
            Group::Not => AskedFilter::Not(Box::new(one(node, place)?)),
            Group::And | Group::Or => {
                let members = node.into_members(place)?;
                if members.is_empty() {
                    return Err(RequestError::EmptyGroup {
                        parameter: place.quote(),
                    });
                }
                let mut parts = Vec::with_capacity(members.len());
                for (index, node) in members {
                    let place = place.inside(&index);
                    if index.is_empty() {
                        // Which brackets belong to one object cannot be told.
                        return Err(RequestError::IndexNeeded {
                            parameter: place.quote(),
                        });
                    }
                    parts.push(one(node, &place)?);
                }
                match group {
                    Group::Or => AskedFilter::Any(parts),
                    _ => AskedFilter::All(parts),
                }
            }
        };
        self.groups -= 1;
        Ok(asked)
    }

    fn compare(
        &mut self,
        field: &str,
        operator: &str,
        values: AskedValues,
        place: &Place<'_>,
    ) -> Result<AskedFilter, RequestError> {
        self.budget.condition()?;
        Ok(AskedFilter::Compare(AskedComparison {
            field: field.into(),
            operator: operator.into(),
            values,
            // `filters[views][$gt]` can be told without help.
            nesting: (place.depth() > 2).then(|| nesting(place)),
        }))
    }
}

/// A list stands where a field has its operators: its values, or the objects of a group that is misspelt.
fn list_under(field: &str, place: &Place<'_>) -> RequestError {
    match Group::meant_by(field) {
        Some(meant) => misspelt_group(meant, place),
        None => RequestError::FilterListWithoutOperator {
            parameter: place.quote(),
        },
    }
}

fn misspelt_group(meant: &'static str, place: &Place<'_>) -> RequestError {
    RequestError::MisspeltParameter {
        token: place.quote(),
        meant: place.named(meant).quote(),
        allowed: Group::NAMES,
    }
}

fn nesting(place: &Place<'_>) -> Box<Nesting> {
    Box::new(Nesting {
        path: place.path(),
        parameter: place.text(),
    })
}

fn one_or_all(mut all: Vec<AskedFilter>, place: &Place<'_>) -> Result<AskedFilter, RequestError> {
    match all.len() {
        0 => Err(RequestError::EmptyGroup {
            parameter: place.quote(),
        }),
        1 => Ok(all.remove(0)),
        _ => Ok(AskedFilter::All(all)),
    }
}

/// Whether a group after a field is about related rows: there are names in it, and none of them is an operator (b205).
fn is_of_related(node: &Node<'_>) -> bool {
    any_name(node, |_| true) && !any_name(node, |name| name.starts_with('$'))
}

/// Whether one of the names in a group, and in the groups in it, is such a name.
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

/// What stands after an operator. One that is unknown may have anything: it is refused later, by name.
fn values(
    operator: &str,
    node: Node<'_>,
    place: &Place<'_>,
    budget: &Budget<'_>,
) -> Result<AskedValues, RequestError> {
    let known = FilterOperator::from_wire(operator);
    match node {
        Node::Text(value) => Ok(AskedValues::One(value.into())),
        Node::Null => Err(RequestError::NullFilter {
            parameter: place.quote(),
        }),
        node if known.is_none() && node.has_objects() => match Group::meant_by(operator) {
            Some(meant) => Err(misspelt_group(meant, place)),
            None => Ok(AskedValues::Many(Vec::new())),
        },
        _ if known.is_some_and(takes_one) => Err(RequestError::OneValueExpected {
            parameter: place.quote(),
        }),
        node => {
            let values = node.into_list(place, budget).map_err(null_is_no_filter)?;
            let values = values
                .into_iter()
                .map(|(_, value)| CompactString::from(value));
            Ok(AskedValues::Many(values.collect()))
        }
    }
}

fn takes_one(operator: FilterOperator) -> bool {
    use FilterOperator::{Between, In, NotIn};
    !matches!(operator, In | NotIn | Between)
}

/// A null among the values of a filter means something, if not what the client wishes: say what to use.
fn null_is_no_filter(error: RequestError) -> RequestError {
    match error {
        RequestError::NullValue { parameter } => RequestError::NullFilter { parameter },
        other => other,
    }
}
