//! Creates the blog's six tables, with an index for every whitelisted filter, sort and relation.

use sea_orm_migration::prelude::*;

use super::{
    column::{flag, id, long_text, moment, reference, table, text},
    index::INDEXES,
};

/// Creates the blog.
#[derive(Debug, DeriveMigrationName)]
pub(super) struct Migration;

/// Children last: the order of creation, and in reverse the order of removal.
const TABLES: &[&str] = &[
    "authors",
    "articles",
    "seo",
    "comments",
    "tags",
    "article_tags",
];

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    /// All or nothing, on SQLite too, where a transaction is not the default. (MySQL commits after each table anyway.)
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let backend = manager.get_database_backend();

        manager
            .create_table(
                table(backend, "authors")
                    .col(id())
                    .col(text("name", 255))
                    .col(text("email", 255).unique_key())
                    .col(text("country", 2))
                    .col(moment(backend, "created_at").not_null())
                    .take(),
            )
            .await?;
        manager
            .create_table(
                table(backend, "articles")
                    .col(id())
                    .col(reference("author_id"))
                    .col(text("title", 255))
                    .col(text("slug", 255).unique_key())
                    .col(long_text(backend, "body"))
                    .col(flag("is_active", true))
                    .col(ColumnDef::new("views").integer().not_null().default(0))
                    .col(ColumnDef::new("rating").decimal_len(3, 2))
                    .col(moment(backend, "created_at").not_null())
                    .col(moment(backend, "updated_at").not_null())
                    .col(moment(backend, "deleted_at"))
                    .foreign_key(
                        ForeignKey::create()
                            .from("articles", "author_id")
                            .to("authors", "id")
                            .on_delete(ForeignKeyAction::SetNull),
                    )
                    .take(),
            )
            .await?;
        manager
            .create_table(
                table(backend, "seo")
                    .col(id())
                    .col(reference("article_id").not_null().unique_key())
                    .col(text("meta_title", 255))
                    .col(long_text(backend, "meta_description").not_null())
                    .foreign_key(&mut to_article("seo"))
                    .take(),
            )
            .await?;
        manager
            .create_table(
                table(backend, "comments")
                    .col(id())
                    .col(reference("article_id").not_null())
                    .col(text("author_name", 255))
                    .col(long_text(backend, "body").not_null())
                    .col(flag("is_hidden", false))
                    .col(moment(backend, "created_at").not_null())
                    .foreign_key(&mut to_article("comments"))
                    .take(),
            )
            .await?;
        manager
            .create_table(
                table(backend, "tags")
                    .col(id())
                    .col(text("name", 100).unique_key())
                    .take(),
            )
            .await?;
        manager
            .create_table(
                table(backend, "article_tags")
                    .col(reference("article_id").not_null())
                    .col(reference("tag_id").not_null())
                    .primary_key(Index::create().col("article_id").col("tag_id"))
                    .foreign_key(&mut to_article("article_tags"))
                    .foreign_key(
                        ForeignKey::create()
                            .from("article_tags", "tag_id")
                            .to("tags", "id")
                            .on_delete(ForeignKeyAction::Cascade),
                    )
                    .take(),
            )
            .await?;

        for index in INDEXES {
            manager.create_index(index.create()).await?;
        }
        Ok(())
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for table in TABLES.iter().rev() {
            manager
                .drop_table(Table::drop().table(*table).take())
                .await?;
        }
        Ok(())
    }
}

/// What belongs to an article goes with it. (A soft delete removes no row, so it removes none of these.)
fn to_article(table: &'static str) -> ForeignKeyCreateStatement {
    ForeignKey::create()
        .from(table, "article_id")
        .to("articles", "id")
        .on_delete(ForeignKeyAction::Cascade)
        .take()
}
