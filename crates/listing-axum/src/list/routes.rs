//! The routes of a list: `GET`, `HEAD`, `QUERY`, and `POST …/query` (d13).

use std::pin::Pin;
use std::sync::Arc;

use axum::Router;
use axum::extract::Request;
use axum::handler::Handler;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, any, post};
use listing::boxed;

use super::revalidate::Tagged;
use crate::http::ApiError;

/// The routes of a list: `GET` and `HEAD` with a query string, `QUERY` and `POST <path>/query` with a JSON body.
pub fn list_routes<H, T, S>(path: &str, handler: H) -> Router<S>
where
    H: Handler<T, S> + Clone,
    T: 'static,
    S: Clone + Send + Sync + 'static,
{
    let (list, by_body) = list_methods(handler, "GET,HEAD,QUERY");
    Router::new()
        .route(path, list)
        .route(&format!("{path}/query"), by_body)
}

/// The methods of a list's own path, and those of `<path>/query`. The latter have no tags, because a `POST` goes to an address
/// without a state to compare with.
pub(crate) fn list_methods<H, T, S>(
    handler: H,
    allow: &'static str,
) -> (MethodRouter<S>, MethodRouter<S>)
where
    H: Handler<T, S> + Clone,
    T: 'static,
    S: Clone + Send + Sync + 'static,
{
    let tagged = Tagged(handler.clone());
    let by_query = QueryMethod {
        handler: tagged.clone(),
        allow,
    };
    // `any` rather than a fallback of `get`: axum would add `Allow: GET,HEAD` to the answer of a fallback.
    let list = any(by_query).get(tagged);
    (list, post(handler))
}

/// The return type of our own handlers: a future whose type hides its content.
///
/// Wherever axum and tower name the type of a handler's future, the compiler proves again that it can be sent between threads.
/// With the futures of a whole request in that type, most of the time to compile an application went into those proofs.
pub(crate) type HandlerFuture = Pin<Box<dyn Future<Output = Response> + Send>>;

/// The response of what `make` makes, in a box.
pub(crate) fn answer<F>(make: impl FnOnce() -> F + Send + 'static) -> HandlerFuture
where
    F: Future<Output = Result<Response, ApiError>> + Send,
{
    boxed(move || async move { make().await.into_response() })
}

/// A list's handler that takes the request as it is. axum's own handlers make their futures first and copy them into boxes.
///
/// Its type does not name the resource: what axum needs for a handler is compiled once, and not for every list.
pub(crate) struct ListHandler<S>(Arc<dyn Fn(S, Request) -> HandlerFuture + Send + Sync>);

impl<S> ListHandler<S> {
    pub(crate) fn new(
        handler: impl Fn(S, Request) -> HandlerFuture + Send + Sync + 'static,
    ) -> Self {
        Self(Arc::new(handler))
    }
}

impl<S> Clone for ListHandler<S> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<S: 'static> Handler<(), S> for ListHandler<S> {
    type Future = HandlerFuture;

    fn call(self, request: Request, state: S) -> Self::Future {
        (self.0)(state, request)
    }
}

/// Answers `QUERY`, a method that axum's router does not know by name, and refuses every other one.
#[derive(Clone)]
struct QueryMethod<H> {
    handler: H,
    /// The methods that are answered, for the refusal.
    allow: &'static str,
}

impl<H, T, S> Handler<(T,), S> for QueryMethod<H>
where
    H: Handler<T, S> + Clone,
    T: 'static,
    S: Send + 'static,
{
    type Future = HandlerFuture;

    fn call(self, request: Request, state: S) -> Self::Future {
        Box::pin(async move {
            if request.method().as_str() == "QUERY" {
                return self.handler.call(request, state).await;
            }
            let mut refused = ApiError::MethodNotAllowed.into_response();
            let allow = HeaderValue::from_static(self.allow);
            refused.headers_mut().insert(header::ALLOW, allow);
            refused
        })
    }
}
