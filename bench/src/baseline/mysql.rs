//! The endpoint on MariaDB through sqlx, with values written straight into the response.

use anyhow::Result;
use axum::Router;
use axum::extract::{Query, State};
use axum::response::Response;
use axum::routing::get;
use chrono::NaiveDateTime;
use futures_util::TryStreamExt;
use sqlx::mysql::{MySqlPool, MySqlPoolOptions};
use sqlx::{AssertSqlSafe, Row};

use super::asked::Asked;
use super::body::{Body, Rest, moment};
use super::{Failure, PATH, json};

const PAGE: &str = "SELECT `articles`.`id`, `articles`.`title`, `articles`.`slug`, `articles`.`is_active`, `articles`.`views`, `articles`.`created_at` FROM `articles` WHERE `articles`.`deleted_at` IS NULL ORDER BY `articles`.`created_at` DESC, `articles`.`id` DESC";

pub(super) async fn router(database: &str, connections: u32) -> Result<Router> {
    let pool = MySqlPoolOptions::new()
        .max_connections(connections)
        // A round trip before each statement, to test the connection, halves the speed.
        .test_before_acquire(false)
        .connect(database)
        .await?;
    Ok(Router::new().route(PATH, get(list)).with_state(pool))
}

async fn list(
    State(pool): State<MySqlPool>,
    Query(asked): Query<Asked>,
) -> Result<Response, Failure> {
    let sql = [PAGE, &asked.limit()].concat();
    let mut rows = sqlx::query(AssertSqlSafe(sql)).fetch(&pool);
    let mut body = Body::new();
    let mut more = false;
    while let Some(row) = rows.try_next().await? {
        if !body.has_room() {
            more = true;
            continue;
        }
        let out = body.article(
            row.try_get(0)?,
            row.try_get(1)?,
            row.try_get(2)?,
            row.try_get(3)?,
            row.try_get(4)?,
        );
        let created_at: NaiveDateTime = row.try_get(5)?;
        moment(out, created_at.and_utc().timestamp_micros());
        out.push(b'}');
    }
    Ok(json(body.finish(asked.page, &[], &Rest::More(more), &[])))
}
