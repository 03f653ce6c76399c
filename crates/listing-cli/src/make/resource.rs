//! Writes the source of an entity's endpoints: a payload with its rules, and a resource.

use std::fmt::Write as _;

use super::entity::{Column, Entity, Kind};
use super::judge;
use crate::naming;

/// Columns that the layer sets itself.
const STAMPS: &[&str] = &["created_at", "updated_at", "deleted_at"];

/// The type of the resource: `Articles`.
pub(crate) fn type_name(entity: &Entity) -> String {
    naming::camel(&naming::table(&entity.module))
}

/// The source of a resource. `path` is the entity's module.
pub(crate) fn source(entity: &Entity, path: &str) -> String {
    let module = &entity.module;
    let (one, many) = (naming::camel(module), type_name(entity));
    let (one_said, many_said) = (
        naming::sentence(module),
        naming::sentence(&naming::table(module)),
    );
    let payload: Vec<_> = entity.columns.iter().filter(|c| is_sent(c)).collect();
    let missing: Vec<_> = entity.columns.iter().filter(|c| is_missing(c)).collect();

    let mut fields = String::new();
    for column in &payload {
        fields.push_str(&field(column));
    }
    let given = if fields.contains("Given<") {
        "Given, "
    } else {
        ""
    };
    let mut text = format!(
        "//! In: {many_lower}. Out: where they are served, and how their records are written.\n\n\
         use garde::Validate;\n\
         use listing_axum::{{Access, Denied, {given}Payload, Resource, WritableResource, policy}};\n",
        many_lower = many_said.to_lowercase(),
    );
    if payload.iter().any(|column| needs_prelude(column)) {
        text.push_str("use sea_orm::entity::prelude::*;\n");
    }
    let (parent, _) = path.rsplit_once("::").unwrap_or((path, ""));
    let _ = write!(
        text,
        "\nuse {parent}::{module};\n\n\
         /// {many_said}: the whole set.\n\
         #[derive(Debug)]\n\
         pub struct {many};\n\n\
         impl Resource for {many} {{\n    type Entity = {module}::Entity;\n\n    \
         fn authorize(_: &Access<'_, Self>) -> Result<(), Denied> {{\n        \
         policy::allow_all()\n    }}\n}}\n\n\
         impl WritableResource for {many} {{\n    type Store = {one}Payload;\n    type Update = {one}Payload;\n",
    );
    if !missing.is_empty() {
        let names: Vec<_> = missing.iter().map(|c| format!("`{}`", c.name)).collect();
        let _ = write!(
            text,
            "\n    // No client sends {}, and the table wants a value: set it in `before_store`.\n",
            names.join(", ")
        );
    }
    let _ = write!(
        text,
        "}}\n\n/// What a client sends to create or change a {}.\n\
         #[derive(Debug, Payload, Validate)]\n\
         #[payload(active_model = {module}::ActiveModel)]\n\
         pub struct {one}Payload {{\n{fields}}}\n",
        one_said.to_lowercase(),
    );
    text
}

/// Whether a client sends it. A type of the application may not be readable from JSON.
fn is_sent(column: &Column) -> bool {
    let readable = !matches!(
        column.kind,
        Kind::Binary | Kind::Enumeration | Kind::Unknown
    );
    readable && !column.key && !is_stamp(column) && !judge::is_secret(column)
}

/// Whether a new record would lack it.
fn is_missing(column: &Column) -> bool {
    let generated = column.key && column.kind == Kind::Integer;
    let given = is_sent(column) || is_stamp(column) || generated;
    !given && !column.nullable && !column.has_default
}

fn is_stamp(column: &Column) -> bool {
    STAMPS.contains(&column.name.as_str()) && column.kind == Kind::Time
}

fn field(column: &Column) -> String {
    let name = naming::identifier(&column.name);
    let ty = &column.rust_type;
    let rule = match column.kind {
        Kind::Text(length) => {
            let most = length.unwrap_or(255);
            Some(format!("length(chars, min = 1, max = {most})"))
        }
        _ => None,
    };
    let trim = if rule.is_some() {
        "    #[payload(trim)]\n"
    } else {
        ""
    };
    if column.nullable {
        // The rule is about the text inside what may be absent, and may be null.
        let rule = rule.map_or_else(|| "skip".to_owned(), |rule| format!("inner(inner({rule}))"));
        return format!("{trim}    #[garde({rule})]\n    {name}: Given<Option<{ty}>>,\n");
    }
    if column.has_default && rule.is_none() {
        return format!("    #[garde(skip)]\n    {name}: Given<{ty}>,\n");
    }
    let rule = rule.unwrap_or_else(|| "skip".to_owned());
    format!("{trim}    #[garde({rule})]\n    {name}: {ty},\n")
}

/// Whether the type comes from SeaORM's prelude.
fn needs_prelude(column: &Column) -> bool {
    let plain = matches!(column.kind, Kind::Boolean | Kind::Text(_) | Kind::LongText)
        || [
            "i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "f32", "f64",
        ]
        .contains(&column.rust_type.as_str());
    !plain && !column.rust_type.contains("::")
}
