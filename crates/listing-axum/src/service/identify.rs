//! Puts the current user, found by an application's own extractor, into the request's context (d64).
//!
//! A service by hand rather than axum's `from_fn`, which puts every request into three boxes more.

use std::convert::Infallible;
use std::fmt;
use std::marker::PhantomData;
use std::mem;
use std::pin::Pin;
use std::task::{Context as TaskContext, Poll};

use axum::extract::{OptionalFromRequestParts, Request};
use axum::response::{IntoResponse, Response};
use listing::Context;
use tower::{Layer, Service};

/// Puts the current user into the context of every request, by the application's own extractor: a type that can be
/// extracted from a request, or is absent if the caller is unknown. An extractor that refuses (a forged token) refuses
/// the request.
///
/// ```
/// use axum::extract::OptionalFromRequestParts;
/// use axum::http::request::Parts;
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
///     .layer(identify::<CurrentUser, ()>(()));
/// # let _ = router;
/// ```
#[must_use]
pub fn identify<U, S>(state: S) -> Identify<U, S> {
    Identify {
        state,
        user: PhantomData,
    }
}

/// The layer that [`identify`] makes, for users of type `U` who are extracted with the state `S`.
pub struct Identify<U, S> {
    state: S,
    user: PhantomData<fn() -> U>,
}

impl<U, S: Clone> Clone for Identify<U, S> {
    fn clone(&self) -> Self {
        identify(self.state.clone())
    }
}

impl<U, S> fmt::Debug for Identify<U, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Identify").finish_non_exhaustive()
    }
}

impl<U, S: Clone, R> Layer<R> for Identify<U, S> {
    type Service = Identified<U, S, R>;

    fn layer(&self, route: R) -> Self::Service {
        Identified {
            layer: self.clone(),
            route,
        }
    }
}

/// A route that knows the current user.
pub struct Identified<U, S, R> {
    layer: Identify<U, S>,
    route: R,
}

impl<U, S: Clone, R: Clone> Clone for Identified<U, S, R> {
    fn clone(&self) -> Self {
        Self {
            layer: self.layer.clone(),
            route: self.route.clone(),
        }
    }
}

impl<U, S, R> fmt::Debug for Identified<U, S, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Identified").finish_non_exhaustive()
    }
}

impl<U, S, R> Service<Request> for Identified<U, S, R>
where
    U: OptionalFromRequestParts<S> + Clone + Send + Sync + 'static,
    S: Clone + Send + Sync + 'static,
    R: Service<Request, Response = Response, Error = Infallible> + Clone + Send + 'static,
    R::Future: Send,
{
    type Response = Response;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Response, Infallible>> + Send>>;

    fn poll_ready(&mut self, context: &mut TaskContext<'_>) -> Poll<Result<(), Infallible>> {
        self.route.poll_ready(context)
    }

    fn call(&mut self, request: Request) -> Self::Future {
        // The one that is ready is called; a clone need not be.
        let next = self.route.clone();
        let mut route = mem::replace(&mut self.route, next);
        let state = self.layer.state.clone();
        Box::pin(async move {
            let (mut parts, body) = request.into_parts();
            let user = match U::from_request_parts(&mut parts, &state).await {
                Ok(user) => user,
                Err(refusal) => return Ok(refusal.into_response()),
            };
            if let Some(user) = user {
                let context = parts.extensions.remove::<Context>().unwrap_or_default();
                parts.extensions.insert(context.with(user));
            }
            route.call(Request::from_parts(parts, body)).await
        })
    }
}
