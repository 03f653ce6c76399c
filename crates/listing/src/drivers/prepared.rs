//! Which statements a connection keeps prepared.

use crate::sql::Statement;

/// Statements with more values hold a client's long list, and each length of the list makes another text: kept, they would fill
/// the memory on both sides and displace statements that are sent again.
const MOST_KEPT_VALUES: usize = 256;

/// Whether a statement stays prepared, on a database where texts up to this length do.
pub(super) fn is_kept(statement: &Statement, longest_text: usize) -> bool {
    statement.values.len() <= MOST_KEPT_VALUES && statement.text.len() <= longest_text
}
