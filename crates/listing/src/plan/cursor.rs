//! Plans where a page by cursor begins, and which columns say where it ends.

use super::columns::require_key;
use super::{ColumnSource, OrderBy, OrderTerm, PlannedColumn};
use crate::check::CheckedCursor;
use crate::cursor::{Bookmark, Seal};
use crate::vocabulary::Key;

/// A page that begins after a row, and from whose first and last rows further cursors are made.
pub(crate) struct CursorPlan<'w> {
    seal: &'w Seal,
    list: [u8; 16],
    /// The row's value for each term of the order; `None` for the first page.
    pub(crate) after: Option<Vec<Key>>,
    /// Whether the order is read from its end, to find the rows before a row.
    pub(crate) backwards: bool,
    /// The position of each term's value among the page's keys.
    pub(crate) values: Vec<usize>,
}

/// Plans a page by cursor: reverses the order if necessary, and selects the value of each term.
pub(super) fn plan<'w>(
    checked: CheckedCursor<'w>,
    order: &mut [OrderTerm<'w>],
    columns: &mut Vec<PlannedColumn<'w>>,
) -> CursorPlan<'w> {
    let CheckedCursor { seal, list, place } = checked;
    let backwards = place.as_ref().is_some_and(|place| place.backwards);
    if backwards {
        order.iter_mut().for_each(OrderTerm::reverse);
    }
    let values = order
        .iter_mut()
        .enumerate()
        .map(|(at, term)| select(at, term, columns))
        .collect();
    CursorPlan {
        seal,
        list,
        after: place.map(|place| place.values),
        backwards,
        values,
    }
}

impl CursorPlan<'_> {
    /// A key's place among the keys is known only when all of them are.
    pub(super) fn place(&mut self, columns: &[PlannedColumn<'_>]) {
        for value in &mut self.values {
            *value = columns[..*value].iter().filter(|c| c.key).count();
        }
    }

    /// The cursor to the rows after a row with these keys, or before it.
    pub(crate) fn at(&self, keys: &[Key], backwards: bool) -> String {
        let value = |at: &usize| keys.get(*at).cloned().unwrap_or(Key::Null);
        let bookmark = Bookmark {
            list: self.list,
            backwards,
            values: self.values.iter().map(value).collect(),
        };
        self.seal.seal(&bookmark.to_bytes())
    }
}

/// Selects the value of a term, and returns its column.
fn select<'w>(at: usize, term: &mut OrderTerm<'w>, columns: &mut Vec<PlannedColumn<'w>>) -> usize {
    let hidden = |source| PlannedColumn {
        source,
        kind: term.kind,
        output: None,
        part: false,
        key: true,
    };
    match &mut term.by {
        OrderBy::Column(column) => return require_key(columns, *column),
        OrderBy::Selected(position) => {
            columns[*position].key = true;
            return *position;
        }
        OrderBy::Related(_) | OrderBy::Relevance(_) | OrderBy::Link(_) => {
            columns.push(hidden(ColumnSource::Term(at)))
        }
        OrderBy::Computed(query) => {
            columns.push(hidden(ColumnSource::Computed(std::mem::take(query))));
            term.by = OrderBy::Selected(columns.len() - 1);
        }
    }
    columns.len() - 1
}
