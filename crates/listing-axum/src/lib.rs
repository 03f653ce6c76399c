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

mod describe;
mod http;
mod list;
mod pages;
mod records;
mod service;

pub use self::describe::{
    ApiDescription, Authentication, OpenApi, OperationDescription, Operations, ResourceDescription,
};
pub use self::http::{
    ApiError, Denied, KnownStatus, ReplyData, STATUSES, destroy, error_bodies, page, store,
    success, update,
};
pub use self::list::{ListingQuery, list_routes};
pub use self::pages::Explorer;
#[cfg(feature = "docs")]
pub use self::pages::Reference;
pub use self::records::{
    Access, ActiveModelOf, Api, ApiInfo, Bound, BuiltApi, Given, ModelOf, NamedRoute, Operation,
    Payload, PayloadField, PayloadFieldDescription, PayloadObject, PayloadRules, PublicRead,
    Resource, ResourceRoutes, RouteTable, SignedInRead, Titles, Unique, Valid, WritableEntity,
    WritableResource, policy,
};
#[cfg(feature = "console")]
pub use self::service::{
    CONSOLE, ConsoleAnswer, ConsoleError, ConsoleQuestion, ConsoleRoute, ExplainQuestion,
    Explained, console,
};
#[cfg(feature = "jwt")]
pub use self::service::{Claims, Jwt, JwtError};
pub use self::service::{
    Config, ConfigError, HttpConfig, Identified, Identify, JwtConfig, KEYS, Key, LogConfig,
    LogFormat, Observer, OtlpConfig, Period, RateLimit, Secret, Server, WithDefaults, connect,
    connect_within, identify, reach, serve, with_defaults, with_observer, without_url,
};
pub use listing_macros::Payload;

/// The examples of the first page are compiled and run with the tests.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;

/// So is the program of the page about existing applications.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/existing-application.md")]
struct ExistingApplication;

/// So are those of the guide to definitions.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/definitions.md")]
struct Definitions;

/// And those of the pages on each definition.
#[cfg(doctest)]
mod definitions {
    #[doc = include_str!("../../../docs/fields.md")]
    struct Fields;
    #[doc = include_str!("../../../docs/relations.md")]
    struct Relations;
    #[doc = include_str!("../../../docs/filters.md")]
    struct Filters;
    #[doc = include_str!("../../../docs/sorts.md")]
    struct Sorts;
    #[doc = include_str!("../../../docs/search.md")]
    struct Search;
}

/// And those of the guide to records.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/crud.md")]
struct Crud;

/// And those of the guide to the command.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/command.md")]
struct Command;

/// And those of the page about the explorer.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/explorer.md")]
struct ExplorerGuide;

/// And those of the guide to readers.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/readers.md")]
struct Readers;

/// And those of the guides to deployment, operation and security.
#[cfg(doctest)]
mod operation {
    #[doc = include_str!("../../../docs/deploy.md")]
    struct Deployment;
    #[doc = include_str!("../../../docs/operations.md")]
    struct Operations;
    #[doc = include_str!("../../../docs/security.md")]
    struct Security;
}

/// And those of the guide to identity.
#[cfg(all(doctest, feature = "jwt"))]
#[doc = include_str!("../../../docs/identity.md")]
struct Identity;
