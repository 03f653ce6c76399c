//! Adds the lines by which the application knows of generated code: modules, listings and routes.

use anyhow::{Result, bail};

use crate::files::Files;

/// Adds a line that declares a module, after those that are there.
pub(crate) fn add_module(files: &mut Files, file: &str, head: &str, line: &str) {
    let text = files.read(file).unwrap_or_else(|| head.to_owned());
    let name = line.trim_end_matches(';').rsplit(' ').next();
    let declared = |known: &str| {
        let known = known.trim();
        known.contains("mod ") && known.trim_end_matches(';').rsplit(' ').next() == name
    };
    if text.lines().any(declared) {
        files.edit(file, text);
        return;
    }
    files.edit(file, after_last(&text, is_module, line));
}

/// Declares a module at the root of the crate.
pub(crate) fn add_to_crate(files: &mut Files, module: &str) -> Result<()> {
    for (file, line) in [
        ("src/lib.rs", format!("pub mod {module};")),
        ("src/main.rs", format!("mod {module};")),
    ] {
        if files.read(file).is_some() {
            add_module(files, file, "", &line);
            return Ok(());
        }
    }
    bail!("there is neither src/lib.rs nor src/main.rs");
}

const LISTINGS: &str =
    "//! In: the application's entities. Out: what clients may ask of each of them.

use listing::{DefinitionErrors, Listings, Settings};

/// Every listing of the application, verified.
///
/// # Errors
/// Everything that is wrong in any of them.
pub fn listings(settings: Settings) -> Result<Listings, DefinitionErrors> {
    Listings::builder(settings)
        .build()
}
";

/// Adds a listing to those that are verified at start-up.
pub(crate) fn add_listing(
    files: &mut Files,
    module: &str,
    listing: &str,
    entity: &str,
) -> Result<()> {
    let file = room(files, "listings");
    let text = files.read(&file).unwrap_or_else(|| LISTINGS.to_owned());
    let text = with_line(&text, &format!("mod {module};"), is_module);
    let text = with_export(&text, &format!("pub use {module}::{listing};"));
    let call = format!(".add::<{entity}::Entity>()");
    let short = entity.trim_start_matches("crate::");
    let known = text.contains(&call) || text.contains(&format!(".add::<{short}::Entity>()"));
    let text = if known {
        text
    } else {
        before_call(&text, ".build()", &call).ok_or_else(|| no_place(&file, &call, ".build()"))?
    };
    files.edit(&file, text);
    add_to_crate(files, "listings")
}

const RESOURCES: &str =
    "//! In: the application's entities. Out: which of them are served, and where.

use axum::Router;
use axum::extract::FromRef;
use listing::{Listings, ReadPool};
use listing_axum::{Api, RouteTable};
use sea_orm::DatabaseConnection;

