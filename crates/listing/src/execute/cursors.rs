//! The cursors to the pages before and after one that was read by cursor.

use super::error::ExecuteError;
use crate::plan::CursorPlan;
use crate::render::{Batch, DecodeError, has_place};
use crate::vocabulary::Key;

/// The cursors to the pages before and after one.
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
        // An empty page has no row to point at.
        let Some(last) = shown.checked_sub(1) else {
            return Ok(Self::default());
        };
        // The cursor that led here came from a row, so there is a page before this one.
        let back_from = plan.after.is_some().then_some(0);
        for row in more.then_some(last).into_iter().chain(back_from) {
            require_place(plan, page.keys(row))?;
        }
        let onwards = more.then(|| plan.at(page.keys(last), plan.backwards));
        let back = back_from.map(|first| plan.at(page.keys(first), !plan.backwards));
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

/// Refuses to make a cursor that could not be followed, which would otherwise lead to an empty page.
fn require_place(plan: &CursorPlan<'_>, keys: &[Key]) -> Result<(), ExecuteError> {
    let without = |at: &usize| keys.get(*at).is_some_and(|key| !has_place(key));
    match plan.values.iter().position(without) {
        None => Ok(()),
        Some(column) => Err(ExecuteError::Decode(DecodeError::Malformed {
            column,
            wire: "value for a cursor (counted by sorts; the kind that is declared is not the database's type, or it is a zero date)",
        })),
    }
}
