//! Finds the key of views and of tables without a primary key: only columns that the database itself keeps unique count (d152).

use anyhow::Result;
use sea_orm::sea_query::{Alias, ColumnType, Cond, Expr, ExprTrait, Query};
use sea_orm::{ConnectionTrait, DatabaseConnection, DbErr};

use super::types::is_key;
use super::{Column, Table};

/// Gives each table without a primary key that can address records another key, if there is one, and returns the notes about it.
/// A table that cannot be read gets no columns.
pub(super) async fn find_keys(
    connection: &DatabaseConnection,
    tables: &mut [Table],
) -> Result<Vec<String>> {
    let mut notes = Vec::new();
    for table in tables {
        let why = match unusable(table) {
            Some(why) => why,
            None if table.key.is_empty() => {
                "it has neither a primary key nor a unique index without nulls".to_owned()
            }
            None => continue,
        };
        let what = if table.view { "view" } else { "table" };
        let name = table.full_name();
        table.key.clear();
        if table.columns.is_empty() {
            notes.push(format!(
                "the {what} `{name}` is left out: it cannot be read"
            ));
            continue;
        }
        match by_index(connection, table).await {
            Ok(Some(index)) => {
                take_key(table, index);
                continue;
            }
            Ok(None) => {}
            Err(error) => {
                table.columns.clear();
                notes.push(format!(
                    "the {what} `{name}` is left out: it cannot be read: {error}"
                ));
                continue;
            }
        }
        if let Some(rowid) = table.rowid {
            table.columns.insert(0, numbered(rowid));
            table.key = vec![rowid.to_owned()];
            notes.push(format!(
                "the {what} `{name}` is known by SQLite's `{rowid}`, which VACUUM can change: {why}"
            ));
        } else {
            notes.push(format!(
                "the {what} `{name}` has a list, and neither records nor cursors nor writes: {why}"
            ));
        }
    }
    Ok(notes)
}

/// Why its primary key cannot address records, if it cannot.
fn unusable(table: &Table) -> Option<String> {
    let column = table.unusable_key()?;
    Some(format!(
        "its key `{}` is of the type `{}`, by which records cannot be addressed",
        column.name, column.declared
    ))
}

/// The number that SQLite gives each row.
fn numbered(rowid: &str) -> Column {
    Column {
        name: rowid.to_owned(),
        column_type: ColumnType::BigInteger,
        declared: "integer".to_owned(),
        nullable: false,
        default: None,
        numbered: true,
        computed: false,
        readable_as: &[],
    }
}

/// Takes columns for the primary key, in which there are no nulls.
fn take_key(table: &mut Table, key: Vec<String>) {
    for column in &mut table.columns {
        column.nullable &= !key.contains(&column.name);
    }
    table.key = key;
}

/// The columns of a unique index without nulls; an error where the table cannot be read.
async fn by_index(
    connection: &DatabaseConnection,
    table: &Table,
) -> Result<Option<Vec<String>>, DbErr> {
    for index in table.indexes.iter().filter(|index| index.unique) {
        if are_key(connection, table, &index.columns).await? {
            return Ok(Some(index.columns.clone()));
        }
    }
    // Nothing is read, but what may not be read is known at once, and what cannot be.
    let nothing = Query::select().expr(Expr::val(1)).take();
    connection.query_one(&table.rows_of(nothing, 0)).await?;
    Ok(None)
}

/// Whether columns of a unique index can be the key. A materialized view cannot say that one is never null, but its rows can
/// (b561).
async fn are_key(
    connection: &DatabaseConnection,
    table: &Table,
    columns: &[String],
) -> Result<bool, DbErr> {
    let alone = columns.len() == 1;
    let found: Option<Vec<&Column>> = columns.iter().map(|name| table.column(name)).collect();
    let Some(found) = found.filter(|found| found.iter().all(|c| is_key(&c.column_type, alone)))
    else {
        return Ok(false);
    };
    if !found.iter().any(|column| column.nullable) {
        return Ok(true);
    }
    if !table.view {
        return Ok(false);
    }
    let is_null = |name: &String| Expr::col(Alias::new(name)).is_null();
    let any = columns.iter().map(is_null).fold(Cond::any(), Cond::add);
    let nulls = Query::select().expr(Expr::val(1)).cond_where(any).take();
    let null = connection.query_one(&table.rows_of(nulls, 1)).await?;
    Ok(null.is_none())
}
