//! The blog's routes.

use std::sync::Arc;

use axum::Router;
use axum::extract::{FromRef, OptionalFromRequestParts, Request, State};
use axum::http::request;
use axum::routing::get;
use listing::{Context, Listings, ReadPool};
use listing_axum::{ApiError, Config, Explorer, Jwt, identify};
use sea_orm::DatabaseConnection;
use tower::util::MapRequestLayer;

use crate::listings::CurrentUser;

/// What the handlers need. Every layer of a router clones it for each request, so all of it sits in one `Arc`.
#[derive(Debug, Clone)]
pub struct App(Arc<Parts>);

/// What is in an [`App`].
#[derive(Debug)]
pub struct Parts {
    /// The database, for writing.
    pub db: DatabaseConnection,
    /// The same, for lists and records.
    pub reads: ReadPool,
    /// What clients may ask.
    pub listings: Listings,
    /// Who they are.
    pub jwt: Jwt,
}

impl From<Parts> for App {
    fn from(parts: Parts) -> Self {
        Self(Arc::new(parts))
    }
}

impl FromRef<App> for DatabaseConnection {
    fn from_ref(app: &App) -> Self {
        app.0.db.clone()
    }
}

impl FromRef<App> for ReadPool {
    fn from_ref(app: &App) -> Self {
        app.0.reads.clone()
    }
}

impl FromRef<App> for Listings {
    fn from_ref(app: &App) -> Self {
        app.0.listings.clone()
    }
}

/// The blog's routes: its endpoints, which know their caller, two for those who watch over it, the
/// explorer and the API reference.
pub fn router(api: Router<App>, app: App, config: &Config) -> Router {
    let identified = if app.0.jwt.is_enabled() {
        api.layer(identify::<CurrentUser, App>(app.clone()))
    } else {
        api.layer(MapRequestLayer::new(without_key))
    };
    identified
        .route("/healthz", get(async || "ok"))
        .route("/readyz", get(ready))
        .merge(Explorer::new("/api").with_reference().routes(config))
        .with_state(app)
}

/// The database answers those who read. Writers may all be busy without anything being wrong.
async fn ready(State(reads): State<ReadPool>) -> Result<&'static str, ApiError> {
    let answered = reads.ping().await;
    answered.map_err(|error| ApiError::List(error.into()))?;
    Ok("ready")
}

/// No key for tokens is configured, so that nobody can be known.
#[derive(Debug, Clone, Copy)]
pub struct KeyIsMissing;

/// Says so in the request's context.
fn without_key(mut request: Request) -> Request {
    let known = request.extensions_mut().remove::<Context>();
    let context = known.unwrap_or_default().with(KeyIsMissing);
    request.extensions_mut().insert(context);
    request
}

/// The subject of a token is the id of the calling author.
impl OptionalFromRequestParts<App> for CurrentUser {
    type Rejection = ApiError;

    async fn from_request_parts(
        parts: &mut request::Parts,
        app: &App,
    ) -> Result<Option<Self>, ApiError> {
        let claims = app.0.jwt.verify(&parts.headers)?;
        let author = claims.and_then(|claims| claims.subject()?.parse().ok());
        Ok(author.map(|author_id| Self { author_id }))
    }
}
