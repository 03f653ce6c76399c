//! Creates the index from which a sort by a column of a related row is read.

use sea_orm_migration::prelude::*;

/// Makes sorts by relation quick.
#[derive(Debug, DeriveMigrationName)]
pub(super) struct Migration;

const NAME: &str = "seo_meta_title";
const TABLE: &str = "seo";

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    /// All or nothing, as for the tables.
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    /// What is sorted by, and the key of the article that ends every order. (Authors have theirs, which also serves their
    /// own list.)
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let index = Index::create()
            .if_not_exists()
            .name(NAME)
            .table(TABLE)
            .col("meta_title")
            .col("article_id")
            .take();
        manager.create_index(index).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager
            .drop_index(Index::drop().name(NAME).table(TABLE).to_owned())
            .await
    }
}
