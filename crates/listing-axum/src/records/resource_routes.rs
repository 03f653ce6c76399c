//! The endpoints of one resource: which there are, and which handlers they have.

use std::fmt;
use std::sync::Arc;

use axum::extract::{FromRef, OriginalUri, Request, State};
use axum::handler::Handler;
use axum::routing::{MethodRouter, delete, get, patch, post, put};
use listing::entity::Name;
use listing::{
    DefinitionError, HasListing, Listing, Listings, ListingsBuilder, ReadPool, TableListing,
};
use sea_orm::{DatabaseConnection, EntityName};

use super::bind::PathId;
use super::bulk::{self, Many};
use super::enumerations;
use super::exports::{self, ByAccept};
use super::handlers;
use super::idempotency::UnderWay;
use super::linked;
use super::numbers::{self, Addresses};
use super::resource::{Operation, Resource, WritableResource};
use super::route_table::{NamedRoute, RouteTable};
use super::served::Served;
use super::stamp;
use super::titles::Titles;
use super::writes;
use crate::list::{ListHandler, answer, list_methods};

/// Adds the listing of one entity.
pub(super) type AddListing = Box<dyn FnOnce(ListingsBuilder) -> ListingsBuilder + Send>;

/// The endpoints of one resource; each can be replaced or left out.
#[must_use = "add it to an `Api`"]
pub struct ResourceRoutes<S> {
    pub(super) served: Served,
    /// The resource's type, or the name of its table, for messages.
    pub(super) owner: Name,
    table: Name,
    listing: AddListing,
    /// The list's methods, made when it is known which others share its path.
    index: Option<Index<S>>,
    /// The addresses of the list's numbers. They are gone with our list: only its own handler knows which rows it shows.
    numbers: Addresses<S>,
    /// The list's files, by the ends of their names. They are gone with our list too.
    exports: Vec<(&'static str, MethodRouter<S>)>,
    others: Vec<(Operation, MethodRouter<S>)>,
    /// The other way to update, which goes with ours: a handler of the application's own decides alone what is changed.
    patch: Option<MethodRouter<S>>,
    /// The endpoints that write many records, with ours for single ones: what is replaced or left out cannot be done by them.
    bulk: Vec<Many<S>>,
    /// The keys of requests that are being answered, where the resource remembers keys.
    under_way: Option<UnderWay>,
    no_force: bool,
    /// What keeps one of our handlers from doing its work.
    pub(super) mistakes: Vec<(Operation, DefinitionError)>,
}

/// Tells the handler of `Destroy` that nothing is deleted for good.
#[derive(Debug, Clone, Copy)]
pub(super) struct NoForce;

/// What is served at each path.
pub(super) type Methods<S> = Vec<(String, MethodRouter<S>)>;

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
            numbers: Vec::new(),
            exports: Vec::new(),
            others: Vec::new(),
            patch: None,
            bulk: Vec::new(),
            under_way: None,
            no_force: false,
            mistakes: Vec::new(),
        };
        // Made once, and not for every list.
        let message: Option<Arc<str>> = R::message(Operation::Index).map(Arc::from);
        let addresses = numbers::addresses::<R, S>(message.as_ref());
        let index = move |state: S, request: Request| {
            answer(move || async move {
                handlers::index::<R, S>(message.as_deref(), &state, request).await
            })
        };
        let show = |state: State<S>, id: PathId, request: Request| {
            answer(|| handlers::show::<R, S>(state, id, request))
        };
        let mut list = none.with(Operation::Index, ListHandler(index));
        list.serve_numbers(addresses);
        if <R::Entity as HasListing>::Listing::export().is_some() {
            let export = |state: S, request: Request| {
                answer(move || async move { exports::by_path::<R, S>(&state, request).await })
            };
            list = list.with(Operation::Export, ListHandler(export));
        }
        match <R::Entity as HasListing>::Listing::has_key() {
            true => list.with(Operation::Show, show),
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
        let store = |state: State<S>, uri: OriginalUri, request: Request| {
            answer(|| writes::store::<R, S>(state, uri, request))
        };
        let update = |state: State<S>, id: PathId, request: Request| {
            answer(|| writes::update::<R, S>(state, id, request))
        };
        let merge = |state: State<S>, id: PathId, request: Request| {
            answer(|| writes::patch::<R, S>(state, id, request))
        };
        let destroy = |state: State<S>, id: PathId, request: Request| {
            answer(|| writes::destroy::<R, S>(state, id, request))
        };
        let mut set = Self::read::<R>()
            .with(Operation::Store, store)
            .with(Operation::Update, update)
            .with(Operation::Destroy, destroy);
        set.patch = Some(patch(merge));
        set.served.writable::<R>();
        set.bulk = bulk::endpoints::<R, S>();
        set.under_way = R::idempotency().map(|_| UnderWay::default());
        set.mistakes = stamp::mistakes::<R::Entity>();
        set.mistakes.extend(enumerations::mistakes::<R>());
        set.mistakes.extend(linked::mistakes::<R>());
        set.mistakes.extend(bulk::mistakes::<R>());
        if <R::Entity as HasListing>::Listing::soft_delete().is_none() {
            return set;
        }
        set.served.add(Operation::ForceDestroy, false);
        let restore = |state: State<S>, id: PathId, request: Request| {
            answer(|| writes::restore::<R, S>(state, id, request))
        };
        set.with(Operation::Restore, restore)
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
        if operation == Operation::Index {
            replaced.forget_numbers();
            if replaced.served.has_ours(Operation::Export) {
                replaced.forget_exports();
            }
        }
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
            Operation::Export => {
                let all = listing::Format::ALL.iter();
                let all = all.map(|format| (format.extension(), get(handler.clone())));
                self.exports = all.collect();
                self.served.add(operation, false);
                return self;
            }
            Operation::Show => get(handler),
            Operation::Store | Operation::Restore => post(handler),
            Operation::Update => put(handler),
            Operation::Destroy | Operation::ForceDestroy => delete(handler),
        };
        self.forget(operation);
        self.others.push((operation, method));
        self.served.add(operation, false);
        self
    }

    /// The same without one operation. Without `ForceDestroy` our handler of `Destroy` refuses `?force=true` (403).
    pub fn without(mut self, operation: Operation) -> Self {
        self.served.remove(operation);
        match operation {
            Operation::Index => {
                self.index = None;
                self.forget_numbers();
                self.forget_exports();
            }
            Operation::Export => self.exports.clear(),
            Operation::ForceDestroy => self.no_force = true,
            _ => {}
        }
        if operation == Operation::Destroy {
            self.served.remove(Operation::ForceDestroy);
        }
        self.forget(operation);
        self.mistakes.retain(|(known, _)| *known != operation);
        self
    }

    /// Drops the handler of an operation, and with that of an update the one of patches.
    fn forget(&mut self, operation: Operation) {
        self.others.retain(|(known, _)| *known != operation);
        if operation == Operation::Update {
            self.patch = None;
        }
    }

    fn serve_numbers(&mut self, addresses: Addresses<S>) {
        self.served.numbers = addresses.iter().map(|(name, _)| *name).collect();
        self.numbers = addresses;
    }

    /// Whether its list can be had as a file.
    pub(super) fn is_exported(&self) -> bool {
        !self.exports.is_empty()
    }

    fn forget_exports(&mut self) {
        self.exports.clear();
        self.served.remove(Operation::Export);
    }

    fn forget_numbers(&mut self) {
        self.numbers.clear();
        self.served.numbers.clear();
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
        let message: Arc<str> = titles.message(Operation::Index).into();
        let addresses = numbers::addresses_of_table(&listing, &message);
        let none = Self {
            served: Served::table(segment, titles.clone(), entity),
            owner: listing.entity.name.clone(),
            table: listing.entity.name.clone(),
            listing: Box::new(move |listings: ListingsBuilder| listings.add_table(listing)),
            index: None,
            numbers: Vec::new(),
            exports: Vec::new(),
            others: Vec::new(),
            patch: None,
            bulk: Vec::new(),
            under_way: None,
            no_force: false,
            mistakes: Vec::new(),
        };
        let index = move |state: S, request: Request| {
            answer(
                move || async move { handlers::table_index(entity, &message, &state, request).await },
            )
        };
        let message: Arc<str> = titles.message(Operation::Show).into();
        let show = move |state: State<S>, id: PathId, request: Request| {
            answer(move || async move {
                handlers::table_show(entity, &message, state, id, request).await
            })
        };
        let mut list = none.with(Operation::Index, ListHandler(index));
        list.serve_numbers(addresses);
        match has_key {
            true => list.with(Operation::Show, show),
            false => list,
        }
    }

    pub(super) fn into_methods(
        self,
        path: &str,
        table: &mut RouteTable,
    ) -> (Methods<S>, AddListing) {
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
            let (list, mut by_body) = index(allow);
            if self.served.has_ours(Operation::Export) {
                by_body = by_body.layer(axum::Extension(ByAccept));
            }
            name("index", "GET", path);
            name("query", "POST", &format!("{path}/query"));
            paths.push((path.to_owned(), list));
            paths.push((format!("{path}/query"), by_body));
        }
        for (operation, end, methods) in self.bulk {
            let Some(writes) = self.served.many(operation) else {
                continue;
            };
            let path = format!("{path}/{end}");
            name(&end.replace('/', ".").replace('_', ""), "POST", &path);
            paths.push((path, methods.layer(axum::Extension(writes))));
        }
        let mut patch = self.patch;
        for (numbers, methods) in self.numbers {
            let path = format!("{path}/_{numbers}");
            name(numbers, "GET", &path);
            paths.push((path, methods));
        }
        for (extension, methods) in self.exports {
            let path = format!("{path}.{extension}");
            name(extension, "GET", &path);
            paths.push((path, methods));
        }
        for (operation, methods) in self.others {
            let patch = patch.take_if(|_| operation == Operation::Update);
            let is_patched = patch.is_some();
            let methods = match patch {
                Some(patch) => methods.merge(patch),
                None if self.no_force && operation == Operation::Destroy => {
                    methods.layer(axum::Extension(NoForce))
                }
                None => methods,
            };
            let (method, path) = match operation {
                Operation::Store => ("POST", path.to_owned()),
                Operation::Restore => ("POST", format!("{path}/{{id}}/restore")),
                Operation::Update => ("PUT", format!("{path}/{{id}}")),
                Operation::Destroy | Operation::ForceDestroy => {
                    ("DELETE", format!("{path}/{{id}}"))
                }
                Operation::Index | Operation::Export | Operation::Show => {
                    ("GET", format!("{path}/{{id}}"))
                }
            };
            name(operation.name(), method, &path);
            if is_patched {
                name("patch", "PATCH", &path);
            }
            match paths.iter_mut().find(|(known, _)| *known == path) {
                Some((_, known)) => *known = std::mem::take(known).merge(methods),
                None => paths.push((path, methods)),
            }
        }
        if let Some(under_way) = self.under_way {
            for (_, methods) in &mut paths {
                let known = std::mem::take(methods);
                *methods = known.layer(axum::Extension(under_way.clone()));
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
