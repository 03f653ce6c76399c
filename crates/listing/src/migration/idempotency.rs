//! The table of answered requests, for repeating their answers, created and dropped by migrations.

use sea_orm::{ConnectionTrait, DbBackend, DbErr};

/// The table `listing_idempotency`, for resources that remember the header `Idempotency-Key`. In a migration:
///
/// ```no_run
/// # use listing::migration::IdempotencyTable;
/// # use sea_orm::{ConnectionTrait, DbErr};
/// # struct SchemaManager<C>(C);
/// # impl<C> SchemaManager<C> { fn get_connection(&self) -> &C { &self.0 } }
/// # struct Migration;
/// # impl Migration {
/// async fn up<C: ConnectionTrait>(&self, manager: &SchemaManager<C>) -> Result<(), DbErr> {
///     IdempotencyTable.create(manager.get_connection()).await
/// }
///
/// async fn down<C: ConnectionTrait>(&self, manager: &SchemaManager<C>) -> Result<(), DbErr> {
///     IdempotencyTable.drop(manager.get_connection()).await
/// }
/// # }
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use = "nothing is created until `create` is called"]
pub struct IdempotencyTable;

impl IdempotencyTable {
    /// Creates the table.
    ///
    /// # Errors
    /// When the table exists already, or the database does not answer.
    pub async fn create(self, db: &impl ConnectionTrait) -> Result<(), DbErr> {
        // An answer for many records can exceed a `TEXT` of MySQL.
        let text = match db.get_database_backend() {
            DbBackend::MySql => "LONGTEXT CHARACTER SET utf8mb4",
            _ => "TEXT",
        };
        let table = format!(
            "CREATE TABLE listing_idempotency (id VARCHAR(64) NOT NULL PRIMARY KEY, request VARCHAR(64) NOT NULL, \
             answer {text} NOT NULL, expires_at BIGINT NOT NULL)"
        );
        db.execute_unprepared(&table).await?;
        let index =
            "CREATE INDEX listing_idempotency_expires_at ON listing_idempotency (expires_at)";
        db.execute_unprepared(index).await?;
        Ok(())
    }

    /// Drops the table.
    ///
    /// # Errors
    /// When there is no such table, or the database does not answer.
    pub async fn drop(self, db: &impl ConnectionTrait) -> Result<(), DbErr> {
        db.execute_unprepared("DROP TABLE listing_idempotency")
            .await?;
        Ok(())
    }
}
