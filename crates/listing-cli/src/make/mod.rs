//! Generates an entity's listing, with `--crud` its endpoints too, and wires them into the application.

mod attributes;
pub(crate) mod entity;
mod judge;
mod listing;
mod project;
mod resource;
mod wire;

use anyhow::{Context, Result, bail};

use self::entity::Entity;
use self::listing::{Related, Target};
use self::project::Project;
use crate::arguments::MakeArguments;
use crate::files::Files;
use crate::{database, naming, terminal};

pub(crate) fn run(arguments: &MakeArguments) -> Result<()> {
    let root = project::find_root()?;
    let mut files = Files::new(&root, arguments.force);
    let mut notes = Vec::new();
    if let Some(url) = &arguments.from_database {
        let table = match &arguments.table {
            Some(table) => table.clone(),
            None => naming::table(&arguments.entity),
        };
        notes = add_entity(&mut files, &arguments.entity, &table, url)?;
    }
    let kept = add_listing(&mut files, &root, &arguments.entity, arguments.crud)?;
    notes.extend(kept);
    let caller = arguments.crud && !root.join("src/caller.rs").exists();
    files.apply(arguments.dry_run)?;
    if caller {
        notes.push(
            "src/caller.rs says who is signed in. Callers are known once the router has the layer \
             `from_fn_with_state(app, identify::<Caller, App>)`"
                .to_owned(),
        );
    }
    for note in notes {
        terminal::doubtful("note", &note);
    }
    Ok(())
}

/// Adds the entity of a table, and returns notes on what could not be taken over.
fn add_entity(files: &mut Files, name: &str, table: &str, url: &str) -> Result<Vec<String>> {
    let module = naming::module(name);
    let schema = {
        let _progress = terminal::Progress::new("reading the schema");
        crate::wait_for(async {
            let database = database::Database::open(url).await?;
            database.tables().await
        })?
    };
    let (source, notes) = database::entity_source(&schema, table, &|module| {
        files.read(&format!("src/entity/{module}.rs")).is_some()
    })?;
    files.create(&format!("src/entity/{module}.rs"), source)?;
    wire::add_module(
        files,
        "src/entity/mod.rs",
        "//! One entity for each table.\n",
        &format!("pub mod {};", naming::identifier(&module)),
    );
    wire::add_to_crate(files, "entity")?;
    Ok(notes)
}

/// Adds the listing of an entity, and its endpoints if asked; returns notes.
pub(crate) fn add_listing(
    files: &mut Files,
    root: &std::path::Path,
    name: &str,
    crud: bool,
) -> Result<Vec<String>> {
    let project = Project::read(root, files)?;
    let (entity, place) = project.entity(name)?;
    let keys = entity.key();
    if keys.len() != 1 {
        bail!(
            "the primary key of `{}` has {} columns; a listing needs an entity whose key is one column",
            entity.table,
            keys.len()
        );
    }
    let related: Vec<_> = entity
        .relations
        .iter()
        .map(|relation| Related {
            relation,
            target: target(&project, files, &entity, &relation.module),
        })
        .collect();
    let module = &entity.module;
    let listing = format!("{}Listing", naming::camel(module));
    let source = listing::source(&entity, &place.module_path, &related, crud);
    let file = format!("src/listings/{module}.rs");
    // Endpoints can be added to a listing that was edited since.
    let mut notes = Vec::new();
    if !crud {
        files.create(&file, source)?;
    } else if files.create_or_keep(&file, source) {
        notes.push(format!(
            "{file} already exists and is kept; `--force` replaces it"
        ));
    }
    if !entity.named {
        let text = files
            .read(&place.file)
            .with_context(|| format!("cannot read {}", place.file))?;
        files.edit(&place.file, wire::with_named_relations(&text));
    }
    wire::add_listing(files, module, &listing, &place.module_path, crud)?;
    if crud {
        let source = resource::source(&entity, &place.module_path);
        files.create(&format!("src/resources/{module}.rs"), source)?;
        let resource = resource::type_name(&entity);
        wire::add_resource(files, module, &resource, &place.module_path)?;
    }
    Ok(notes)
}

/// What can be shown of an entity to which a relation leads.
fn target(project: &Project, files: &Files, from: &Entity, module: &str) -> Target {
    let is_itself = module == from.module || module == "Entity";
    if is_itself || wire::has_listing(files, module) {
        return Target::HasListing;
    }
    let Ok((entity, place)) = project.entity(module) else {
        return Target::Unknown;
    };
    let variants: Vec<_> = entity
        .columns
        .iter()
        .filter(|column| judge::shown(column) == judge::Shown::Default)
        .map(|column| column.variant.clone())
        .collect();
    if variants.is_empty() || entity.key().len() != 1 {
        return Target::Unknown;
    }
    Target::Columns {
        path: place.module_path,
        variants,
    }
}
