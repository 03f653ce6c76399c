//! Reads the tables, columns, indexes and foreign keys of a database, in the same form for all three.

mod entity;
mod enumerations;
mod keys;
mod mend;
mod modules;
mod read;
mod relations;
mod sample;
mod schema;
mod types;

pub(crate) use listing::indexes::TableIndex as Index;

pub(crate) use entity::{Written, entity_source, links};
pub(crate) use enumerations::Enumerations;
pub(crate) use modules::Modules;
pub(crate) use relations::{Directions, Relation, RelationKind, Relations};
pub(crate) use schema::{Schema, Wanted};
pub(crate) use types::{declared_type, is_readable, kind};

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use anyhow::{Context, Result, anyhow};
use listing::indexes::IndexNames;
use listing_axum::config::Secret;
use listing_axum::database::{reach, without_url};
use sea_orm::sea_query::{ColumnType, Expr, Query, SelectStatement};
use sea_orm::{ConnectOptions, ConnectionTrait, DatabaseConnection, DbBackend, QueryResult};

use crate::naming;

/// An open database.
#[derive(Debug)]
pub(crate) struct Database {
    connection: DatabaseConnection,
    url: String,
}

/// A table, as it is in the database.
#[derive(Debug, Clone, Default)]
pub(crate) struct Table {
    /// Its schema, if its name needs to be qualified.
    pub(crate) schema: Option<String>,
    /// Its schema, whether or not its name needs to be qualified.
    pub(crate) home: Option<String>,
    pub(crate) name: String,
    /// Whether it is a view, which is read-only and has no key of its own. A foreign table counts as a view.
    pub(crate) view: bool,
    /// Whether its rows also belong to another table, like those of a partition.
    pub(crate) part: bool,
    pub(crate) columns: Vec<Column>,
    /// The columns of the primary key; empty if rows have no key.
    pub(crate) key: Vec<String>,
    /// The name of SQLite's row number, if rows have one.
    pub(crate) rowid: Option<&'static str>,
    /// Its other indexes, as far as listings can use them.
    pub(crate) indexes: Vec<Index>,
    /// The columns for which an index finds text prefixes.
    pub(crate) starts: Vec<String>,
    pub(crate) foreign_keys: Vec<ForeignKey>,
    /// The columns with a trigram index, if the database has such indexes.
    pub(crate) trigrams: Option<Vec<String>>,
    /// The columns for which an index finds elements of arrays.
    pub(crate) inverted: Vec<String>,
    /// The text columns that the database pads with spaces, as far as this makes a difference for indexes.
    pub(crate) filled: Vec<String>,
    /// Its number of rows, if it was counted: at most [`MOST_ROWS`].
    pub(crate) rows: Option<u64>,
    /// The columns with few distinct values, if this was checked.
    pub(crate) repeating: Vec<String>,
}

/// Rows are counted up to this number. Beyond it, a table is simply large.
const MOST_ROWS: u64 = 100_000;
/// A table with fewer rows is read just as quickly without an index.
const FEW_ROWS: u64 = 1_000;

#[derive(Debug, Clone)]
pub(crate) struct Column {
    pub(crate) name: String,
    /// Its type, as SeaORM names it.
    pub(crate) column_type: ColumnType,
    /// Its type, as the database writes it: `varchar(255)`.
    pub(crate) declared: String,
    pub(crate) nullable: bool,
    pub(crate) default: Option<DefaultValue>,
    /// Whether the database generates its values for new rows.
    pub(crate) numbered: bool,
    /// Whether the database computes it from other columns.
    pub(crate) computed: bool,
    /// The Rust types of its kind that the driver can read it as; empty if it can read it as any of them.
    pub(crate) readable_as: &'static [&'static str],
}

/// The value of a column if an insert does not set it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum DefaultValue {
    Integer(i64),
    Text(String),
    Boolean(bool),
    Now,
    /// An SQL expression.
    Expression(String),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ForeignKey {
    pub(crate) columns: Vec<String>,
    /// The schema of the other table, if its name needs to be qualified.
    pub(crate) table_schema: Option<String>,
    pub(crate) table: String,
    /// The referenced columns; empty for the primary key.
    pub(crate) references: Vec<String>,
}

impl Table {
    /// Whether an index would not help. An empty table may become a large one.
    pub(crate) fn is_small(&self) -> bool {
        self.rows.is_some_and(|rows| rows > 0 && rows < FEW_ROWS)
    }

    /// Its number of rows, in parentheses; empty if it is not known.
    pub(crate) fn size(&self) -> String {
        match self.rows {
            None | Some(0) => String::new(),
            Some(rows) if rows >= MOST_ROWS => format!(" (over {MOST_ROWS} rows)"),
            Some(rows) => format!(" ({rows} rows)"),
        }
    }

    /// `table`, or `schema.table` if the name needs to be qualified.
    pub(crate) fn full_name(&self) -> String {
        match &self.schema {
            Some(schema) => format!("{schema}.{}", self.name),
            None => self.name.clone(),
        }
    }

