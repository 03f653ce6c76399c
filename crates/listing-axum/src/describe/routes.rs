//! The routes of the description: `/_describe` and `/openapi.json` below the API's prefix.

use std::sync::Arc;

use axum::extract::{FromRef, Request, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use listing::Listings;
use sea_orm::DatabaseConnection;
use serde::Serialize;

use super::ApiDescription;
use crate::http::{ApiError, context_of, json};
use crate::list::Tagged;
use crate::records::{ApiInfo, BuiltApi};

impl<S> BuiltApi<S>
where
    S: Clone + Send + Sync + 'static,
    Listings: FromRef<S>,
    DatabaseConnection: FromRef<S>,
{
    /// Adds a description of the API to its routes: `/_describe` below the prefix, and the same as an OpenAPI document at
    /// `/openapi.json`. Each caller only sees what it may do.
    #[must_use]
    pub fn describe(mut self, info: ApiInfo) -> Self {
        self.routes.info = Some(info);
        let routes = Arc::new(self.routes.clone());
        let prefix = self.routes.prefix();
        let described = |answer: fn(&ApiDescription) -> Response| {
            let routes = routes.clone();
            move |State(listings): State<Listings>,
                  State(db): State<DatabaseConnection>,
                  request: Request| async move {
                let context = context_of(&request);
                let description =
                    ApiDescription::for_caller(&listings, &routes, &context, &db).await;
                description.map(|description| answer(&description))
            }
        };
        let description = described(answer);
        let openapi = described(|description| answer(&description.to_openapi()));
        self.router = self
            .router
            .route(&format!("{prefix}/_describe"), get(Tagged(description)))
            .route(&format!("{prefix}/openapi.json"), get(Tagged(openapi)));
        self
    }
}

fn answer(document: &impl Serialize) -> Response {
    match serde_json::to_vec(document) {
        Ok(body) => json(StatusCode::OK, body),
        Err(error) => ApiError::internal(error).into_response(),
    }
}
