//! Adds the lines by which the application knows of generated code: modules, listings and routes.

use anyhow::{Result, bail};

use crate::files::Files;
use crate::naming;

/// Adds a line that declares a module, after the others.
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

const LISTINGS: &str = "//! What clients can ask of each entity.\n";

/// For an application that has no `Api` in which listings are registered.
const BUILDER: &str = "
use ::listing::{DefinitionErrors, Listings, Settings};

/// Every listing of the application, verified.
///
/// # Errors
/// Everything that is wrong in any of them.
pub fn listings(settings: Settings) -> Result<Listings, DefinitionErrors> {
    Listings::builder(settings)
        .build()
}
";

/// Adds a listing to the sources, and registers it where the application registers the others.
pub(crate) fn add_listing(
    files: &mut Files,
    module: &str,
    listing: &str,
    entity: &str,
    crud: bool,
) -> Result<()> {
    let file = room(files, "listings");
    let mut text = files.read(&file).unwrap_or_else(|| LISTINGS.to_owned());
    let resources = room(files, "resources");
    let has_api = crud || files.read(&resources).is_some();
    if !has_api && !text.contains("Listings::builder") {
        text.push_str(BUILDER);
    }
    let module = naming::identifier(module);
    let text = with_line(&text, &format!("mod {module};"), is_module);
    let text = with_export(&text, &format!("{module}::{listing}"));
    let has_builder = text.contains("Listings::builder");
    let text = if has_builder {
        registered(&file, &text, &format!(".add::<{entity}::Entity>()"), entity)?
    } else {
        text
    };
    files.edit(&file, text);
    if !has_builder && !crud {
        let text = files.read(&resources).unwrap_or_default();
        let call = format!(".listing::<{entity}::Entity>()");
        let text = registered(&resources, &text, &call, entity)?;
        files.edit(&resources, text);
    }
    add_to_crate(files, "listings")
}

/// The text with a listing registered before the call that ends the chain, unless it is registered already.
fn registered(file: &str, text: &str, call: &str, entity: &str) -> Result<String> {
    let (_, module) = entity.rsplit_once("::").unwrap_or(("", entity));
    let crud = format!(".crud::<{}>()", naming::camel(&naming::table(module)));
    let short = call.replace("crate::", "");
    if [call, &short, &crud]
        .iter()
        .any(|known| text.contains(*known))
    {
        return Ok(text.to_owned());
    }
    before_end(file, text, call)
}

/// An application that serves nothing yet. Its modules and resources are named after tables, which can be called `listings`
/// and `settings`: what comes from the library has a path that cannot mean them.
pub(crate) const RESOURCES: &str = "//! Which entities are served, and where.

use axum::extract::FromRef;
use listing_axum::{Api, BuiltApi};
use sea_orm::DatabaseConnection;

/// Every endpoint with its listing, verified, and the names of the routes.
///
/// # Errors
/// Everything that is wrong in any listing.
pub fn api<S>(settings: ::listing::Settings) -> Result<BuiltApi<S>, ::listing::DefinitionErrors>
where
    S: Clone + Send + Sync + 'static,
    DatabaseConnection: FromRef<S>,
    ::listing::Listings: FromRef<S>,
    ::listing::ReadPool: FromRef<S>,
{
    Api::new(\"/api\")
        .build(settings)
}
";

/// Who is calling, for resources that want to know.
pub(crate) const CALLER: &str = include_str!("../new/template/caller.rs.txt");

/// Adds a resource to those that are served.
pub(crate) fn add_resource(
    files: &mut Files,
    module: &str,
    resource: &str,
    entity: &str,
) -> Result<()> {
    let file = room(files, "resources");
    let text = files.read(&file).unwrap_or_else(|| RESOURCES.to_owned());
    let module = naming::identifier(module);
    let text = with_line(&text, &format!("mod {module};"), is_module);
    let text = with_export(&text, &format!("{module}::{resource}"));
    let call = format!(".crud::<{resource}>()");
    let listing = format!(".listing::<{entity}::Entity>()");
    let text = if text.contains(&call) || text.contains(&format!(".read::<{resource}>()")) {
        text
    } else if text.contains(&listing) {
        text.replacen(&listing, &call, 1)
    } else {
        before_end(&file, &text, &call)?
    };
    files.edit(&file, text);
    if files.read(&room(files, "caller")).is_none() {
        files.create("src/caller.rs", CALLER.to_owned())?;
    }
    add_to_crate(files, "caller")?;
    add_to_crate(files, "resources")
}

/// Adds a table to an application that was made from a database: its modules, and the call that serves it.
pub(crate) fn add_table(
    files: &mut Files,
    module: &str,
    has_resource: bool,
    served: &str,
) -> Result<()> {
    let line = format!("mod {};", naming::identifier(module));
    add_module(
        files,
        &room(files, "entity"),
        "//! One entity for each table.\n",
        &format!("pub {line}"),
    );
    add_module(files, &room(files, "listings"), LISTINGS, &line);
    let file = room(files, "resources");
    let text = files.read(&file).unwrap_or_else(|| RESOURCES.to_owned());
    let text = match has_resource {
        true => with_line(&text, &line, is_module),
        false => text,
    };
    let served = served.replace("<PublicRead", "<listing_axum::PublicRead");
    let text = if text.contains(&served) {
        text
    } else {
        before_end(&file, &text, &served)?
    };
    files.edit(&file, text);
    Ok(())
}

/// The text with a call before the one that ends the chain.
fn before_end(file: &str, text: &str, call: &str) -> Result<String> {
    let ends = [".build(", ".finish()"];
    let found = ends.iter().find_map(|end| before_call(text, end, call));
    found.ok_or_else(|| {
        anyhow::anyhow!("{file} has no `.build(…)` before which to write `{call}`: add it by hand")
    })
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

/// Whether an entity has a listing.
pub(crate) fn has_listing(files: &Files, module: &str) -> bool {
    let text = files.read(&room(files, "listings")).unwrap_or_default();
    let line = format!("mod {};", naming::identifier(module));
    text.lines().any(|known| known.trim().ends_with(&line))
}

/// The file of a module: `src/x.rs` if that exists, else `src/x/mod.rs`.
fn room(files: &Files, module: &str) -> String {
    let file = format!("src/{module}.rs");
    match files.read(&file) {
        Some(_) => file,
        None => format!("src/{module}/mod.rs"),
    }
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

/// The text with what it hands on, below its modules. Without `self`, the module could be taken for a crate of its name.
fn with_export(text: &str, path: &str) -> String {
    let (line, bare) = (format!("pub use self::{path};"), format!("pub use {path};"));
    if text.lines().any(|known| known.trim() == bare) {
        return text.to_owned();
    }
    let is_export = |known: &str| known.starts_with("pub use ");
    if text.lines().any(is_export) {
        return with_line(text, &line, is_export);
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
    fn b480_what_is_handed_on_cannot_be_taken_for_a_crate_and_is_written_once() {
        let once = with_export("mod listing;\n", "listing::Listings");
        assert_eq!(once, "mod listing;\n\npub use self::listing::Listings;\n");
        assert_eq!(with_export(&once, "listing::Listings"), once);
        let bare = "mod listing;\n\npub use listing::Listings;\n";
        assert_eq!(with_export(bare, "listing::Listings"), bare);
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
