//! Adds the lines by which the application knows of generated code: modules, listings and routes.

use anyhow::{Result, bail};

use super::places;
use crate::files::Files;
use crate::naming;

/// Adds a line that declares a module, after the others.
pub(crate) fn add_module(files: &mut Files, file: &str, head: &str, line: &str) -> Result<()> {
    let text = files.read(file).unwrap_or_else(|| head.to_owned());
    let text = places::with_module(file, &text, line)?;
    files.edit(file, text);
    Ok(())
}

/// Declares a module at the root of the crate.
pub(crate) fn add_to_crate(files: &mut Files, module: &str) -> Result<()> {
    for (file, line) in [
        ("src/lib.rs", format!("pub mod {module};")),
        ("src/main.rs", format!("mod {module};")),
    ] {
        if files.read(file).is_some() {
            return add_module(files, file, "", &line);
        }
    }
    bail!("there is neither src/lib.rs nor src/main.rs");
}

/// The head of the module of entities.
pub(crate) const ENTITIES: &str = "//! One entity for each table.\n";

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
    if !has_api && !places::calls(&text, "Listings::builder") {
        text.push_str(&places::in_lines_of(&text, BUILDER));
    }
    let module = naming::identifier(module);
    let text = places::with_module(&file, &text, &format!("mod {module};"))?;
    let text = places::with_export(&file, &text, &module, listing)?;
    let has_builder = places::calls(&text, "Listings::builder");
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

/// Registers an entity that has words: where the other endpoints are, or among the listings of an application that has none.
pub(crate) fn register(files: &mut Files, entity: &str, crud: bool) -> Result<()> {
    let resources = room(files, "resources");
    let has_api = crud || files.read(&resources).is_some();
    if !has_api {
        let file = room(files, "listings");
        let mut text = files.read(&file).unwrap_or_else(|| LISTINGS.to_owned());
        if !places::calls(&text, "Listings::builder") {
            text.push_str(&places::in_lines_of(&text, BUILDER));
        }
        let call = format!(".add::<{entity}::Entity>()");
        let text = registered(&file, &text, &call, entity)?;
        files.edit(&file, text);
        return add_to_crate(files, "listings");
    }
    let text = files.read(&resources);
    let text = text.unwrap_or_else(|| RESOURCES.to_owned());
    let listing = format!(".listing::<{entity}::Entity>()");
    let call = match crud {
        true => format!(".crud::<{entity}::Entity>()"),
        false => listing.clone(),
    };
    let text = match places::with_call_replaced(&text, &listing, &call) {
        Some(text) if crud => text,
        _ => registered(&resources, &text, &call, entity)?,
    };
    files.edit(&resources, text);
    if crud {
        add_caller(files)?;
    }
    add_to_crate(files, "resources")
}

/// The text with a listing registered before the call that ends the chain, unless it is registered already.
fn registered(file: &str, text: &str, call: &str, entity: &str) -> Result<String> {
    let (_, module) = entity.rsplit_once("::").unwrap_or(("", entity));
    let crud = format!(".crud::<{}>()", naming::camel(&naming::table(module)));
    let short = call.replace("crate::", "");
    if [call, &short, &crud]
        .iter()
        .any(|known| places::calls(text, known))
    {
        return Ok(text.to_owned());
    }
    places::before_end(file, text, call)
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
    let text = places::with_module(&file, &text, &format!("mod {module};"))?;
    let text = places::with_export(&file, &text, &module, resource)?;
    let call = format!(".crud::<{resource}>()");
    let listing = format!(".listing::<{entity}::Entity>()");
    let is_served = [&call, &format!(".read::<{resource}>()")]
        .iter()
        .any(|known| places::calls(&text, known));
    let text = if is_served {
        text
    } else if let Some(text) = places::with_call_replaced(&text, &listing, &call) {
        text
    } else {
        places::before_end(&file, &text, &call)?
    };
    files.edit(&file, text);
    add_caller(files)?;
    add_to_crate(files, "resources")
}

/// Whether the application says who is calling.
pub(crate) fn has_caller(files: &Files) -> bool {
    files.read(&room(files, "caller")).is_some()
}

/// Adds who is calling, unless the application says it.
pub(crate) fn add_caller(files: &mut Files) -> Result<()> {
    if !has_caller(files) {
        files.create("src/caller.rs", CALLER.to_owned())?;
    }
    add_to_crate(files, "caller")
}

/// Adds a table: its modules, those of the crate in which they are, and the call that serves it.
pub(crate) fn add_table(
    files: &mut Files,
    module: &str,
    has_resource: bool,
    served: &str,
) -> Result<()> {
    let line = format!("mod {};", naming::identifier(module));
    let entities = room(files, "entity");
    add_module(files, &entities, ENTITIES, &format!("pub {line}"))?;
    add_module(files, &room(files, "listings"), LISTINGS, &line)?;
    let file = room(files, "resources");
    let text = files.read(&file).unwrap_or_else(|| RESOURCES.to_owned());
    let text = match has_resource {
        true => places::with_module(&file, &text, &line)?,
        false => text,
    };
    let served = served
        .replace("<PublicRead", "<listing_axum::PublicRead")
        .replace("<SignedInRead", "<listing_axum::SignedInRead")
        .replace(", Caller>", ", crate::caller::Caller>");
    let text = if places::calls(&text, &served) {
        text
    } else {
        places::before_end(&file, &text, &served)?
    };
    files.edit(&file, text);
    for module in ["entity", "listings", "resources"] {
        add_to_crate(files, module)?;
    }
    Ok(())
}

/// The source of an entity with the derive that gives its relations their names.
pub(crate) fn with_named_relations(source: &str) -> String {
    places::with_derive(source, "DeriveEntityModel", "listing::NamedRelations")
}

/// Whether an entity has a listing.
pub(crate) fn has_listing(files: &Files, module: &str) -> bool {
    let text = files.read(&room(files, "listings")).unwrap_or_default();
    let entity = files.read(&format!("src/entity/{module}.rs"));
    places::declares(&text, &naming::identifier(module))
        || entity.is_some_and(|entity| places::model::has_words(&entity))
}

/// The file of a module: `src/x.rs` if that exists, else `src/x/mod.rs`.
pub(crate) fn room(files: &Files, module: &str) -> String {
    let file = format!("src/{module}.rs");
    match files.read(&file) {
        Some(_) => file,
        None => format!("src/{module}/mod.rs"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rule b499.
    #[test]
    fn what_is_added_to_a_file_has_its_line_endings() {
        let folder = tempfile::tempdir().unwrap();
        let mut files = Files::new(folder.path(), false);
        let (lib, listings) = ("src/lib.rs", "src/listings/mod.rs");
        for file in [lib, listings] {
            files.edit(file, "//! Mine.\r\n".to_owned());
        }
        let entity = "crate::entity::account";
        add_listing(&mut files, "account", "AccountListing", entity, false).unwrap();
        let text = files.read(listings).unwrap();
        assert!(
            text.contains(".add::<crate::entity::account::Entity>()\r\n"),
            "{text:?}"
        );
        for file in [lib, listings] {
            let text = files.read(file).unwrap();
            assert!(!text.replace("\r\n", "").contains('\n'), "{text:?}");
        }
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
}
