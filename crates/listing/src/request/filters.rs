//! Reads what is under `filters` as a tree of comparisons, whose operators are not checked yet.

use compact_str::CompactString;

use super::error::RequestError;
use super::node::{Longest, Node, is_index};
use super::place::Place;
use super::quote::Quote;
use super::{AskedComparison, AskedFilter, AskedValues};
use crate::vocabulary::FilterOperator;

/// Reads `filters[<field>][<operator>]`, fields and operators in the order sent.
pub(super) fn filters(
    node: Node<'_>,
    place: &Place<'_>,
    longest: Longest,
) -> Result<AskedFilter, RequestError> {
    let fields = node.into_map(place)?;
    // Mostly one operator each, now and then two.
    let mut all = Vec::with_capacity(fields.len() + fields.len() / 2);
    for (field, node) in fields {
        let place = place.at(&field);
        no_group(&field, &place)?;
        if field.is_empty() {
            return Err(RequestError::FilterWithoutField {
                parameter: place.quote(),
            });
        }
        match node {
            Node::Text(value) => {
                let values = AskedValues::One(value.into());
                all.push(compare(&field, FilterOperator::Equal.wire(), values));
            }
            Node::List(_) => {
                return Err(RequestError::FilterListWithoutOperator {
                    parameter: place.quote(),
                });
            }
            Node::Null => {
                return Err(RequestError::NullFilter {
                    parameter: place.quote(),
                });
            }
            Node::Map(operators) if operators.is_empty() => {
                return Err(RequestError::FilterWithoutOperator {
                    parameter: place.quote(),
                });
            }
            Node::Map(operators) => {
                for (operator, node) in operators {
                    if is_index(&operator) {
                        let parameter = place.quote();
                        return Err(RequestError::FilterListWithoutOperator { parameter });
                    }
                    let values = values(&operator, node, &place.at(&operator), longest)?;
                    all.push(compare(&field, &operator, values));
                }
            }
        }
    }
    Ok(AskedFilter::All(all))
}

fn compare(field: &str, operator: &str, values: AskedValues) -> AskedFilter {
    AskedFilter::Compare(AskedComparison {
        field: field.into(),
        operator: operator.into(),
        values,
    })
}

/// What stands behind an operator. One that is unknown may have either: it is refused later, by name.
fn values(
    operator: &str,
    node: Node<'_>,
    place: &Place<'_>,
    longest: Longest,
) -> Result<AskedValues, RequestError> {
    no_group(operator, place)?;
    let known = FilterOperator::from_wire(operator);
    match node {
        Node::Text(value) => Ok(AskedValues::One(value.into())),
        Node::Null => Err(RequestError::NullFilter {
            parameter: place.quote(),
        }),
        Node::Map(deeper) if known.is_none() && !deeper.iter().all(|(name, _)| is_index(name)) => {
            Err(RequestError::NestedFilter {
                parameter: place.quote(),
                token: Quote::new(operator),
            })
        }
        _ if known.is_some_and(takes_one) => Err(RequestError::OneValueExpected {
            parameter: place.quote(),
        }),
        node => {
            let values = node.into_list(place, longest).map_err(null_is_no_filter)?;
            Ok(AskedValues::Many(
                values.into_iter().map(CompactString::from).collect(),
            ))
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

/// Groups have a place of their own in the tree, once they are supported.
fn no_group(name: &str, place: &Place<'_>) -> Result<(), RequestError> {
    if matches!(name, "$or" | "$and" | "$not") {
        return Err(RequestError::FilterGroup {
            parameter: place.quote(),
            token: Quote::new(name),
        });
    }
    Ok(())
}
