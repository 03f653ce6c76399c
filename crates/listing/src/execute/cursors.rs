//! In: a page that was read by cursor. Out: the cursors to the pages before and behind it.

use super::{Batch, ExecuteError};
use crate::plan::CursorPlan;

/// The ways on from a page.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Cursors {
    pub(crate) next: Option<String>,
    pub(crate) previous: Option<String>,
}

/// Longer ones would not fit into a query string.
const LONGEST: usize = 24 * 1024;

impl Cursors {
    /// `shown` rows were read in the plan's direction, and there are `more` in it.
    pub(super) fn of(
        plan: &CursorPlan<'_>,
        page: &Batch,
        shown: usize,
        more: bool,
    ) -> Result<Self, ExecuteError> {
        // An empty page has no place of its own.
        let Some(last) = shown.checked_sub(1) else {
            return Ok(Self::default());
        };
        let onwards = more.then(|| plan.at(page.keys(last), plan.backwards));
        // Where we came from there was a row.
        let back = plan
            .behind
            .is_some()
            .then(|| plan.at(page.keys(0), !plan.backwards));
        for cursor in onwards.iter().chain(&back) {
            if cursor.len() > LONGEST {
                return Err(ExecuteError::CursorTooLong);
            }
        }
        let (next, previous) = if plan.backwards {
            (back, onwards)
        } else {
            (onwards, back)
        };
        Ok(Self { next, previous })
    }
}
