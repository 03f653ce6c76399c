//! Collects resources into a router with their endpoints and a table of route names.

use std::fmt;
use std::sync::Arc;

use axum::Router;
use axum::extract::{FromRef, Request, State};
use axum::handler::Handler;
use axum::routing::{MethodRouter, delete, get, post, put};
use listing::{
    DefinitionError, DefinitionErrors, HasListing, Listing, Listings, ListingsBuilder, Name,
    NamedRelations, ReadPool, Settings, TableListing,
};
use sea_orm::{DatabaseConnection, EntityName};

use super::bind::PathId;
use super::enumerations;
use super::handlers;
use super::overlap::Taken;
use super::resource::{Operation, Resource, WritableResource};
use super::route_table::{NamedRoute, RouteTable};
use super::served::Served;
use super::stamp;
use super::titles::Titles;
use crate::list::{ListHandler, list_methods};

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
}

/// Adds the listing of one entity.
type AddListing = Box<dyn FnOnce(ListingsBuilder) -> ListingsBuilder + Send>;

/// What [`Api::build`] made of the resources.
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

    /// A listing without endpoints of its own, of an entity that others populate.
    pub fn listing<E: HasListing + NamedRelations>(mut self) -> Self {
        self.listings.push(Box::new(ListingsBuilder::add::<E>));
        self
    }

    /// Verifies all listings together, and gives them with the router and the names of its routes.
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

    /// The router and the names of its routes, for an application that builds its [`Listings`] by itself.
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

/// The endpoints of one resource; each can be replaced or left out.
#[must_use = "add it to an `Api`"]
pub struct ResourceRoutes<S> {
    served: Served,
    /// The resource's type, or the name of its table, for messages.
    owner: Name,
    table: Name,
    listing: AddListing,
    /// The list's methods, made when it is known which others share its path.
    index: Option<Index<S>>,
    others: Vec<(Operation, MethodRouter<S>)>,
    no_force: bool,
    /// What keeps one of our handlers from doing its work.
    mistakes: Vec<(Operation, DefinitionError)>,
}

/// Tells the handler of `Destroy` that nothing is deleted for good.
#[derive(Debug, Clone, Copy)]
pub(super) struct NoForce;

/// What is served at each path.
type Methods<S> = Vec<(String, MethodRouter<S>)>;

