//! The endpoint on PostgreSQL through SeaORM, with rows as JSON values: the shortest way to write it.

use anyhow::Result;
use axum::Router;
use axum::extract::{Query, State};
use axum::response::Response;
use axum::routing::get;
use blog::entity::article::{Column, Entity};
use sea_orm::{ColumnTrait, DatabaseConnection, EntityTrait, QueryFilter, QueryOrder, QuerySelect};
use serde_json::json;

use super::asked::{Asked, PAGE_SIZE};
use super::{Failure, PATH, json};

pub(super) async fn router(database: &str, connections: u32) -> Result<Router> {
    let db = blog::connect::connect(database, connections).await?;
    Ok(Router::new().route(PATH, get(list)).with_state(db))
}

async fn list(
    State(db): State<DatabaseConnection>,
    Query(asked): Query<Asked>,
) -> Result<Response, Failure> {
    let mut articles = Entity::find()
        .select_only()
        .columns([
            Column::Id,
            Column::Title,
            Column::Slug,
            Column::IsActive,
            Column::Views,
            Column::CreatedAt,
        ])
        .filter(Column::DeletedAt.is_null())
        .order_by_desc(Column::CreatedAt)
        .order_by_desc(Column::Id)
        .limit(PAGE_SIZE + 1)
        .offset((asked.page - 1) * PAGE_SIZE)
        .into_json()
        .all(&db)
        .await?;
    let size = usize::try_from(PAGE_SIZE)?;
    let has_more = articles.len() > size;
    articles.truncate(size);
    let message = "Articles retrieved.";
    let answer = json!({
        "message": message,
        "data": articles,
        "meta": {
            "code": 200,
            "message": message,
            "data": articles,
            "filters": [],
            "pagination": { "page": asked.page, "pageSize": PAGE_SIZE, "hasMore": has_more },
        },
    });
    Ok(json(serde_json::to_vec(&answer)?))
}
