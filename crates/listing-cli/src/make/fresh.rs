//! Writes everything that an entity of given columns needs: its source, migration, listing, endpoints and test.

mod migration;
mod test;

use anyhow::{Result, bail};

use super::columns::{self, Asked, Type};
use super::project::Project;
use super::{Added, Wanted, wire};
use crate::files::Files;
use crate::naming;

/// An entity that does not exist yet.
#[derive(Debug)]
struct Fresh {
    /// `category`
    module: String,
    /// `categories`
    table: String,
    columns: Vec<Column>,
}

/// A column, with the target of a reference.
#[derive(Debug)]
struct Column {
    asked: Asked,
    reference: Option<Reference>,
}

/// The other side of a reference.
#[derive(Debug)]
struct Reference {
    module: String,
    table: String,
    /// The entity's path, as the new one writes it.
    entity: String,
    /// The column of its key, the field of it, and its type.
    key: String,
    field: String,
    rust_type: String,
}

/// Adds an entity of these columns, and everything that serves it.
pub(super) fn add(
    files: &mut Files,
    root: &std::path::Path,
    name: &str,
    arguments: &[String],
    wanted: Wanted,
) -> Result<Added> {
    let fresh = Fresh::read(files, root, name, columns::read(arguments)?)?;
    let module = &fresh.module;
    files.create(&format!("src/entity/{module}.rs"), fresh.entity())?;
    let entities = wire::room(files, "entity");
    let line = format!("pub mod {};", naming::identifier(module));
    wire::add_module(files, &entities, wire::ENTITIES, &line)?;
    wire::add_to_crate(files, "entity")?;
    let mut added = super::add_listing(files, root, name, wanted)?;
    let (entity, _) = Project::read(root, files)?.entity(name)?;
    fresh.add_migration(files, &entity)?;
    added
        .notes
        .extend(fresh.add_test(files, &entity, wanted.readers)?);
    Ok(added)
}

impl Fresh {
    fn read(files: &Files, root: &std::path::Path, name: &str, asked: Vec<Asked>) -> Result<Self> {
        let module = naming::module(name);
        let is_plain = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
        let begins = name.starts_with(|letter: char| letter.is_ascii_alphabetic());
        if !begins
            || !name.chars().all(is_plain)
            || ["mod", "table_self"].contains(&module.as_str())
        {
            bail!(
                "`{name}` cannot be the name of an entity; use letters and digits, as in `OrderItem`"
            );
        }
        let project = Project::read(root, files)?;
        if let Ok((_, place)) = project.entity(name) {
            bail!(
                "{} already exists: add columns there and in a migration, then run `listing make {name} --crud --force`",
                place.file
            );
        }
        let mut columns = Vec::new();
        for asked in asked {
            let reference = match asked.kind {
                Type::References => Some(Reference::find(&project, &module, &asked)?),
                _ => None,
            };
            columns.push(Column { asked, reference });
        }
        Ok(Self {
            table: naming::table(&module),
            module,
            columns,
        })
    }

    /// The source of the entity.
    fn entity(&self) -> String {
        let is_float = |column: &Column| column.asked.kind == Type::Float;
        let equality = match self.columns.iter().any(is_float) {
            true => "",
            false => ", Eq",
        };
        let fields: String = self.columns.iter().map(Column::field).collect();
        let relations: String = self.columns.iter().filter_map(Column::relation).collect();
        format!(
            "//! The entity of the table `{table}`.\n\n\
             use sea_orm::entity::prelude::*;\n\n\
             /// {one}.\n\
             #[sea_orm::model]\n\
             #[derive(Clone, Debug, PartialEq{equality}, DeriveEntityModel, listing::NamedRelations)]\n\
             #[sea_orm(table_name = \"{table}\")]\n\
             pub struct Model {{\n    \
             /// Primary key.\n    #[sea_orm(primary_key)]\n    pub id: i64,\n{fields}    \
             /// When it was created.\n    pub created_at: DateTimeUtc,\n    \
             /// When it was last changed.\n    pub updated_at: DateTimeUtc,\n{relations}}}\n\n\
             impl ActiveModelBehavior for ActiveModel {{}}\n",
            table = self.table,
            one = naming::sentence(&naming::with_article(&self.module)),
        )
    }
}

