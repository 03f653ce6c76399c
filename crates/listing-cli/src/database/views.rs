//! Finds a key for views and for tables without one, since rows without a key can be neither paged nor shown.

use anyhow::Result;
use sea_orm::sea_query::{Alias, Expr, ExprTrait, Func, FunctionCall, Query};
use sea_orm::{ConnectionTrait, DatabaseConnection};

use super::types::is_key;
use super::{Column, Table};

/// How many rows are looked at to see whether a column tells them apart.
const ROWS: u64 = 10_000;

/// Gives each table without a primary key one; returns what is to be said about it.
pub(super) async fn find_keys(
    connection: &DatabaseConnection,
    tables: &mut [Table],
) -> Result<Vec<String>> {
    let mut notes = Vec::new();
    for table in tables.iter_mut().filter(|table| table.key.is_empty()) {
        let name = table.name.clone();
        let what = if table.view { "view" } else { "table" };
        if table.columns.is_empty() {
            notes.push(format!(
                "the {what} `{name}` is left out: it cannot be read"
            ));
            continue;
        }
        let found = match by_index(connection, table).await {
            Ok(Some(index)) => {
                take_key(table, index);
                continue;
            }
            Ok(None) => by_rows(connection, table).await,
            Err(error) => Err(error),
        };
        match found {
            Ok(Some(column)) => {
                notes.push(format!(
                    "the {what} `{name}` has no primary key; `{column}` is taken for it, because no two rows share it now"
                ));
                take_key(table, vec![column]);
            }
            Ok(None) => notes.push(format!(
                "the {what} `{name}` is left out: it has no primary key, and no column tells its rows apart"
            )),
            Err(error) => notes.push(format!(
                "the {what} `{name}` is left out: it cannot be read: {error}"
            )),
        }
    }
    Ok(notes)
}

/// Takes columns for the primary key, in which there are no nulls.
fn take_key(table: &mut Table, key: Vec<String>) {
    for column in &mut table.columns {
        column.nullable &= !key.contains(&column.name);
    }
    table.key = key;
}

/// The columns of a unique index without nulls.
async fn by_index(connection: &DatabaseConnection, table: &Table) -> Result<Option<Vec<String>>> {
    for index in table.indexes.iter().filter(|index| index.unique) {
        if are_key(connection, table, &index.columns).await? {
            return Ok(Some(index.columns.clone()));
        }
    }
    Ok(None)
}

/// Whether columns of a unique index can be the key. A materialized view cannot say that one is never null, but its rows can
/// (b561).
async fn are_key(
    connection: &DatabaseConnection,
    table: &Table,
    columns: &[String],
) -> Result<bool> {
    for name in columns {
        let is_key = |column: &&Column| is_key(&column.column_type, columns.len() == 1);
        let Some(column) = table.column(name).filter(is_key) else {
            return Ok(false);
        };
        if column.nullable
            && !(table.view && counts_all(connection, table, name, Func::count).await?)
        {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The first column, those called like a key before the others, that no two rows share.
async fn by_rows(connection: &DatabaseConnection, table: &Table) -> Result<Option<String>> {
    let rank = |column: &Column| {
        let name = column.name.to_lowercase();
        match name.as_str() {
            "id" => 0,
            _ if name.ends_with("_id") => 1,
            _ if name.ends_with("id") => 2,
            _ => 3,
        }
    };
    let mut columns: Vec<_> = table
        .columns
        .iter()
        .filter(|column| is_key(&column.column_type, true))
        .collect();
    columns.sort_by_key(|column| rank(column));
    for column in columns {
        if counts_all(connection, table, &column.name, Func::count_distinct).await? {
            return Ok(Some(column.name.clone()));
        }
    }
    Ok(None)
}

/// Whether a count of a column's values is that of the rows.
async fn counts_all(
    connection: &DatabaseConnection,
    table: &Table,
    column: &str,
    count: fn(Expr) -> FunctionCall,
) -> Result<bool> {
    let rows = Query::select().column(Alias::new(column)).take();
    let rows = table.rows_of(rows, ROWS);
    let values = count(Expr::col(Alias::new(column)));
    let select = Query::select()
        .expr(Expr::cust("COUNT(*)").eq(values))
        .from_subquery(rows, Alias::new("some_rows"))
        .take();
    let Some(row) = connection.query_one(&select).await? else {
        return Ok(false);
    };
    let is_all = row.try_get_by_index::<bool>(0);
    let is_all = is_all.or_else(|_| row.try_get_by_index::<i64>(0).map(|one| one != 0));
    Ok(is_all.or_else(|_| row.try_get_by_index::<i32>(0).map(|one| one != 0))?)
}
