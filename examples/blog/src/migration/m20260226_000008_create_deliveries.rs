//! Creates the table in which messages wait for the targets of webhooks.

use listing_axum::webhooks;
use sea_orm_migration::prelude::*;

/// Keeps messages until their targets took them.
#[derive(Debug, DeriveMigrationName)]
pub(super) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    /// All or nothing, as for the tables.
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        webhooks::create_table(manager.get_connection()).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        webhooks::drop_table(manager.get_connection()).await
    }
}
