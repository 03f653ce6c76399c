//! Creates the table of requests that were answered, so that a repeated one is carried out once.

use listing::migration::IdempotencyTable;
use sea_orm_migration::prelude::*;

#[derive(Debug, DeriveMigrationName)]
pub(super) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        IdempotencyTable.create(manager.get_connection()).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        IdempotencyTable.drop(manager.get_connection()).await
    }
}
