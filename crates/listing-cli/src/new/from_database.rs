//! Makes an application that serves the tables and views of a database.

use std::fmt::Write as _;

use ::listing::Names;
use anyhow::{Context, Result, bail};
use sea_orm::DbBackend;

use super::url::{absolute, without_password};
use crate::database::{
    Database, Directions, Enumerations, Relations, Schema, Table, Wanted, Written, entity_source,
};
use crate::model::entity::{Entity, Kind};
use crate::model::secrets::LeftOut;
use crate::source::listing::{self, Related, Target};
use crate::source::resource::{self, Readers, Serving};
use crate::{make, naming};

/// The files that do not depend on the tables. Lines that begin with `//callers` are for applications that know callers, those
/// with `//nobody` for those that do not, and those with `//closed` for those that only known callers may read.
const TEMPLATE: &[(&str, &str)] = &[
    (
        ".cargo/config.toml",
        include_str!("template/cargo_config.toml.txt"),
    ),
    (".gitignore", include_str!("template/gitignore.txt")),
    (
        "Cargo.toml",
        include_str!("template/existing/Cargo.toml.txt"),
    ),
    ("README.md", include_str!("template/existing/README.md.txt")),
    (
        "listing.toml",
        include_str!("template/existing/listing.toml.txt"),
    ),
    ("src/lib.rs", include_str!("template/existing/lib.rs.txt")),
    ("src/main.rs", include_str!("template/existing/main.rs.txt")),
    (
        "src/service.rs",
        include_str!("template/existing/service.rs.txt"),
    ),
    (
        "tests/lists.rs",
        include_str!("template/existing/tests.rs.txt"),
    ),
];

/// Everything that is to be written.
pub(crate) struct Application {
    url: String,
    crud: bool,
    readers: Readers,
    backend: DbBackend,
    tables: Vec<TableFiles>,
    enumerations: Option<String>,
    names: Names,
    /// The notes about the database as a whole.
    notes: Vec<String>,
}

/// The files for one table.
pub(crate) struct TableFiles {
    pub(crate) module: String,
    pub(crate) entity: String,
    pub(crate) listing: String,
    /// A separate file, unless it is served by [`listing_axum::SignedInRead`] or [`listing_axum::PublicRead`].
    pub(crate) resource: Option<String>,
    /// `.crud::<film::Films>()`
    pub(crate) served: String,
    /// Whether it has columns of several values.
    pub(crate) arrays: bool,
    /// The notes about it.
    pub(crate) notes: Vec<String>,
    /// Its columns that look like secrets.
    pub(crate) left_out: Vec<LeftOut>,
    segment: String,
    is_view: bool,
    /// Whether nothing of it can be written, as of a view.
    is_read_only: bool,
}

/// The final message of the command.
pub(crate) struct Told {
    pub(crate) notes: Vec<String>,
    pub(crate) left_out: Vec<LeftOut>,
    pub(crate) summary: String,
    /// Whether the URL has a password, which is not written.
    pub(crate) secret: bool,
}

impl Application {
    pub(crate) fn read(
        url: &str,
        wanted: Wanted<'_>,
        crud: bool,
        readers: Readers,
        directions: Directions,
    ) -> Result<Self> {
        let schema = crate::wait::wait_for(async {
            let database = Database::open(url).await?;
            Schema::read(&database, wanted).await
        })?;
        let schema = crate::serve::servable(schema)?;
        let (tables, modules) = (&schema.tables, &schema.modules);
        let relations = Relations::between(tables, modules, directions);
        let enumerations = Enumerations::of_tables(tables, modules, schema.backend);
        let mut application = Self {
            url: absolute(url),
            crud,
            readers,
            backend: schema.backend,
            tables: Vec::new(),
            enumerations: enumerations.source(crud),
            names: schema.names(),
            notes: schema.notes.clone(),
        };
        let segments = schema.segments().into_iter();
        for ((at, table), segment) in tables.iter().enumerate().zip(segments) {
            let written = entity_source(table, &relations.of_table(at), &enumerations.of_table(at));
            application.add(table, (modules.of(at), segment), written)?;
        }
        Ok(application)
    }

