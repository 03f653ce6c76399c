//! Lets clients read their own writes from replicas, with the header `Listing-Position`.

use std::sync::Arc;

use axum::Router;
use axum::extract::Request;
use axum::http::{HeaderValue, Method, StatusCode, header};
use axum::middleware::{Next, from_fn};
use axum::response::{IntoResponse, Response};
use listing::ReadPool;
use listing::replicas::Position;

use super::Config;
use crate::http::{COOKIE, POSITION, brought, in_cookie};

/// Adds positions to a router if there are replicas. A [`Service`](crate::Service) does this by itself.
///
/// The answer to a write has the header `Listing-Position` with the position of the database. A read that sends the header sees
/// everything up to that position, and its answer has the position of the server that it was read from. A request is a write if
/// its method is `POST`, `PUT`, `PATCH` or `DELETE`, unless its path ends with `/query`, like that of a list that is requested by
/// its body.
///
/// ```no_run
/// # async fn example(router: axum::Router, reads: listing::ReadPool, config: listing_axum::Config) {
/// use listing_axum::database::with_positions;
///
/// let router = with_positions(router, &reads, &config);
/// # let _ = router;
/// # }
/// ```
pub fn with_positions<S: Clone + Send + Sync + 'static>(
    router: Router<S>,
    reads: &ReadPool,
    config: &Config,
) -> Router<S> {
    if reads.replicas().is_empty() {
        return router;
    }
    let (reads, telling) = (reads.clone(), Telling::of(config));
    router.layer(from_fn(move |request, next| {
        let reads = reads.clone();
        async move { answered(&reads, telling, request, next).await }
    }))
}

/// How responses carry positions.
#[derive(Debug, Clone, Copy)]
pub(super) struct Telling {
    /// How long the cookie lasts, in seconds, if there is one.
    cookie_age: Option<u64>,
}

impl Telling {
    pub(super) fn of(config: &Config) -> Self {
        // Replicas that are in use have caught up by then.
        let age = (config.replica_max_lag_ms / 1_000 + 1).max(60);
        Self {
            cookie_age: config.http.position_cookie.then_some(age),
        }
    }

    /// The same for a service with replicas, whose time limit replaces responses outside [`with_positions`].
    pub(super) fn of_replicated(config: &Config) -> Option<Self> {
        (!config.database_replicas.is_empty()).then(|| Self::of(config))
    }

    fn tell(self, position: &Position, writes: bool, response: &mut Response) {
        let headers = response.headers_mut();
        if let Some(age) = self.cookie_age.filter(|_| writes) {
            let cookie =
                format!("{COOKIE}={position}; Max-Age={age}; Path=/; HttpOnly; SameSite=Lax");
            if let Ok(cookie) = HeaderValue::try_from(cookie) {
                headers.append(header::SET_COOKIE, cookie);
            }
        }
        if let Ok(position) = HeaderValue::try_from(position.to_string()) {
            headers.insert(POSITION, position);
        }
    }

    /// Makes the client read from the primary after a write that was not answered in time, because it may have been committed.
    pub(super) fn tell_of_unanswered(self, response: &mut Response) {
        if response.status().is_server_error() && !response.headers().contains_key(POSITION) {
            self.tell(&Position::Primary, true, response);
        }
    }
}

async fn answered(reads: &ReadPool, telling: Telling, request: Request, next: Next) -> Response {
    let needed = match brought(request.headers()) {
        Ok(needed) => needed,
        Err(error) => return error.into_response(),
    };
    let (writes, is_asked) = (is_write(&request), needed.is_some());
    let mut needed = needed.unwrap_or_default();
    needed.extend(in_cookie(request.headers()).filter(|_| telling.cookie_age.is_some()));
    let Some(visit) = reads.visit(needed, writes) else {
        return next.run(request).await;
    };
    let visit = Arc::new(visit);
    let mut response = Arc::clone(&visit).around(next.run(request)).await;
    let position = match response.status() {
        // The write may have succeeded all the same.
        status if writes && status.is_server_error() => Position::Primary,
        status if tells(status) && (writes || is_asked) => visit.position().await,
        _ => return response,
    };
    telling.tell(&position, writes, &mut response);
    response
}

/// Whether an answer depends on the database. That a record does not exist counts, too.
fn tells(status: StatusCode) -> bool {
    status.is_success()
        || status.is_redirection()
        || matches!(status, StatusCode::NOT_FOUND | StatusCode::GONE)
}

pub(super) fn is_write(request: &Request) -> bool {
    let method = request.method();
    let is_list = *method == Method::POST && request.uri().path().ends_with("/query");
    let writes = [Method::POST, Method::PUT, Method::PATCH, Method::DELETE].contains(method);
    writes && !is_list
}