impl Column {
    fn field(&self) -> String {
        let mut attributes = Vec::new();
        let declared = match self.asked.kind {
            Type::String => Some("String(StringLen::N(255))"),
            Type::Text => Some("Text"),
            Type::Decimal => Some("Decimal(Some((10, 2)))"),
            Type::Json => Some("JsonBinary"),
            _ => None,
        };
        attributes.extend(declared.map(|declared| format!("column_type = \"{declared}\"")));
        if self.asked.nullable && declared.is_some() {
            attributes.push("nullable".to_owned());
        }
        if self.asked.unique {
            attributes.push("unique".to_owned());
        }
        let attributes = match attributes.is_empty() {
            true => String::new(),
            false => format!("    #[sea_orm({})]\n", attributes.join(", ")),
        };
        let said = match &self.reference {
            Some(_) => format!("The key of `{}`.", self.asked.name),
            None => format!("The column `{}`.", self.asked.name),
        };
        let rust_type = match self.asked.nullable {
            true => format!("Option<{}>", self.rust_type()),
            false => self.rust_type().to_owned(),
        };
        let name = naming::identifier(&self.asked.column());
        format!("    /// {said}\n{attributes}    pub {name}: {rust_type},\n")
    }

    fn relation(&self) -> Option<String> {
        let reference = self.reference.as_ref()?;
        let name = &self.asked.name;
        let to_self = reference.entity == "Entity";
        let mut attributes = Vec::new();
        if to_self {
            attributes.push("self_ref".to_owned());
        }
        attributes.push("belongs_to".to_owned());
        if to_self || *name != reference.module {
            attributes.push(format!("relation_enum = \"{}\"", naming::camel(name)));
        }
        attributes.push(format!("from = \"{}\"", self.asked.column()));
        attributes.push(format!("to = \"{}\"", reference.field));
        let entity = match self.asked.nullable {
            true => format!("Option<{}>", reference.entity),
            false => reference.entity.clone(),
        };
        Some(format!(
            "    /// Relation `{name}`.\n    #[sea_orm({})]\n    pub {}: BelongsTo<{entity}>,\n",
            attributes.join(", "),
            naming::identifier(name),
        ))
    }

    fn rust_type(&self) -> &str {
        match self.asked.kind {
            Type::String | Type::Text => "String",
            Type::Integer => "i32",
            Type::BigInt => "i64",
            Type::Decimal => "Decimal",
            Type::Float => "f64",
            Type::Boolean => "bool",
            Type::Date => "Date",
            Type::DateTime => "DateTimeUtc",
            Type::Uuid => "Uuid",
            Type::Json => "Json",
            Type::References => self.reference.as_ref().map_or("i64", |one| &one.rust_type),
        }
    }
}

impl Reference {
    /// The entity of a reference: the one that has its name, or the one that was named.
    fn find(project: &Project, own: &str, asked: &Asked) -> Result<Self> {
        let name = asked.target.as_deref().unwrap_or(&asked.name);
        if naming::module(name) == own {
            if !asked.nullable {
                bail!(
                    "`{}` references its own entity, so it has to allow null: write `references?`",
                    asked.name
                );
            }
            return Ok(Self {
                module: own.to_owned(),
                table: naming::table(own),
                entity: "Entity".to_owned(),
                key: "id".to_owned(),
                field: "id".to_owned(),
                rust_type: "i64".to_owned(),
            });
        }
        let found = project.entity(name);
        let (entity, place) = found.map_err(|error| {
            error.context(format!(
                "`{}` cannot be a reference; another entity can be named: `{}:references:author`",
                asked.name, asked.name
            ))
        })?;
        let [key] = &entity.key()[..] else {
            bail!(
                "`{}` cannot reference `{}`, whose key is not one column",
                asked.name,
                naming::camel(&entity.module)
            );
        };
        let module = naming::identifier(&entity.module);
        let is_near = place.module_path == format!("crate::entity::{module}");
        Ok(Self {
            entity: match is_near {
                true => format!("super::{module}::Entity"),
                false => format!("{}::Entity", place.module_path),
            },
            key: key.name.clone(),
            field: key.field.clone(),
            rust_type: key.rust_type.clone(),
            table: entity.table.clone(),
            module: entity.module.clone(),
        })
    }
}
