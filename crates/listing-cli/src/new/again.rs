//! Adds the new parts of a database to an existing application, and leaves edited files alone.

use anyhow::Result;

use super::from_database::Application;
use crate::arguments::MakeArguments;
use crate::database::{Directions, Wanted};
use crate::files::Files;
use crate::make::{ENUMERATIONS, NEW_CALLER, Needs, add_enumerations, project, wire};
use crate::model::secrets;
use crate::source::resource::Readers;
use crate::terminal;

/// Writes the files of tables that are new, and tells how the others differ from the database.
pub(crate) fn run(url: &str, arguments: &MakeArguments) -> Result<()> {
    let mut files = Files::new(&project::find_root()?, arguments.force);
    // Relations that lead back would need the other entity to be as it was written.
    let wanted = Wanted {
        except: &arguments.except,
        ..Wanted::default()
    };
    let readers = Readers::of(arguments.public);
    let application = Application::read(url, wanted, arguments.crud, readers, Directions::Own)?;
    let mut differences = Vec::new();
    let mut notes = application.notes().to_vec();
    let mut needs = Needs::default();
    let mut resources = Vec::new();
    let mut left_out = Vec::new();
    let mut wants_callers = false;
    let has_resources = |files: &Files| files.read(&wire::room(files, "resources")).is_some();
    let had_resources = has_resources(&files);
    for table in application.tables() {
        let module = &table.module;
        let file = format!("src/entity/{module}.rs");
        if let Some(text) = files.read(&file) {
            differences.extend(Difference::of(&file, &text, &table.entity));
            continue;
        }
        notes.extend_from_slice(&table.notes);
        files.create(&file, table.entity.clone())?;
        files.create(&format!("src/listings/{module}.rs"), table.listing.clone())?;
        if let Some(resource) = &table.resource {
            files.create(&format!("src/resources/{module}.rs"), resource.clone())?;
            resources.push(resource.as_str());
        }
        wire::add_table(&mut files, module, table.resource.is_some(), &table.served)?;
        left_out.extend_from_slice(&table.left_out);
        needs.payloads |= table.served.starts_with(".crud");
        wants_callers |= readers == Readers::SignedIn || needs.payloads;
        needs.arrays |= table.arrays;
        needs.snake_case |= application.snake_case();
    }
    if !had_resources && has_resources(&files) {
        notes.push(
            "src/resources/mod.rs is new; its tables are served once `main` has the routes of `resources::api`"
                .to_owned(),
        );
    }
    if wants_callers {
        if !wire::has_caller(&files) {
            notes.push(NEW_CALLER.to_owned());
        }
        wire::add_caller(&mut files)?;
    }
    if let Some(enumerations) = application.enumerations() {
        add_enumerations(&mut files, enumerations, &resources)?;
        let written = files.read(ENUMERATIONS).unwrap_or_default();
        needs.enumerations = written.contains("serde::Deserialize");
    }
    notes.extend(needs.missing(&files));
    files.apply(arguments.dry_run)?;
    for note in &notes {
        terminal::doubtful("note", note);
    }
    for difference in &differences {
        difference.tell();
    }
    if differences.is_empty() {
        terminal::good(
            "ok",
            "the entities that were there have every column of their tables",
        );
    }
    secrets::tell(&left_out, secrets::IN_FILES);
    Ok(())
}

/// The parts that a kept file lacks.
struct Difference {
    file: String,
    /// Fields with their attributes, as they would be written.
    missing: Vec<String>,
}

impl Difference {
    /// The fields that would be written now and are not in the file; `None` if there are no such fields.
    fn of(file: &str, text: &str, written: &str) -> Option<Self> {
        let missing: Vec<_> = fields(written)
            .into_iter()
            .filter(|(name, _)| !fields(text).iter().any(|(known, _)| known == name))
            .map(|(_, field)| field)
            .collect();
        (!missing.is_empty()).then(|| Self {
            file: file.to_owned(),
            missing,
        })
    }

    fn tell(&self) {
        let file = &self.file;
        terminal::doubtful(
            "kept",
            &format!("{file} lacks columns that its table now has; add the ones you need"),
        );
        for line in self.missing.iter().flat_map(|field| field.lines()) {
            terminal::more(&format!("+ {line}"));
        }
    }
}

/// The fields of a model by their names, with the attributes before them.
fn fields(source: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut before: Vec<&str> = Vec::new();
    for line in source.lines() {
        let trimmed = line.trim();
        let field = trimmed
            .strip_prefix("pub ")
            .and_then(|rest| rest.split_once(": "));
        match field {
            Some((name, _)) => {
                before.push(line);
                found.push((name.to_owned(), before.join("\n")));
                before.clear();
            }
            None if trimmed.starts_with('#') || !before.is_empty() => before.push(line),
            None => {}
        }
        if trimmed.is_empty() || trimmed.ends_with('{') {
            before.clear();
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rule b368.
    #[test]
    fn what_a_file_lacks_is_told_with_its_attributes() {
        let old = "pub struct Model {\n    #[sea_orm(primary_key)]\n    pub id: i64,\n    pub name: Name,\n}\n";
        let new = "pub struct Model {\n    #[sea_orm(primary_key)]\n    pub id: i32,\n    pub name: String,\n    \
                   #[sea_orm(\n        unique\n    )]\n    pub code: String,\n}\n";
        let difference = Difference::of("f", old, new).unwrap();
        assert_eq!(
            difference.missing,
            ["    #[sea_orm(\n        unique\n    )]\n    pub code: String,"]
        );
        assert!(Difference::of("f", old, old).is_none());
    }
}
