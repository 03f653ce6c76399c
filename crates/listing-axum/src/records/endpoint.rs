//! The types of handlers, which do not name the resource: what axum needs for a handler is compiled once for all of them.
//!
//! An application of 11 tables had 60,391 functions with closures in their place, and has 41,359 (`cargo llvm-lines --lib`); its own
//! crate took 75 s of processor time to compile, and takes 50.

use axum::extract::{OriginalUri, Request, State};
use axum::handler::Handler;
use axum::routing::{MethodRouter, post};

use super::bind::PathId;
use crate::http::ApiError;
use crate::list::HandlerFuture;

/// A handler for one record. A closure would have a type of its own.
pub(super) type OfRecord<S> = fn(State<S>, PathId, Request) -> HandlerFuture;

/// A handler for a new record.
pub(super) type OfNew<S> = fn(State<S>, OriginalUri, Request) -> HandlerFuture;

/// A handler for many records.
pub(super) type OfMany<S> = fn(State<S>, Request) -> HandlerFuture;

/// With other methods, the path names a record, but no record has such an id (d108).
pub(super) fn only_post<H, T, S>(handler: H) -> MethodRouter<S>
where
    H: Handler<T, S>,
    T: 'static,
    S: Clone + Send + Sync + 'static,
{
    post(handler).fallback(nowhere)
}

async fn nowhere() -> ApiError {
    ApiError::NotFound
}
