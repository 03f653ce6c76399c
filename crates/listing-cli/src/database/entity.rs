//! Writes the source of an entity from a table, with foreign keys as relations.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use anyhow::{Result, bail};
use listing::nearest;

use super::{Column, ForeignKey, Table, kind_of};
use crate::naming;

/// The source of a table's entity, and what could not be taken over. A relation is written where the other entity is
/// there, because it has to compile.
pub(crate) fn entity_source(
    tables: &[Table],
    name: &str,
    is_there: &dyn Fn(&str) -> bool,
) -> Result<(String, Vec<String>)> {
    let Some(table) = tables.iter().find(|table| table.name == name) else {
        let known: Vec<_> = tables.iter().map(|table| table.name.as_str()).collect();
        let remedy = match nearest(name, known.iter().copied()) {
            Some(near) => format!("did you mean `--table {near}`?"),
            None => format!("there are: {}", known.join(", ")),
        };
        bail!("the database has no table `{name}`; {remedy}");
    };
    let mut notes = Vec::new();
    let mut fields = String::new();
    let mut exact = true;
    for column in &table.columns {
        let Some((rust_type, declared)) = rust_type(column) else {
            notes.push(format!(
                "`{name}.{}` has the type `{}`, which has no counterpart: add the field by hand",
                column.name, column.declared
            ));
            continue;
        };
        exact &= !["f32", "f64"].contains(&rust_type);
        fields.push_str(&field(table, column, rust_type, &declared));
    }
    let mut taken: BTreeSet<String> = table.columns.iter().map(|c| c.name.clone()).collect();
    for key in &table.foreign_keys {
        let module = naming::module(&key.table);
        if key.columns.len() != 1 {
            notes.push(format!(
                "the foreign key to `{}` has several columns: no relation",
                key.table
            ));
        } else if key.table != name && !is_there(&module) {
            notes.push(format!(
                "`{}` leads to `{}`, which has no entity yet: make it, then make this again with `--force`",
                key.columns[0], key.table
            ));
        } else {
            fields.push_str(&relation(table, tables, key, &module, &mut taken));
        }
    }
    let equality = if exact { ", Eq" } else { "" };
    let one = naming::sentence(&naming::module(name)).to_lowercase();
    let article = if one.starts_with(['a', 'e', 'i', 'o', 'u']) {
        "An"
    } else {
        "A"
    };
    let source = format!(
        "//! In: rows of `{name}`. Out: their entity.\n\n\
         use sea_orm::entity::prelude::*;\n\n\
         /// {article} {one}.\n\
         #[sea_orm::model]\n\
         #[derive(Clone, Debug, PartialEq{equality}, DeriveEntityModel, listing::NamedRelations)]\n\
         #[sea_orm(table_name = \"{name}\")]\n\
         pub struct Model {{\n{fields}}}\n\n\
         impl ActiveModelBehavior for ActiveModel {{}}\n"
    );
    Ok((source, notes))
}

fn field(table: &Table, column: &Column, rust_type: &str, declared: &str) -> String {
    let is_key = table.key.contains(&column.name);
    let is_unique = table
        .indexes
        .iter()
        .any(|index| index.unique && index.columns == [column.name.as_str()]);
    let mut attributes = Vec::new();
    let name = naming::identifier(&column.name);
    if name.trim_start_matches("r#") != column.name {
        attributes.push(format!("column_name = \"{}\"", column.name));
    }
    if is_key {
        attributes.push("primary_key".to_owned());
        if !rust_type.starts_with(['i', 'u']) || table.key.len() > 1 {
            attributes.push("auto_increment = false".to_owned());
        }
    } else if is_unique {
        attributes.push("unique".to_owned());
    }
    if !declared.is_empty() {
        attributes.push(format!("column_type = \"{declared}\""));
    }
    let nullable = column.nullable && !is_key;
    if nullable && !declared.is_empty() {
        attributes.push("nullable".to_owned());
    }
    let ty = if nullable {
        format!("Option<{rust_type}>")
    } else {
        rust_type.to_owned()
    };
    let mut text = format!("    /// Column `{}`.\n", column.name);
    if !attributes.is_empty() {
        let _ = writeln!(text, "    #[sea_orm({})]", attributes.join(", "));
    }
    let _ = writeln!(text, "    pub {name}: {ty},");
    text
}

fn relation(
    table: &Table,
    tables: &[Table],
    key: &ForeignKey,
    module: &str,
    taken: &mut BTreeSet<String>,
) -> String {
    let column = &key.columns[0];
    let wanted = column.strip_suffix("_id").unwrap_or(module).to_owned();
    let name = if taken.contains(&wanted) {
        format!("{wanted}_{module}")
    } else {
        wanted
    };
    taken.insert(name.clone());
    let to = match key.references.first() {
        Some(to) => to.clone(),
        None => tables
            .iter()
            .find(|other| other.name == key.table)
            .and_then(|other| other.key.first().cloned())
            .unwrap_or_else(|| "id".to_owned()),
    };
    let nullable = table.column(column).is_some_and(|column| column.nullable);
    let to_self = key.table == table.name;
    let target = if to_self {
        "Entity".to_owned()
    } else {
        format!("super::{module}::Entity")
    };
    let target = if nullable {
        format!("Option<{target}>")
    } else {
        target
    };
    // SeaORM names a relation by its entity; two that lead to one need names of their own.
    let to_same = table
        .foreign_keys
        .iter()
        .filter(|other| other.table == key.table);
    let mut attributes = Vec::new();
    if to_self {
        attributes.push("self_ref".to_owned());
    }
    attributes.push("belongs_to".to_owned());
    if to_self || to_same.count() > 1 {
        attributes.push(format!("relation_enum = \"{}\"", naming::camel(&name)));
    }
    attributes.push(format!("from = \"{column}\""));
    attributes.push(format!("to = \"{to}\""));
    format!(
        "    /// Relation `{name}`.\n    #[sea_orm({})]\n    pub {name}: BelongsTo<{target}>,\n",
        attributes.join(", ")
    )
}

