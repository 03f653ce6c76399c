//! Generates an entity's listing, its endpoints and, from columns, everything else, and wires them into the application.

mod columns;
mod fresh;
mod lacking;
mod places;
pub(crate) mod project;
pub(crate) mod wire;

use anyhow::{Context, Result, bail};
use listing::nearest;

pub(crate) use self::lacking::Needs;
use self::project::{Place, Project};
use crate::arguments::MakeArguments;
use crate::files::Files;
use crate::model::entity::Entity;
use crate::model::judge;
use crate::model::secrets::{self, LeftOut};
use crate::source::listing::{Related, Target};
use crate::source::resource::{self, Readers};
use crate::source::words::Words;
use crate::{database, naming, source, terminal};

pub(crate) const NEW_CALLER: &str = "src/caller.rs says who is signed in. Callers are known once the router has the layer \
     `identify::<Caller, App>(app)`; until then they get 401";

pub(crate) fn run(arguments: &MakeArguments) -> Result<()> {
    let root = project::find_root()?;
    let mut files = Files::new(&root, arguments.force);
    let mut notes = Vec::new();
    let Some(entity) = &arguments.entity else {
        bail!("name the entity");
    };
    if let Some(url) = &arguments.from_database {
        let table = match &arguments.table {
            Some(table) => table.clone(),
            None => naming::table(entity),
        };
        notes = add_entity(&mut files, entity, &table, url)?;
    }
    let is_fresh = !arguments.columns.is_empty();
    let crud = arguments.crud || is_fresh;
    let caller = crud && !wire::has_caller(&files);
    let endpoints = match (crud, &arguments.from_database) {
        (false, _) => Endpoints::List,
        (true, None) => Endpoints::Crud,
        (true, Some(_)) => Endpoints::CrudOfExistingTable,
    };
    let wanted = Wanted {
        endpoints,
        readers: Readers::of(arguments.public),
        form: match arguments.explicit || arguments.from_database.is_some() {
            true => Form::Functions,
            false => Form::Words,
        },
    };
    let added = match is_fresh {
        true => fresh::add(&mut files, &root, entity, &arguments.columns, wanted)?,
        false => add_listing(&mut files, &root, entity, wanted)?,
    };
    notes.extend(added.notes);
    if caller {
        notes.push(NEW_CALLER.to_owned());
    }
    let needs = Needs {
        payloads: crud,
        ..Needs::default()
    };
    notes.extend(needs.missing(&files));
    files.apply(arguments.dry_run)?;
    for note in notes {
        terminal::doubtful("note", &note);
    }
    secrets::tell(&added.left_out, secrets::IN_FILES);
    Ok(())
}

/// Adds the entity of a table, and returns notes on what could not be taken over.
fn add_entity(files: &mut Files, name: &str, table: &str, url: &str) -> Result<Vec<String>> {
    let module = naming::module(name);
    let (schema, mut notes, backend) = {
        let _progress = terminal::Progress::new("reading the schema");
        crate::wait::wait_for(async {
            let database = database::Database::open(url).await?;
            let mut tables = database.tables().await?;
            let wanted = |one: &&mut database::Table| one.is_named(table);
            let notes = match tables.iter_mut().find(wanted) {
                Some(one) => database.find_keys(std::slice::from_mut(one)).await?,
                None => Vec::new(),
            };
            Ok((tables, notes, database.backend()))
        })?
    };
    let exists = |module: &str| files.read(&format!("src/entity/{module}.rs")).is_some();
    let (written, enums) = one_entity(schema, backend, &module, table, &exists)?;
    let source = undocumented(&written.source);
    files.create(&format!("src/entity/{module}.rs"), source)?;
    if let Some(enums) = enums {
        add_enumerations(files, &undocumented(&enums), &[])?;
    }
    let needs = Needs {
        arrays: written.arrays,
        ..Needs::default()
    };
    notes.extend(written.notes);
    notes.extend(needs.missing(files));
    let line = format!("pub mod {};", naming::identifier(&module));
    let file = wire::room(files, "entity");
    wire::add_module(files, &file, wire::ENTITIES, &line)?;
    wire::add_to_crate(files, "entity")?;
    Ok(notes)
}