/// Every endpoint, and the table of their names.
pub fn api<S>() -> (Router<S>, RouteTable)
where
    S: Clone + Send + Sync + 'static,
    Listings: FromRef<S>,
    DatabaseConnection: FromRef<S>,
    ReadPool: FromRef<S>,
{
    Api::new(\"/api\")
        .finish()
}
";

/// Adds a resource to those that are served.
pub(crate) fn add_resource(files: &mut Files, module: &str, resource: &str) -> Result<()> {
    let file = room(files, "resources");
    let text = files.read(&file).unwrap_or_else(|| RESOURCES.to_owned());
    let text = with_line(&text, &format!("mod {module};"), is_module);
    let text = with_export(&text, &format!("pub use {module}::{resource};"));
    let call = format!(".crud::<{resource}>()");
    let text = if text.contains(&call) || text.contains(&format!(".read::<{resource}>()")) {
        text
    } else {
        before_call(&text, ".finish()", &call).ok_or_else(|| no_place(&file, &call, ".finish()"))?
    };
    files.edit(&file, text);
    add_to_crate(files, "resources")
}

/// The source of an entity with the derive that gives its relations their names.
pub(crate) fn with_named_relations(source: &str) -> String {
    const DERIVE: &str = "DeriveEntityModel";
    let is_derive = |at: usize| {
        let before = &source[..at];
        let attribute = before.rfind("#[").unwrap_or(0);
        before[attribute..].starts_with("#[derive(")
    };
    let found = source.match_indices(DERIVE).find(|(at, _)| is_derive(*at));
    match found {
        None => source.to_owned(),
        Some((at, _)) => {
            let (before, after) = source.split_at(at + DERIVE.len());
            format!("{before}, listing::NamedRelations{after}")
        }
    }
}

/// Whether an entity's listing is among those that are verified.
pub(crate) fn has_listing(files: &Files, module: &str) -> bool {
    let file = room(files, "listings");
    let text = files.read(&file).unwrap_or_default();
    text.contains(&format!("::{module}::Entity>()"))
        || text.contains(&format!("<{module}::Entity>()"))
}

/// The file of a module: `src/x.rs` where that is there, else `src/x/mod.rs`.
fn room(files: &Files, module: &str) -> String {
    let file = format!("src/{module}.rs");
    match files.read(&file) {
        Some(_) => file,
        None => format!("src/{module}/mod.rs"),
    }
}

fn no_place(file: &str, call: &str, before: &str) -> anyhow::Error {
    anyhow::anyhow!("{file} has no `{before}` before which to write `{call}`: add it by hand")
}

fn is_module(line: &str) -> bool {
    let line = line.trim_start_matches("pub(crate) ");
    let line = line.trim_start_matches("pub ");
    line.starts_with("mod ") && line.ends_with(';')
}

/// The text with a line, unless it has it; after the last of its kind.
fn with_line(text: &str, line: &str, is_kind: impl Fn(&str) -> bool) -> String {
    if text.lines().any(|known| known.trim() == line) {
        return text.to_owned();
    }
    after_last(text, is_kind, line)
}

/// The text with what it hands on, below its modules.
fn with_export(text: &str, line: &str) -> String {
    let is_export = |known: &str| known.starts_with("pub use ");
    if text.lines().any(is_export) {
        return with_line(text, line, is_export);
    }
    after_last(text, is_module, &format!("\n{line}"))
}

/// A line after the last of its kind, or after the head of the file where there is none.
fn after_last(text: &str, is_kind: impl Fn(&str) -> bool, line: &str) -> String {
    let mut lines: Vec<_> = text.lines().collect();
    let is_head =
        |known: &str| known.is_empty() || known.starts_with("//!") || known.starts_with("#!");
    match lines.iter().rposition(|known| is_kind(known)) {
        Some(last) => lines.insert(last + 1, line),
        None => {
            let head = lines.iter().take_while(|known| is_head(known)).count();
            let between = lines[..head].last().is_none_or(|last| last.is_empty());
            let mut new = vec![line];
            if !between {
                new.insert(0, "");
            }
            if head < lines.len() {
                new.push("");
            }
            lines.splice(head..head, new);
        }
    }
    lines.join("\n") + "\n"
}

/// A call on a line of its own before the last of a chain.
fn before_call(text: &str, last: &str, call: &str) -> Option<String> {
    let at = text.rfind(last)?;
    let (before, after) = text.split_at(at);
    Some(format!(
        "{}\n        {call}\n        {after}",
        before.trim_end()
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_is_written_before_the_last() {
        let text = "    Api::new(\"/api\")\n        .read::<Authors>()\n        .finish()\n}\n";
        assert_eq!(
            before_call(text, ".finish()", ".crud::<Articles>()").unwrap(),
            "    Api::new(\"/api\")\n        .read::<Authors>()\n        .crud::<Articles>()\n        .finish()\n}\n"
        );
        assert_eq!(before_call("fn x() {}", ".build()", ".add()"), None);
    }

    #[test]
    fn the_derive_goes_into_the_derives() {
        let source =
            "//! Has `DeriveEntityModel`.\n#[derive(Clone, DeriveEntityModel)]\nstruct Model;\n";
        assert_eq!(
            with_named_relations(source),
            "//! Has `DeriveEntityModel`.\n#[derive(Clone, DeriveEntityModel, listing::NamedRelations)]\nstruct Model;\n"
        );
        assert_eq!(with_named_relations("struct Model;"), "struct Model;");
    }

    #[test]
    fn a_module_stands_with_the_others() {
        let text = "//! Says what.\n\npub mod a;\npub mod b;\n\nuse x;\n";
        assert_eq!(
            after_last(text, is_module, "pub mod c;"),
            "//! Says what.\n\npub mod a;\npub mod b;\npub mod c;\n\nuse x;\n"
        );
        let text = "//! Says what.\nuse x;\n";
        assert_eq!(
            after_last(text, is_module, "mod c;"),
            "//! Says what.\n\nmod c;\n\nuse x;\n"
        );
        assert_eq!(after_last("", is_module, "mod c;"), "mod c;\n");
    }
}