type Index<S> = Box<dyn FnOnce(&'static str) -> (MethodRouter<S>, MethodRouter<S>)>;

impl<S> ResourceRoutes<S>
where
    S: Clone + Send + Sync + 'static,
    Listings: FromRef<S>,
    DatabaseConnection: FromRef<S>,
    ReadPool: FromRef<S>,
{
    /// The list and, where rows have a key, the records.
    pub fn read<R: Resource>() -> Self {
        let none = Self {
            served: Served::read::<R>(),
            owner: std::any::type_name::<R>().into(),
            table: R::Entity::default().table_name().into(),
            listing: Box::new(ListingsBuilder::add::<R::Entity>),
            index: None,
            others: Vec::new(),
            no_force: false,
            mistakes: Vec::new(),
        };
        // Made once, and not for every list.
        let message: Option<Arc<str>> = R::message(Operation::Index).map(Arc::from);
        let index = move |state: S, request: Request| async move {
            handlers::index::<R, S>(message.as_deref(), &state, request).await
        };
        let list = none.with(Operation::Index, ListHandler(index));
        match <R::Entity as HasListing>::Listing::has_key() {
            true => list.with(Operation::Show, handlers::show::<R, S>),
            false => list,
        }
    }

    /// The whole set; without a soft delete there is nothing to restore. Rows without a key cannot be written.
    pub fn crud<R: WritableResource>() -> Self {
        if !<R::Entity as HasListing>::Listing::has_key() {
            let mut list = Self::read::<R>();
            list.mistakes.push((Operation::Store, without_key::<R>()));
            return list;
        }
        let mut set = Self::read::<R>()
            .with(Operation::Store, handlers::store::<R, S>)
            .with(Operation::Update, handlers::update::<R, S>)
            .with(Operation::Destroy, handlers::destroy::<R, S>);
        set.served.writable::<R>();
        set.mistakes = stamp::mistakes::<R::Entity>();
        set.mistakes.extend(enumerations::mistakes::<R>());
        if <R::Entity as HasListing>::Listing::soft_delete().is_none() {
            return set;
        }
        set.served.add(Operation::ForceDestroy, false);
        set.with(Operation::Restore, handlers::restore::<R, S>)
    }

    /// The same with another handler for one operation. A forced delete comes to the handler of `Destroy`, so that the
    /// two are one here.
    pub fn replace<H, T>(self, operation: Operation, handler: H) -> Self
    where
        H: Handler<T, S> + Clone,
        T: 'static,
    {
        let operation = match operation {
            Operation::ForceDestroy => Operation::Destroy,
            other => other,
        };
        let mut replaced = self.with(operation, handler);
        replaced.mistakes.retain(|(known, _)| *known != operation);
        replaced.served.add(operation, true);
        replaced
    }

    fn with<H, T>(mut self, operation: Operation, handler: H) -> Self
    where
        H: Handler<T, S> + Clone,
        T: 'static,
    {
        let method = match operation {
            Operation::Index => {
                self.served.add(operation, false);
                self.index = Some(Box::new(move |allow| list_methods(handler, allow)));
                return self;
            }
            Operation::Show => get(handler),
            Operation::Store | Operation::Restore => post(handler),
            Operation::Update => put(handler),
            Operation::Destroy | Operation::ForceDestroy => delete(handler),
        };
        self.others.retain(|(known, _)| *known != operation);
        self.others.push((operation, method));
        self.served.add(operation, false);
        self
    }

    /// The same without one operation. Without `ForceDestroy` our handler of `Destroy` refuses `?force=true` (403).
    pub fn without(mut self, operation: Operation) -> Self {
        self.served.remove(operation);
        match operation {
            Operation::Index => self.index = None,
            Operation::ForceDestroy => self.no_force = true,
            _ => {}
        }
        if operation == Operation::Destroy {
            self.served.remove(Operation::ForceDestroy);
        }
        self.others.retain(|(known, _)| *known != operation);
        self.mistakes.retain(|(known, _)| *known != operation);
        self
    }

    /// The same, in a group of lists: in the explorer people find the lists of a group together.
    pub fn group(mut self, name: &str) -> Self {
        self.served.group = Some(name.to_owned().into());
        self
    }

    /// A table that is known at run time only: its list and, where it has a key, its records, which everybody may read. It is
    /// served under this segment of the path.
    pub fn table(segment: &str, titles: Titles, listing: TableListing) -> Self {
        let entity = listing.entity.id;
        let has_key = !listing.entity.key.is_empty();
        let none = Self {
            served: Served::table(segment, titles.clone(), entity),
            owner: listing.entity.name.clone(),
            table: listing.entity.name.clone(),
            listing: Box::new(move |listings: ListingsBuilder| listings.add_table(listing)),
            index: None,
            others: Vec::new(),
            no_force: false,
            mistakes: Vec::new(),
        };
        let message: Arc<str> = titles.message(Operation::Index).into();
        let index = move |state: S, request: Request| async move {
            handlers::table_index(entity, &message, &state, request).await
        };
        let message: Arc<str> = titles.message(Operation::Show).into();
        let show = move |state: State<S>, id: PathId, request: Request| async move {
            handlers::table_show(entity, &message, state, id, request).await
        };
        let list = none.with(Operation::Index, ListHandler(index));
        match has_key {
            true => list.with(Operation::Show, show),
            false => list,
        }
    }

    fn into_methods(self, path: &str, table: &mut RouteTable) -> (Methods<S>, AddListing) {
        let mut paths: Methods<S> = Vec::new();
        let (segment, served) = (self.served.segment.clone(), self.table);
        let mut name = |operation: &str, method, path: &str| {
            table.add(NamedRoute {
                name: format!("{segment}.{operation}"),
                method,
                path: path.to_owned(),
                table: served.clone(),
            });
        };
        let stores = self
            .others
            .iter()
            .any(|(operation, _)| *operation == Operation::Store);
        if let Some(index) = self.index {
            let allow = if stores {
                "GET,HEAD,POST,QUERY"
            } else {
                "GET,HEAD,QUERY"
            };
            let (list, by_body) = index(allow);
            name("index", "GET", path);
            name("query", "POST", &format!("{path}/query"));
            paths.push((path.to_owned(), list));
            paths.push((format!("{path}/query"), by_body));
        }
        for (operation, methods) in self.others {
            let methods = if self.no_force && operation == Operation::Destroy {
                methods.layer(axum::Extension(NoForce))
            } else {
                methods
            };
            let (method, path) = match operation {
                Operation::Store => ("POST", path.to_owned()),
                Operation::Restore => ("POST", format!("{path}/{{id}}/restore")),
                Operation::Update => ("PUT", format!("{path}/{{id}}")),
                Operation::Destroy | Operation::ForceDestroy => {
                    ("DELETE", format!("{path}/{{id}}"))
                }
                Operation::Index | Operation::Show => ("GET", format!("{path}/{{id}}")),
            };
            name(operation.name(), method, &path);
            match paths.iter_mut().find(|(known, _)| *known == path) {
                Some((_, known)) => *known = std::mem::take(known).merge(methods),
                None => paths.push((path, methods)),
            }
        }
        table.serve(self.served.at(path));
        (paths, self.listing)
    }
}

fn without_key<R: Resource>() -> DefinitionError {
    DefinitionError::of::<R::Entity>(
        "key",
        R::Entity::default().table_name(),
        "the listing says that its rows have no key, so that none of them can be written",
        "serve it with `read`",
    )
}

impl<S> fmt::Debug for ResourceRoutes<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ResourceRoutes")
            .field("served", &self.served)
            .finish_non_exhaustive()
    }
}
