//! Writes a statement, piece by piece, as text and bound values.
//!
//! Written by hand where sea-query would build a tree of expressions first: a list request becomes text with a handful of
//! allocations instead of hundreds. What application code brings (its query, its conditions, its computed fields) is
//! sea-query's, and is written by it into the same text.

use std::fmt::{self, Write};

use sea_orm::sea_query::{
    ColumnName, ColumnRef, Condition, Expr, MysqlQueryBuilder, PostgresQueryBuilder, QueryBuilder,
    SelectStatement, SqlWriter, SqliteQueryBuilder, TableName, TableRef, Value,
};

use super::{Dialect, Statement, form, part};
use crate::plan::ColumnOf;
use crate::vocabulary::Plans;

/// Gathers text and values.
pub(super) struct Writer {
    pub(super) dialect: Dialect,
    text: String,
    values: Vec<Value>,
    /// How the statement must be planned, whatever the listing says.
    pub(super) plans: Plans,
    /// Whether rows are skipped by `OFFSET`.
    pub(super) skips_rows: bool,
}

impl Writer {
    pub(super) fn new(dialect: Dialect) -> Self {
        // Most statements have no more than this.
        const TEXT: usize = 768;
        const VALUES: usize = 8;
        Self {
            dialect,
            text: String::with_capacity(TEXT),
            values: Vec::with_capacity(VALUES),
            plans: Plans::Shared,
            skips_rows: false,
        }
    }

    /// How many bytes are written.
    pub(super) fn len(&self) -> usize {
        self.text.len()
    }

    /// How many values are bound.
    pub(super) fn values(&self) -> usize {
        self.values.len()
    }

    pub(super) fn text(&mut self, text: &str) {
        self.text.push_str(text);
    }

    pub(super) fn number(&mut self, number: u64) {
        self.text.push_str(itoa::Buffer::new().format(number));
    }

    /// A value that is bound, and its placeholder.
    pub(super) fn value(&mut self, value: impl Into<Value>) {
        self.values.push(value.into());
        if self.dialect == Dialect::Postgres {
            self.text.push('$');
            let at = self.values.len();
            self.text.push_str(itoa::Buffer::new().format(at));
        } else {
            self.text.push('?');
        }
    }

    /// Values with commas between.
    pub(super) fn list<T>(
        &mut self,
        items: impl IntoIterator<Item = T>,
        mut each: impl FnMut(&mut Self, T),
    ) {
        for (at, item) in items.into_iter().enumerate() {
            self.text(if at == 0 { "" } else { ", " });
            each(self, item);
        }
    }

    /// A name in quotes.
    pub(super) fn name(&mut self, name: &str) {
        match self.dialect {
            Dialect::Mysql => self.quoted::<'`'>(name),
            Dialect::Postgres | Dialect::Sqlite => self.quoted::<'"'>(name),
        }
    }

    /// `QUOTE` is a constant so that the loop is compiled for it: a statement has many names.
    fn quoted<const QUOTE: char>(&mut self, name: &str) {
        self.text.push(QUOTE);
        // Nearly all names contain no quote; searching for a character costs more than the rest.
        if name.bytes().all(|byte| char::from(byte) != QUOTE) {
            self.text.push_str(name);
        } else {
            for (at, piece) in name.split(QUOTE).enumerate() {
                if at > 0 {
                    self.text.push(QUOTE);
                    self.text.push(QUOTE);
                }
                self.text.push_str(piece);
            }
        }
        self.text.push(QUOTE);
    }

    /// A name with a number in it.
    pub(super) fn numbered(&mut self, name: Numbered) {
        let (prefix, number) = match name {
            Numbered::Selected(at) => ("listing_", at),
            Numbered::Sort(at) => ("listing_sort_", at),
        };
        let quote = if self.dialect == Dialect::Mysql {
            "`"
        } else {
            "\""
        };
        self.text(quote);
        self.text(prefix);
        self.text(itoa::Buffer::new().format(number));
        self.text(quote);
    }

    /// A column, or the part of one.
    pub(super) fn column(&mut self, column: ColumnOf<'_>) {
        match column.path {
            None => self.qualified(column.table, &column.meta.name),
            Some(path) => part::write(self, column, path),
        }
    }

