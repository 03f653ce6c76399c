//! Finds a key for views and for tables without one, since rows without a key can be neither paged nor shown.

use anyhow::Result;
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
        if let Some(index) = unique_index(table) {
            table.key = index;
            continue;
        }
        match by_rows(connection, table).await {
            Ok(Some(column)) => {
                notes.push(format!(
                    "the {what} `{name}` has no primary key; `{column}` is taken for it, because no two rows share it now"
                ));
                for found in &mut table.columns {
                    found.nullable &= found.name != column;
                }
                table.key = vec![column];
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

/// The columns of a unique index without nulls.
fn unique_index(table: &Table) -> Option<Vec<String>> {
    let fits = |name: &String, alone: bool| {
        let column = table.column(name);
        column.is_some_and(|column| !column.nullable && is_key(&column.column_type, alone))
    };
    let found = table.indexes.iter().find(|index| {
        let alone = index.columns.len() == 1;
        index.unique && index.columns.iter().all(|name| fits(name, alone))
    });
    found.map(|index| index.columns.clone())
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
        if is_unique(connection, table, &column.name).await? {
            return Ok(Some(column.name.clone()));
        }
    }
    Ok(None)
}

async fn is_unique(connection: &DatabaseConnection, table: &Table, column: &str) -> Result<bool> {
    use sea_orm::sea_query::{Alias, Expr, ExprTrait, Func, Query};
    let rows = Query::select().column(Alias::new(column)).take();
    let rows = table.rows_of(rows, ROWS);
    let value = || Expr::col(Alias::new(column));
    let all = Expr::cust("COUNT(*)");
    let select = Query::select()
        .expr(all.eq(Func::count_distinct(value())))
        .from_subquery(rows, Alias::new("some_rows"))
        .take();
    let Some(row) = connection.query_one(&select).await? else {
        return Ok(false);
    };
    let unique = row.try_get_by_index::<bool>(0);
    let unique = unique.or_else(|_| row.try_get_by_index::<i64>(0).map(|one| one != 0));
    Ok(unique.or_else(|_| row.try_get_by_index::<i32>(0).map(|one| one != 0))?)
}
