//! Two routes for those who watch over a service: whether it runs, and whether it can answer.

use axum::Router;
use axum::extract::State;
use axum::routing::get;
use listing::ReadPool;

use super::App;
use crate::http::ApiError;

/// `/healthz` and `/readyz`.
pub(super) fn routes<T: Send + Sync + 'static>() -> Router<App<T>> {
    Router::new()
        .route("/healthz", get(async || "ok"))
        .route("/readyz", get(ready))
}

/// The database answers those who read. Writers may all be busy without anything being wrong.
async fn ready(State(reads): State<ReadPool>) -> Result<&'static str, ApiError> {
    let answered = reads.ping().await;
    answered.map_err(|error| ApiError::List(error.into()))?;
    Ok("ready")
}
