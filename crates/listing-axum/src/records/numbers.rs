//! Serves the numbers of a list: its facets and totals without rows (d108), and its groups (d106).

use std::sync::Arc;

use axum::extract::Request;
use axum::response::Response;
use axum::routing::MethodRouter;
use listing::entity::EntityId;
use listing::{Context, HasListing, Listing, TableListing};

use super::access;
use super::handlers::Parts;
use super::resource::{Operation, Resource};
use crate::http::{ApiError, context_of, success};
use crate::list::{ListHandler, answer, groups_request, list_methods, list_request};

/// The kinds of numbers that a list can return besides rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Numbers {
    /// Facets and totals.
    Facets,
    Groups,
}

/// The addresses of a list, with their methods.
pub(super) type Addresses<S> = Vec<(&'static str, MethodRouter<S>)>;

/// The addresses of a resource's list, for callers who may read the list.
pub(super) fn addresses<R: Resource, S: Parts>(message: Option<&Arc<str>>) -> Addresses<S> {
    type Of<R> = <<R as Resource>::Entity as HasListing>::Listing;
    let entity = EntityId::of::<R::Entity>();
    let has_facets = !Of::<R>::facets().is_empty();
    let has_totals = !Of::<R>::aggregates().is_empty();
    let addresses = served(has_facets, has_totals).map(|numbers| {
        let message = message.cloned();
        let handler = ListHandler::new(move |state: S, request: Request| {
            let message = message.clone();
            answer(move || async move {
                let context = context_of(&request);
                access::without_record::<R>(Operation::Index, &context, &state.db()).await?;
                numbers
                    .read(entity, message.as_deref(), &state, context, request)
                    .await
            })
        });
        (numbers.segment(), list_methods(handler, ALLOW).0)
    });
    addresses.collect()
}

/// The addresses of a table's list, which every caller may read.
pub(super) fn addresses_of_table<S: Parts>(
    listing: &TableListing,
    message: &Arc<str>,
) -> Addresses<S> {
    let entity = listing.entity.id;
    let (has_facets, has_totals) = (!listing.facets.is_empty(), !listing.totals.is_empty());
    let addresses = served(has_facets, has_totals).map(|numbers| {
        let message = Arc::clone(message);
        let handler = ListHandler::new(move |state: S, request: Request| {
            let message = Arc::clone(&message);
            answer(move || async move {
                let context = context_of(&request);
                numbers
                    .read(entity, Some(&message), &state, context, request)
                    .await
            })
        });
        (numbers.segment(), list_methods(handler, ALLOW).0)
    });
    addresses.collect()
}

const ALLOW: &str = "GET,HEAD,QUERY";

/// The numbers if there are facets or totals, and the groups if there are facets.
fn served(has_facets: bool, has_totals: bool) -> impl Iterator<Item = Numbers> {
    let facets = (has_facets || has_totals).then_some(Numbers::Facets);
    facets
        .into_iter()
        .chain(has_facets.then_some(Numbers::Groups))
}

impl Numbers {
    fn segment(self) -> &'static str {
        match self {
            Self::Facets => "facets",
            Self::Groups => "groups",
        }
    }

    async fn read<S: Parts>(
        self,
        entity: EntityId,
        message: Option<&str>,
        state: &S,
        context: Context,
        request: Request,
    ) -> Result<Response, ApiError> {
        let (listings, reads) = (state.listings(), state.reads());
        match self {
            Self::Facets => {
                let request = list_request(request, &listings, context).await?;
                let numbers = request.numbers_of(entity, &reads).await?;
                Ok(success(message, numbers, false))
            }
            Self::Groups => {
                let request = groups_request(request, &listings, context).await?;
                let groups = request.groups_of(entity, &reads).await?;
                Ok(success(message, groups, true))
            }
        }
    }
}
