//! The tables of a database that can be served, with the modules, relations and names that they have.

use anyhow::{Result, bail};
use listing::Kind;
use sea_orm::DbBackend;
use sea_orm::sea_query::ColumnType;

use super::modules::Modules;
use super::{Database, Table};
use crate::make::resource;
use crate::make::secrets::{self, Subject, Values};
use crate::{naming, terminal};

/// What is served of a database.
#[derive(Debug)]
pub(crate) struct Schema {
    pub(crate) tables: Vec<Table>,
    pub(crate) modules: Modules,
    pub(crate) backend: DbBackend,
    /// What was left out, and why.
    pub(crate) notes: Vec<String>,
}

impl Schema {
    /// Reads it, with the tables that are named and no others, or with all of them.
    pub(crate) async fn read(database: &Database, only: &[String]) -> Result<Self> {
        let _progress = terminal::Progress::new("reading the schema");
        let mut tables = database.tables().await?;
        tables.retain(|table| table.name != "seaql_migrations");
        if !only.is_empty() {
            tables = chosen(tables, only)?;
        }
        let mut notes = database.find_keys(&mut tables).await?;
        let tables = usable(tables, &mut notes);
        if tables.is_empty() {
            bail!("the database has no table that can be served");
        }
        Ok(Self {
            modules: Modules::of_tables(&tables),
            backend: database.backend(),
            tables,
            notes,
        })
    }

    /// Whether some column is not in snake case, the one form that clients then see.
    pub(crate) fn needs_snake_case(&self) -> bool {
        let is_snake = |name: &str| naming::field(name).trim_start_matches("r#") == name;
        let mut columns = self.tables.iter().flat_map(|table| &table.columns);
        !columns.all(|column| is_snake(&column.name))
    }

    /// The segment of a table's path, where it is not its name.
    pub(crate) fn segment(&self, at: usize) -> Option<String> {
        let table = &self.tables[at];
        if let Some(schema) = &table.schema {
            let segment = naming::field(&format!("{schema}_{}", table.name));
            return Some(segment.trim_start_matches("r#").to_owned());
        }
        resource::segment(&table.name, self.modules.of(at))
    }
}

/// The tables that are named, as `table` or `schema.table`.
fn chosen(tables: Vec<Table>, only: &[String]) -> Result<Vec<Table>> {
    for name in only {
        if !tables.iter().any(|table| table.is_named(name)) {
            let known = tables.iter().map(Table::full_name);
            let known: Vec<_> = known.collect();
            match listing::nearest(name, known.iter().map(String::as_str)) {
                Some(near) => bail!("the database has no table `{name}`; did you mean `{near}`?"),
                None => bail!(
                    "the database has no table `{name}`; its tables are: {}",
                    known.join(", ")
                ),
            }
        }
    }
    let is_chosen = |table: &Table| only.iter().any(|name| table.is_named(name));
    Ok(tables.into_iter().filter(is_chosen).collect())
}

/// The tables that have a key by which rows can be found again, and that may be shown.
fn usable(tables: Vec<Table>, notes: &mut Vec<String>) -> Vec<Table> {
    let mut kept = Vec::new();
    for table in tables {
        // It was told that there is none.
        if table.key.is_empty() {
            continue;
        }
        let name = &table.name;
        if let Some(column) = table.unusable_key() {
            notes.push(format!(
                "the table `{name}` is left out: its key `{}` is of the type `{}`, by which records cannot be addressed",
                column.name, column.declared
            ));
        } else if let Some(secret) = table.key.iter().find(|part| is_secret(&table, part)) {
            notes.push(format!(
                "the table `{name}` is left out: its key `{secret}` looks like a secret, and would be shown as `id`"
            ));
        } else {
            kept.push(table);
        }
    }
    kept
}

/// Whether a part of a table's key looks like a secret.
fn is_secret(table: &Table, part: &str) -> bool {
    let is_part = |columns: &[String]| columns.iter().any(|column| column == part);
    let mut columns = table.columns.iter();
    let Some(column) = columns.find(|column| column.name == part) else {
        return false;
    };
    let values = match listing::kind_of(&column.column_type) {
        Kind::Integer | Kind::Float32 | Kind::Float64 | Kind::Decimal { .. } => Values::Number,
        Kind::Boolean | Kind::Date | Kind::Time | Kind::Timestamp | Kind::Enum(_) => {
            Values::Harmless
        }
        Kind::Uuid => Values::Uuid,
        Kind::Binary if column.column_type == ColumnType::Binary(16) => Values::Uuid,
        Kind::Binary => Values::Bytes(None),
        _ => Values::Text(None),
    };
    let subject = Subject {
        table: &table.name,
        column: part,
        values,
        // Its size does not matter: rows can be known by a hash.
        is_key: table.foreign_keys.iter().any(|key| is_part(&key.columns)),
        next_to_secret: table.columns.iter().any(|column| column.name == "secret"),
    };
    secrets::why(subject).is_some()
}
