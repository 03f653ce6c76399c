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

// The derive refers to this crate by name, and so do the examples in its own documentation.
extern crate self as listing_axum;

#[doc(hidden)]
#[path = "private.rs"]
pub mod __private;
mod application;
pub mod describe;
mod http;
mod list;
mod pages;
mod records;
mod service;

pub use self::application::{App, Service, ServiceError};
pub use self::describe::OpenApi;
pub use self::http::{ApiError, Denied, destroy, store, success, update};
pub use self::list::{ListingQuery, list_routes};
pub use self::pages::Explorer;
#[cfg(feature = "docs")]
pub use self::pages::Reference;
pub use self::records::{
    Access, Api, ApiInfo, Bound, BuiltApi, Change, Committed, Given, History, Links, Operation,
    Payload, PublicRead, Resource, ResourceRoutes, SignedInRead, Titles, Unique, Valid,
    WritableEntity, WritableResource, policy,
};
#[cfg(feature = "jwt")]
pub use self::service::{Claims, Jwt, JwtError};
pub use self::service::{
    Config, Identified, Identify, Observer, Server, WithDefaults, identify, serve, with_defaults,
    with_observer,
};
pub use listing_macros::Payload;

/// Changes that are handed to the application after they are committed.
pub mod events {
    pub use crate::records::{Event, Events, create_tables, drop_tables};
    pub use crate::service::Dispatcher;
}

/// Targets that receive [`events`] over HTTP.
#[cfg(feature = "webhooks")]
pub mod webhooks {
    pub use crate::records::deliveries::{create_table, drop_table, redeliver, redeliver_one};
    pub use crate::service::{WebhookError, Webhooks};
}

/// The parts of [`Config`], its settings, and what can be wrong with them.
pub mod config {
    pub use crate::service::{
        ConfigError, HttpConfig, JwtConfig, KEYS, Key, LogConfig, LogFormat, OtlpConfig, Period,
        RateLimit, Secret,
    };
    #[cfg(feature = "webhooks")]
    pub use crate::service::{WEBHOOK_KEYS, WebhookConfig, WebhookKey};
}

/// The questions of `listing routes`, `explain` and `check` to an application.
#[cfg(feature = "console")]
pub mod console {
    pub use crate::service::{
        CONSOLE, ConsoleAnswer, ConsoleError, ConsoleQuestion, ConsoleRoute, ExplainQuestion,
        Explained, console,
    };
}

/// Connections to a database.
pub mod database {
    pub use crate::service::{connect, connect_within, reach, with_positions, without_url};
}

/// The answers to repeated requests.
pub mod idempotency {
    pub use crate::records::Idempotency;
}

/// The routes of an application, with their names.
pub mod routes {
    pub use crate::records::{NamedRoute, RouteTable};
}

/// The types of a resource's records.
pub mod record {
    pub use crate::records::{ActiveModelOf, ModelOf};
}

/// The parts of responses that other handlers may need.
pub mod reply {
    pub use crate::http::{KnownStatus, ReplyData, STATUSES, error_bodies, page};
}

/// The code that the derive of [`Payload`] uses.
pub mod payload {
    pub use crate::records::{PayloadField, PayloadObject, PayloadRules};
}

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
    #[doc = include_str!("../../../docs/numbers.md")]
    struct Numbers;
    #[doc = include_str!("../../../docs/export.md")]
    struct Export;
    #[doc = include_str!("../../../docs/search.md")]
    struct Search;
}

/// And those of the guide to records.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/crud.md")]
struct Crud;

/// And those of the guide to webhooks.
#[cfg(all(doctest, feature = "webhooks"))]
#[doc = include_str!("../../../docs/webhooks.md")]
struct WebhooksGuide;

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
    #[doc = include_str!("../../../docs/replicas.md")]
    struct Replicas;
    #[doc = include_str!("../../../docs/security.md")]
    struct Security;
}

/// And those of the guide to identity.
#[cfg(all(doctest, feature = "jwt"))]
#[doc = include_str!("../../../docs/identity.md")]
struct Identity;
