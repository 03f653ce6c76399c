//! Writes the source of an entity's endpoints: a payload with its rules, and a resource.

use std::collections::BTreeSet;

use listing_axum::Titles;

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
    let module = naming::identifier(&entity.module);
    let (one, many) = (naming::camel(&entity.module), type_name(entity));
    let (one_said, many_said) = (
        naming::sentence(&entity.module),
        naming::sentence(&naming::table(&entity.module)),
    );
    let payload: Vec<_> = entity.columns.iter().filter(|c| is_sent(c)).collect();
    let missing: Vec<_> = entity.columns.iter().filter(|c| is_missing(c)).collect();
    let fields: String = payload.iter().map(|column| field(column)).collect();
    // What the library makes of the table's name, unless that is not what it should be.
    let is_plain =
        |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '_';
    let segment = if entity.table.chars().all(is_plain) {
        String::new()
    } else {
        let segment = naming::table(&entity.module);
        format!("\n    fn segment() -> &'static str {{\n        \"{segment}\"\n    }}\n")
    };
    let titles = if Titles::of_table(&entity.table) == Titles::new(&one_said, &many_said) {
        String::new()
    } else {
        format!(
            "\n    fn titles() -> Titles {{\n        Titles::new(\"{one_said}\", \"{many_said}\")\n    }}\n"
        )
    };
    let mut imports: BTreeSet<&str> = [
        "Access",
        "Denied",
        "Payload",
        "Resource",
        "WritableResource",
        "policy",
    ]
    .into();
    if fields.contains("Given<") {
        imports.insert("Given");
    }
    if !titles.is_empty() {
        imports.insert("Titles");
    }
    let imports = imports.into_iter().collect::<Vec<_>>().join(", ");
    let prelude = if payload.iter().any(|column| needs_prelude(column)) {
        "use sea_orm::entity::prelude::*;\n"
    } else {
        ""
    };
    let missing = match missing.len() {
        0 => String::new(),
        _ => {
            let names: Vec<_> = missing
                .iter()
                .map(|column| format!("`{}`", naming::in_comment(&column.name)))
                .collect();
            format!(
                "\n    // Clients do not send {}, but the table needs a value: set it in `before_store`.\n",
                names.join(", ")
            )
        }
    };
    let (parent, _) = path.rsplit_once("::").unwrap_or((path, ""));
    format!(
        "//! Where {many_lower} are served, who may do what with them, and what clients send.\n\n\
         use garde::Validate;\n\
         use listing_axum::{{{imports}}};\n\
         {prelude}\n\
         use crate::caller::Caller;\n\
         use {parent}::{module};\n\n\
         /// {many_said}: everybody reads them, callers who are signed in write them.\n\
         #[derive(Debug)]\n\
         pub struct {many};\n\n\
         impl Resource for {many} {{\n    type Entity = {module}::Entity;\n{segment}{titles}\n    \
         fn authorize(access: &Access<'_, Self>) -> Result<(), Denied> {{\n        \
         policy::read_for_all(access, policy::signed_in::<Caller>)\n    }}\n}}\n\n\
         impl WritableResource for {many} {{\n    type Store = {one}Payload;\n    \
         type Update = {one}Payload;\n{missing}}}\n\n\
         /// What a client sends to create or change {one_lower}.\n\
         #[derive(Debug, Payload, Validate)]\n\
         #[payload(active_model = {module}::ActiveModel)]\n\
         pub struct {one}Payload {{\n{fields}}}\n",
        many_lower = many_said.to_lowercase(),
        one_lower = naming::with_article(&entity.module),
    )
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
    let given = is_sent(column) || is_stamp(column) || column.numbered;
    !given && !column.nullable && !column.has_default
}

fn is_stamp(column: &Column) -> bool {
    STAMPS.contains(&column.name.as_str()) && column.kind == Kind::Time
}

fn field(column: &Column) -> String {
    let name = naming::identifier(&column.field);
    let ty = &column.rust_type;
    let rule = match column.kind {
        Kind::Text(Some(most)) => Some(format!("length(chars, min = 1, max = {most})")),
        Kind::Text(None) => Some("length(chars, min = 1)".to_owned()),
        _ => None,
    };
    let mut read = Vec::new();
    if rule.is_some() {
        read.push("trim".to_owned());
    }
    // Clients send what they read, and answers have the column's name.
    if column.field != column.name {
        read.push(format!("alias = {}", naming::literal(&column.name)));
    }
    let read = match read.len() {
        0 => String::new(),
        _ => format!("    #[payload({})]\n", read.join(", ")),
    };
    if column.nullable {
        // The rule holds for the text inside: the field can be left out, and can be null.
        let rule = rule.map_or_else(|| "skip".to_owned(), |rule| format!("inner(inner({rule}))"));
        return format!("{read}    #[garde({rule})]\n    {name}: Given<Option<{ty}>>,\n");
    }
    if column.has_default {
        let rule = rule.map_or_else(|| "skip".to_owned(), |rule| format!("inner({rule})"));
        return format!("{read}    #[garde({rule})]\n    {name}: Given<{ty}>,\n");
    }
    let rule = rule.unwrap_or_else(|| "skip".to_owned());
    format!("{read}    #[garde({rule})]\n    {name}: {ty},\n")
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
