//! In: HTTP requests. Out: the blog's answers.

use axum::Router;
use axum::extract::{FromRef, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use listing::{HasListing, ListingRequest, Listings, SelectListing};
use listing_axum::{ApiError, ListingQuery, list_routes, success};
use sea_orm::DatabaseConnection;

use crate::entity::{article, author, comment, tag};

/// What the handlers need.
#[derive(Debug, Clone, FromRef)]
pub struct App {
    /// The database.
    pub db: DatabaseConnection,
    /// What clients may ask.
    pub listings: Listings,
}

/// The blog's routes.
pub fn router(app: App) -> Router {
    Router::new()
        .merge(list_routes("/api/articles", articles))
        .merge(list_routes("/api/authors", authors))
        .merge(list_routes("/api/comments", comments))
        .merge(list_routes("/api/tags", tags))
        .route("/healthz", get(async || "ok"))
        .route("/readyz", get(ready))
        .with_state(app)
}

type Db = State<DatabaseConnection>;

async fn articles(
    State(db): Db,
    ListingQuery(request): ListingQuery,
) -> Result<Response, ApiError> {
    index::<article::Entity>(&db, &request, "Articles retrieved.").await
}

async fn authors(State(db): Db, ListingQuery(request): ListingQuery) -> Result<Response, ApiError> {
    index::<author::Entity>(&db, &request, "Authors retrieved.").await
}

async fn comments(
    State(db): Db,
    ListingQuery(request): ListingQuery,
) -> Result<Response, ApiError> {
    index::<comment::Entity>(&db, &request, "Comments retrieved.").await
}

async fn tags(State(db): Db, ListingQuery(request): ListingQuery) -> Result<Response, ApiError> {
    index::<tag::Entity>(&db, &request, "Tags retrieved.").await
}

async fn index<E: HasListing>(
    db: &DatabaseConnection,
    request: &ListingRequest,
    message: &str,
) -> Result<Response, ApiError> {
    let page = E::find().listing(request).listing_paginate(db).await?;
    Ok(success(message, page, true))
}

/// The database answers.
async fn ready(State(db): Db) -> Response {
    match db.ping().await {
        Ok(()) => "ready".into_response(),
        Err(error) => {
            tracing::warn!(%error, "the database does not answer");
            StatusCode::SERVICE_UNAVAILABLE.into_response()
        }
    }
}