    fn add(
        &mut self,
        table: &Table,
        (module, own_segment): (&str, Option<String>),
        written: Written,
    ) -> Result<()> {
        let path = format!("crate::entity::{}", naming::identifier(module));
        let mut notes = written.notes;
        let entity = Entity::parse(module, &written.source, &|_| true);
        let entity =
            entity.with_context(|| format!("cannot make an entity of `{}`", table.name))?;
        let Some(mut entity) = entity else {
            bail!("cannot make an entity of `{}`", table.name);
        };
        entity.name_columns(self.names);
        notes.extend(entity.notes_on_names());
        for column in &mut entity.columns {
            // The enumerations were written together with the entity, so that clients can send their values.
            column.sendable |= column.kind == Kind::Enumeration;
        }
        let related: Vec<_> = entity
            .relations
            .iter()
            .map(|relation| Related {
                relation,
                target: Target::HasListing,
            })
            .collect();
        let segment = own_segment.clone().unwrap_or_else(|| table.name.clone());
        let serving = Serving {
            readers: self.readers,
            segment: own_segment,
            snake_case: self.snake_case(),
            returns_keys: self.backend != DbBackend::MySql,
            existing: true,
        };
        let writable = self.crud && !table.view && !entity.keyless;
        let resource = if writable {
            for column in entity
                .columns
                .iter()
                .filter(|one| resource::is_missing(one))
            {
                notes.push(format!(
                    "clients do not send `{}.{}`, but the table needs a value: set it in `before_store`, in \
                     src/resources/{module}.rs",
                    table.name, column.name
                ));
            }
            Some(resource::source(&entity, &path, &serving))
        } else if serving.segment.is_some() {
            Some(resource::read_only_source(&entity, &path, &serving))
        } else {
            None
        };
        let identifier = naming::identifier(module);
        let method = if writable { "crud" } else { "read" };
        let served = match resource {
            Some(_) => format!(
                ".{method}::<{identifier}::{}>()",
                resource::type_name(&entity)
            ),
            None if self.readers == Readers::Everybody => {
                format!(".read::<PublicRead<{path}::Entity>>()")
            }
            None => format!(".read::<SignedInRead<{path}::Entity, Caller>>()"),
        };
        self.tables.push(TableFiles {
            listing: listing::source(&entity, &path, &related, false),
            module: module.to_owned(),
            entity: written.source,
            resource,
            served,
            arrays: written.arrays,
            notes,
            left_out: LeftOut::of(&entity, Some(&format!("src/listings/{module}.rs"))),
            segment,
            is_view: table.view,
            is_read_only: table.view || entity.keyless,
        });
        Ok(())
    }

    /// The notes about the database as a whole.
    pub(crate) fn notes(&self) -> &[String] {
        &self.notes
    }

    /// The files for each table.
    pub(crate) fn tables(&self) -> &[TableFiles] {
        &self.tables
    }

    /// The source of the enumerations, if there are any.
    pub(crate) fn enumerations(&self) -> Option<&str> {
        self.enumerations.as_deref()
    }

    /// Whether names in any case become snake case.
    pub(crate) fn snake_case(&self) -> bool {
        self.names == Names::SnakeCase
    }

    /// Every file with its text.
    pub(crate) fn files(&self) -> Vec<(String, String)> {
        let mut files: Vec<_> = TEMPLATE
            .iter()
            .map(|(file, text)| ((*file).to_owned(), self.filled(text)))
            .collect();
        let mut entities = "//! One entity for each table.\n\n".to_owned();
        let mut listings = "//! What clients can ask of each entity.\n\n".to_owned();
        if let Some(source) = &self.enumerations {
            entities.push_str("pub mod enums;\n");
            files.push((make::ENUMERATIONS.to_owned(), source.clone()));
        }
        for table in &self.tables {
            let module = &table.module;
            let line = format!("mod {};\n", naming::identifier(module));
            let _ = write!(entities, "pub {line}");
            listings.push_str(&line);
            files.push((format!("src/entity/{module}.rs"), table.entity.clone()));
            files.push((format!("src/listings/{module}.rs"), table.listing.clone()));
            if let Some(resource) = &table.resource {
                files.push((format!("src/resources/{module}.rs"), resource.clone()));
            }
        }
        files.push(("src/entity/mod.rs".to_owned(), entities));
        files.push(("src/listings/mod.rs".to_owned(), listings));
        files.push(("src/resources/mod.rs".to_owned(), self.resources()));
        if self.has_callers() {
            files.push(("src/caller.rs".to_owned(), make::wire::CALLER.to_owned()));
        }
        files
    }

    /// Whether it matters to the application who is calling.
    pub(crate) fn has_callers(&self) -> bool {
        self.crud || self.readers == Readers::SignedIn
    }

