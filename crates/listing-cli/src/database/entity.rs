//! Writes the source of an entity from a table.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use super::relations::RelationsOf;
use super::types::{RustType, rust_type};
use super::{Column, DefaultValue, Table};
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

/// A note for each table that links this one with others and has no columns of its own.
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
    let is_key = table.key.contains(&column.name);
    let is_unique = table
        .indexes
        .iter()
        .any(|index| index.unique && index.columns == [column.name.as_str()]);
    let mut attributes = Vec::new();
    if name != column.name {
        attributes.push(format!("column_name = {}", naming::literal(&column.name)));
    }
    if is_key {
        attributes.push("primary_key".to_owned());
        if !column.numbered || table.key.len() > 1 {
            attributes.push("auto_increment = false".to_owned());
        }
    } else if is_unique {
        attributes.push("unique".to_owned());
    }
    if let Some(declared) = &rust_type.column_type {
        attributes.push(format!("column_type = \"{declared}\""));
    }
    let nullable = column.nullable && !is_key;
    if nullable && rust_type.column_type.is_some() {
        attributes.push("nullable".to_owned());
    }
    if let Some((read, written)) = rust_type.casts {
        attributes.push(format!("select_as = \"{read}\", save_as = \"{written}\""));
    }
    // By this word a payload knows that the field is not for clients.
    if (column.computed && !table.view) || (column.numbered && !is_key) {
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

#[cfg(test)]
mod tests {
    use sea_orm::sea_query::{ColumnType, StringLen};

    use super::super::{Directions, ForeignKey, Index, Modules, Relations};
    use super::*;

    fn written(tables: &[Table], name: &str) -> (String, Vec<String>) {
        let modules = Modules::of_tables(tables);
        let relations = Relations::between(tables, &modules, Directions::Both);
        let at = tables.iter().position(|table| table.name == name).unwrap();
        let written = entity_source(&tables[at], &relations.of_table(at), &BTreeMap::new());
        (written.source, written.notes)
    }

    fn column(name: &str, column_type: ColumnType, nullable: bool) -> Column {
        Column {
            name: name.to_owned(),
            declared: format!("{column_type:?}").to_lowercase(),
            column_type,
            nullable,
            default: None,
            numbered: name == "id",
            computed: false,
            readable_as: &[],
        }
    }

    fn key(column: &str, table: &str) -> ForeignKey {
        ForeignKey {
            columns: vec![column.to_owned()],
            table: table.to_owned(),
            table_schema: None,
            references: vec!["id".to_owned()],
        }
    }

    fn orders() -> Vec<Table> {
        vec![Table {
            name: "orders".to_owned(),
            columns: vec![
                column("id", ColumnType::BigInteger, false),
                column("customer_id", ColumnType::BigInteger, false),
                column("parent_id", ColumnType::BigInteger, true),
                column("type", ColumnType::String(StringLen::N(20)), false),
                column("total", ColumnType::Decimal(Some((10, 2))), true),
                column("place", ColumnType::custom("point"), true),
            ],
            key: vec!["id".to_owned()],
            foreign_keys: vec![key("customer_id", "customers"), key("parent_id", "orders")],
            ..Table::default()
        }]
    }

    #[test]
    fn a_table_becomes_an_entity_that_says_what_it_lacks() {
        let (source, notes) = written(&orders(), "orders");
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
        assert!(notes.iter().any(|note| note.contains("`orders.place`")));
        assert!(notes.iter().any(|note| note.contains("`customers`")));
    }

    #[test]
    fn a_foreign_key_is_a_relation_where_the_other_entity_exists() {
        let mut tables = orders();
        tables.push(customers());
        let (source, _) = written(&tables, "orders");
        let line = "#[sea_orm(belongs_to, from = \"customer_id\", to = \"id\")]\n    \
                    pub customer: BelongsTo<super::customer::Entity>,";
        assert!(source.contains(line), "{source}");
    }

    #[test]
    fn b481_a_relation_is_by_the_column_that_has_the_foreign_key() {
        let mut tables = orders();
        let other = column("CustomerId", ColumnType::BigInteger, false);
        tables[0].columns.insert(1, other);
        tables.push(customers());
        let (source, _) = written(&tables, "orders");
        for line in [
            "#[sea_orm(column_name = \"CustomerId\")]\n    pub customer_id: i64,",
            "#[sea_orm(column_name = \"customer_id\")]\n    pub customer_id_column: i64,",
            "#[sea_orm(belongs_to, from = \"customer_id_column\", to = \"id\")]",
        ] {
            assert!(source.contains(line), "{line}\n{source}");
        }
    }

    fn customers() -> Table {
        Table {
            name: "customers".to_owned(),
            columns: vec![column("id", ColumnType::BigInteger, false)],
            key: vec!["id".to_owned()],
            ..Table::default()
        }
    }

    #[test]
    fn b361_relations_lead_back_too() {
        let mut tables = orders();
        tables.push(customers());
        let (source, _) = written(&tables, "customers");
        let line = "#[sea_orm(has_many)]\n    pub orders: HasMany<super::order::Entity>,";
        assert!(source.contains(line), "{source}");
        let (source, _) = written(&tables, "orders");
        let line = "#[sea_orm(self_ref, relation_enum = \"Orders\", relation_reverse = \"Parent\")]\n    \
                    pub orders: HasMany<Entity>,";
        assert!(source.contains(line), "{source}");
    }

    #[test]
    fn b361_a_unique_key_leads_back_to_one_row_and_other_keys_are_told() {
        let mut tables = orders();
        tables.push(customers());
        tables[0].indexes.push(Index {
            name: "orders_customer".to_owned(),
            unique: true,
            columns: vec!["customer_id".to_owned()],
            ..Index::default()
        });
        let (source, _) = written(&tables, "customers");
        let line = "#[sea_orm(has_one)]\n    pub order: HasOne<super::order::Entity>,";
        assert!(source.contains(line), "{source}");
        let told = |tables: &[Table], why: &str| {
            let (source, notes) = written(tables, "orders");
            assert!(!source.contains("customer:"), "{source}");
            let told = |note: &String| note.contains("`customers`") && note.contains(why);
            assert!(notes.iter().any(told), "{notes:?}");
        };
        tables[0].columns[1].column_type = ColumnType::Date;
        told(&tables, "neither an integer nor a UUID nor text");
        let key = &mut tables[0].foreign_keys[0];
        key.columns.push("parent_id".to_owned());
        key.references.push("parent_id".to_owned());
        told(&tables, "by several columns together");
    }

    #[test]
    fn b367_what_the_driver_cannot_take_is_cast() {
        for (column_type, casts) in [
            (ColumnType::Money(None), ("numeric", "money")),
            (ColumnType::Interval(None, None), ("text", "interval")),
            (ColumnType::Inet, ("text", "inet")),
            (ColumnType::Cidr, ("text", "cidr")),
            (ColumnType::custom("macaddr"), ("text", "macaddr")),
            (ColumnType::custom("citext"), ("text", "citext")),
        ] {
            let mut tables = orders();
            tables[0].columns[5].column_type = column_type;
            let (source, _) = written(&tables, "orders");
            let (read, saved) = casts;
            let line = format!("select_as = \"{read}\", save_as = \"{saved}\")]\n    pub place: ");
            assert!(source.contains(&line), "{source}");
        }
    }

    #[test]
    fn b222_names_of_a_database_cannot_break_the_source() {
        let mut tables = orders();
        tables[0].name = "odd \"table\"\nmod x;".to_owned();
        for name in [
            "2fast",
            "gen",
            "quo\"te\\",
            "new\nline",
            "AlbumId",
            "album_id",
        ] {
            let odd = column(name, ColumnType::BigInteger, false);
            tables[0].columns.push(odd);
        }
        let name = tables[0].name.clone();
        let (source, _) = written(&tables, &name);
        for line in [
            "#[sea_orm(table_name = \"odd \\\"table\\\"\\nmod x;\")]",
            "#[sea_orm(column_name = \"2fast\")]\n    pub column_2fast: i64,",
            "pub r#gen: i64,",
            "#[sea_orm(column_name = \"quo\\\"te\\\\\")]\n    pub quo_te: i64,",
            "#[sea_orm(column_name = \"new\\nline\")]\n    pub new_line: i64,",
            "#[sea_orm(column_name = \"AlbumId\")]\n    pub album_id: i64,",
            "#[sea_orm(column_name = \"album_id\")]\n    pub album_id_column: i64,",
        ] {
            assert!(source.contains(line), "{line}\n{source}");
        }
        let file = syn::parse_file(&source).unwrap();
        assert_eq!(file.items.len(), 3, "{source}");
    }

    #[test]
    fn b223_b361_a_link_table_is_a_relation_or_is_told() {
        let mut tables = orders();
        tables.push(Table {
            name: "tags".to_owned(),
            ..customers()
        });
        tables.push(Table {
            name: "order_tags".to_owned(),
            columns: vec![
                column("order_id", ColumnType::BigInteger, false),
                column("tag_id", ColumnType::BigInteger, false),
            ],
            key: vec!["order_id".to_owned(), "tag_id".to_owned()],
            foreign_keys: vec![key("order_id", "orders"), key("tag_id", "tags")],
            ..Table::default()
        });
        let (source, _) = written(&tables, "orders");
        let line =
            "#[sea_orm(has_many, via = \"order_tag\")]\n    pub tags: HasMany<super::tag::Entity>,";
        assert!(source.contains(line), "{source}");
        // It leads back only where it has more to show than when it was made.
        for (default, leads_back) in [(Some(DefaultValue::Now), false), (None, true)] {
            let mut tables = tables.clone();
            let mut more = column("added", ColumnType::DateTime, false);
            more.default = default;
            tables[2].columns.push(more);
            let (source, _) = written(&tables, "orders");
            let line = "pub order_tags: HasMany<super::order_tag::Entity>,";
            assert_eq!(source.contains(line), leads_back, "{source}");
        }
        let notes = links(&tables, "orders");
        let note = notes.iter().find(|note| note.contains("`order_tags`"));
        let note = note.unwrap();
        assert!(note.contains("`tags`"), "{note}");
        let line =
            "#[sea_orm(has_many, via = \"order_tag\")] pub tags: HasMany<super::tag::Entity>";
        assert!(note.contains(line), "{note}");
    }

    #[test]
    fn a_default_lets_a_payload_leave_the_field_out() {
        for (value, attribute) in [
            (DefaultValue::Integer(3), "default_value = 3"),
            (
                DefaultValue::Integer(-3),
                "default_expr = \"Expr::val(-3)\"",
            ),
            (
                DefaultValue::Text("a\"b".to_owned()),
                r#"default_value = "a\"b""#,
            ),
            (
                DefaultValue::Expression("f('x')".to_owned()),
                r#"default_expr = "Expr::cust(\"f('x')\")""#,
            ),
        ] {
            assert_eq!(default_value(&value), attribute);
        }
    }
}
