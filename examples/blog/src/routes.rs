//! In: HTTP requests. Out: the blog's answers.

use axum::Router;
use axum::extract::{FromRef, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use listing::Listings;
use sea_orm::DatabaseConnection;

use crate::resources::api;

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
    let (api, _) = api();
    api.route("/healthz", get(async || "ok"))
        .route("/readyz", get(ready))
        .with_state(app)
}

/// The database answers.
async fn ready(State(db): State<DatabaseConnection>) -> Response {
    match db.ping().await {
        Ok(()) => "ready".into_response(),
        Err(error) => {
            tracing::warn!(%error, "the database does not answer");
            StatusCode::SERVICE_UNAVAILABLE.into_response()
        }
    }
}
