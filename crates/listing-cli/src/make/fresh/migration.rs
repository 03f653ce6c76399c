//! Writes the migration that creates the table of a new entity, and lists it with the others.

use std::fmt::Write as _;

use ::listing::FilterOperator;
use anyhow::{Result, bail};
use sea_orm::prelude::ChronoUtc;

use super::{Column, Fresh, Type};
use crate::files::Files;
use crate::make::places;
use crate::model::definition::Definition;
use crate::model::entity::{Entity, Kind};

/// The folder in which applications have their migrations.
const LISTS: &[&str] = &["src/migration/mod.rs", "src/migration.rs"];

impl Fresh {
    /// Adds the migration to those of the application.
    pub(super) fn add_migration(&self, files: &mut Files, entity: &Entity) -> Result<()> {
        let Some(list) = LISTS.iter().find(|file| files.read(file).is_some()) else {
            bail!(
                "the application has no migrations: there is no `{}`. Create the table `{}` in the database, then run \
                 `listing make {} --crud --from-database URL`",
                LISTS.join("` and no `"),
                self.table,
                crate::naming::camel(&self.module),
            );
        };
        let now = ChronoUtc::now().format("%Y%m%d_%H%M%S");
        let module = format!("m{now}_create_{}", self.table);
        let text = files.read(list).unwrap_or_default();
        let text = places::with_module(list, &text, &format!("mod {module};"))?;
        let text = places::with_migration(list, &text, &format!("Box::new({module}::Migration)"))?;
        files.edit(list, text);
        files.create(
            &format!("src/migration/{module}.rs"),
            self.migration(entity),
        )
    }

    fn migration(&self, entity: &Entity) -> String {
        let table = &self.table;
        let said = table.replace('_', " ");
        let columns: String = self.columns.iter().map(Column::definition).collect();
        let keys: String = self
            .columns
            .iter()
            .filter_map(|one| one.foreign_key(table))
            .collect();
        let indexes: String =
            self.indexes(entity)
                .into_iter()
                .fold(String::new(), |mut all, columns| {
                    let name = format!("{table}_{}", columns[..columns.len() - 1].join("_"));
                    let _ = writeln!(all, "    ({name:?}, &{columns:?}),");
                    all
                });
        let texts = self.texts(entity);
        let (import, function, call) = match texts.is_empty() {
            true => (String::new(), String::new(), String::new()),
            false => (
                "use listing::migration::TrigramIndex;\n".to_owned(),
                format!(
                    "/// Finds {said} by a part of a text, on PostgreSQL.\n\
                     fn parts_of_texts() -> TrigramIndex {{\n    TrigramIndex::on({table:?}, {texts:?})\n}}\n\n"
                ),
                "        let _created = parts_of_texts().create(manager.get_connection()).await?;\n".to_owned(),
            ),
        };
        format!(
            "//! Creates the table of {said}, with an index for every filter and sort.\n\n\
             {import}use sea_orm_migration::prelude::*;\n\n\
             /// Creates the table.\n\
             #[derive(Debug, DeriveMigrationName)]\n\
             pub(super) struct Migration;\n\n\
             /// The indexes; `listing check --database` says which are missing.\n\
             /// Every order ends in the primary key, so they do too.\n\
             const INDEXES: &[(&str, &[&str])] = &[\n{indexes}];\n\n\
             {function}\
             #[async_trait::async_trait]\n\
             impl MigrationTrait for Migration {{\n    \
             async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {{\n        \
             manager.create_table(Table::create().table({table:?})\
             .col(ColumnDef::new(\"id\").big_integer().not_null().auto_increment().primary_key())\
             {columns}\
             .col(ColumnDef::new(\"created_at\").timestamp_with_time_zone().not_null())\
             .col(ColumnDef::new(\"updated_at\").timestamp_with_time_zone().not_null())\
             {keys}.take()).await?;\n        \
             for (name, columns) in INDEXES {{\n            \
             let mut index = Index::create().name(*name).table({table:?}).take();\n            \
             for column in *columns {{\n                index.col(*column);\n            }}\n            \
             manager.create_index(index).await?;\n        }}\n{call}        Ok(())\n    }}\n\n    \
             async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {{\n        \
             manager.drop_table(Table::drop().table({table:?}).take()).await\n    }}\n}}\n"
        )
    }

    /// The columns of each index that the listing wants: for each sort, and for each filter by value in the order in which
    /// lists begin.
    fn indexes(&self, entity: &Entity) -> Vec<Vec<String>> {
        let definition = Definition::of(entity);
        let is_indexed = |name: &str| {
            let asked = self.columns.iter().map(|column| &column.asked);
            let mut asked = asked.filter(|asked| asked.column() == name);
            // A unique column has its own; MariaDB has none of a whole text.
            asked.all(|asked| !asked.unique && asked.kind != Type::Text)
        };
        let first = definition.first.iter().map(|(column, _)| *column);
        let sorts = first.chain(definition.sorts.iter().copied());
        let sorts = sorts.filter(|column| !column.is_id && is_indexed(&column.name));
        let sorts = sorts.map(|column| vec![column.name.clone(), "id".to_owned()]);
        let filters = definition.filters.iter().filter(|(column, operators)| {
            let by_value = operators.more.contains(&FilterOperator::In);
            by_value && !column.is_id && column.kind != Kind::Boolean && is_indexed(&column.name)
        });
        let filters = filters.map(|(column, _)| {
            vec![
                column.name.clone(),
                "created_at".to_owned(),
                "id".to_owned(),
            ]
        });
        sorts.chain(filters).collect()
    }

    /// The columns in whose texts clients look for parts.
    fn texts(&self, entity: &Entity) -> Vec<String> {
        let filters = Definition::of(entity).filters;
        let texts = filters.iter().filter(|(column, operators)| {
            matches!(column.kind, Kind::Text(_))
                && operators.more.contains(&FilterOperator::Contains)
        });
        texts.map(|(column, _)| column.name.clone()).collect()
    }
}

impl Column {
    /// `.col(…)`
    fn definition(&self) -> String {
        let method = match self.rust_type() {
            "String" if self.asked.kind == Type::Text => "text()",
            "i8" | "i16" => "small_integer()",
            "i32" => "integer()",
            "i64" => "big_integer()",
            "u32" => "unsigned()",
            "u64" => "big_unsigned()",
            "Decimal" => "decimal_len(10, 2)",
            "f64" => "double()",
            "bool" => "boolean()",
            "Date" => "date()",
            "DateTimeUtc" => "timestamp_with_time_zone()",
            "Uuid" => "uuid()",
            "Json" => "json_binary()",
            _ => "string_len(255)",
        };
        let null = if self.asked.nullable {
            ""
        } else {
            ".not_null()"
        };
        let unique = if self.asked.unique {
            ".unique_key()"
        } else {
            ""
        };
        format!(
            ".col(ColumnDef::new({:?}).{method}{null}{unique})",
            self.asked.column()
        )
    }

    fn foreign_key(&self, table: &str) -> Option<String> {
        let reference = self.reference.as_ref()?;
        let column = self.asked.column();
        Some(format!(
            ".foreign_key(ForeignKey::create().name({:?}).from({table:?}, {column:?}).to({:?}, {:?}))",
            format!("{table}_{column}_key"),
            reference.table,
            reference.key,
        ))
    }
}
