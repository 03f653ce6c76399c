//! Collects resources into a router with their endpoints and a table of route names.

use std::fmt;

use axum::Router;
use axum::extract::{FromRef, Request};
use axum::routing::post;
use listing::{
    DefinitionError, DefinitionErrors, HasListing, Listings, ListingsBuilder, NamedRelations,
    ReadPool, Settings,
};
use sea_orm::DatabaseConnection;

use super::overlap::Taken;
use super::resource::{Resource, WritableResource};
use super::resource_routes::{AddListing, ResourceRoutes};
use super::route_table::RouteTable;
use super::tickets;
use crate::list::{ListHandler, answer};

/// Collects the resources of an application under one prefix: their endpoints, their listings and the names of their
/// routes, each registered once.
///
/// Lists and records are read through the [`ReadPool`] of the application's state, and written through its
/// `DatabaseConnection`.
///
/// ```no_run
/// # use axum::extract::FromRef;
/// # use listing::{Listings, ReadPool, Settings};
/// # use listing_axum::{Api, Resource, WritableResource};
/// # use sea_orm::DatabaseConnection;
/// # #[derive(Clone, FromRef)]
/// # struct App { db: DatabaseConnection, reads: ReadPool, listings: Listings }
/// # fn example<Articles: WritableResource, Authors: Resource>(db: DatabaseConnection, reads: ReadPool)
/// # -> Result<(), Box<dyn std::error::Error>> {
/// let api = Api::new("/api")
///     .crud::<Articles>() // index, store, show, update, destroy, restore
///     .read::<Authors>()  // index and show
///     .build(Settings::default())?;
/// assert_eq!(api.routes.url_of("articles.show", 7).as_deref(), Some("/api/articles/7"));
/// let router = api.router.with_state(App { db, reads, listings: api.listings });
/// # let _: axum::Router = router;
/// # Ok(())
/// # }
/// ```
#[must_use = "nothing is served until the router of `build` is"]
pub struct Api<S> {
    router: Router<S>,
    routes: RouteTable,
    taken: Taken,
    overlaps: Vec<DefinitionError>,
    listings: Vec<AddListing>,
    mistakes: Vec<DefinitionError>,
    /// Whether any list is exported, so that there are tickets.
    has_tickets: bool,
}

/// The result of [`Api::build`].
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct BuiltApi<S> {
    /// The endpoints.
    pub router: Router<S>,
    /// The listings, verified; the router's state must hold them.
    pub listings: Listings,
    /// The names of the routes.
    pub routes: RouteTable,
}

impl<S> Api<S>
where
    S: Clone + Send + Sync + 'static,
    Listings: FromRef<S>,
    DatabaseConnection: FromRef<S>,
    ReadPool: FromRef<S>,
{
    /// No resource yet, under a prefix such as `/api`.
    pub fn new(prefix: &str) -> Self {
        Self {
            router: Router::new(),
            routes: RouteTable::new(prefix.trim_end_matches('/')),
            taken: Taken::default(),
            overlaps: Vec::new(),
            listings: Vec::new(),
            mistakes: Vec::new(),
            has_tickets: false,
        }
    }

    /// The list and the records of a resource.
    pub fn read<R: Resource>(self) -> Self {
        self.resource(ResourceRoutes::read::<R>())
    }

    /// The whole set of a resource.
    pub fn crud<R: WritableResource>(self) -> Self {
        self.resource(ResourceRoutes::crud::<R>())
    }

    /// A resource some of whose endpoints are the application's own.
    pub fn resource(mut self, mut resource: ResourceRoutes<S>) -> Self {
        for (_, mistake) in std::mem::take(&mut resource.mistakes) {
            // One column can keep several operations from working.
            if !self.mistakes.contains(&mistake) {
                self.mistakes.push(mistake);
            }
        }
        if resource.is_exported() && !std::mem::replace(&mut self.has_tickets, true) {
            let ticket = ListHandler::new(|state: S, request: Request| {
                answer(move || async move { tickets::ticket(&state, request).await })
            });
            let path = format!("{}/_tickets", self.routes.prefix());
            self.router = self.router.route(&path, post(ticket));
        }
        let path = format!("{}/{}", self.routes.prefix(), resource.served.segment);
        let owner = resource.owner.clone();
        let mut routes = RouteTable::default();
        let (methods, listing) = resource.into_methods(&path, &mut routes);
        self.listings.push(listing);
        match self.taken.add(&owner, routes.iter().cloned().collect()) {
            Err(mistake) => self.overlaps.push(mistake),
            Ok(()) => {
                self.routes.append(routes);
                for (path, methods) in methods {
                    self.router = self.router.route(&path, methods);
                }
            }
        }
        self
    }

    /// A listing without its own endpoints, of an entity that others populate.
    pub fn listing<E: HasListing + NamedRelations>(mut self) -> Self {
        self.listings.push(Box::new(ListingsBuilder::add::<E>));
        self
    }

    /// Verifies all listings together, and returns them with the router and the names of its routes.
    ///
    /// # Errors
    /// Everything that is wrong in any definition, at once (d40).
    pub fn build(self, settings: Settings) -> Result<BuiltApi<S>, DefinitionErrors> {
        let builder = Listings::builder(settings);
        let listings = self
            .listings
            .into_iter()
            .fold(builder, |builder, add| add(builder));
        let mut mistakes = self.mistakes;
        mistakes.extend(self.overlaps);
        match listings.build() {
            Ok(listings) if mistakes.is_empty() => Ok(BuiltApi {
                router: self.router,
                listings,
                routes: self.routes,
            }),
            Ok(_) => Err(DefinitionErrors(mistakes)),
            Err(DefinitionErrors(mut found)) => {
                found.append(&mut mistakes);
                Err(DefinitionErrors(found))
            }
        }
    }

    /// The router and the names of its routes, for an application that builds its own [`Listings`].
    ///
    /// # Errors
    /// Every two resources that would be served at one path.
    pub fn finish(self) -> Result<(Router<S>, RouteTable), DefinitionErrors> {
        match self.overlaps.is_empty() {
            true => Ok((self.router, self.routes)),
            false => Err(DefinitionErrors(self.overlaps)),
        }
    }
}

impl<S> fmt::Debug for Api<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Api")
            .field("routes", &self.routes)
            .finish_non_exhaustive()
    }
}
