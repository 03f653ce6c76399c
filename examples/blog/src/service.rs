//! The blog as a service: its endpoints, which know their caller, and pages for people.

use axum::extract::Request;
use listing::Context;
use listing_axum::{App, Service};
use tower::util::MapRequestLayer;

use crate::listings::CurrentUser;
use crate::resources::{KeyIsMissing, api, notify};

/// The blog, without a database yet.
pub fn service() -> Service {
    Service::new(api)
        .identify::<CurrentUser>()
        .layer(|routes, app: &App| match app.jwt().is_enabled() {
            true => routes,
            false => routes.layer(MapRequestLayer::new(without_key)),
        })
        .on_event(notify)
        .explorer()
}

/// Says in the request's context that nobody can be known.
fn without_key(mut request: Request) -> Request {
    let known = request.extensions_mut().remove::<Context>();
    let context = known.unwrap_or_default().with(KeyIsMissing);
    request.extensions_mut().insert(context);
    request
}
