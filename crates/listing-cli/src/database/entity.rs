//! Writes the source of an entity from a table, with foreign keys as relations.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use anyhow::{Result, bail};
use listing::nearest;

use super::types::{RustType, rust_type};
use super::{Column, DefaultValue, ForeignKey, Table};
use crate::naming;

/// The source of a table's entity, and what could not be taken over. A relation is written where the other entity
/// exists, because it has to compile.
pub(crate) fn entity_source(
    tables: &[Table],
    name: &str,
    exists: &dyn Fn(&str) -> bool,
) -> Result<(String, Vec<String>)> {
    let Some(table) = tables.iter().find(|table| table.name == name) else {
        let known: Vec<_> = tables.iter().map(|table| table.name.as_str()).collect();
        let remedy = match nearest(name, known.iter().copied()) {
            Some(near) => format!("did you mean `--table {near}`?"),
            None => format!("its tables are: {}", known.join(", ")),
        };
        bail!("the database has no table `{name}`; {remedy}");
    };
    let mut notes = Vec::new();
    let mut fields = String::new();
    let mut exact = true;
    let mut taken = BTreeSet::new();
    for column in &table.columns {
        let Some(rust_type) = rust_type(&column.column_type) else {
            notes.push(format!(
                "`{name}.{}` has the type `{}`, which SeaORM cannot read: the field is left out",
                column.name, column.declared
            ));
            continue;
        };
        if column.computed {
            notes.push(format!(
                "`{name}.{}` is computed by the database: take it out of the payload",
                column.name
            ));
        }
        exact &= !["f32", "f64"].contains(&rust_type.name);
        fields.push_str(&field(table, column, &rust_type, &mut taken));
    }
    for key in &table.foreign_keys {
        let module = naming::module(&key.table);
        if key.columns.len() != 1 {
            notes.push(format!(
                "the foreign key to `{}` has several columns: it is not a relation",
                key.table
            ));
        } else if key.table != name && !exists(&module) {
            notes.push(format!(
                "`{}` references `{}`, which has no entity yet: make that one, then make this one again with `--force`",
                key.columns[0], key.table
            ));
        } else {
            fields.push_str(&relation(table, tables, key, &module, &mut taken));
        }
    }
    notes.extend(links(tables, name));
    let equality = if exact { ", Eq" } else { "" };
    let one = naming::with_article(&naming::module(name));
    let source = format!(
        "//! The entity of the table `{shown}`.\n\n\
         use sea_orm::entity::prelude::*;\n\n\
         /// {one}.\n\
         #[sea_orm::model]\n\
         #[derive(Clone, Debug, PartialEq{equality}, DeriveEntityModel, listing::NamedRelations)]\n\
         #[sea_orm(table_name = {literal})]\n\
         pub struct Model {{\n{fields}}}\n\n\
         impl ActiveModelBehavior for ActiveModel {{}}\n",
        shown = naming::in_comment(name),
        one = naming::sentence(&one),
        literal = naming::literal(name),
    );
    Ok((source, notes))
}

/// A note for each table that links this one with others and has no columns of its own.
fn links(tables: &[Table], name: &str) -> Vec<String> {
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

fn field(
    table: &Table,
    column: &Column,
    rust_type: &RustType,
    taken: &mut BTreeSet<String>,
) -> String {
    let is_key = table.key.contains(&column.name);
    let is_unique = table
        .indexes
        .iter()
        .any(|index| index.unique && index.columns == [column.name.as_str()]);
    let mut attributes = Vec::new();
    let name = free(naming::field(&column.name), taken, "column");
    if name.trim_start_matches("r#") != column.name {
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
    if let Some(value) = &column.default {
        attributes.push(default_value(value));
    }
    let ty = if nullable {
        format!("Option<{}>", rust_type.name)
    } else {
        rust_type.name.to_owned()
    };
    let mut text = format!("    /// Column `{}`.\n", naming::in_comment(&column.name));
    if !attributes.is_empty() {
        let _ = writeln!(text, "    #[sea_orm({})]", attributes.join(", "));
    }
    let _ = writeln!(text, "    pub {name}: {ty},");
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

/// The name, or one like it, that no other field has, nor its variant.
fn free(name: String, taken: &mut BTreeSet<String>, word: &str) -> String {
    let mut name = name;
    while !taken.insert(naming::camel(&name)) {
        name = format!("{}_{word}", name.trim_start_matches("r#"));
    }
    name
}

fn relation(
    table: &Table,
    tables: &[Table],
    key: &ForeignKey,
    module: &str,
    taken: &mut BTreeSet<String>,
) -> String {
    let column = &key.columns[0];
    let from = naming::field(column);
    let wanted = match from.strip_suffix("_id") {
        Some(name) => naming::identifier(name),
        None => naming::identifier(module),
    };
    let name = free(wanted, taken, module);
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
        format!("super::{}::Entity", naming::identifier(module))
    };
    let target = if nullable {
        format!("Option<{target}>")
    } else {
        target
    };
    // SeaORM names a relation by its entity; two to the same one need names of their own.
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
    attributes.push(format!("from = \"{}\"", from.trim_start_matches("r#")));
    attributes.push(format!(
        "to = \"{}\"",
        naming::field(&to).trim_start_matches("r#")
    ));
    format!(
        "    /// Relation `{shown}`.\n    #[sea_orm({})]\n    pub {name}: BelongsTo<{target}>,\n",
        attributes.join(", "),
        shown = name.trim_start_matches("r#"),
    )
}

#[cfg(test)]
mod tests {
    use sea_orm::sea_query::{ColumnType, StringLen};

    use super::*;

    fn column(name: &str, column_type: ColumnType, nullable: bool) -> Column {
        Column {
            name: name.to_owned(),
            declared: format!("{column_type:?}").to_lowercase(),
            column_type,
            nullable,
            default: None,
            numbered: name == "id",
            computed: false,
        }
    }

    fn key(column: &str, table: &str) -> ForeignKey {
        ForeignKey {
            columns: vec![column.to_owned()],
            table: table.to_owned(),
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
            indexes: Vec::new(),
            foreign_keys: vec![key("customer_id", "customers"), key("parent_id", "orders")],
            ..Table::default()
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
        assert!(notes.iter().any(|note| note.contains("`orders.place`")));
        assert!(notes.iter().any(|note| note.contains("`customers`")));
    }

    #[test]
    fn a_foreign_key_is_a_relation_where_the_other_entity_exists() {
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
        let (source, _) = entity_source(&tables, &name, &|_| false).unwrap();
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
    fn b223_a_link_table_is_told() {
        let mut tables = orders();
        tables.push(Table {
            name: "order_tags".to_owned(),
            columns: vec![
                column("order_id", ColumnType::BigInteger, false),
                column("tag_id", ColumnType::BigInteger, false),
            ],
            key: vec!["order_id".to_owned(), "tag_id".to_owned()],
            indexes: Vec::new(),
            foreign_keys: vec![key("order_id", "orders"), key("tag_id", "tags")],
            ..Table::default()
        });
        let (_, notes) = entity_source(&tables, "orders", &|_| false).unwrap();
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
