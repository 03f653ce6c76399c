//! Decides whether to count the matching rows before reading a page of them.
//!
//! A database that walks an index in sort order finds the first 25 of many matching rows at once, but reads the whole table if
//! there are fewer than 25. A count tells the two cases apart within milliseconds. Small tables, and filters whose index is also
//! in sort order, do not need it.
//!
//! If no total is requested, very many rows may match, and counting 10,000 of them takes longer than finding 25 in sort order. If
//! an index has that order, its first rows are read before anything is counted, unless the conditions name a value that an index
//! finds. Then probably few rows match, and they are counted at once.

use super::indexes::Indexes;
use super::{CheckedSort, ColumnOf, Comparison, Predicate};
use crate::catalogue::{Directed, Wanted};
use crate::define::{SortSource, Whitelist};
use crate::vocabulary::SortDirection;

/// Whether to count a list with these conditions in addition to its own (scope and soft delete) first.
pub(super) fn is_better(
    indexes: Indexes<'_>,
    whitelist: &Whitelist,
    own: &Predicate<'_>,
    conditions: &Predicate<'_>,
    order: &[CheckedSort<'_>],
) -> bool {
    // Rows that are not deleted are usually many.
    let own_is_narrow = !own.is_always() && !matches!(own, Predicate::Null { is_null: true, .. });
    if conditions.is_always() && !own_is_narrow {
        return false;
    }
    let name = &whitelist.entity.name;
    let Some(table) = indexes.table(name) else {
        return !indexes.are_known() || indexes.are_unknown_for(name);
    };
    let column = by_one_value(conditions).filter(|_| !own_is_narrow);
    let column = column.and_then(|column| indexes.name(column));
    let wanted = column
        .as_deref()
        .and_then(|column| in_order(whitelist, column, order));
    !wanted.is_some_and(|wanted| table.serves(&wanted))
}

/// Whether to look at the first rows in this order, for which there is an index: many rows may match.
pub(super) fn looks_at_the_order(
    indexes: Indexes<'_>,
    whitelist: &Whitelist,
    predicate: &Predicate<'_>,
    order: &[CheckedSort<'_>],
) -> bool {
    let table = indexes.table(&whitelist.entity.name);
    let Some(table) = table.filter(|_| !indexes.names_a_value(predicate)) else {
        return false;
    };
    let columns = columns(whitelist, order);
    columns.is_some_and(|columns| table.serves(&Wanted::order(columns, key(whitelist))))
}

/// The column, if the conditions only ask for a single value of it.
fn by_one_value<'w>(conditions: &Predicate<'w>) -> Option<ColumnOf<'w>> {
    match conditions {
        Predicate::Compare {
            column,
            comparison: Comparison::Equal,
            ..
        } => Some(*column),
        Predicate::All(parts) if parts.len() == 1 => by_one_value(&parts[0]),
        _ => None,
    }
}

/// The columns that an index must begin with to have the rows with one value of a column in this order.
fn in_order<'c>(
    whitelist: &'c Whitelist,
    column: &'c str,
    order: &[CheckedSort<'_>],
) -> Option<Wanted<'c>> {
    let mut columns = columns(whitelist, order)?;
    columns.insert(0, Directed::ascending(column));
    Some(Wanted {
        columns,
        values: 1,
        ends_in: Some(key(whitelist)),
    })
}

/// The columns of an order, if it consists only of columns.
fn columns<'c>(whitelist: &'c Whitelist, order: &[CheckedSort<'_>]) -> Option<Vec<Directed<'c>>> {
    let directed = |by: &CheckedSort<'_>| match by.sort.source {
        SortSource::Column(column) => Some(Directed {
            name: &whitelist.entity.columns[column].name,
            descending: by.direction == SortDirection::Desc,
        }),
        _ => None,
    };
    order.iter().map(directed).collect()
}

fn key(whitelist: &Whitelist) -> Vec<&str> {
    let name_of = |part: &usize| &*whitelist.entity.columns[*part].name;
    whitelist.key.iter().map(name_of).collect()
}