    /// A column by the names of its table and its own.
    pub(super) fn qualified(&mut self, table: &str, column: &str) {
        self.name(table);
        self.text(".");
        self.name(column);
    }

    /// `EXISTS`, before a sub-query.
    ///
    /// Since version 3.51, SQLite joins such a sub-query to the outer rows: `OFFSET` then counts each related row instead of the
    /// outer row, and the costs of several of them multiply. Negated twice, it is not joined (b446).
    pub(super) fn exists(&mut self) {
        self.text.push_str(match self.dialect {
            Dialect::Sqlite => "NOT NOT EXISTS",
            Dialect::Postgres | Dialect::Mysql => "EXISTS",
        });
    }

    /// Whether the text after this many bytes may be joined to the rows outside in the same way, and rows are skipped.
    pub(super) fn may_be_joined(&self, from: usize) -> bool {
        self.dialect == Dialect::Sqlite
            && self.skips_rows
            && self.text[from..].to_ascii_uppercase().contains("EXISTS")
    }

    /// The expression by which a column is compared, ordered and shown: its meaning if SQLite keeps it in several forms.
    pub(super) fn compared(&mut self, column: ColumnOf<'_>) {
        form::write(self, column.meta, &|writer| writer.column(column));
    }

    pub(super) fn table(&mut self, table: &TableRef) {
        match table {
            // Most are a name alone.
            TableRef::Table(TableName(None, name), None) => self.name(&name.inner()),
            _ => self.with_builder(Table(table)),
        }
    }

    /// A query of the application, unchanged.
    pub(super) fn select(&mut self, query: &SelectStatement) {
        self.with_builder(Select(query));
    }

    /// A condition of the application. One of several parts is in parentheses.
    pub(super) fn condition(&mut self, condition: &Condition) {
        let start = self.len();
        self.text("(");
        self.with_builder(Where(&Expr::from(condition.clone())));
        self.text(")");
        if self.may_be_joined(start) {
            self.text(" IS TRUE");
        }
    }

    /// An expression that sea-query knows how to write.
    pub(super) fn expr(&mut self, expr: &Expr) {
        match expr {
            // Most are just a column with its table.
            Expr::Column(ColumnRef::Column(ColumnName(Some(TableName(None, table)), column))) => {
                self.qualified(&table.inner(), &column.inner());
            }
            _ => self.with_builder(Where(expr)),
        }
    }

    pub(super) fn finish(self) -> Statement {
        Statement::new(self.text, self.values).planned(self.plans)
    }

    fn with_builder(&mut self, piece: impl Piece) {
        match self.dialect {
            Dialect::Postgres => piece.write(&PostgresQueryBuilder, self),
            Dialect::Mysql => piece.write(&MysqlQueryBuilder, self),
            Dialect::Sqlite => piece.write(&SqliteQueryBuilder, self),
        }
    }
}

/// Names of our own. No column or table of an application should have one of them.
#[derive(Debug, Clone, Copy)]
pub(super) enum Numbered {
    /// A selected column, for a sort by it.
    Selected(usize),
    /// The row that a sort by relation leads to: by number, for two sorts can lead to one relation.
    Sort(usize),
}

/// Something that sea-query writes, with whichever dialect's builder.
trait Piece {
    fn write(self, builder: &impl QueryBuilder, writer: &mut Writer);
}

struct Select<'q>(&'q SelectStatement);

impl Piece for Select<'_> {
    fn write(self, builder: &impl QueryBuilder, writer: &mut Writer) {
        builder.prepare_select_statement(self.0, writer);
    }
}

struct Table<'t>(&'t TableRef);

impl Piece for Table<'_> {
    fn write(self, builder: &impl QueryBuilder, writer: &mut Writer) {
        builder.prepare_table_ref(self.0, writer);
    }
}

struct Where<'e>(&'e Expr);

impl Piece for Where<'_> {
    fn write(self, builder: &impl QueryBuilder, writer: &mut Writer) {
        builder.prepare_expr(self.0, writer);
    }
}

impl Write for Writer {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.text.push_str(text);
        Ok(())
    }
}

impl fmt::Display for Writer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl SqlWriter for Writer {
    fn push_param<T: QueryBuilder>(&mut self, value: Value, _: &T) {
        self.value(value);
    }

    fn as_writer(&mut self) -> &mut dyn Write {
        self
    }
}
