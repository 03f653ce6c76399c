//! Decides whether the rows that match are counted before a page of them is read.
//!
//! A database that walks an index in the order of the sort finds the first 25 of many matching rows at once, and reads the
//! whole table where there are fewer than 25. Which of the two it is, a count says in milliseconds. Tables that are small and
//! filters whose index has the order, too, need no such question.

use super::indexes::Indexes;
use super::{CheckedSort, Comparison, Predicate};
use crate::catalogue::{Directed, Wanted};
use crate::define::{SortSource, Whitelist};
use crate::vocabulary::SortDirection;

/// Whether a list with these conditions in addition to its own (scope and soft delete) is counted first.
pub(super) fn is_better(
    indexes: Indexes<'_>,
    whitelist: &Whitelist,
    own: &Predicate<'_>,
    conditions: &Predicate<'_>,
    order: &[CheckedSort<'_>],
) -> bool {
    // Rows that are not deleted are not few.
    let own_is_narrow = !own.is_always() && !matches!(own, Predicate::Null { is_null: true, .. });
    if conditions.is_always() && !own_is_narrow {
        return false;
    }
    let name = &whitelist.entity.name;
    let Some(table) = indexes.table(name) else {
        return !indexes.are_known() || indexes.are_unknown_for(name);
    };
    let wanted = by_one_value(conditions)
        .filter(|_| !own_is_narrow)
        .and_then(|column| in_order(whitelist, column, order));
    !wanted.is_some_and(|wanted| table.serves(&wanted))
}

/// The column, if a value of it is all that is asked for.
fn by_one_value<'p>(conditions: &'p Predicate<'_>) -> Option<&'p str> {
    match conditions {
        Predicate::Compare {
            column,
            comparison: Comparison::Equal,
            ..
        } => Some(&column.meta.name),
        Predicate::All(parts) if parts.len() == 1 => by_one_value(&parts[0]),
        _ => None,
    }
}

/// What an index must begin with to have the rows with one value of a column in this order.
fn in_order<'c>(
    whitelist: &'c Whitelist,
    column: &'c str,
    order: &[CheckedSort<'_>],
) -> Option<Wanted<'c>> {
    let name_of = |column: usize| &*whitelist.entity.columns[column].name;
    let mut columns = vec![Directed::ascending(column)];
    for CheckedSort {
        sort, direction, ..
    } in order
    {
        let SortSource::Column(column) = sort.source else {
            return None;
        };
        columns.push(Directed {
            name: name_of(column),
            descending: *direction == SortDirection::Desc,
        });
    }
    Some(Wanted {
        columns,
        values: 1,
        ends_in: Some(whitelist.key.iter().map(|part| name_of(*part)).collect()),
    })
}
