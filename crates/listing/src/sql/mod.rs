//! Writes a [`Plan`] as statements with bound values, without any text of a client in them.

mod condition;
mod count;
mod counted;
mod dialect;
mod first;
mod form;
mod grouping;
mod keys;
mod keyset;
mod labels;
mod moment;
mod order;
mod page;
mod populate;
mod readable;
mod related;
mod search;
#[cfg(test)]
mod tests;
mod text_match;
mod value;
mod writer;

pub use dialect::Dialect;

pub(crate) use condition::expression;
pub(crate) use count::Count;
pub(crate) use form::{compared, stored};
pub(crate) use grouping::grouping_clause;
pub(crate) use labels::labels;
pub(crate) use page::PageStatements;
pub(crate) use populate::{ParentBy, Populate, populate};
pub(crate) use readable::{readable, unfit};

use sea_orm::sea_query::{SelectStatement, Value};

use self::writer::{From, Writer};
use crate::plan::{ColumnSource, Computed, OrderTerm, Plan};
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
}

impl Statement {
    /// A statement.
    #[must_use]
    pub fn new(text: impl Into<String>, values: Vec<Value>) -> Self {
        Self {
            text: text.into(),
            values,
            plans: Plans::Shared,
        }
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
    pub(crate) page: PageStatements<'p, 'l>,
    pub(crate) count: Count,
}

/// Writes a plan as SQL.
pub(crate) fn render<'p, 'l>(plan: &'p Plan<'l>, dialect: Dialect) -> Statements<'p, 'l> {
    let source = page::source(plan);
    Statements {
        count: Count::of(plan, From::of(plan, source.as_ref()), dialect),
        page: PageStatements::of(plan, source, dialect),
    }
}

/// A query of the application, as it is.
pub(crate) fn plain(query: &SelectStatement, dialect: Dialect) -> Statement {
    let mut writer = Writer::new(dialect);
    writer.select(query);
    writer.finish()
}

/// What is selected for a column, in a query that is ordered by these terms.
fn selected(writer: &mut Writer<'_>, source: &ColumnSource<'_>, order: &[OrderTerm<'_>]) {
    match source {
        ColumnSource::Term(at) => match order.get(*at) {
            Some(term) => order::by(writer, &term.by, *at),
            None => writer.text("NULL"),
        },
        ColumnSource::Column(of) => writer.compared(*of),
        ColumnSource::Computed(computed) => sub_query(writer, computed),
    }
}

fn sub_query(writer: &mut Writer<'_>, computed: &Computed<'_>) {
    writer.text("(");
    match computed {
        Computed::Query(query) => writer.select(query),
        Computed::Count(count) => counted::counted(writer, count),
    }
    writer.text(")");
}
