//! Inserts rows of one entity, a few thousand per statement.

use sea_orm::{
    ActiveModelTrait, ConnectionTrait, DatabaseConnection, DbBackend, DbErr, EntityTrait,
    IntoActiveModel, Iterable,
};

use crate::{
    entity::{article, author},
    migration::{FILTER_INDEXES, INDEXES, TableIndex},
};

/// Bound values in one statement: less than the smallest of the limits (SQLite 32,766; the others 65,535).
const VALUES_PER_STATEMENT: usize = 30_000;

/// Tables whose `id` the database generates.
const COUNTED: &[&str] = &["authors", "articles", "seo", "comments", "tags"];

/// Inserts rows with their ids as given, and returns how many.
pub(super) async fn insert<E>(
    db: &impl ConnectionTrait,
    rows: impl IntoIterator<Item = E::Model>,
) -> Result<u64, DbErr>
where
    E: EntityTrait,
    E::Model: IntoActiveModel<E::ActiveModel>,
    E::ActiveModel: ActiveModelTrait<Entity = E>,
{
    let rows_per_statement = VALUES_PER_STATEMENT / E::Column::iter().count().max(1);
    let mut rows = rows.into_iter();
    let mut inserted = 0;
    loop {
        let statement: Vec<_> = rows
            .by_ref()
            .take(rows_per_statement)
            .map(IntoActiveModel::into_active_model)
            .collect();
        if statement.is_empty() {
            return Ok(inserted);
        }
        inserted += E::insert_many(statement).exec_without_returning(db).await?;
    }
}

/// Whether there is neither an article nor an author.
pub(super) async fn is_empty(db: &impl ConnectionTrait) -> Result<bool, DbErr> {
    Ok(article::Entity::find().one(db).await?.is_none()
        && author::Entity::find().one(db).await?.is_none())
}

/// Removes the indexes that are not constraints, and returns those removed: building an index at the end, from sorted
/// rows, takes a fraction of the time that keeping it in order takes while millions of rows arrive.
pub(super) async fn remove_indexes(
    db: &impl ConnectionTrait,
) -> Result<Vec<&'static TableIndex>, DbErr> {
    let backend = db.get_database_backend();
    let removed: Vec<_> = INDEXES
        .iter()
        .chain(FILTER_INDEXES)
        .filter(|index| index.is_removable(backend))
        .collect();
    for index in &removed {
        db.execute(&index.remove()).await?;
    }
    Ok(removed)
}

/// Makes the database's next `id` follow the largest one inserted.
///
/// SQLite and MySQL notice ids that were given; PostgreSQL would count from 1 again.
pub(super) async fn continue_ids(db: &impl ConnectionTrait) -> Result<(), DbErr> {
    if db.get_database_backend() != DbBackend::Postgres {
        return Ok(());
    }
    for table in COUNTED {
        db.execute_unprepared(&format!(
            "SELECT setval(pg_get_serial_sequence('{table}', 'id'), \
             COALESCE((SELECT MAX(id) FROM {table}), 0) + 1, false)"
        ))
        .await?;
    }
    Ok(())
}

/// Updates the planner's statistics now, rather than some minutes later or never.
pub(super) async fn refresh_statistics(db: &DatabaseConnection) -> Result<(), DbErr> {
    let statement = match db.get_database_backend() {
        // VACUUM too: an index alone can answer only for pages that it has marked.
        DbBackend::Postgres => {
            "VACUUM (ANALYZE) authors, articles, seo, comments, tags, article_tags"
        }
        DbBackend::MySql => "ANALYZE TABLE authors, articles, seo, comments, tags, article_tags",
        _ => "ANALYZE",
    };
    db.execute_unprepared(statement).await?;
    Ok(())
}
