//! Writes a [`Plan`] as statements with bound values, without any text of a client in them.

mod calendar;
mod computed;
mod condition;
mod count;
mod counted;
mod dialect;
mod either;
mod export;
mod facets;
mod first;
mod form;
mod grouping;
mod groups;
mod junction;
mod keys;
mod keyset;
mod labels;
mod moment;
mod order;
mod page;
mod part;
mod pass;
mod populate;
mod readable;
mod related;
mod rows;
mod search;
#[cfg(test)]
mod tests;
mod text_match;
mod totals;
mod value;
mod writer;

pub use dialect::Dialect;

pub(crate) use condition::expression;
pub(crate) use count::Count;
pub(crate) use export::{ExportStatements, export};
pub(crate) use facets::{
    FacetStatements, MOST_BUCKETS, MOST_GROUPS, NumberStatements, related_labels,
};
pub(crate) use form::{compared, stored};
pub(crate) use grouping::grouping_clause;
pub(crate) use groups::groups;
pub(crate) use labels::labels;
pub(crate) use page::PageStatements;
pub(crate) use pass::{MOST_IN_PASS, Pass};
pub(crate) use populate::{ParentBy, Populate, populate};
pub(crate) use readable::{readable, unfit};
pub(crate) use totals::{TotalPart, parts as total_parts, scale as total_scale};

use sea_orm::sea_query::{Expr, SelectStatement, Value};

use self::writer::Writer;
use crate::plan::{ColumnOf, ColumnSource, Computed, OrderTerm, Plan};
use crate::vocabulary::Plans;

/// A statement for one dialect.
#[derive(Debug, Clone, PartialEq)]
pub struct Statement {
    /// The text, with the dialect's placeholders.
    pub text: String,
    /// The values, in the placeholders' order.
    pub values: Vec<Value>,
    /// How it is planned, where the database gives a choice.
    pub plans: Plans,
    /// Whether it is known that no index serves it, so that other statements should not wait for it.
    pub is_unindexed: bool,
}

impl Statement {
    /// A statement.
    #[must_use]
    pub fn new(text: impl Into<String>, values: Vec<Value>) -> Self {
        Self {
            text: text.into(),
            values,
            plans: Plans::Shared,
            is_unindexed: false,
        }
    }

    /// The same statement, which no index serves if this says so.
    #[must_use]
    pub fn unindexed(mut self, is_unindexed: bool) -> Self {
        self.is_unindexed = is_unindexed;
        self
    }

    /// The same statement, planned for each request if it is or if this says so.
    #[must_use]
    pub fn planned(mut self, plans: Plans) -> Self {
        if plans == Plans::ForEachRequest {
            self.plans = plans;
        }
        self
    }
}

/// The statements that are known before any row is read.
pub(crate) struct Statements<'p, 'l> {
    /// The statements that are sent first.
    pub(crate) first: First,
    /// Writes the statements that are known to be needed later.
    pub(crate) page: PageStatements<'p, 'l>,
    /// Those of facets and totals, if they are requested.
    pub(crate) numbers: Option<Box<NumberStatements>>,
}

/// The statements that are sent first to read a page.
pub(crate) enum First {
    /// The page and its count, at once.
    Both { page: Statement, count: Count },
    /// How many rows match, which decides how the page is read.
    Count {
        count: Count,
        /// Counts up to [`Count::LOOKED_AT`] rows if no total is requested.
        look: Option<Statement>,
    },
}

/// Writes a plan as SQL.
pub(crate) fn render<'p, 'l>(plan: &'p Plan<'l>, dialect: Dialect) -> Statements<'p, 'l> {
    let page = PageStatements::of(plan, dialect);
    let first = match plan.counts_first {
        false => First::Both {
            page: page.first(),
            count: Count::of(plan, dialect),
        },
        true => First::Count {
            count: Count::of(plan, dialect),
            look: count::look(plan, dialect),
        },
    };
    Statements {
        first,
        page,
        numbers: numbers(plan, dialect),
    }
}

/// Writes the statements of facets and totals.
pub(crate) fn numbers(plan: &Plan<'_>, dialect: Dialect) -> Option<Box<NumberStatements>> {
    let numbers = plan.numbers.as_deref()?;
    Some(Box::new(NumberStatements::of(plan, numbers, dialect)))
}

/// A query of the application, unchanged.
pub(crate) fn plain(query: &SelectStatement, dialect: Dialect) -> Statement {
    let mut writer = Writer::new(dialect);
    writer.select(query);
    writer.finish()
}

/// The selected expression of a column, in a query that is ordered by these terms.
fn selected(writer: &mut Writer, source: &ColumnSource<'_>, order: &[OrderTerm<'_>]) {
    match source {
        ColumnSource::Term(at) => match order.get(*at) {
            Some(term) => order::by(writer, &term.by, *at),
            None => writer.text("NULL"),
        },
        ColumnSource::Column(of) => writer.compared(*of),
        ColumnSource::Computed(computed) => sub_query(writer, computed),
        ColumnSource::Later => writer.text("NULL"),
    }
}

/// The expression by which a column is shown, for a query of the application.
pub(crate) fn shown(column: ColumnOf<'_>, dialect: Dialect) -> Expr {
    expr(dialect, |writer| writer.compared(column))
}

/// The written text, as an expression for a query of the application.
fn expr(dialect: Dialect, write: impl FnOnce(&mut Writer)) -> Expr {
    let mut writer = Writer::new(dialect);
    write(&mut writer);
    let Statement { text, values, .. } = writer.finish();
    Expr::cust_with_values(text, values)
}

fn sub_query(writer: &mut Writer, computed: &Computed<'_>) {
    writer.text("(");
    match computed {
        Computed::Query(query) => writer.select(query),
        Computed::Count(count) => counted::counted(writer, count),
    }
    writer.text(")");
}
