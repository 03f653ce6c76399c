//! Writes the hooks of a resource as comments where they go: they become code once their slashes are deleted.

use crate::model::entity::Entity;
use crate::model::judge;

/// The hooks of an entity's records.
fn names(entity: &Entity) -> Vec<&'static str> {
    let mut names = vec!["before_store", "before_update", "before_destroy"];
    if judge::soft_delete(entity).is_some() {
        names.push("before_restore");
    }
    names.push("after_commit");
    names
}

/// A hook that does nothing. It names what may not be imported.
fn function(name: &str, resource: &str) -> String {
    match name {
        "after_commit" => {
            format!("async fn {name}(_committed: listing_axum::Committed<{resource}>) {{}}\n")
        }
        _ => format!(
            "async fn {name}(_change: &mut listing_axum::Change<'_, {resource}>) -> Result<(), listing_axum::ApiError> {{\n    Ok(())\n}}\n"
        ),
    }
}

fn functions(entity: &Entity, resource: &str) -> String {
    let names = names(entity).into_iter();
    names.map(|name| function(name, resource)).collect()
}

fn commented(code: &str, indent: &str) -> String {
    let lines = code.lines().map(|line| format!("{indent}// {line}\n"));
    lines.collect()
}

/// The end of `impl WritableResource`.
pub(super) fn in_resource(entity: &Entity) -> String {
    format!(
        "\n    // Hooks run in the transaction of a write, `after_store` and its like once the row is written.\n    \
         // To have one, delete its slashes:\n{}",
        commented(&functions(entity, "Self"), "    ")
    )
}

/// The words of the struct that name the hooks.
pub(super) fn at_model(entity: &Entity) -> String {
    let words = names(entity).into_iter();
    let words: Vec<_> = words.map(|name| format!("{name} = {name}")).collect();
    format!(
        "// Hooks run in the transaction of a write, `after_store` and its like once the row is written.\n\
         // To have one, delete the slashes here and those of its function at the end of this file:\n{}",
        commented(&format!("#[listing({})]", words.join(", ")), "")
    )
}

/// The end of the entity's file.
pub(super) fn at_end(entity: &Entity) -> String {
    format!("\n{}", commented(&functions(entity, "Entity"), ""))
}