/// The entity of one table, with relations to entities that exist, and the enumerations that it needs.
fn one_entity(
    tables: Vec<database::Table>,
    backend: sea_orm::DbBackend,
    module: &str,
    name: &str,
    exists: &dyn Fn(&str) -> bool,
) -> Result<(database::Written, Option<String>)> {
    if !tables.iter().any(|table| table.is_named(name)) {
        let known: Vec<_> = tables.iter().map(database::Table::full_name).collect();
        let remedy = match nearest(name, known.iter().map(String::as_str)) {
            Some(near) => format!("did you mean `--table {near}`?"),
            None => format!("its tables are: {}", known.join(", ")),
        };
        bail!("the database has no table `{name}`; {remedy}");
    }
    let links = database::links(&tables, name);
    let tables: Vec<_> = tables
        .into_iter()
        .filter(|table| table.is_named(name) || exists(&naming::module(&table.name)))
        .collect();
    let at = tables.iter().position(|table| table.is_named(name));
    let at = at.unwrap_or_default();
    let modules = database::Modules::of_tables(&tables).with(at, module);
    let relations = database::Relations::between(&tables, &modules, database::Directions::Own);
    let own = &tables[at..=at];
    let one = database::Modules::of_tables(own).with(0, module);
    let enumerations = database::Enumerations::of_tables(own, &one, backend);
    let mut written = database::entity_source(
        &tables[at],
        &relations.of_table(at),
        &enumerations.of_table(0),
    );
    written.notes.extend(links);
    Ok((written, enumerations.source(false)))
}

/// The source without a comment on each field, in an application whose lints may want one.
fn undocumented(source: &str) -> String {
    let allowed = "#![allow(missing_docs, reason = \"columns are named by the database\")]";
    source.replacen('\n', &format!("\n\n{allowed}\n"), 1)
}

/// The module of a database's enumerations.
pub(crate) const ENUMERATIONS: &str = "src/entity/enums.rs";

/// Adds enumerations to those that the application has. Those that new payloads name are read from JSON (b560).
pub(crate) fn add_enumerations(files: &mut Files, source: &str, payloads: &[&str]) -> Result<()> {
    let text = match files.read(ENUMERATIONS) {
        None => source.to_owned(),
        Some(before) => with_enumerations(before, source, payloads)?,
    };
    files.edit(ENUMERATIONS, text);
    let file = wire::room(files, "entity");
    wire::add_module(files, &file, wire::ENTITIES, "pub mod enums;")
}

fn with_enumerations(mut text: String, source: &str, payloads: &[&str]) -> Result<String> {
    for one in source.split("\n/// ").skip(1) {
        let mut lines = one.lines();
        let name = lines.find_map(|line| line.strip_prefix("pub enum ")?.strip_suffix(" {"));
        let Some(name) = name else {
            continue;
        };
        let is_sent = |payload: &&str| places::calls(payload, &format!("enums::{name}"));
        if !text.contains(&format!("pub enum {name} {{")) {
            text.push_str(&places::in_lines_of(&text, &format!("\n/// {one}")));
        } else if payloads.iter().any(is_sent) {
            text = places::with_deserialize(ENUMERATIONS, &text, name)?;
        }
    }
    Ok(text)
}

/// The application as its tests have it, which they share.
pub(crate) const APPLICATION_IN_TESTS: &str = "tests/application/mod.rs";

/// The endpoints of an entity.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Endpoints {
    List,
    Crud,
    /// Values that were read from its rows can be sent back (b510).
    CrudOfExistingTable,
}

/// How a listing is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// As words at the columns of the entity.
    Words,
    /// As functions, in a separate file.
    Functions,
}

/// The code to add for an entity.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Wanted {
    pub(crate) endpoints: Endpoints,
    pub(crate) readers: Readers,
    pub(crate) form: Form,
}

/// The notes about an added listing.
#[derive(Debug)]
pub(crate) struct Added {
    pub(crate) notes: Vec<String>,
    pub(crate) left_out: Vec<LeftOut>,
}

/// Adds the listing of an entity, and its endpoints if asked.
pub(crate) fn add_listing(
    files: &mut Files,
    root: &std::path::Path,
    name: &str,
    wanted: Wanted,
) -> Result<Added> {
    let Wanted {
        endpoints, readers, ..
    } = wanted;
    let crud = endpoints != Endpoints::List;
    let project = Project::read(root, files)?;
    let (entity, place) = project.entity(name)?;
    if entity.keyless && crud {
        bail!(
            "the rows of `{}` have no key, by which records could be written: leave out `--crud`",
            entity.table
        );
    }
    if entity.key().is_empty() && !entity.keyless {
        bail!("`{}` has no primary key, which SeaORM needs", entity.table);
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
    let file = format!("src/listings/{module}.rs");
    // A listing that was written as functions stays so.
    if wanted.form == Form::Words && files.read(&file).is_none() {
        return add_words(files, &entity, &place, &related, wanted);
    }
    let listing = format!("{}Listing", naming::camel(module));
    let source = source::listing::source(&entity, &place.module_path, &related, crud);
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
        let serving = resource::Serving {
            readers,
            existing: endpoints == Endpoints::CrudOfExistingTable,
            ..resource::Serving::of(&entity)
        };
        let source = resource::source(&entity, &place.module_path, &serving);
        files.create(&format!("src/resources/{module}.rs"), source)?;
        let resource = resource::type_name(&entity);
        wire::add_resource(files, module, &resource, &place.module_path)?;
    }
    Ok(Added {
        notes,
        left_out: LeftOut::of(&entity, Some(&file)),
    })
}

