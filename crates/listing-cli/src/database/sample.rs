//! Looks at a sample of each table's rows for columns whose values repeat, which are worth counting by.

use listing::Kind;
use listing::entity::kind_of;
use sea_orm::sea_query::{Alias, Expr, Func, Query, SelectStatement};
use sea_orm::{ConnectionTrait, DatabaseConnection, QueryResult};

use super::{Column, Table, declared_type};

/// How many rows of a table are read.
const ROWS: u64 = 1_000;
/// A column with more values than these is not one of few.
const MOST_VALUES: i64 = 30;

/// Fills in [`Table::repeating`], with one statement for each table. A view may have to be computed as a whole: it is left alone,
/// and so is a table that cannot be read.
pub(super) async fn find_repeating(connection: &DatabaseConnection, tables: &mut [Table]) {
    for table in tables.iter_mut().filter(|table| !table.view) {
        let candidates: Vec<_> = candidates(table)
            .map(|column| column.name.clone())
            .collect();
        if candidates.is_empty() {
            continue;
        }
        let counts = counts(table, &candidates);
        let Ok(Some(row)) = connection.query_one(&counts).await else {
            continue;
        };
        table.repeating = repeating(&row, candidates);
    }
}

/// The columns of numbers and short texts that neither tell rows apart nor lead to another table.
fn candidates(table: &Table) -> impl Iterator<Item = &Column> {
    let tells_apart = |column: &Column| {
        let is_it = |name: &String| *name == column.name;
        let mut keys = table.foreign_keys.iter();
        table.key.iter().any(is_it)
            || table.is_unique(&column.name)
            || keys.any(|key| key.columns.iter().any(is_it))
    };
    let columns = table.columns.iter();
    columns.filter(move |column| {
        let kind = kind_of(&declared_type(&column.column_type));
        matches!(kind, Kind::Integer | Kind::Text) && !tells_apart(column)
    })
}

/// The number of rows in the sample, and of the different values of each column.
fn counts(table: &Table, columns: &[String]) -> SelectStatement {
    let mut rows = Query::select();
    rows.columns(columns.iter().map(Alias::new));
    let mut counts = Query::select();
    counts.expr(Expr::cust("COUNT(*)"));
    for column in columns {
        counts.expr(Func::count_distinct(Expr::col(Alias::new(column))));
    }
    counts
        .from_subquery(table.rows_of(rows, ROWS), "some_rows")
        .take()
}

/// Those columns that have few values, each of them twice on average.
fn repeating(row: &QueryResult, columns: Vec<String>) -> Vec<String> {
    let number = |at| row.try_get_by_index::<i64>(at).unwrap_or_default();
    let rows = number(0);
    let is_repeating = |at: usize| (1..=MOST_VALUES.min(rows / 2)).contains(&number(at + 1));
    let columns = columns.into_iter().enumerate();
    let columns = columns.filter(|(at, _)| is_repeating(*at));
    columns.map(|(_, column)| column).collect()
}
