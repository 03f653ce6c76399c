//! Serves the blog's list of articles through the layer itself, without sharing counts between requests.

use anyhow::Result;
use axum::Router;
use axum::extract::{FromRef, State};
use axum::response::Response;
use axum::routing::get;
use blog::entity::article::Entity;
use listing::execute::ReadFuture;
use listing::render::Shape;
use listing::{
    CountMode, Dialect, ExecuteError, Listings, ReadOptions, ReadPool, Reader, SelectListing,
    Settings, Statement,
};
use listing_axum::{ApiError, ListingQuery, success};
use sea_orm::EntityTrait;

use super::PATH;

pub(super) async fn router(database: &str, connections: u32) -> Result<Router> {
    let db = blog::connect::connect(database, connections).await?;
    let mut settings = Settings::default();
    settings.count = CountMode::Exact;
    let app = App {
        reads: Alone(ReadPool::alongside(&db, ReadOptions::new()).await?),
        listings: blog::resources::api(settings)?.listings,
    };
    Ok(Router::new().route(PATH, get(list)).with_state(app))
}

#[derive(Clone, FromRef)]
struct App {
    reads: Alone,
    listings: Listings,
}

/// A reader that does not say that others may share what it counts.
#[derive(Clone)]
struct Alone(ReadPool);

impl Reader for Alone {
    fn dialect(&self) -> Result<Dialect, ExecuteError> {
        self.0.dialect()
    }

    fn read<'a>(&'a self, statement: Statement, shape: &'a Shape) -> ReadFuture<'a> {
        self.0.read(statement, shape)
    }
}

async fn list(
    State(reads): State<Alone>,
    ListingQuery(request): ListingQuery,
) -> Result<Response, ApiError> {
    let page = Entity::find()
        .listing(&request)
        .listing_paginate(&reads)
        .await?;
    Ok(success("Articles retrieved.", page, true))
}