/// Adds a listing as words at the columns of its entity, and registers it.
fn add_words(
    files: &mut Files,
    entity: &Entity,
    place: &Place,
    related: &[Related<'_>],
    wanted: Wanted,
) -> Result<Added> {
    let file = &place.file;
    let text = files
        .read(file)
        .with_context(|| format!("cannot read {file}"))?;
    let name = naming::camel(&entity.module);
    if places::model::has_words(&text) {
        bail!("`{name}` has a listing already: its words are at its columns, in {file}");
    }
    let crud = wanted.endpoints != Endpoints::List;
    let words = Words::of(entity, related, crud.then_some(wanted.readers));
    let mut text = places::model::with_words(file, &text, &words.model, &words.fields)?;
    text.push_str(&places::in_lines_of(&text, &words.end));
    files.edit(file, text);
    wire::register(files, &place.module_path, crud)?;
    let mut notes = Vec::new();
    if crud {
        let missing = entity
            .columns
            .iter()
            .filter(|one| resource::is_missing(one));
        notes.extend(missing.map(|column| {
            format!(
                "clients do not send `{}.{}`, but the table needs a value: set it with `before_store = ..`, in {file}",
                entity.table, column.name
            )
        }));
    }
    Ok(Added {
        notes,
        left_out: LeftOut::of(entity, Some(file)),
    })
}

/// The fields that can be shown of a related entity.
fn target(project: &Project, files: &Files, from: &Entity, module: &str) -> Target {
    let is_itself = module == from.module || module == "Entity";
    if is_itself || wire::has_listing(files, module) {
        return Target::HasListing;
    }
    let Ok((entity, place)) = project.entity(module) else {
        return Target::Unknown;
    };
    let shown: Vec<_> = entity
        .columns
        .iter()
        .filter(|column| judge::shown(column) == judge::Shown::Default)
        // Under its own name it could not be shown.
        .filter(|column| column.alias.is_none())
        .collect();
    if shown.is_empty() {
        return Target::Unknown;
    }
    Target::Columns {
        path: place.module_path,
        variants: shown.iter().map(|column| column.variant.clone()).collect(),
        fields: shown.iter().map(|column| column.field.clone()).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rule b499.
    #[test]
    fn enumerations_are_added_in_the_line_endings_of_their_file() {
        let known = "/// The values of `mood`.\r\npub enum Mood {\r\n    Sad,\r\n}\r\n";
        let source = "//! All.\n\n/// The values of `mood`.\npub enum Mood {\n    Sad,\n}\n\n\
                      /// The values of `size`.\npub enum Size {\n    Small,\n}\n";
        let size = "\r\n/// The values of `size`.\r\npub enum Size {\r\n    Small,\r\n}\r\n";
        let text = with_enumerations(known.to_owned(), source, &[]).unwrap();
        assert_eq!(text, format!("{known}{size}"));
    }

    /// Rule b560.
    #[test]
    fn an_enumeration_that_a_new_payload_names_is_read_from_json() {
        let written = |name: &str, derive: &str| {
            format!(
                "\n/// The values of it.\n#[derive(DeriveActiveEnum{derive})]\npub enum {name} {{\n    Sad,\n}}\n"
            )
        };
        let (mood, moods) = (written("Mood", ""), written("Moods", ""));
        let sent = ", serde::Deserialize";
        let source = format!(
            "//! All.\n{}{}",
            written("Mood", sent),
            written("Moods", sent)
        );
        let payload = "struct PagePayload {\n    mood: Given<\n        enums::Mood,\n    >,\n}\n";
        let before = format!("{mood}{moods}");
        let after =
            |payloads: &[&str]| with_enumerations(before.clone(), &source, payloads).unwrap();
        assert_eq!(
            after(&[payload]),
            format!("{}{moods}", written("Mood", sent))
        );
        assert_eq!(after(&[]), before);
    }
}
