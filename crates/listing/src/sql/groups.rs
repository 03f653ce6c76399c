//! Writes the statement that counts and sums up the rows of each group (d106).

use super::facets::MOST_GROUPS;
use super::rows::all_rows;
use super::{Dialect, Statement, Writer, calendar, totals};
use crate::plan::{CheckedGroups, CheckedTotal, Plan};

/// Selects the keys of each group, its count and its totals, for one group more than are looked through.
pub(crate) fn groups(
    plan: &Plan<'_>,
    groups: &CheckedGroups<'_>,
    totals: &[CheckedTotal<'_>],
    dialect: Dialect,
) -> Statement {
    let mut writer = Writer::new(dialect);
    all_rows(&mut writer, plan, &|writer| {
        for key in &groups.keys {
            match key.calendar {
                Some(options) => calendar::bucket(writer, key.column, options),
                None => writer.compared(key.column),
            }
            writer.text(", ");
        }
        writer.text("COUNT(*)");
        if !totals.is_empty() {
            writer.text(", ");
            totals::columns(writer, totals, &|of| of);
        }
    });
    writer.text(" GROUP BY ");
    writer.list(1..=groups.keys.len(), |writer, at| writer.number(at as u64));
    writer.text(" LIMIT ");
    writer.number(MOST_GROUPS + 1);
    let statement = writer.finish().planned(plan.plans);
    statement.unindexed(plan.is_unindexed || plan.is_large)
}
