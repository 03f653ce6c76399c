//! Writes articles by hand: one statement for each request, which leaves an event and a line of history as the service does.

use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, Path, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{post, put};
use axum::{Json, Router};
use serde::{Deserialize, Serialize};

use super::writes_postgres::Postgres;
use super::writes_sqlite::Sqlite;
use super::{Failure, json};

/// How often events are handed over.
const DISPATCH: Duration = Duration::from_millis(100);

/// What a client sends of a new article, and of one that it replaces.
#[derive(Debug, Clone, Deserialize, Serialize)]
pub(super) struct Article {
    pub(super) title: String,
    pub(super) slug: String,
    pub(super) body: Option<String>,
    pub(super) is_active: bool,
}

#[derive(Debug, Deserialize)]
pub(super) struct Title {
    pub(super) title: String,
}

#[derive(Debug, Deserialize)]
struct Bulk {
    create: Vec<Article>,
}

/// Where the articles are.
pub(super) enum Writer {
    Postgres(Box<Postgres>),
    Sqlite(Sqlite),
}

/// The routes, on the database of this URL.
pub(super) async fn router(database: &str) -> Result<Router> {
    let writer = Arc::new(if database.starts_with("sqlite:") {
        Writer::Sqlite(Sqlite::open(database)?)
    } else {
        Writer::Postgres(Box::new(Postgres::open(database).await?))
    });
    let dispatched = Arc::clone(&writer);
    tokio::spawn(async move {
        loop {
            tokio::time::sleep(DISPATCH).await;
            if let Err(error) = dispatched.dispatch().await {
                tracing::error!(?error, "events");
            }
        }
    });
    Ok(Router::new()
        .route("/api/articles", post(create))
        .route("/api/articles/{id}", put(update).patch(patch))
        .route("/api/articles/_bulk", post(bulk))
        .route("/api/articles/_import", post(import))
        .layer(DefaultBodyLimit::max(200 << 20))
        .with_state(writer))
}

impl Writer {
    async fn create(&self, article: Article) -> Result<i64> {
        match self {
            Self::Postgres(database) => database.create(&article).await,
            Self::Sqlite(database) => database.create(article).await,
        }
    }

    async fn update(&self, id: i64, article: Article, tag: Option<i64>) -> Result<Option<i64>> {
        match self {
            Self::Postgres(database) => database.update(id, &article, tag).await,
            Self::Sqlite(database) => database.update(id, article, tag).await,
        }
    }

    async fn patch(&self, id: i64, title: Title) -> Result<Option<i64>> {
        match self {
            Self::Postgres(database) => database.patch(id, &title).await,
            Self::Sqlite(database) => database.patch(id, title).await,
        }
    }

    async fn bulk(&self, articles: Vec<Article>) -> Result<Vec<i64>> {
        match self {
            Self::Postgres(database) => database.bulk(&articles).await,
            Self::Sqlite(database) => database.bulk(articles).await,
        }
    }

    async fn dispatch(&self) -> Result<()> {
        match self {
            Self::Postgres(database) => database.dispatch().await,
            Self::Sqlite(database) => database.dispatch().await,
        }
    }
}

async fn create(
    State(writer): State<Arc<Writer>>,
    Json(article): Json<Article>,
) -> Result<Response, Failure> {
    valid(&article)?;
    let id = writer.create(article).await?;
    let answer = json(format!(r#"{{"message":"Article created.","data":{{"id":{id}}}}}"#).into());
    Ok((StatusCode::CREATED, answer).into_response())
}

async fn update(
    State(writer): State<Arc<Writer>>,
    Path(id): Path<i64>,
    headers: HeaderMap,
    Json(article): Json<Article>,
) -> Result<Response, Failure> {
    valid(&article)?;
    let tag = headers.get(header::IF_MATCH);
    let tag = tag.and_then(|tag| tag.to_str().ok()?.trim_matches('"').parse().ok());
    changed(writer.update(id, article, tag).await?)
}

async fn patch(
    State(writer): State<Arc<Writer>>,
    Path(id): Path<i64>,
    Json(title): Json<Title>,
) -> Result<Response, Failure> {
    changed(writer.patch(id, title).await?)
}

fn changed(tag: Option<i64>) -> Result<Response, Failure> {
    let Some(tag) = tag else {
        return Ok(StatusCode::PRECONDITION_FAILED.into_response());
    };
    let mut answer = json(br#"{"message":"Article updated."}"#.to_vec());
    let tag = HeaderValue::from_str(&format!("\"{tag}\""))?;
    answer.headers_mut().insert(header::ETAG, tag);
    Ok(answer)
}

async fn bulk(
    State(writer): State<Arc<Writer>>,
    Json(bulk): Json<Bulk>,
) -> Result<Response, Failure> {
    for article in &bulk.create {
        valid(article)?;
    }
    let ids = writer.bulk(bulk.create).await?;
    Ok(json(serde_json::to_vec(&ids)?))
}

/// `COPY` of the file as it is: with no checks, no events and no history.
async fn import(State(writer): State<Arc<Writer>>, file: Bytes) -> Result<Response, Failure> {
    let Writer::Postgres(database) = &*writer else {
        return Ok(StatusCode::NOT_FOUND.into_response());
    };
    let rows = database.copy(file).await?;
    Ok(json(format!(r#"{{"count":{rows}}}"#).into()))
}

fn valid(article: &Article) -> Result<()> {
    for text in [&article.title, &article.slug] {
        let length = text.trim().chars().count();
        ensure!((1..=255).contains(&length), "a text is too long or empty");
    }
    Ok(())
}

/// The line of history: what the article is now.
pub(super) fn line(operation: &str, article: &impl Serialize) -> Result<String> {
    let new = serde_json::to_string(article).context("an article")?;
    let at = chrono::Utc::now().format("%Y-%m-%dT%H:%M:%S%.6fZ");
    Ok(format!(
        r#"{{"operation":"{operation}","at":"{at}","caller":null,"old":null,"new":{new},"linked":[]}}"#
    ))
}

/// The event.
pub(super) fn event(operation: &str) -> String {
    let at = chrono::Utc::now().to_rfc3339();
    format!(
        r#"{{"operation":"{operation}","changed":["title","slug","body","is_active"],"values":{{}},"caller":null,"at":"{at}"}}"#
    )
}
