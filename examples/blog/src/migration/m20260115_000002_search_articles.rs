//! Creates the full-text index of articles, on which their search is built.

use listing::migration::FullTextIndex;
use sea_orm_migration::prelude::*;

/// Makes articles searchable.
#[derive(Debug, DeriveMigrationName)]
pub(super) struct Migration;

/// The columns that `ArticleListing::search` names, in the same order.
pub(crate) fn articles() -> FullTextIndex {
    FullTextIndex::on("articles", ["title", "body"])
}

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    /// All or nothing, as for the tables.
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        articles().create(manager.get_connection()).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        articles().drop(manager.get_connection()).await
    }
}
