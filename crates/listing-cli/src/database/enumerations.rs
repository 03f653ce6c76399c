//! Writes the enumerations of a database as Rust types.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use sea_orm::DbBackend;
use sea_orm::sea_query::ColumnType;

use super::modules::Modules;
use super::relations::free;
use super::{Column, Table};
use crate::naming;

/// Every enumeration of a database, and which columns hold which.
#[derive(Debug, Default)]
pub(crate) struct Enumerations {
    types: BTreeMap<String, Enumeration>,
    columns: BTreeMap<(usize, String), String>,
}

#[derive(Debug)]
struct Enumeration {
    /// Its name in the database.
    name: String,
    values: Vec<String>,
}

/// Types that the source of an entity uses by unqualified names, directly or in the output of its derives.
const TAKEN: &[&str] = &[
    "ActiveBelongsTo",
    "ActiveHasMany",
    "ActiveHasOne",
    "ActiveModel",
    "ActiveModelBehavior",
    "ActiveModelEx",
    "BelongsTo",
    "Box",
    "Column",
    "ColumnTrait",
    "Date",
    "DateTime",
    "DateTimeUtc",
    "DbErr",
    "Decimal",
    "Default",
    "Entity",
    "EntityLoader",
    "EntityLoaderNest",
    "EntityLoaderWith",
    "EntityReverse",
    "EntityTrait",
    "Expr",
    "HasMany",
    "HasOne",
    "Into",
    "Json",
    "Model",
    "ModelEx",
    "Option",
    "PrimaryKey",
    "Related",
    "RelatedEntity",
    "Relation",
    "Result",
    "Set",
    "String",
    "StringLen",
    "Time",
    "TypedColumn",
    "Uuid",
    "Vec",
];

impl Enumerations {
    /// Those of the tables. PostgreSQL has types, which columns share; elsewhere each column has its own.
    pub(crate) fn of_tables(tables: &[Table], modules: &Modules, backend: DbBackend) -> Self {
        let mut all = Self::default();
        let mut known: BTreeMap<String, String> = BTreeMap::new();
        let mut taken: BTreeSet<String> = TAKEN.iter().map(|name| (*name).to_owned()).collect();
        for (at, table) in tables.iter().enumerate() {
            for column in &table.columns {
                let Some((name, values)) = values(column) else {
                    continue;
                };
                let wanted = match backend {
                    DbBackend::Postgres => name.clone(),
                    _ => format!("{}_{}", modules.of(at), column.name),
                };
                let rust_name = match known.get(&wanted) {
                    Some(known) => known.clone(),
                    None => naming::camel(&free(naming::field(&wanted), &mut taken, "enum")),
                };
                known.insert(wanted, rust_name.clone());
                all.columns
                    .insert((at, column.name.clone()), rust_name.clone());
                all.types
                    .entry(rust_name)
                    .or_insert(Enumeration { name, values });
            }
        }
        all
    }

    /// The types of a table's columns that are enumerations.
    pub(crate) fn of_table(&self, table: usize) -> BTreeMap<String, String> {
        let own = self.columns.iter().filter(|((at, _), _)| *at == table);
        own.map(|((_, column), name)| (column.clone(), name.clone()))
            .collect()
    }

    /// The source of every type; `None` if there are no types. With `payloads`, clients can send their values.
    pub(crate) fn source(&self, payloads: bool) -> Option<String> {
        if self.types.is_empty() {
            return None;
        }
        let mut source =
            "//! The enumerations of the database.\n\nuse sea_orm::entity::prelude::*;\n"
                .to_owned();
        for (rust_name, found) in &self.types {
            source.push_str(&found.source(rust_name, payloads));
        }
        Some(source)
    }
}

impl Enumeration {
    fn source(&self, rust_name: &str, payloads: bool) -> String {
        let more = if payloads { ", serde::Deserialize" } else { "" };
        let mut text = format!(
            "\n/// The values of `{}`.\n\
             #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, EnumIter, DeriveActiveEnum{more})]\n\
             #[sea_orm(rs_type = \"String\", db_type = \"Enum\", enum_name = {})]\n\
             pub enum {rust_name} {{\n",
            naming::in_comment(&self.name),
            naming::literal(&self.name),
        );
        let mut taken = BTreeSet::new();
        for (at, value) in self.values.iter().enumerate() {
            let literal = naming::literal(value);
            if at == 0 {
                text.push_str("    #[default]\n");
            }
            let _ = writeln!(text, "    #[sea_orm(string_value = {literal})]");
            if payloads {
                let _ = writeln!(text, "    #[serde(rename = {literal})]");
            }
            let _ = writeln!(text, "    {},", variant(value, &mut taken));
        }
        text.push_str("}\n");
        text
    }
}

