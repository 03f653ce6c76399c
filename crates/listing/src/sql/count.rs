//! In: a plan. Out: the statements that find its total, as its way of counting wants them.

use sea_orm::sea_query::Expr;

use super::page::rows;
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
    pub(crate) const FEW: u64 = 10_000;

    pub(crate) fn of(plan: &Plan<'_>, dialect: Dialect) -> Self {
        match plan.count {
            CountMode::None => Self::None,
            CountMode::Exact => Self::Exact(all(plan, dialect)),
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
                    ones(&mut writer, plan, dialect);
                    writer.finish()
                }),
                count: up_to(Self::FEW, plan, dialect),
            },
        }
    }
}

/// A count of its own: `COUNT(*) OVER ()` would make the database read every row for each page.
fn all(plan: &Plan<'_>, dialect: Dialect) -> Statement {
    let mut query = rows(plan, dialect);
    query.expr(Expr::cust("COUNT(*)"));
    super::plain(&query, dialect)
}

/// One more than the cap, to know whether there are more.
fn up_to(cap: u64, plan: &Plan<'_>, dialect: Dialect) -> Statement {
    let mut writer = Writer::new(dialect);
    writer.text("SELECT COUNT(*) FROM (");
    ones(&mut writer, plan, dialect);
    writer.text(" LIMIT ");
    writer.number(cap.saturating_add(1));
    writer.text(") AS listing_counted");
    writer.finish()
}

/// A one for each row.
fn ones(writer: &mut Writer, plan: &Plan<'_>, dialect: Dialect) {
    let mut query = rows(plan, dialect);
    query.expr(Expr::cust("1"));
    writer.select(&query);
}
