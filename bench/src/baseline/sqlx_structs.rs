//! The endpoint on PostgreSQL through sqlx as most people write it: rows as structs, serialized by serde_json.

use anyhow::Result;
use axum::Router;
use axum::extract::{Query, State};
use axum::response::Response;
use axum::routing::get;
use chrono::{DateTime, SecondsFormat, Utc};
use serde::{Serialize, Serializer};
use sqlx::postgres::{PgPool, PgPoolOptions, PgRow};
use sqlx::{AssertSqlSafe, FromRow, Row};

use super::asked::{Asked, PAGE_SIZE};
use super::{Failure, PATH, json};

const PAGE: &str = "SELECT id, title, slug, is_active, views, created_at FROM articles WHERE deleted_at IS NULL ORDER BY created_at DESC, id DESC";
const MESSAGE: &str = "Articles retrieved.";

pub(super) async fn router(database: &str, connections: u32) -> Result<Router> {
    let pool = PgPoolOptions::new()
        .max_connections(connections)
        // A round trip before each statement costs more than a tenth of the speed.
        .test_before_acquire(false)
        .connect(database)
        .await?;
    Ok(Router::new().route(PATH, get(list)).with_state(pool))
}

#[derive(Serialize)]
struct Article {
    id: i64,
    title: String,
    slug: String,
    is_active: bool,
    views: i32,
    #[serde(serialize_with = "six_digits")]
    created_at: DateTime<Utc>,
}

/// What `derive(FromRow)` writes, with places instead of names.
impl FromRow<'_, PgRow> for Article {
    fn from_row(row: &PgRow) -> sqlx::Result<Self> {
        Ok(Self {
            id: row.try_get(0)?,
            title: row.try_get(1)?,
            slug: row.try_get(2)?,
            is_active: row.try_get(3)?,
            views: row.try_get(4)?,
            created_at: row.try_get(5)?,
        })
    }
}

#[derive(Serialize)]
struct Answer<'a> {
    message: &'a str,
    data: &'a [Article],
    meta: Meta<'a>,
}

#[derive(Serialize)]
struct Meta<'a> {
    code: u16,
    message: &'a str,
    data: &'a [Article],
    filters: [(); 0],
    pagination: Pagination,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Pagination {
    page: u64,
    page_size: u64,
    has_more: bool,
}

async fn list(State(pool): State<PgPool>, Query(asked): Query<Asked>) -> Result<Response, Failure> {
    let sql = [PAGE, &asked.limit()].concat();
    let mut articles: Vec<Article> = sqlx::query_as(AssertSqlSafe(sql)).fetch_all(&pool).await?;
    let size = usize::try_from(PAGE_SIZE)?;
    let has_more = articles.len() > size;
    articles.truncate(size);
    let answer = Answer {
        message: MESSAGE,
        data: &articles,
        meta: Meta {
            code: 200,
            message: MESSAGE,
            data: &articles,
            filters: [],
            pagination: Pagination {
                page: asked.page,
                page_size: PAGE_SIZE,
                has_more,
            },
        },
    };
    Ok(json(serde_json::to_vec(&answer)?))
}

fn six_digits<S: Serializer>(moment: &DateTime<Utc>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&moment.to_rfc3339_opts(SecondsFormat::Micros, true))
}