/// A variant that no other value has.
fn variant(value: &str, taken: &mut BTreeSet<String>) -> String {
    let plain: String = naming::camel(&naming::field(value))
        .chars()
        .filter(|letter| naming::is_plain(*letter))
        .collect();
    let begins = plain.chars().next().is_some_and(char::is_alphabetic);
    let plain = match plain.as_str() {
        "" | "Column" => "Empty".to_owned(),
        "Self" => "SelfValue".to_owned(),
        _ if !begins => format!("Value{plain}"),
        _ => plain,
    };
    let names = (2..).map(|number| format!("{plain}{number}"));
    let mut names = std::iter::once(plain.clone()).chain(names);
    let found = names.find(|name| taken.insert(name.clone()));
    found.unwrap_or(plain)
}

/// Whether SeaORM can generate a variant for each value: besides ours, its derive writes a second enumeration, of the values in
/// camel case.
pub(super) fn are_variants(values: &[String]) -> bool {
    let mut taken = BTreeSet::from(["Self".to_owned()]);
    values
        .iter()
        .all(|value| taken.insert(in_camel_case(value)))
}

/// A value as SeaORM's derive writes it: what cannot be in a name becomes a number.
fn in_camel_case(value: &str) -> String {
    let written = value.chars().enumerate().map(|(at, letter)| {
        let fits = match at {
            0 => letter.is_alphabetic(),
            _ => true,
        };
        match fits && naming::is_plain(letter) {
            true => letter.to_string(),
            false => format!("{:#X}", u32::from(letter)),
        }
    });
    naming::camel(&written.collect::<String>())
}

/// The name and the values of a column's enumeration.
fn values(column: &Column) -> Option<(String, Vec<String>)> {
    let ColumnType::Enum { name, variants } = &column.column_type else {
        return None;
    };
    let values: Vec<_> = variants.iter().map(ToString::to_string).collect();
    (!values.is_empty()).then(|| (name.to_string(), values))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rule b480.
    #[test]
    fn an_enumeration_has_no_name_that_an_entity_uses() {
        let column = |name: &str| Column {
            name: name.to_owned(),
            column_type: ColumnType::Enum {
                name: name.to_owned().into(),
                variants: vec!["a".to_owned().into()],
            },
            declared: name.to_owned(),
            nullable: false,
            default: None,
            numbered: false,
            computed: false,
            readable_as: &[],
        };
        let tables = [Table {
            name: "things".to_owned(),
            columns: vec![column("result"), column("mood")],
            ..Table::default()
        }];
        let modules = Modules::of_tables(&tables);
        let found = Enumerations::of_tables(&tables, &modules, DbBackend::Postgres).of_table(0);
        assert_eq!(found["result"], "ResultEnum");
        assert_eq!(found["mood"], "Mood");
    }

    /// Rule b509.
    #[test]
    fn values_that_seaorm_cannot_name_are_not_an_enumeration() {
        let are = |values: &[&str]| {
            let values: Vec<_> = values.iter().map(|value| (*value).to_owned()).collect();
            are_variants(&values)
        };
        assert!(are(&[
            "PG", "PG-13", "a b", "a_b", "ab", "", " ", "2fast", "m²", "type"
        ]));
        assert!(!are(&["other", "self"]));
        assert!(!are(&["Self"]));
        assert!(!are(&["abc", "Abc"]));
        assert!(!are(&["ABC", "abc"]));
    }

    /// Rule b364.
    #[test]
    fn every_value_has_a_variant_of_its_own() {
        let mut taken = BTreeSet::new();
        let mut of = |value| variant(value, &mut taken);
        assert_eq!(of("PG-13"), "Pg13");
        assert_eq!(of("pg 13"), "Pg132");
        assert_eq!(of("2fast"), "Column2fast");
        assert_eq!(of("self"), "ColumnSelf");
        assert_eq!(of(""), "Empty");
        assert_eq!(of("type"), "Type");
    }
}
