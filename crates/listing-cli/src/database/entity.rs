//! Writes the source of an entity from a table.

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use super::relations::RelationsOf;
use super::types::{RustType, rust_type};
use super::{Column, DefaultValue, Table};
use crate::model::entity::STANDS_IN;
use crate::naming;

/// The source of an entity, and what could not be taken over.
#[derive(Debug)]
pub(crate) struct Written {
    pub(crate) source: String,
    pub(crate) notes: Vec<String>,
    /// Whether it has a list of values, for which SeaORM has a feature.
    pub(crate) arrays: bool,
}

/// The source of a table's entity. `enumerations` has the types of columns that are enumerations.
pub(crate) fn entity_source(
    table: &Table,
    relations: &RelationsOf,
    enumerations: &BTreeMap<String, String>,
) -> Written {
    let name = &table.name;
    let mut notes = Vec::new();
    let mut fields = String::new();
    let mut uses = BTreeSet::new();
    let (mut exact, mut arrays) = (true, false);
    let names = table.fields();
    for column in &table.columns {
        let enumeration = enumerations.get(&column.name);
        let chosen = match enumeration {
            Some(name) => Some(RustType::plain(name)),
            None => rust_type(&column.column_type),
        };
        let Some(chosen) = chosen else {
            notes.push(format!(
                "`{name}.{}` has the type `{}`, which SeaORM cannot read: the field is left out",
                column.name, column.declared
            ));
            continue;
        };
        if enumeration.is_none() && column.is_enumeration() {
            notes.push(format!(
                "`{name}.{}` is text: SeaORM has no names for the values of its enumeration, of which two differ only in case \
                 or one is `self`",
                column.name
            ));
        }
        uses.extend(enumeration.cloned());
        arrays |= chosen.name.starts_with("Vec<") && chosen.name != "Vec<u8>";
        exact &= !["f32", "f64", "Vec<f32>", "Vec<f64>"].contains(&chosen.name.as_str());
        let named = &names[column.name.as_str()];
        fields.push_str(&field(table, column, named, &chosen));
    }
    fields.push_str(&relations.fields);
    notes.extend(relations.notes.iter().cloned());
    let equality = if exact { ", Eq" } else { "" };
    let uses = match uses.len() {
        0 => String::new(),
        1 => format!("\nuse super::enums::{};\n", Vec::from_iter(uses).concat()),
        _ => format!(
            "\nuse super::enums::{{{}}};\n",
            Vec::from_iter(uses).join(", ")
        ),
    };
    let schema = match &table.schema {
        Some(schema) => format!("schema_name = {}, ", naming::literal(schema)),
        None => String::new(),
    };
    let source = format!(
        "//! The entity of the {what} `{shown}`.\n\n\
         use sea_orm::entity::prelude::*;\n{uses}\n\
         /// A row of `{shown}`.\n\
         #[sea_orm::model]\n\
         #[derive(Clone, Debug, PartialEq{equality}, DeriveEntityModel, listing::NamedRelations)]\n\
         #[sea_orm({schema}table_name = {literal})]\n\
         pub struct Model {{\n{fields}}}\n\n\
         impl ActiveModelBehavior for ActiveModel {{}}\n",
        what = if table.view { "view" } else { "table" },
        shown = naming::in_comment(name),
        literal = naming::literal(name),
    );
    Written {
        source,
        notes,
        arrays,
    }
}

/// A note for each table that links this one with others and has no other columns.
pub(crate) fn links(tables: &[Table], name: &str) -> Vec<String> {
    let mut notes = Vec::new();
    for link in tables.iter().filter(|table| table.name != name) {
        let [one, other] = &link.foreign_keys[..] else {
            continue;
        };
        let target = match (one.table == name, other.table == name) {
            (true, false) => &other.table,
            (false, true) => &one.table,
            _ => continue,
        };
        let is_link = |column: &&Column| {
            one.columns.contains(&column.name) || other.columns.contains(&column.name)
        };
        let in_key = |column: &&Column| link.key.contains(&column.name);
        if link.key.len() == 2 && link.columns.iter().filter(is_link).all(|c| in_key(&c)) {
            notes.push(format!(
                "`{}` links this table with `{target}`, many to many; it is not a relation yet. Write its entity and add \
                 `#[sea_orm(has_many, via = \"{}\")] pub {}: HasMany<super::{}::Entity>`",
                link.name,
                naming::module(&link.name),
                naming::identifier(&naming::table(target)),
                naming::identifier(&naming::module(target)),
            ));
        }
    }
    notes
}

fn field(table: &Table, column: &Column, name: &str, rust_type: &RustType) -> String {
    let stand_in = table.stand_in();
    let stands_in = stand_in.is_some_and(|known| known.name == column.name);
    let is_key = table.key.contains(&column.name) || stands_in;
    let mut attributes = Vec::new();
    if name != column.name {
        attributes.push(format!("column_name = {}", naming::literal(&column.name)));
    }
    if is_key {
        attributes.push("primary_key".to_owned());
        if !column.numbered || table.key.len() != 1 {
            attributes.push("auto_increment = false".to_owned());
        }
    } else if table.is_unique(&column.name) {
        attributes.push("unique".to_owned());
    }
    if let Some(declared) = &rust_type.column_type {
        attributes.push(format!("column_type = \"{declared}\""));
    }
    let nullable = table.is_optional(column);
    if nullable && rust_type.column_type.is_some() {
        attributes.push("nullable".to_owned());
    }
    if let Some((read, written)) = &rust_type.casts {
        let written = naming::literal(written);
        attributes.push(format!("select_as = \"{read}\", save_as = {written}"));
    }
    // By this word a payload knows that the field is not for clients. A key of one column says it by being numbered.
    let alone = is_key && table.key.len() == 1;
    if (column.computed && !table.view) || (column.numbered && !alone) {
        attributes.push("extra = \"GENERATED ALWAYS\"".to_owned());
    } else if let Some(value) = &column.default {
        attributes.push(default_value(value));
    }
    let ty = if nullable {
        format!("Option<{}>", rust_type.name)
    } else {
        rust_type.name.clone()
    };
    let mut text = String::new();
    if stands_in {
        let _ = writeln!(text, "    /// {STANDS_IN}");
    }
    if !attributes.is_empty() {
        let _ = writeln!(text, "    #[sea_orm({})]", attributes.join(", "));
    }
    let _ = writeln!(text, "    pub {}: {ty},", naming::identifier(name));
    text
}

/// The attribute of a default, by which a payload knows that the field can be left out.
fn default_value(value: &DefaultValue) -> String {
    match value {
        DefaultValue::Integer(number) if *number >= 0 => format!("default_value = {number}"),
        DefaultValue::Integer(number) => format!("default_expr = \"Expr::val({number})\""),
        DefaultValue::Boolean(value) => format!("default_value = {value}"),
        DefaultValue::Text(text) => format!("default_value = {}", naming::literal(text)),
        DefaultValue::Now => "default_expr = \"Expr::current_timestamp()\"".to_owned(),
        DefaultValue::Expression(sql) => {
            let call = format!("Expr::cust({})", naming::literal(sql));
            format!("default_expr = {}", naming::literal(&call))
        }
    }
}
