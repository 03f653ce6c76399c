//! Creates the indexes that find a few rows of many: those of filters by value in the default order, and trigrams.

use sea_orm_migration::prelude::*;

use super::index::{FILTER_INDEXES, trigrams};

/// Makes filters quick, whatever they find.
#[derive(Debug, DeriveMigrationName)]
pub(super) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    /// All or nothing, as for the tables.
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for index in FILTER_INDEXES {
            manager.create_index(index.create()).await?;
        }
        for index in trigrams() {
            index.create(manager.get_connection()).await?;
        }
        Ok(())
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for index in trigrams() {
            index.drop(manager.get_connection()).await?;
        }
        for index in FILTER_INDEXES {
            manager.drop_index(index.remove()).await?;
        }
        Ok(())
    }
}
