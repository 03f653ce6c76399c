//! Reads the tables, columns, indexes and foreign keys of a database, in one form for all three.

mod entity;
mod kind;
mod queries;

pub(crate) use entity::entity_source;
pub(crate) use kind::kind_of;

use anyhow::{Context, Result};
use sea_orm::{ConnectOptions, ConnectionTrait, DatabaseConnection, DbBackend, QueryResult};

use self::queries::Queries;

/// An open database. Its schema is read with queries of our own: the crate that does the like leaves out the indexes
/// that are no constraints, and they are what `listing check` is about.
#[derive(Debug)]
pub(crate) struct Database {
    connection: DatabaseConnection,
}

/// A table as the database has it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Table {
    pub(crate) name: String,
    pub(crate) columns: Vec<Column>,
    /// The columns of the primary key.
    pub(crate) key: Vec<String>,
    pub(crate) indexes: Vec<Index>,
    pub(crate) foreign_keys: Vec<ForeignKey>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Column {
    pub(crate) name: String,
    /// Its type, as the database writes it: `varchar(255)`.
    pub(crate) declared: String,
    pub(crate) nullable: bool,
}

/// An index over whole columns and all rows; others serve no listing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Index {
    pub(crate) name: String,
    pub(crate) unique: bool,
    pub(crate) columns: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ForeignKey {
    pub(crate) columns: Vec<String>,
    pub(crate) table: String,
    /// The columns there; empty for the primary key.
    pub(crate) references: Vec<String>,
}

impl Table {
    pub(crate) fn column(&self, name: &str) -> Option<&Column> {
        self.columns.iter().find(|column| column.name == name)
    }
}

impl Database {
    pub(crate) async fn open(url: &str) -> Result<Self> {
        let mut options = ConnectOptions::new(existing(url));
        options.max_connections(1).sqlx_logging(false);
        let connection = sea_orm::Database::connect(options).await.with_context(|| {
            format!(
                "cannot open the database `{}`; a URL is `sqlite:FILE`, `postgres://…` or `mysql://…`",
                without_password(url)
            )
        })?;
        Ok(Self { connection })
    }

    /// Every table.
    pub(crate) async fn tables(&self) -> Result<Vec<Table>> {
        let queries = Queries::of(self.connection.get_database_backend())?;
        let mut tables: Vec<Table> = Vec::new();
        for row in self.rows(queries.columns).await? {
            let name = text(&row, "table_name")?;
            let table = of(&mut tables, &name);
            table.columns.push(Column {
                name: text(&row, "column_name")?,
                declared: text(&row, "declared")?.to_lowercase(),
                nullable: number(&row, "nullable")? != 0,
            });
        }
        for row in self.rows(queries.keys).await? {
            let key = text(&row, "column_name")?;
            of(&mut tables, &text(&row, "table_name")?).key.push(key);
        }
        for row in self.rows(queries.indexes).await? {
            let table = of(&mut tables, &text(&row, "table_name")?);
            let (name, column) = (text(&row, "index_name")?, text(&row, "column_name")?);
            match table.indexes.last_mut().filter(|last| last.name == name) {
                Some(index) => index.columns.push(column),
                None => table.indexes.push(Index {
                    name,
                    unique: number(&row, "is_unique")? != 0,
                    columns: vec![column],
                }),
            }
        }
        let mut last = (String::new(), String::new());
        for row in self.rows(queries.foreign_keys).await? {
            let this = (text(&row, "table_name")?, text(&row, "key_name")?);
            let table = of(&mut tables, &this.0);
            if this != last {
                table.foreign_keys.push(ForeignKey {
                    columns: Vec::new(),
                    table: text(&row, "to_table")?,
                    references: Vec::new(),
                });
                last = this;
            }
            if let Some(key) = table.foreign_keys.last_mut() {
                key.columns.push(text(&row, "column_name")?);
                let to = text(&row, "to_column")?;
                if !to.is_empty() {
                    key.references.push(to);
                }
            }
        }
        Ok(tables)
    }

    /// How the database would run a statement, in its own words.
    pub(crate) async fn plan(&self, statement: &str) -> Result<Vec<String>> {
        let backend = self.connection.get_database_backend();
        let explain = match backend {
            DbBackend::Sqlite => "EXPLAIN QUERY PLAN",
            _ => "EXPLAIN",
        };
        let rows = self.rows(&format!("{explain} {statement}")).await?;
        let line = |row: &QueryResult| -> Result<String> {
            match backend {
                DbBackend::Postgres => Ok(row.try_get_by_index(0)?),
                DbBackend::Sqlite => text(row, "detail"),
                _ => {
                    let get = |name| row.try_get::<Option<String>>("", name);
                    let parts = [
                        get("table")?,
                        get("type")?,
                        get("key")?.map(|key| format!("by {key}")),
                        row.try_get::<Option<i64>>("", "rows")
                            .ok()
                            .flatten()
                            .map(|rows| format!("{rows} rows")),
                        get("Extra")?,
                    ];
                    let said = parts.into_iter().flatten().filter(|part| !part.is_empty());
                    Ok(said.collect::<Vec<_>>().join(", "))
                }
            }
        };
        rows.iter().map(line).collect()
    }

    async fn rows(&self, sql: &str) -> Result<Vec<QueryResult>> {
        let backend = self.connection.get_database_backend();
        let statement = sea_orm::Statement::from_string(backend, sql);
        Ok(self.connection.query_all_raw(statement).await?)
    }
}

fn of<'t>(tables: &'t mut Vec<Table>, name: &str) -> &'t mut Table {
    let at = match tables.iter().position(|table| table.name == name) {
        Some(at) => at,
        None => {
            tables.push(Table {
                name: name.to_owned(),
                ..Table::default()
            });
            tables.len() - 1
        }
    };
    &mut tables[at]
}

fn text(row: &QueryResult, name: &str) -> Result<String> {
    Ok(row.try_get::<Option<String>>("", name)?.unwrap_or_default())
}

fn number(row: &QueryResult, name: &str) -> Result<i64> {
    Ok(row.try_get::<i64>("", name)?)
}

/// The URL of a database that is there: to look at one should not create it.
fn existing(url: &str) -> String {
    if !url.starts_with("sqlite:") {
        return url.to_owned();
    }
    if url.contains("mode=") {
        return url.replace("mode=rwc", "mode=rw");
    }
    let separator = if url.contains('?') { '&' } else { '?' };
    format!("{url}{separator}mode=rw")
}

/// A URL that can be shown.
pub(crate) fn without_password(url: &str) -> String {
    match (url.find("://"), url.rfind('@')) {
        (Some(scheme), Some(at)) if scheme + 3 < at => {
            let user = url[scheme + 3..at].split(':').next().unwrap_or_default();
            format!("{}{user}{}", &url[..scheme + 3], &url[at..])
        }
        _ => url.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn looking_at_a_file_does_not_create_it() {
        assert_eq!(existing("sqlite:a.db"), "sqlite:a.db?mode=rw");
        assert_eq!(existing("sqlite:a.db?mode=rwc"), "sqlite:a.db?mode=rw");
        assert_eq!(existing("sqlite:a.db?x=1"), "sqlite:a.db?x=1&mode=rw");
        assert_eq!(existing("mysql://h/d"), "mysql://h/d");
    }

    #[test]
    fn a_password_is_not_shown() {
        assert_eq!(without_password("mysql://me:pw@h/d"), "mysql://me@h/d");
        assert_eq!(without_password("sqlite:a.db"), "sqlite:a.db");
    }
}
