//! Two routes for monitoring: whether the service runs, and whether it can answer.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axum::Router;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use listing::ReadPool;
use tokio::time::sleep;

use super::{App, signals};
use crate::http::ApiError;

/// Whether the service has been asked to stop.
#[derive(Debug, Clone, Default)]
pub(super) struct Leaving(Arc<AtomicBool>);

impl Leaving {
    /// Waits until the program is asked to stop, and then for as long as it keeps running without being ready. A second signal
    /// ends the wait.
    pub(super) async fn stopped(self, delay: Duration) {
        signals::stopped().await;
        self.0.store(true, Ordering::Release);
        if delay.is_zero() {
            return;
        }
        tracing::info!("stopping in {} s", delay.as_secs());
        tokio::select! {
            () = sleep(delay) => {}
            () = signals::stopped() => {}
        }
    }
}

/// `/healthz` and `/readyz`.
pub(super) fn routes<T: Send + Sync + 'static>(leaving: Leaving) -> Router<App<T>> {
    let ready = async move |State(reads): State<ReadPool>| ready(&reads, &leaving).await;
    Router::new()
        .route("/healthz", get(async || "ok"))
        .route("/readyz", get(ready))
}

/// Ready means that the service is not stopping and that the database answers reads. All writers may be busy without anything
/// being wrong.
async fn ready(reads: &ReadPool, leaving: &Leaving) -> Result<Response, ApiError> {
    if leaving.0.load(Ordering::Acquire) {
        return Ok(StatusCode::SERVICE_UNAVAILABLE.into_response());
    }
    let answered = reads.ping().await;
    answered.map_err(|error| ApiError::List(error.into()))?;
    Ok("ready".into_response())
}
