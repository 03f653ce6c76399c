//! List endpoints over HTTP, on axum: the request extractor, the replies, and the one table from errors to status codes.
//!
//! A handler takes a [`ListingQuery`] and answers with [`success`]:
//!
//! ```
//! # mod article {
//! #     use sea_orm::entity::prelude::*;
//! #     #[sea_orm::model]
//! #     #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel, listing::NamedRelations)]
//! #     #[sea_orm(table_name = "articles")]
//! #     pub struct Model { #[sea_orm(primary_key)] pub id: i64, pub title: String }
//! #     impl ActiveModelBehavior for ActiveModel {}
//! #     pub struct ArticleListing;
//! #     use listing::{Fields, Filter, Relations, Sorts};
//! #     impl listing::Listing for ArticleListing {
//! #         type Entity = Entity;
//! #         fn fields() -> Fields<Entity> { Fields::new().add_default(Column::Title) }
//! #         fn relations() -> Relations<Entity> { Relations::new() }
//! #         fn filters() -> Vec<Filter<Entity>> { Vec::new() }
//! #         fn sorts() -> Sorts<Entity> { Sorts::new() }
//! #     }
//! #     impl listing::HasListing for Entity { type Listing = ArticleListing; }
//! # }
//! use axum::extract::{FromRef, State};
//! use axum::response::Response;
//! use axum::Router;
//! use listing::{Listings, SelectListing};
//! use listing_axum::{ApiError, ListingQuery, list_routes, success};
//! use sea_orm::{DatabaseConnection, EntityTrait};
//!
//! #[derive(Clone, FromRef)]
//! struct App { db: DatabaseConnection, listings: Listings }
//!
//! async fn index(
//!     State(db): State<DatabaseConnection>,
//!     ListingQuery(request): ListingQuery,
//! ) -> Result<Response, ApiError> {
//!     let page = article::Entity::find().listing(&request).listing_paginate(&db).await?;
//!     Ok(success("Articles retrieved.", page, true))
//! }
//!
//! let routes: Router<App> = list_routes("/api/articles", index);
//! # let _ = routes;
//! ```

// The derive names this crate; so do the examples of its own documentation.
extern crate self as listing_axum;

mod config;
mod crud;
mod error_bodies;
mod extract;
mod identify;
#[cfg(feature = "jwt")]
mod jwt;
mod reply;
mod routes;
mod serve;
mod status;

pub use config::{Config, ConfigError, JwtConfig, KEYS, Key};
pub use crud::{
    ActiveModelOf, Api, Bound, Denied, Given, ModelOf, NamedRoute, Operation, Payload,
    PayloadObject, Resource, ResourceRoutes, RouteTable, Unique, Valid, WritableResource,
};
pub use error_bodies::error_bodies;
pub use extract::ListingQuery;
pub use identify::identify;
#[cfg(feature = "jwt")]
pub use jwt::{Claims, Jwt, JwtError};
pub use listing_macros::Payload;
pub use reply::{ReplyData, destroy, store, success, update};
pub use routes::list_routes;
pub use serve::around;
pub use status::{ApiError, KnownStatus, STATUSES};

/// The examples of the first page are compiled and run with the tests.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;

/// So are those of the guide to definitions.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/definitions.md")]
struct Definitions;

/// And those of the guide to records.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/crud.md")]
struct Crud;

/// And those of the guide to readers.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/readers.md")]
struct Readers;

/// And those of the guide to identity.
#[cfg(all(doctest, feature = "jwt"))]
#[doc = include_str!("../../../docs/identity.md")]
struct Identity;
