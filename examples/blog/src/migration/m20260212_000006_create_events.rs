//! Creates the tables in which changes of articles wait until they are handed over.

use listing_axum::events;
use sea_orm_migration::prelude::*;

/// Keeps events until somebody was told of them.
#[derive(Debug, DeriveMigrationName)]
pub(super) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    /// All or nothing, as for the tables.
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        events::create_tables(manager.get_connection()).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        events::drop_tables(manager.get_connection()).await
    }
}