    /// Whether an entity names this table, with its schema or without.
    pub(crate) fn is(&self, schema: Option<&str>, name: &str) -> bool {
        let in_schema = match schema {
            None => self.schema.is_none(),
            Some(_) => self.home.as_deref() == schema || self.schema.as_deref() == schema,
        };
        in_schema && self.name == name
    }

    /// Whether `schema.table` or `table` names it.
    pub(crate) fn is_named(&self, name: &str) -> bool {
        self.full_name() == name
    }

    /// A column of the primary key that cannot be used to address records.
    pub(crate) fn unusable_key(&self) -> Option<&Column> {
        let alone = self.key.len() == 1;
        let parts = self.key.iter().filter_map(|name| self.column(name));
        parts
            .into_iter()
            .find(|part| !types::is_key(&part.column_type, alone))
    }

    /// At most `most` rows of the table, with the selected columns.
    fn rows_of(&self, mut query: SelectStatement, most: u64) -> SelectStatement {
        let name = self.name.clone();
        match self.schema.clone() {
            Some(schema) => query.from((schema, name)),
            None => query.from(name),
        };
        query.limit(most).take()
    }

    /// The field of each column, without `r#`. Two columns never share one, even if only their spelling differs: SeaORM derives
    /// functions from unique fields, and treats `r#ref` as two words.
    fn fields(&self) -> BTreeMap<&str, String> {
        let mut taken = BTreeSet::new();
        let columns = self.columns.iter().map(|column| {
            let field = naming::field(&column.name);
            let field = match field.strip_prefix("r#") {
                Some(word) if self.is_unique(&column.name) => format!("{word}_"),
                _ => field,
            };
            let field = relations::free(field, &mut taken, "column");
            (column.name.as_str(), field)
        });
        columns.collect()
    }

    /// Whether the values of a column that is not in the key are unique.
    fn is_unique(&self, column: &str) -> bool {
        let is_it = |index: &Index| index.unique && index.columns == [column];
        !self.key.iter().any(|part| part == column) && self.indexes.iter().any(is_it)
    }

    /// The column that an entity declares as its key although it does not identify rows, because SeaORM requires a key. It can be
    /// neither nullable nor of every type.
    fn stand_in(&self) -> Option<&Column> {
        let is_foreign = |column: &Column| {
            let mut keys = self.foreign_keys.iter();
            keys.any(|key| key.columns.contains(&column.name))
        };
        let rank = |column: &&Column| {
            let is_secret = schema::is_secret(self, &column.name);
            let is_key = types::is_key(&column.column_type, true);
            let is_unique = self.is_unique(&column.name);
            (
                is_secret,
                is_unique,
                column.nullable,
                is_foreign(column),
                !is_key,
            )
        };
        let columns = self.columns.iter();
        let ordered = columns.filter(|column| types::is_ordered(&column.column_type));
        ordered.filter(|_| self.key.is_empty()).min_by_key(rank)
    }

    /// Whether the field of a column is an `Option`.
    fn is_optional(&self, column: &Column) -> bool {
        let stands_in = self
            .stand_in()
            .is_some_and(|known| known.name == column.name);
        column.nullable && !stands_in && !self.key.contains(&column.name)
    }

    /// Whether its rows can be ordered, by a key or by visible columns.
    fn has_order(&self) -> bool {
        let stand_in = self.stand_in();
        let is_shown = |column: &Column| !schema::is_secret(self, &column.name);
        !self.key.is_empty() || stand_in.is_some_and(is_shown)
    }

    pub(crate) fn column(&self, name: &str) -> Option<&Column> {
        self.columns.iter().find(|column| column.name == name)
    }
}

impl Column {
    /// Whether the database only allows values from a list.
    fn is_enumeration(&self) -> bool {
        matches!(self.column_type, ColumnType::Enum { .. }) || self.declared.starts_with("enum (")
    }
}

impl Database {
    pub(crate) async fn open(url: &str) -> Result<Self> {
        let cannot = || {
            format!(
                "cannot open the database `{}`; a URL is `sqlite:FILE`, `postgres://…` or `mysql://…`",
                Secret::from(url).as_shown_url()
            )
        };
        if let Some(missing) = missing_file(url) {
            return Err(anyhow!(missing)).with_context(cannot);
        }
        reach(url).await.with_context(cannot)?;
        let mut options = ConnectOptions::new(existing(url));
        options.max_connections(1).sqlx_logging(false);
        let connection = sea_orm::Database::connect(options).await;
        let connection = connection
            .map_err(|error| without_url(error, &existing(url)))
            .with_context(cannot)?;
        Ok(Self {
            connection,
            url: existing(url),
        })
    }

    /// The URL with which it was opened, which does not create anything.
    pub(crate) fn url(&self) -> String {
        self.url.clone()
    }

