//! In: a [`Plan`] and a dialect. Out: statements: text with bound values, and no text of a client in it.

mod condition;
mod count;
mod dialect;
mod keyset;
mod order;
mod page;
mod populate;
#[cfg(test)]
mod tests;
mod value;

pub use dialect::Dialect;

pub(crate) use condition::condition;
pub(crate) use count::Count;
pub(crate) use page::page;
pub(crate) use populate::populate;

use sea_orm::sea_query::{
    DynIden, Expr, MysqlQueryBuilder, PostgresQueryBuilder, QueryBuilder, SelectStatement,
    SqlWriter, SqlWriterValues, SqliteQueryBuilder, Value,
};

use crate::plan::{ColumnOf, ColumnSource, Plan};

/// A statement for one dialect.
#[derive(Debug, Clone, PartialEq)]
pub struct Statement {
    /// The text, with the dialect's placeholders.
    pub text: String,
    /// The values, in the placeholders' order.
    pub values: Vec<Value>,
}

/// The statements that are known before any row is read.
#[derive(Debug)]
pub(crate) struct Statements {
    /// The page, in the parts that are read until it is full.
    pub(crate) page: Vec<Statement>,
    pub(crate) count: Count,
}

/// Writes a plan as SQL.
pub(crate) fn render(plan: &Plan<'_>, dialect: Dialect) -> Statements {
    Statements {
        page: page(plan, dialect),
        count: Count::of(plan, dialect),
    }
}

/// A query of the application, as it is.
pub(crate) fn plain(query: &SelectStatement, dialect: Dialect) -> Statement {
    let mut writer = Writer::new(dialect);
    writer.select(query);
    writer.finish()
}

/// Gathers text and values. `LIMIT` is written as a literal: PostgreSQL plans a statement with a bound limit anew each time.
struct Writer {
    dialect: Dialect,
    sql: SqlWriterValues,
}

impl Writer {
    fn new(dialect: Dialect) -> Self {
        let (placeholder, numbered) = match dialect {
            Dialect::Postgres => PostgresQueryBuilder.placeholder(),
            Dialect::Mysql => MysqlQueryBuilder.placeholder(),
            Dialect::Sqlite => SqliteQueryBuilder.placeholder(),
        };
        Self {
            dialect,
            sql: SqlWriterValues::new(placeholder, numbered),
        }
    }

    fn text(&mut self, text: &str) {
        // Writing to a string cannot fail.
        let _ = self.sql.as_writer().write_str(text);
    }

    fn number(&mut self, number: u64) {
        self.text(itoa::Buffer::new().format(number));
    }

    fn value(&mut self, value: Value) {
        match self.dialect {
            Dialect::Postgres => self.sql.push_param(value, &PostgresQueryBuilder),
            Dialect::Mysql => self.sql.push_param(value, &MysqlQueryBuilder),
            Dialect::Sqlite => self.sql.push_param(value, &SqliteQueryBuilder),
        }
    }

    fn select(&mut self, query: &SelectStatement) {
        match self.dialect {
            Dialect::Postgres => query.build_collect_into(PostgresQueryBuilder, &mut self.sql),
            Dialect::Mysql => query.build_collect_into(MysqlQueryBuilder, &mut self.sql),
            Dialect::Sqlite => query.build_collect_into(SqliteQueryBuilder, &mut self.sql),
        }
    }

    fn finish(self) -> Statement {
        let (text, values) = self.sql.into_parts();
        Statement {
            text,
            values: values.0,
        }
    }
}

fn column(column: ColumnOf<'_>) -> Expr {
    Expr::col((iden(column.table), iden(&column.meta.name)))
}

fn iden(name: &str) -> DynIden {
    DynIden::from(name.to_owned())
}

/// The alias of a selected column, for a sort by it. No column of an application should have this name.
fn alias(position: usize) -> DynIden {
    DynIden::from(format!("listing_{position}"))
}

/// What is selected for a column, in a query that is ordered by these terms.
fn selected(source: &ColumnSource<'_>, terms: &[Expr]) -> Expr {
    match source {
        ColumnSource::Term(at) => terms.get(*at).cloned().unwrap_or(Expr::cust("NULL")),
        ColumnSource::Column(of) => column(*of),
        ColumnSource::Computed(query) => sub_query(query.as_ref().clone()),
    }
}

/// The first row of a sub-query, with the limit as a literal here too.
fn first_of(query: &SelectStatement, dialect: Dialect) -> Expr {
    let mut writer = Writer::new(dialect);
    writer.text("(");
    writer.select(query);
    writer.text(" LIMIT 1)");
    let Statement { text, values } = writer.finish();
    Expr::cust_with_values(text, values)
}

fn sub_query(query: SelectStatement) -> Expr {
    Expr::SubQuery(None, Box::new(query.into()))
}
