//! Which statements a connection keeps prepared.

use crate::sql::Statement;

/// More values are a client's long list, of which there are as many texts as there are lengths: kept, they would fill the
/// memory on both sides and push out what comes again.
const MOST_KEPT_VALUES: usize = 256;

/// Whether a statement stays prepared, on a database where texts up to this length do.
pub(super) fn is_kept(statement: &Statement, longest_text: usize) -> bool {
    statement.values.len() <= MOST_KEPT_VALUES && statement.text.len() <= longest_text
}
