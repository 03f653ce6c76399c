//! Reads the tables, columns, indexes and foreign keys of a database, in one form for all three.

mod entity;
mod mend;
mod read;
mod types;

pub(crate) use entity::entity_source;
pub(crate) use types::kind;

use std::net::ToSocketAddrs as _;

use anyhow::{Context, Result, anyhow};
use sea_orm::sea_query::ColumnType;
use sea_orm::{ConnectOptions, ConnectionTrait, DatabaseConnection, DbBackend, QueryResult};

/// An open database.
#[derive(Debug)]
pub(crate) struct Database {
    connection: DatabaseConnection,
}

/// A table as the database has it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Table {
    pub(crate) name: String,
    pub(crate) columns: Vec<Column>,
    /// The columns of the primary key.
    pub(crate) key: Vec<String>,
    pub(crate) indexes: Vec<Index>,
    pub(crate) foreign_keys: Vec<ForeignKey>,
}

#[derive(Debug, Clone)]
pub(crate) struct Column {
    pub(crate) name: String,
    /// Its type in SeaORM's vocabulary.
    pub(crate) column_type: ColumnType,
    /// Its type in the database's own words: `varchar(255)`.
    pub(crate) declared: String,
    pub(crate) nullable: bool,
    pub(crate) default: Option<DefaultValue>,
    /// Whether the database numbers new rows by it.
    pub(crate) numbered: bool,
    /// Whether the database computes it from other columns.
    pub(crate) computed: bool,
}

/// What a column holds where an insert names no value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum DefaultValue {
    Integer(i64),
    Text(String),
    Boolean(bool),
    Now,
    /// SQL.
    Expression(String),
}

/// An index over whole columns and all rows; others cannot serve a listing.
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
        let cannot = || {
            format!(
                "cannot open the database `{}`; a URL is `sqlite:FILE`, `postgres://…` or `mysql://…`",
                without_password(url)
            )
        };
        answers(url).with_context(cannot)?;
        let mut options = ConnectOptions::new(existing(url));
        options.max_connections(1).sqlx_logging(false);
        let connection = sea_orm::Database::connect(options)
            .await
            .with_context(cannot)?;
        Ok(Self { connection })
    }

    /// Every table on the search path.
    pub(crate) async fn tables(&self) -> Result<Vec<Table>> {
        read::tables(&self.connection).await
    }

    /// How the database would run a statement, in its own words.
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

/// Whether a server listens at the address in the URL. The pool of connections takes a refusal for a server that is
/// still starting, and tries again for half a minute.
fn answers(url: &str) -> Result<()> {
    let Some((scheme, rest)) = url.split_once("://") else {
        return Ok(());
    };
    let port = match scheme {
        "postgres" | "postgresql" => 5432,
        "mysql" | "mariadb" => 3306,
        _ => return Ok(()),
    };
    let authority = rest.split(['/', '?']).next().unwrap_or_default();
    let host = authority.rsplit('@').next().unwrap_or_default();
    // A socket in the file system, or a host that is named by a parameter.
    if host.is_empty() || host.contains('%') || url.contains("host=") || url.contains("socket=") {
        return Ok(());
    }
    let has_port = host
        .rsplit_once(':')
        .is_some_and(|(_, port)| port.parse::<u16>().is_ok());
    let address = if has_port {
        host.to_owned()
    } else {
        format!("{host}:{port}")
    };
    let mut failed = anyhow!("{address} has no address");
    for target in address.to_socket_addrs()? {
        let limit = std::time::Duration::from_secs(5);
        match std::net::TcpStream::connect_timeout(&target, limit) {
            Ok(_) => return Ok(()),
            Err(error) => failed = anyhow!("{address}: {error}"),
        }
    }
    Err(failed)
}

/// The URL of a database that exists: reading one should not create it.
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

/// A URL that can be shown: without the password, and without parameters, which may hold one too.
pub(crate) fn without_password(url: &str) -> String {
    let Some((scheme, rest)) = url.split_once("://") else {
        return url.to_owned();
    };
    let shown = rest.split('?').next().unwrap_or_default();
    match shown.rsplit_once('@') {
        Some((user, host)) => {
            let user = user.split(':').next().unwrap_or_default();
            format!("{scheme}://{user}@{host}")
        }
        None => format!("{scheme}://{shown}"),
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
        assert_eq!(without_password("mysql://me:p@w:x@h/d"), "mysql://me@h/d");
        assert_eq!(
            without_password("postgres://h/d?user=me&password=pw"),
            "postgres://h/d"
        );
        assert_eq!(without_password("sqlite:a.db"), "sqlite:a.db");
    }

    #[test]
    fn b220_a_server_that_is_not_there_is_told_at_once() {
        let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let address = free.local_addr().unwrap();
        assert!(answers(&format!("postgres://me:pw@{address}/d")).is_ok());
        drop(free);
        let begun = std::time::Instant::now();
        let error = answers(&format!("mysql://me:pw@{address}/d")).unwrap_err();
        assert!(error.to_string().contains("refused"), "{error}");
        assert!(begun.elapsed() < std::time::Duration::from_secs(5));
        // Neither a file nor a socket has a port.
        assert!(answers("sqlite:a.db").is_ok());
        assert!(answers("postgres://%2Fvar%2Frun/d").is_ok());
    }
}
