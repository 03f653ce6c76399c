//! Finds the package that a folder belongs to and the entities in its sources.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use listing::nearest;

use crate::files::Files;
use crate::model::entity::Entity;
use crate::naming;

/// The nearest folder upwards that holds a package.
pub(crate) fn find_root() -> Result<PathBuf> {
    let here = std::env::current_dir().context("the current folder does not exist")?;
    let is_package = |folder: &Path| {
        fs::read_to_string(folder.join("Cargo.toml"))
            .is_ok_and(|text| text.lines().any(|line| line.trim() == "[package]"))
    };
    match here.ancestors().find(|folder| is_package(folder)) {
        Some(folder) => Ok(folder.to_path_buf()),
        None => bail!(
            "{} is not inside a package; `listing new` creates one",
            here.display()
        ),
    }
}

/// The sources of a package.
#[derive(Debug)]
pub(crate) struct Project {
    sources: Vec<Source>,
    enumerations: BTreeSet<String>,
}

#[derive(Debug)]
struct Source {
    /// `src/entity/article.rs`
    file: String,
    text: String,
}

/// The file that defines an entity.
#[derive(Debug)]
pub(crate) struct Place {
    /// `src/entity/article.rs`
    pub(crate) file: String,
    /// `crate::entity::article`
    pub(crate) module_path: String,
}

impl Project {
    /// Reads every source, those that are about to be written too.
    pub(crate) fn read(root: &Path, files: &Files) -> Result<Self> {
        let mut names = files.pending();
        let mut folders = vec![root.join("src")];
        while let Some(folder) = folders.pop() {
            let Ok(entries) = fs::read_dir(&folder) else {
                continue;
            };
            for entry in entries {
                let path = entry?.path();
                if path.is_dir() {
                    folders.push(path);
                } else if let Ok(name) = path.strip_prefix(root) {
                    names.push(name.to_string_lossy().replace('\\', "/"));
                }
            }
        }
        names.sort();
        names.dedup();
        let sources: Vec<_> = names
            .into_iter()
            .filter(|name| name.ends_with(".rs"))
            .filter_map(|file| {
                let text = files.read(&file)?;
                Some(Source { file, text })
            })
            .collect();
        let enumerations = sources
            .iter()
            .flat_map(|source| enumerations(&source.text))
            .collect();
        Ok(Self {
            sources,
            enumerations,
        })
    }

    /// The entity of that name: by its module, or by its table.
    pub(crate) fn entity(&self, name: &str) -> Result<(Entity, Place)> {
        let (module, table) = (naming::module(name), naming::table(name));
        let mut known = Vec::new();
        for source in &self.sources {
            if !source.text.contains("DeriveEntityModel") {
                continue;
            }
            let stem = stem(&source.file);
            let is_enumeration = |name: &str| self.enumerations.contains(name);
            let Some(entity) = Entity::parse(&stem, &source.text, &is_enumeration)
                .with_context(|| format!("cannot read {}", source.file))?
            else {
                continue;
            };
            if [&module, &table, &name.to_owned()].contains(&&stem) || entity.table == table {
                let place = Place {
                    file: source.file.clone(),
                    module_path: module_path(&source.file),
                };
                return Ok((entity, place));
            }
            known.push(naming::camel(&stem));
        }
        let remedy = match nearest(name, known.iter().map(String::as_str)) {
            Some(near) => format!("did you mean `{near}`?"),
            None if known.is_empty() => "no source in `src` derives `DeriveEntityModel`; \
                 `--from-database URL` writes an entity from a table."
                .to_owned(),
            None => format!("the entities are: {}.", known.join(", ")),
        };
        bail!(
            "there is no entity `{name}`; {remedy} `listing make {name} COLUMN:TYPE …` creates one"
        )
    }
}

/// The names of enumerations that the database knows.
fn enumerations(text: &str) -> Vec<String> {
    if !text.contains("DeriveActiveEnum") {
        return Vec::new();
    }
    let Ok(file) = syn::parse_file(text) else {
        return Vec::new();
    };
    let enums = file.items.iter().filter_map(|item| match item {
        syn::Item::Enum(item) => Some(item.ident.to_string()),
        _ => None,
    });
    enums.collect()
}

/// `src/entity/article.rs` and `src/entity/article/mod.rs` are `article`.
fn stem(file: &str) -> String {
    let path = file.trim_end_matches(".rs").trim_end_matches("/mod");
    path.rsplit('/').next().unwrap_or(path).to_owned()
}

/// `src/entity/article.rs` is `crate::entity::article`.
fn module_path(file: &str) -> String {
    let path = file.trim_end_matches(".rs").trim_end_matches("/mod");
    let inside = path.strip_prefix("src/").unwrap_or(path);
    let parts: Vec<_> = inside.split('/').map(naming::identifier).collect();
    format!("crate::{}", parts.join("::"))
}
