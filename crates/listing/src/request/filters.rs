//! Reads `filters` into a tree of groups, comparisons and filters on relations; names and operators are not yet judged.

use std::borrow::Cow;

use compact_str::CompactString;

use super::budget::Budget;
use super::error::RequestError;
use super::group::{self, Group};
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

/// The word that replaces a field after a relation whose rows are counted (d146).
const COUNT: &str = "$count";

/// The contents of a group's objects.
#[derive(Clone, Copy)]
enum Objects<'f> {
    /// Fields, relations and groups.
    OfFields,
    /// The contents after this field: operators and groups.
    After(&'f str),
}

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
                all.push(self.group(group, node, &place.inside(&name), Objects::OfFields)?);
            } else if name.starts_with('$') {
                return Err(group::unknown(&name, &place.at(&name)));
            } else {
                self.field(&name, node, &place.at(&name), all)?;
            }
        }
        Ok(())
    }

    /// The contents under a name that is not a group: a value, operators, or a filter on related rows.
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
                all.push(self.equal(field, value, place)?);
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

    /// The contents of the brackets after a field: operators, or else a filter on related rows. A group holds either.
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
                if group::is_of_related(&node) {
                    of_related.push((name, node));
                    continue;
                }
                let here = place.inside(&name);
                all.push(match (group, node) {
                    // `filters[price][$not]=10.99`: not equal.
                    (Group::Not, Node::Text(value)) if !value.is_empty() => {
                        AskedFilter::Not(Box::new(self.equal(field, value, &here)?))
                    }
                    (group, node) => self.group(group, node, &here, Objects::After(field))?,
                });
            } else if name == COUNT {
                let around = place.telling(field);
                let mut tests = Vec::new();
                self.field(&name, node, &around.at(&name), &mut tests)?;
                all.push(AskedFilter::Counted(AskedRelated {
                    key: field.into(),
                    quantifier: None,
                    filter: Box::new(one_or_all(tests, place)?),
                    nesting: Some(nesting(place)),
                }));
            } else if name.starts_with('$') {
                let place = place.at(&name);
                let values = values(&name, node, &place, self.budget)?;
                all.push(self.compare(field, Some(&name), values, &place)?);
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
    fn group(
        &mut self,
        group: Group,
        node: Node<'_>,
        place: &Place<'_>,
        objects: Objects<'_>,
    ) -> Result<AskedFilter, RequestError> {
        self.groups += 1;
        self.budget.nested(self.groups, place)?;
        let asked = match group {
            Group::Not => AskedFilter::Not(Box::new(self.member(node, place, objects)?)),
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
                        // It is not known which brackets belong to the same object.
                        return Err(RequestError::IndexNeeded {
                            parameter: place.quote(),
                        });
                    }
                    parts.push(self.member(node, &place, objects)?);
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

    /// One object in a group; of a list of them, all must hold (b760).
    fn member(
        &mut self,
        node: Node<'_>,
        place: &Place<'_>,
        objects: Objects<'_>,
    ) -> Result<AskedFilter, RequestError> {
        if group::is_list_of_objects(&node, matches!(objects, Objects::After(_))) {
            return self.group(Group::And, node, place, objects);
        }
        let mut all = Vec::new();
        let entries = node.into_map(place)?;
        match objects {
            Objects::OfFields => self.object(entries, place, &mut all)?,
            Objects::After(field) => self.under_field(field, entries, place, &mut all)?,
        }
        one_or_all(all, place)
    }

    /// A value without an operator.
    fn equal(
        &mut self,
        field: &str,
        value: Cow<'_, str>,
        place: &Place<'_>,
    ) -> Result<AskedFilter, RequestError> {
        self.compare(field, None, AskedValues::One(value.into()), place)
    }

    /// Without an operator, a comparison is for equality.
    fn compare(
        &mut self,
        field: &str,
        operator: Option<&str>,
        values: AskedValues,
        place: &Place<'_>,
    ) -> Result<AskedFilter, RequestError> {
        self.budget.condition()?;
        // `filters[views][$gt]` and `filters[views]` can be told without help.
        let told = if operator.is_some() { 2 } else { 1 };
        Ok(AskedFilter::Compare(AskedComparison {
            field: field.into(),
            operator: operator.unwrap_or(FilterOperator::Equal.wire()).into(),
            implied: operator.is_none(),
            values,
            nesting: (place.depth() > told).then(|| nesting(place)),
        }))
    }
}

/// A list stands where a field has its operators: its values, or the objects of a group that is misspelt.
fn list_under(field: &str, place: &Place<'_>) -> RequestError {
    let values = || RequestError::FilterListWithoutOperator {
        parameter: place.quote(),
    };
    group::misspelt(field, place).unwrap_or_else(values)
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

/// The operand of an operator. An unknown operator may have anything: it is refused later, by name.
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
        node if known.is_none() && node.has_objects() => match group::misspelt(operator, place) {
            Some(error) => Err(error),
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

/// Several values of `$contains` are for arrays; which columns are arrays is not known here.
fn takes_one(operator: FilterOperator) -> bool {
    use FilterOperator::{Between, Contains, In, NotContains, NotIn};
    !matches!(operator, In | NotIn | Between | Contains | NotContains)
}

/// A null among the values of a filter has a meaning, if not the intended one: say what to use.
fn null_is_no_filter(error: RequestError) -> RequestError {
    match error {
        RequestError::NullValue { parameter } => RequestError::NullFilter { parameter },
        other => other,
    }
}
