//! The tables of a database that can be served, with the modules, relations and names that they have.

use anyhow::{Result, bail};
use sea_orm::DbBackend;

use super::modules::Modules;
use super::{Database, Table};
use crate::make::judge::is_secret_name;
use crate::make::resource;
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
        let is_secret = |part: &&String| is_secret_name(&naming::field(part));
        if let Some(column) = table.unusable_key() {
            notes.push(format!(
                "the table `{name}` is left out: its key `{}` is of the type `{}`, by which records cannot be addressed",
                column.name, column.declared
            ));
        } else if let Some(secret) = table.key.iter().find(is_secret) {
            notes.push(format!(
                "the table `{name}` is left out: its key `{secret}` looks like a secret, and would be shown as `id`"
            ));
        } else {
            kept.push(table);
        }
    }
    kept
}