    /// Its name for people: the name of its file, or its name on the server.
    pub(crate) fn name(&self) -> String {
        let address = self.url.split(['?', '#']).next().unwrap_or_default();
        let last = address.rsplit(['/', ':', '\\']).next().unwrap_or_default();
        let name = match self.backend() {
            DbBackend::Sqlite => last.rsplit_once('.').map_or(last, |(name, _)| name),
            _ => last,
        };
        let name = if name.is_empty() { "database" } else { name };
        name.to_owned()
    }

    /// The connection itself.
    pub(crate) fn connection(&self) -> &DatabaseConnection {
        &self.connection
    }

    /// Every table and view, without partitions.
    pub(crate) async fn tables(&self) -> Result<Vec<Table>> {
        let mut tables = self.tables_and_parts().await?;
        tables.retain(|table| !table.part);
        Ok(tables)
    }

    /// Every table and view, with partitions.
    pub(crate) async fn tables_and_parts(&self) -> Result<Vec<Table>> {
        read::tables(&self.connection).await
    }

    /// Gives views and tables without a primary key another key that identifies their rows, if there is one.
    pub(crate) async fn find_keys(&self, tables: &mut [Table]) -> Result<Vec<String>> {
        keys::find_keys(&self.connection, tables).await
    }

    /// The names of all indexes.
    pub(crate) async fn index_names(&self) -> Result<IndexNames> {
        Ok(listing::indexes::index_names(&self.connection).await?)
    }

    /// Counts the rows of each table that may be read.
    pub(crate) async fn count_rows(&self, tables: &mut [Table]) {
        for table in tables.iter_mut().filter(|table| !table.view) {
            let one = Query::select().expr(Expr::val(1)).take();
            let some = table.rows_of(one, MOST_ROWS);
            let count = Query::select()
                .expr(Expr::cust("COUNT(*)"))
                .from_subquery(some, "some_rows")
                .take();
            let row = self.connection.query_one(&count).await.ok().flatten();
            let count = row.and_then(|row| row.try_get_by_index::<i64>(0).ok());
            table.rows = count.and_then(|count| u64::try_from(count).ok());
        }
    }

    /// Finds the columns of each table with few distinct values.
    pub(crate) async fn find_repeating(&self, tables: &mut [Table]) {
        sample::find_repeating(&self.connection, tables).await;
    }

    /// The kind of database.
    pub(crate) fn backend(&self) -> DbBackend {
        self.connection.get_database_backend()
    }

    /// The database's own plan for a statement.
    pub(crate) async fn plan(&self, statement: &str) -> Result<Vec<String>> {
        let backend = self.connection.get_database_backend();
        let explain = match backend {
            DbBackend::Sqlite => "EXPLAIN QUERY PLAN",
            _ => "EXPLAIN",
        };
        let statement = format!("{explain} {statement}");
        let statement = sea_orm::Statement::from_string(backend, statement);
        let rows = self.connection.query_all_raw(statement).await?;
        let line = |row: &QueryResult| -> Result<String> {
            match backend {
                DbBackend::Postgres => Ok(row.try_get_by_index(0)?),
                DbBackend::Sqlite => Ok(row.try_get("", "detail")?),
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
}

/// What is wrong with the URL of a SQLite file: the file does not exist, or the text is not a URL.
fn missing_file(url: &str) -> Option<String> {
    let Some(file) = url.strip_prefix("sqlite:") else {
        let is_file = !url.contains(':') && Path::new(url).is_file();
        return is_file.then(|| format!("did you mean `sqlite:{url}`?"));
    };
    let file = file.split('?').next().unwrap_or_default();
    let file = file.strip_prefix("//").unwrap_or(file);
    let is_in_memory = file.is_empty() || file == ":memory:";
    (!is_in_memory && !Path::new(file).exists()).then(|| format!("there is no file `{file}`"))
}

/// The URL of an existing database: reading must not create one.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_is_missing_is_named() {
        let here = tempfile::NamedTempFile::new().unwrap();
        let here = here.path().to_str().unwrap();
        for (url, said) in [
            (
                "sqlite:missing.sqlite",
                Some("there is no file `missing.sqlite`".into()),
            ),
            (
                "sqlite:///no/such?mode=rw",
                Some("there is no file `/no/such`".into()),
            ),
            ("sqlite::memory:", None),
            ("sqlite://?mode=memory", None),
            (&format!("sqlite:{here}"), None),
            (here, Some(format!("did you mean `sqlite:{here}`?"))),
            ("missing.sqlite", None),
            ("postgres://host/db", None),
        ] {
            assert_eq!(missing_file(url), said, "{url}");
        }
    }

    #[test]
    fn looking_at_a_file_does_not_create_it() {
        assert_eq!(existing("sqlite:a.db"), "sqlite:a.db?mode=rw");
        assert_eq!(existing("sqlite:a.db?mode=rwc"), "sqlite:a.db?mode=rw");
        assert_eq!(existing("sqlite:a.db?x=1"), "sqlite:a.db?x=1&mode=rw");
        assert_eq!(existing("mysql://h/d"), "mysql://h/d");
    }
}
