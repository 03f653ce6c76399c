//! The addresses of a list's numbers: its facets and totals without rows (d108), and its groups (d106).

use std::sync::Arc;

use axum::extract::Request;
use axum::response::Response;
use axum::routing::MethodRouter;
use listing::{HasListing, Listing};

use super::access;
use super::handlers::Parts;
use super::resource::{Operation, Resource};
use crate::http::{ApiError, context_of, success};
use crate::list::{ListHandler, answer, groups_request, list_methods, list_request};

/// The addresses that a list has, with their methods: that of its numbers where it has facets or totals, and that of its
/// groups where it has facets.
pub(super) fn addresses<R: Resource, S: Parts>(
    message: Option<&Arc<str>>,
) -> Vec<(&'static str, MethodRouter<S>)> {
    const ALLOW: &str = "GET,HEAD,QUERY";
    type Of<R> = <<R as Resource>::Entity as HasListing>::Listing;
    let mut addresses = Vec::new();
    let has_facets = !Of::<R>::facets().is_empty();
    if has_facets || !Of::<R>::aggregates().is_empty() {
        let message = message.cloned();
        let facets = move |state: S, request: Request| {
            answer(move || async move { facets::<R, S>(message.as_deref(), &state, request).await })
        };
        addresses.push(("facets", list_methods(ListHandler(facets), ALLOW).0));
    }
    if has_facets {
        let message = message.cloned();
        let groups = move |state: S, request: Request| {
            answer(move || async move { groups::<R, S>(message.as_deref(), &state, request).await })
        };
        addresses.push(("groups", list_methods(ListHandler(groups), ALLOW).0));
    }
    addresses
}

/// `GET /<resources>/_facets`, for those who may read the list.
async fn facets<R: Resource, S: Parts>(
    message: Option<&str>,
    state: &S,
    request: Request,
) -> Result<Response, ApiError> {
    let context = context_of(&request);
    access::without_record::<R>(Operation::Index, &context, &state.db()).await?;
    let request = list_request(request, &state.listings(), context).await?;
    let numbers = listing::ListingQuery::<R::Entity>::all(&request)
        .listing_numbers(&state.reads())
        .await?;
    Ok(success(message, numbers, false))
}

/// `GET /<resources>/_groups`, for those who may read the list.
async fn groups<R: Resource, S: Parts>(
    message: Option<&str>,
    state: &S,
    request: Request,
) -> Result<Response, ApiError> {
    let context = context_of(&request);
    access::without_record::<R>(Operation::Index, &context, &state.db()).await?;
    let request = groups_request(request, &state.listings(), context).await?;
    let groups = listing::ListingQuery::<R::Entity>::all(&request)
        .listing_groups(&state.reads())
        .await?;
    Ok(success(message, groups, true))
}