/// The Rust type of a column, and its declared type where the Rust type alone does not say it.
fn rust_type(column: &Column) -> Option<(&'static str, String)> {
    let declared = column.declared.as_str();
    let name = declared.split(['(', ' ']).next().unwrap_or_default();
    let unsigned = declared.contains("unsigned");
    let numbers: Vec<u32> = declared
        .split(|letter: char| !letter.is_ascii_digit())
        .filter_map(|digits| digits.parse().ok())
        .collect();
    let plain = |ty| Some((ty, String::new()));
    match kind_of(declared)? {
        "integer" => plain(match (name, unsigned) {
            ("tinyint", false) => "i8",
            ("tinyint", true) => "u8",
            ("smallint" | "int2" | "year", false) => "i16",
            ("smallint" | "int2" | "year", true) => "u16",
            ("bigint" | "int8" | "bigserial", false) => "i64",
            ("bigint" | "int8" | "bigserial", true) => "u64",
            (_, true) => "u32",
            _ => "i32",
        }),
        "float" => plain(if ["float", "float4"].contains(&name) {
            "f32"
        } else {
            "f64"
        }),
        "decimal" => {
            let size = match numbers[..] {
                [precision, scale] => format!("Some(({precision}, {scale}))"),
                [precision] => format!("Some(({precision}, 0))"),
                _ => "None".to_owned(),
            };
            Some(("Decimal", format!("Decimal({size})")))
        }
        "boolean" => plain("bool"),
        "text" if name.contains("text") || name == "clob" => Some(("String", "Text".to_owned())),
        "text" => Some((
            "String",
            match numbers[..] {
                [length] => format!("String(StringLen::N({length}))"),
                _ => String::new(),
            },
        )),
        "enum" => plain("String"),
        "uuid" => plain("Uuid"),
        "date" => plain("Date"),
        "time" => plain("Time"),
        "timestamp" => plain(if declared.contains("zone") || name == "timestamptz" {
            "DateTimeUtc"
        } else {
            "DateTime"
        }),
        "json" => plain("Json"),
        "binary" => plain("Vec<u8>"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(name: &str, declared: &str, nullable: bool) -> Column {
        Column {
            name: name.to_owned(),
            declared: declared.to_owned(),
            nullable,
        }
    }

    fn orders() -> Vec<Table> {
        let key = |column: &str, table: &str| ForeignKey {
            columns: vec![column.to_owned()],
            table: table.to_owned(),
            references: vec!["id".to_owned()],
        };
        vec![Table {
            name: "orders".to_owned(),
            columns: vec![
                column("id", "bigint", false),
                column("customer_id", "bigint", false),
                column("parent_id", "bigint", true),
                column("type", "varchar(20)", false),
                column("total", "numeric(10,2)", true),
                column("place", "point", true),
            ],
            key: vec!["id".to_owned()],
            indexes: Vec::new(),
            foreign_keys: vec![key("customer_id", "customers"), key("parent_id", "orders")],
        }]
    }

    #[test]
    fn a_table_becomes_an_entity_that_says_what_it_lacks() {
        let (source, notes) = entity_source(&orders(), "orders", &|_| false).unwrap();
        for line in [
            "#[sea_orm(table_name = \"orders\")]",
            "#[sea_orm(primary_key)]\n    pub id: i64,",
            "#[sea_orm(column_type = \"String(StringLen::N(20))\")]\n    pub r#type: String,",
            "#[sea_orm(column_type = \"Decimal(Some((10, 2)))\", nullable)]\n    pub total: Option<Decimal>,",
            "pub parent: BelongsTo<Option<Entity>>,",
        ] {
            assert!(source.contains(line), "{line}\n{source}");
        }
        assert!(!source.contains("customer:"), "{source}");
        assert_eq!(notes.len(), 2, "{notes:?}");
        assert!(notes.iter().any(|note| note.contains("`point`")));
        assert!(notes.iter().any(|note| note.contains("`customers`")));
    }

    #[test]
    fn a_foreign_key_is_a_relation_where_the_other_entity_is_there() {
        let (source, _) =
            entity_source(&orders(), "orders", &|module| module == "customer").unwrap();
        let line = "#[sea_orm(belongs_to, from = \"customer_id\", to = \"id\")]\n    \
                    pub customer: BelongsTo<super::customer::Entity>,";
        assert!(source.contains(line), "{source}");
    }

    #[test]
    fn an_unknown_table_is_named_with_the_nearest() {
        let error = entity_source(&orders(), "order", &|_| false).unwrap_err();
        assert!(error.to_string().contains("--table orders"), "{error}");
    }
}
