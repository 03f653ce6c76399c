//! Writes the statements that find a list's total, according to its way of counting.

use super::page::all_rows;
use super::writer::From;
use super::{Dialect, Statement, Writer};
use crate::plan::Plan;
use crate::vocabulary::CountMode;

/// The statements that find a total.
#[derive(Debug)]
pub(crate) enum Count {
    /// Nobody asks.
    None,
    /// Counts every row.
    Exact(Statement),
    /// Counts as many rows as `cap`, and one more.
    Capped { cap: u64, count: Statement },
    /// Counts every row; the answer can be kept.
    Cached { seconds: u64, count: Statement },
    Estimated {
        /// Asks the planner, where there is one to ask.
        estimate: Option<Statement>,
        /// Counts as many rows as `FEW`, and one more.
        count: Statement,
    },
}

impl Count {
    /// Up to here an estimate is not good enough: counting so many rows costs little.
    pub(crate) const FEW: u64 = CountMode::DEFAULT_CAP;

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

    pub(super) fn of(plan: &Plan<'_>, source: From<'_>, dialect: Dialect) -> Self {
        match plan.count {
            CountMode::None => Self::None,
            // What the size of the table decides has been decided.
            CountMode::Exact | CountMode::Auto => Self::Exact(all(plan, source, dialect)),
            CountMode::Cached(seconds) => Self::Cached {
                seconds,
                count: all(plan, source, dialect),
            },
            CountMode::Capped(cap) => Self::Capped {
                cap,
                count: up_to(cap, plan, source, dialect),
            },
            CountMode::Estimated => Self::Estimated {
                estimate: dialect.explain().map(|explain| {
                    let mut writer = Writer::new(dialect);
                    writer.text(explain);
                    ones(&mut writer, plan, source);
                    writer.finish()
                }),
                count: up_to(Self::FEW, plan, source, dialect),
            },
        }
    }
}

/// A count of its own: `COUNT(*) OVER ()` would make the database read every row for each page.
fn all(plan: &Plan<'_>, source: From<'_>, dialect: Dialect) -> Statement {
    let mut writer = Writer::new(dialect);
    all_rows(&mut writer, plan, source, "COUNT(*)");
    writer.finish().planned(plan.plans)
}

/// One more than the cap, to know whether there are more.
fn up_to(cap: u64, plan: &Plan<'_>, source: From<'_>, dialect: Dialect) -> Statement {
    let mut writer = Writer::new(dialect);
    writer.text("SELECT COUNT(*) FROM (");
    ones(&mut writer, plan, source);
    writer.text(" LIMIT ");
    writer.number(cap.saturating_add(1));
    writer.text(") AS listing_counted");
    writer.finish().planned(plan.plans)
}

/// A one for each row.
fn ones(writer: &mut Writer<'_>, plan: &Plan<'_>, source: From<'_>) {
    all_rows(writer, plan, source, "1");
}
