//! Gives every table its own module.

use std::collections::BTreeSet;

use super::Table;
use crate::naming;

/// The module of each table, by its place among the tables.
#[derive(Debug)]
pub(crate) struct Modules(Vec<String>);

/// Names of files and folders of the application, and of crates that the files next to the modules import.
const TAKEN: &[&str] = &[
    "mod",
    "enums",
    "main",
    "lib",
    "prelude",
    "entity",
    "listings",
    "resources",
    "axum",
    "listing_axum",
    "sea_orm",
];

impl Modules {
    /// The singular of the table's name; where two tables would share it, with the schema or as the table is written.
    pub(crate) fn of_tables(tables: &[Table]) -> Self {
        let mut taken: BTreeSet<String> = TAKEN.iter().map(|name| (*name).to_owned()).collect();
        let modules = tables.iter().map(|table| {
            let singular = naming::module(&table.name);
            let schema = table.schema.iter();
            let with_schema = schema.map(|schema| naming::module(&format!("{schema}_{singular}")));
            let as_written = naming::field(&table.name);
            let as_written = as_written.trim_start_matches("r#").to_owned();
            let numbered = (2..).map(|number| format!("{singular}_{number}"));
            let mut names = std::iter::once(singular.clone())
                .chain(with_schema)
                .chain(as_written.is_ascii().then_some(as_written))
                .chain([format!("{singular}_table")])
                .chain(numbered);
            let free = names.find(|name| taken.insert(name.clone()));
            free.unwrap_or_default()
        });
        Self(modules.collect())
    }

    /// The same, with a module that was named.
    pub(crate) fn with(mut self, table: usize, module: &str) -> Self {
        module.clone_into(&mut self.0[table]);
        self
    }

    pub(crate) fn of(&self, table: usize) -> &str {
        &self.0[table]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rules b362, b480.
    #[test]
    fn no_two_tables_share_a_module() {
        let table = |schema: Option<&str>, name: &str| Table {
            schema: schema.map(str::to_owned),
            name: name.to_owned(),
            ..Table::default()
        };
        let tables = [
            table(None, "user"),
            table(None, "users"),
            table(Some("hr"), "users"),
            table(None, "mod"),
            // b480
            table(None, "entities"),
            table(None, "listings"),
            table(None, "listing"),
            table(None, "sea_orm"),
        ];
        let modules = Modules::of_tables(&tables);
        let names: Vec<_> = (0..tables.len()).map(|at| modules.of(at)).collect();
        let wanted = [
            "user",
            "users",
            "hr_user",
            "mod_table",
            "entities",
            "listing",
            "listing_table",
            "sea_orm_table",
        ];
        assert_eq!(names, wanted);
    }
}
