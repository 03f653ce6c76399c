//! The endpoint on PostgreSQL through tokio-postgres, with all statements of a request on one connection.

mod language;
mod pages;
mod pool;
mod rows;
mod sorted;

use std::sync::Arc;

use anyhow::Result;
use axum::Router;
use axum::extract::{Query, State};
use axum::response::Response;
use axum::routing::get;

use self::pool::Pool;
pub(super) use self::rows::{Moment, whole_article};
use super::asked::Asked;
use super::{Failure, PATH, json};

pub(super) async fn router(database: &str) -> Result<Router> {
    let pool = Arc::new(Pool::open(database).await?);
    Ok(Router::new().route(PATH, get(list)).with_state(pool))
}

async fn list(
    State(pool): State<Arc<Pool>>,
    Query(asked): Query<Asked>,
) -> Result<Response, Failure> {
    let connection = pool.connection();
    let body = if let Some(author) = asked.author_id {
        pages::page_and_count(connection, &asked, author).await?
    } else if let Some(author) = asked.or_author_id {
        language::or_group(connection, &asked, author).await?
    } else if let Some(country) = &asked.author_country {
        language::from_country(connection, &asked, country).await?
    } else if let Some(words) = &asked.search {
        language::found(connection, &asked, words).await?
    } else if let Some(after) = asked.after {
        sorted::after(connection, &pool.places, after).await?
    } else if asked.sort.is_some() {
        sorted::first(connection, &asked).await?
    } else if asked.articles_of_author.is_some() {
        language::nested(connection, &asked).await?
    } else if asked.populate.is_some() {
        pages::page_and_relations(connection, &asked).await?
    } else {
        pages::page(connection, &asked).await?
    };
    Ok(json(body))
}
