//! Writes the statements that find a list's total, according to its way of counting.

use super::either::Either;
use super::rows::all_rows;
use super::{Dialect, Statement, Writer};
use crate::plan::Plan;
use crate::vocabulary::CountMode;

/// The statements that find a total.
#[derive(Debug)]
pub(crate) enum Count {
    /// No total is requested.
    None,
    /// Counts every row.
    Exact(Statement),
    /// Counts as many rows as `cap`, and one more.
    Capped { cap: u64, count: Statement },
    /// Counts every row; the answer can be kept.
    Cached { seconds: u64, count: Statement },
    Estimated {
        /// Asks the planner, if the database lets us.
        estimate: Option<Statement>,
        /// Counts as many rows as `FEW`, and one more.
        count: Statement,
    },
}

impl Count {
    /// Up to this number, an estimate is not good enough: counting these rows costs little.
    pub(crate) const FEW: u64 = CountMode::DEFAULT_CAP;

    /// Without a total, up to this many matching rows are collected and sorted. If more match, walking the index of the sort finds a page
    /// of them sooner.
    pub(crate) const LOOKED_AT: u64 = 3_000;

    /// Every statement that may be needed.
    pub(crate) fn into_statements(self) -> Vec<Statement> {
        match self {
            Self::None => Vec::new(),
            Self::Exact(count) | Self::Cached { count, .. } | Self::Capped { count, .. } => {
                vec![count]
            }
            Self::Estimated { estimate, count } => estimate.into_iter().chain([count]).collect(),
        }
    }

    pub(super) fn of(plan: &Plan<'_>, dialect: Dialect) -> Self {
        match plan.count {
            CountMode::None => Self::None,
            // `Auto` has been resolved by the size of the table, if it is known.
            CountMode::Exact | CountMode::Auto => Self::Exact(all(plan, dialect)),
            CountMode::Cached(seconds) => Self::Cached {
                seconds,
                count: all(plan, dialect),
            },
            CountMode::Capped(cap) => Self::Capped {
                cap,
                count: up_to(cap, plan, dialect),
            },
            CountMode::Estimated => Self::Estimated {
                estimate: dialect.explain().map(|explain| {
                    let mut writer = Writer::new(dialect);
                    writer.text(explain);
                    ones(&mut writer, plan);
                    writer.finish()
                }),
                count: up_to(Self::FEW, plan, dialect),
            },
        }
    }
}

/// Counts the matching rows up to [`Count::LOOKED_AT`], if that decides how the page is read and no other count tells.
pub(super) fn look(plan: &Plan<'_>, dialect: Dialect) -> Option<Statement> {
    let is_needed = plan.counts_first && plan.count == CountMode::None;
    is_needed.then(|| up_to(Count::LOOKED_AT, plan, dialect))
}

/// Counts in a separate statement: with `COUNT(*) OVER ()` the database would read every row for each page.
fn all(plan: &Plan<'_>, dialect: Dialect) -> Statement {
    let mut writer = Writer::new(dialect);
    all_rows(&mut writer, plan, &|writer| writer.text("COUNT(*)"));
    let statement = writer.finish().planned(plan.plans);
    // A large table may have very many matching rows.
    statement.unindexed(plan.is_unindexed || plan.is_large)
}

/// Counts one row more than the cap, to know whether there are more.
pub(super) fn up_to(cap: u64, plan: &Plan<'_>, dialect: Dialect) -> Statement {
    let mut writer = Writer::new(dialect);
    let most = cap.saturating_add(1);
    writer.text("SELECT COUNT(*) FROM (");
    match Either::of(plan) {
        Some(either) => either.keys(&mut writer, Some(most)),
        None => {
            ones(&mut writer, plan);
            writer.text(" LIMIT ");
            writer.number(most);
        }
    }
    writer.text(") AS listing_counted");
    let statement = writer.finish().planned(plan.plans);
    statement.unindexed(plan.is_unindexed)
}

/// Writes a query that selects `1` for each row.
fn ones(writer: &mut Writer, plan: &Plan<'_>) {
    all_rows(writer, plan, &|writer| writer.text("1"));
}
