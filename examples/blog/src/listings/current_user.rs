//! The user that a request is made for, as the blog's listings know it.

use axum::extract::OptionalFromRequestParts;
use axum::http::request::Parts;
use listing_axum::{ApiError, App};

/// The signed-in user, whom the service puts into the request's context.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CurrentUser {
    /// The author that this user is.
    pub author_id: i64,
}

/// The subject of a token is the id of the calling author.
impl OptionalFromRequestParts<App> for CurrentUser {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Option<Self>, ApiError> {
        let claims = app.jwt().verify(&parts.headers)?;
        let author = claims.and_then(|claims| claims.subject()?.parse().ok());
        Ok(author.map(|author_id| Self { author_id }))
    }
}
