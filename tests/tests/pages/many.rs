//! Adds 30,000 articles to the demo data and updates the planner's statistics.

use sea_orm::{ConnectionTrait, DatabaseConnection, DbBackend};

/// Adds articles whose views are 1,000,000 and up to nine more, and whose ratings go from 0.00 to 4.99, each tenth being null.
pub(crate) async fn many_rows(db: &DatabaseConnection) {
    let (series, slug, moment, analyze) = match db.get_database_backend() {
        DbBackend::Postgres => (
            "SELECT i FROM generate_series(1, 30000) AS s(i)",
            "'many-' || i",
            "TIMESTAMPTZ '2026-01-01 00:00:00Z' + i * INTERVAL '1 microsecond'",
            "ANALYZE",
        ),
        DbBackend::MySql => (
            "SELECT seq AS i FROM seq_1_to_30000",
            "CONCAT('many-', i)",
            "TIMESTAMPADD(MICROSECOND, i, '2026-01-01 00:00:00')",
            "ANALYZE TABLE articles",
        ),
        _ => (
            "WITH RECURSIVE s(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM s WHERE i < 30000) SELECT i FROM s",
            "'many-' || i",
            "printf('2026-01-01 00:00:00.%06d', i)",
            "ANALYZE",
        ),
    };
    let insert = format!(
        "INSERT INTO articles (title, slug, is_active, views, rating, created_at, updated_at) \
         SELECT 'Many', slug, TRUE, views, rating, moment, moment FROM (\
         SELECT {slug} AS slug, i % 10 + 1000000 AS views, {moment} AS moment, \
         CASE WHEN i % 10 = 0 THEN NULL ELSE (i % 500) / 100.0 END AS rating FROM ({series}) AS n) AS m"
    );
    db.execute_unprepared(&insert).await.unwrap();
    db.execute_unprepared(analyze).await.unwrap();
}
