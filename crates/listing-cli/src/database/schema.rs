//! The tables of a database that can be served, with the modules, relations and names that they have.

use std::collections::BTreeSet;

use ::listing::Names;
use anyhow::{Result, bail};
use listing::Kind;
use sea_orm::DbBackend;
use sea_orm::sea_query::ColumnType;

use super::modules::Modules;
use super::{Database, Table};
use crate::model::secrets::{self, Subject, Values};
use crate::{naming, terminal};

/// The served part of a database.
#[derive(Debug)]
pub(crate) struct Schema {
    pub(crate) tables: Vec<Table>,
    pub(crate) modules: Modules,
    pub(crate) backend: DbBackend,
    /// The omitted parts, with the reasons.
    pub(crate) notes: Vec<String>,
}

/// The requested tables; without a name, all of them.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Wanted<'a> {
    /// These and no others.
    pub(crate) only: &'a [String],
    /// Not these.
    pub(crate) except: &'a [String],
}

impl Schema {
    /// Reads it, with the tables that are wanted.
    pub(crate) async fn read(database: &Database, wanted: Wanted<'_>) -> Result<Self> {
        let _progress = terminal::Progress::new("reading the schema");
        let mut tables = database.tables().await?;
        tables.retain(|table| table.name != "seaql_migrations");
        all_are_known(&tables, wanted.only)?;
        all_are_known(&tables, wanted.except)?;
        let is_in = |table: &Table, names: &[String]| names.iter().any(|name| table.is_named(name));
        tables.retain(|table| {
            (wanted.only.is_empty() || is_in(table, wanted.only)) && !is_in(table, wanted.except)
        });
        let mut notes = database.find_keys(&mut tables).await?;
        let tables = usable(tables, &mut notes);
        Self::of(tables, database.backend(), notes)
    }

    pub(crate) fn of(tables: Vec<Table>, backend: DbBackend, notes: Vec<String>) -> Result<Self> {
        if tables.is_empty() {
            bail!(
                "the database has no table that can be served{}",
                notes
                    .iter()
                    .fold(String::new(), |all, note| all + "\n  " + note)
            );
        }
        Ok(Self {
            modules: Modules::of_tables(&tables),
            backend,
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

    /// The form in which clients see names.
    pub(crate) fn names(&self) -> Names {
        match self.needs_snake_case() {
            true => Names::SnakeCase,
            false => Names::AsDefined,
        }
    }

    /// The segment of each table's path, where it is not its name: no two tables have the same (b571).
    pub(crate) fn segments(&self) -> Vec<Option<String>> {
        let own = |at: usize| {
            let table = &self.tables[at];
            let is_plain = naming::segment(&table.name, self.modules.of(at)).is_none();
            let bare = is_plain && table.schema.is_none() && !RESERVED.contains(&&*table.name);
            bare.then(|| table.name.clone())
        };
        let places = 0..self.tables.len();
        let mut taken: BTreeSet<String> = places.clone().filter_map(own).collect();
        taken.extend(RESERVED.iter().map(|name| (*name).to_owned()));
        let segment = |at: usize| {
            if own(at).is_some() {
                return None;
            }
            let (table, module) = (&self.tables[at], self.modules.of(at));
            let wanted = match &table.schema {
                Some(schema) => naming::field(&format!("{schema}_{}", table.name)),
                None => naming::table(module),
            };
            let plain = |name: &str| -> String {
                let name = name.trim_start_matches("r#").chars();
                // A router compares paths as they are sent, in which other letters are percent-encoded.
                name.filter(char::is_ascii).collect()
            };
            let wanted = Some(plain(&wanted)).filter(|name| !name.is_empty());
            let wanted = wanted.unwrap_or_else(|| "table".to_owned());
            let names = [wanted.clone(), plain(module), format!("{wanted}_table")].into_iter();
            let numbered = (2..).map(|number| format!("{wanted}_{number}"));
            let mut names = names.filter(|name| !name.is_empty()).chain(numbered);
            names.find(|name| taken.insert(name.clone()))
        };
        places.map(segment).collect()
    }
}

/// Segments that an application has for itself.
const RESERVED: &[&str] = &["_describe"];

/// Refuses names of tables, as `table` or `schema.table`, that the database does not have.
fn all_are_known(tables: &[Table], names: &[String]) -> Result<()> {
    let is_known = |name: &String| tables.iter().any(|table| table.is_named(name));
    let Some(name) = names.iter().find(|name| !is_known(name)) else {
        return Ok(());
    };
    let known: Vec<_> = tables.iter().map(Table::full_name).collect();
    match listing::nearest(name, known.iter().map(String::as_str)) {
        Some(near) => bail!("the database has no table `{name}`; did you mean `{near}`?"),
        None => bail!(
            "the database has no table `{name}`; its tables are: {}",
            known.join(", ")
        ),
    }
}

/// The tables whose rows can be in an order, and that may be shown.
fn usable(tables: Vec<Table>, notes: &mut Vec<String>) -> Vec<Table> {
    let mut kept = Vec::new();
    for table in tables {
        // It was told that it cannot be read.
        if table.columns.is_empty() {
            continue;
        }
        let name = table.full_name();
        if let Some(secret) = table.key.iter().find(|part| is_secret(&table, part)) {
            notes.push(format!(
                "the table `{name}` is left out: its key `{secret}` looks like a secret, and would be shown as `id`"
            ));
        } else if !table.has_order() {
            notes.push(format!(
                "the table `{name}` is left out: none of its columns can be shown and sorted by"
            ));
        } else {
            kept.push(table);
        }
    }
    kept
}

/// Whether a part of a table's key looks like a secret.
pub(super) fn is_secret(table: &Table, part: &str) -> bool {
    let is_part = |columns: &[String]| columns.iter().any(|column| column == part);
    let mut columns = table.columns.iter();
    let Some(column) = columns.find(|column| column.name == part) else {
        return false;
    };
    let values = match listing::entity::kind_of(&column.column_type) {
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
