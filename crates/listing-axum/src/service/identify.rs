//! Puts the current user, found by an application's own extractor, into the request's context (d64).

use axum::extract::{OptionalFromRequestParts, Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use listing::Context;

/// Puts the current user into the context of every request, by the application's own extractor: a type that can be
/// extracted from a request, or is absent where nobody is known. An extractor that refuses (a forged token) refuses
/// the request.
///
/// ```
/// use axum::extract::OptionalFromRequestParts;
/// use axum::http::request::Parts;
/// use axum::middleware::from_fn_with_state;
/// use listing_axum::{ApiError, identify};
///
/// #[derive(Debug, Clone)]
/// struct CurrentUser { name: String }
///
/// impl<S: Sync> OptionalFromRequestParts<S> for CurrentUser {
///     type Rejection = ApiError;
///
///     async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Option<Self>, ApiError> {
///         let name = parts.headers.get("x-user").and_then(|name| name.to_str().ok());
///         Ok(name.map(|name| Self { name: name.to_owned() }))
///     }
/// }
///
/// let router: axum::Router = axum::Router::new()
///     .layer(from_fn_with_state((), identify::<CurrentUser, ()>));
/// # let _ = router;
/// ```
pub async fn identify<U, S>(State(state): State<S>, request: Request, next: Next) -> Response
where
    U: OptionalFromRequestParts<S> + Clone + Send + Sync + 'static,
    S: Clone + Send + Sync + 'static,
{
    let (mut parts, body) = request.into_parts();
    let user = match U::from_request_parts(&mut parts, &state).await {
        Ok(user) => user,
        Err(refusal) => return refusal.into_response(),
    };
    if let Some(user) = user {
        let context = parts.extensions.remove::<Context>().unwrap_or_default();
        parts.extensions.insert(context.with(user));
    }
    next.run(Request::from_parts(parts, body)).await
}