    fn resources(&self) -> String {
        let mut modules = String::new();
        let mut calls = String::new();
        for table in &self.tables {
            if table.resource.is_some() {
                let _ = writeln!(modules, "mod {};", naming::identifier(&table.module));
            }
            let _ = writeln!(calls, "        {}", table.served);
        }
        let (read, caller) = if calls.contains("<PublicRead<") {
            (", PublicRead", "")
        } else if calls.contains("<SignedInRead<") {
            (", SignedInRead", "\nuse crate::caller::Caller;\n")
        } else {
            ("", "")
        };
        let connection = "use sea_orm::DatabaseConnection;\n";
        let text = make::wire::RESOURCES
            .replacen("\nuse axum", &format!("\n{modules}\nuse axum"), 1)
            .replacen("BuiltApi}", &format!("BuiltApi{read}}}"), 1)
            .replacen(connection, &format!("{connection}{caller}"), 1);
        text.replacen("        .build(", &format!("{calls}        .build("), 1)
    }

    fn filled(&self, text: &str) -> String {
        let mut filled = String::new();
        for line in text.lines() {
            let marks = [
                ("//callers", self.has_callers()),
                ("//nobody", !self.has_callers()),
                ("//closed", self.readers == Readers::SignedIn),
            ];
            let mark = marks.iter().find(|(mark, _)| line.starts_with(mark));
            let line = match mark {
                Some((_, false)) => continue,
                Some((mark, true)) => line[mark.len()..].strip_prefix(' ').unwrap_or_default(),
                None => line,
            };
            filled.push_str(line);
            filled.push('\n');
        }
        let driver = match self.backend {
            DbBackend::Postgres => "postgres",
            DbBackend::MySql => "mysql",
            _ => "sqlite",
        };
        let first = self.tables.iter().find(|table| !table.is_view);
        let first = first.map_or("", |table| table.segment.as_str());
        let arrays = if self.tables.iter().any(|table| table.arrays) {
            "\"postgres-array\", "
        } else {
            ""
        };
        let mut filled = filled
            .replace("{{driver}}", driver)
            .replace("{{arrays}}", arrays)
            .replace("{{first}}", first)
            .replace("{{needs}}", super::needs(self.readers))
            .replace(
                "{{database}}",
                &naming::literal(&without_password(&self.url)),
            );
        if self.snake_case() && text.contains("{{database}}") {
            filled.push_str(
                "\n# Columns of any spelling have one form for clients.\nnames = \"snake_case\"\n",
            );
        }
        if !self.crud {
            // The parts that only payloads need.
            let is_for_payloads =
                |line: &&str| line.starts_with("garde =") || line.starts_with("serde =");
            let lines = filled.lines().filter(|line| !is_for_payloads(line));
            filled = lines.fold(String::new(), |all, line| all + line + "\n");
        } else if self.enumerations.is_none() {
            let lines = filled.lines().filter(|line| !line.starts_with("serde ="));
            filled = lines.fold(String::new(), |all, line| all + line + "\n");
        }
        filled
    }

    pub(crate) fn told(self) -> Told {
        let views = self.tables.iter().filter(|table| table.is_view).count();
        let tables = self.tables.len() - views;
        let count = |number: usize, one: &str| match number {
            1 => format!("1 {one}"),
            _ => format!("{number} {one}s"),
        };
        let keyless = self
            .tables
            .iter()
            .any(|table| table.is_read_only && !table.is_view);
        let how = match (self.crud, views, keyless) {
            (true, 0, false) => "readable and writable",
            (true, _, false) => "readable and writable (views read-only)",
            (true, 0, true) => "readable and writable (tables without a key read-only)",
            (true, _, true) => "readable and writable (views and tables without a key read-only)",
            (false, ..) => "read-only (`--crud` adds endpoints that write)",
        };
        let whom = match self.readers {
            Readers::SignedIn => "for callers who are signed in; `--public` lets everybody read",
            Readers::Everybody => "and everybody can read them",
        };
        let mut what = count(tables, "table");
        if views > 0 {
            what = format!("{what} and {}", count(views, "view"));
        }
        let mut notes = self.notes;
        let mut left_out = Vec::new();
        for table in self.tables {
            notes.extend(table.notes);
            left_out.extend(table.left_out);
        }
        Told {
            summary: format!("{what}, {how}, {whom}. Nothing was written to the database."),
            left_out,
            secret: without_password(&self.url) != self.url,
            notes,
        }
    }
}
