//! The endpoints of one resource, and their handlers.

use std::fmt;
use std::sync::Arc;

use axum::extract::{FromRef, Request, State};
use axum::handler::Handler;
use axum::routing::{MethodRouter, delete, get, patch, post, put};
use listing::entity::Name;
use listing::{
    DefinitionError, HasListing, Listing, Listings, ListingsBuilder, ReadPool, TableListing,
};
use sea_orm::{DatabaseConnection, EntityName};

use super::bind::PathId;
use super::bulk::{self, Many};
use super::endpoint::{OfMany, OfNew, OfRecord, only_post};
use super::enumerations;
use super::exports::{self, ByAccept};
use super::handlers;
use super::history_page;
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

/// The endpoints of one resource. Each can be replaced or removed.
#[must_use = "add it to an `Api`"]
pub struct ResourceRoutes<S> {
    pub(super) served: Served,
    /// The resource's type, or the name of its table, for messages.
    pub(super) owner: Name,
    table: Name,
    listing: AddListing,
    /// The list's methods. They are built once all lists with the same path are known.
    index: Option<Index<S>>,
    /// The addresses of the list's numbers. They are removed with our list: only a custom handler knows which rows it shows.
    numbers: Addresses<S>,
    /// The list's files, by extension. They are removed with our list, too.
    exports: Vec<(&'static str, MethodRouter<S>)>,
    others: Vec<(Operation, MethodRouter<S>)>,
    /// The endpoint for patches. It is removed with our `PUT`, because a custom handler alone decides what is changed.
    patch: Option<MethodRouter<S>>,
    /// The endpoints that write many records. They only include operations with our handlers for single records.
    bulk: Vec<Many<S>>,
    /// The keys of requests that are being answered, if the resource remembers keys.
    under_way: Option<UnderWay>,
    no_force: bool,
    /// Why our handlers could not work.
    pub(super) mistakes: Vec<(Operation, DefinitionError)>,
}

/// Tells the handler of `Destroy` that permanent deletion is not available.
#[derive(Debug, Clone, Copy)]
pub(super) struct NoForce;

/// The methods of each path.
pub(super) type Methods<S> = Vec<(String, MethodRouter<S>)>;

type Index<S> = Box<dyn FnOnce(&'static str) -> (MethodRouter<S>, MethodRouter<S>)>;

impl<S> ResourceRoutes<S>
where
    S: Clone + Send + Sync + 'static,
    Listings: FromRef<S>,
    DatabaseConnection: FromRef<S>,
    ReadPool: FromRef<S>,
{
    /// The list and, if rows have a key, the records.
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
        // Created once, rather than for every list.
        let message: Option<Arc<str>> = R::message(Operation::Index).map(Arc::from);
        let addresses = numbers::addresses::<R, S>(message.as_ref());
        let mut list = none.with_index(ListHandler::new(move |state: S, request: Request| {
            let message = message.clone();
            answer(move || async move {
                handlers::index::<R, S>(message.as_deref(), &state, request).await
            })
        }));
        list.serve_numbers(addresses);
        if <R::Entity as HasListing>::Listing::export().is_some() {
            list = list.with_export(ListHandler::new(|state: S, request: Request| {
                answer(move || async move { exports::by_path::<R, S>(&state, request).await })
            }));
        }
        let show: OfRecord<S> =
            |state, id, request| answer(|| handlers::show::<R, S>(state, id, request));
        match <R::Entity as HasListing>::Listing::has_key() {
            true => list.with_methods(Operation::Show, get(show)),
            false => list,
        }
    }

    /// All endpoints, but no restore without a soft delete. Rows without a key cannot be written.
    pub fn crud<R: WritableResource>() -> Self {
        if !<R::Entity as HasListing>::Listing::has_key() {
            let mut list = Self::read::<R>();
            list.mistakes.push((Operation::Store, without_key::<R>()));
            return list;
        }
        let store: OfNew<S> =
            |state, uri, request| answer(|| writes::store::<R, S>(state, uri, request));
        let update: OfRecord<S> =
            |state, id, request| answer(|| writes::update::<R, S>(state, id, request));
        let merge: OfRecord<S> =
            |state, id, request| answer(|| writes::patch::<R, S>(state, id, request));
        let destroy: OfRecord<S> =
            |state, id, request| answer(|| writes::destroy::<R, S>(state, id, request));
        let mut set = Self::read::<R>()
            .with_methods(Operation::Store, post(store))
            .with_methods(Operation::Update, put(update))
            .with_methods(Operation::Destroy, delete(destroy));
        set.patch = Some(patch(merge));
        set.served.writable::<R>();
        set.bulk = bulk::endpoints::<R, S>();
        set.under_way = R::idempotency().map(|_| UnderWay::default());
        set.mistakes = stamp::mistakes::<R::Entity>();
        set.mistakes.extend(enumerations::mistakes::<R>());
        set.mistakes.extend(linked::mistakes::<R>());
        set.mistakes.extend(bulk::mistakes::<R>());
        if R::IMPORT {
            let import: OfMany<S> =
                |state, request| answer(|| bulk::import::<R, S>(state, request));
            set = set.with_methods(Operation::Import, only_post(import));
        }
        if R::history().is_some() {
            let history: OfRecord<S> =
                |state, id, request| answer(|| history_page::history::<R, S>(state, id, request));
            set = set.with_methods(Operation::History, get(history));
        }
        if <R::Entity as HasListing>::Listing::soft_delete().is_none() {
            return set;
        }
        set.served.add(Operation::ForceDestroy, false);
        let restore: OfRecord<S> =
            |state, id, request| answer(|| writes::restore::<R, S>(state, id, request));
        set.with_methods(Operation::Restore, post(restore))
    }

    /// Uses another handler for one operation. The handler of `Destroy` also gets permanent deletions, so the two are one
    /// operation here.
    pub fn replace<H, T>(self, operation: Operation, handler: H) -> Self
    where
        H: Handler<T, S> + Clone,
        T: 'static,
    {
        let operation = match operation {
            Operation::ForceDestroy => Operation::Destroy,
            other => other,
        };
        let mut replaced = match operation {
            Operation::Index => self.with_index(handler),
            Operation::Export => self.with_export(handler),
            Operation::Import => self.with_methods(operation, only_post(handler)),
            Operation::Show | Operation::History => self.with_methods(operation, get(handler)),
            Operation::Store | Operation::Restore => self.with_methods(operation, post(handler)),
            Operation::Update => self.with_methods(operation, put(handler)),
            Operation::Destroy | Operation::ForceDestroy => {
                self.with_methods(operation, delete(handler))
            }
        };
        if operation == Operation::Index {
            replaced.forget_numbers();
            if replaced.served.has_ours(Operation::Export) {
                replaced.forget_exports();
            }
        }
        replaced.forget_what_goes_with(operation);
        replaced.mistakes.retain(|(known, _)| *known != operation);
        replaced.served.add(operation, true);
        replaced
    }

    fn with_index<H, T>(mut self, handler: H) -> Self
    where
        H: Handler<T, S> + Clone,
        T: 'static,
    {
        self.served.add(Operation::Index, false);
        self.index = Some(Box::new(move |allow| list_methods(handler, allow)));
        self
    }

    fn with_export<H, T>(mut self, handler: H) -> Self
    where
        H: Handler<T, S> + Clone,
        T: 'static,
    {
        let all = listing::Format::ALL.iter();
        let all = all.map(|format| (format.extension(), get(handler.clone())));
        self.exports = all.collect();
        self.served.add(Operation::Export, false);
        self
    }

    fn with_methods(mut self, operation: Operation, methods: MethodRouter<S>) -> Self {
        self.forget(operation);
        self.others.push((operation, methods));
        self.served.add(operation, false);
        self
    }

    /// Removes one operation. Without `ForceDestroy`, our handler of `Destroy` refuses `?force=true` (403).
    pub fn without(mut self, operation: Operation) -> Self {
        self.served.remove(operation);
        match operation {
            Operation::Index => {
                self.index = None;
                self.forget_numbers();
                self.forget_exports();
            }
            Operation::Export => self.exports.clear(),
            Operation::Store | Operation::Show => self.forget_what_goes_with(operation),
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

    /// Removes the handler of an operation. With the handler of `PUT`, it removes that of `PATCH`.
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

    /// Whether its list can be exported.
    pub(super) fn is_exported(&self) -> bool {
        !self.exports.is_empty()
    }

    fn forget_exports(&mut self) {
        self.exports.clear();
        self.served.remove(Operation::Export);
    }

    /// Removes what depends on a removed operation. Imports need our handler that creates records, and the history needs our
    /// handler that shows a record, because only a custom handler knows what it shows.
    fn forget_what_goes_with(&mut self, operation: Operation) {
        let other = match operation {
            Operation::Store => Operation::Import,
            Operation::Show => Operation::History,
            _ => return,
        };
        if self.served.has_ours(other) {
            self.forget(other);
            self.served.remove(other);
        }
    }

    fn forget_numbers(&mut self) {
        self.numbers.clear();
        self.served.numbers.clear();
    }

    /// Puts the resource into a group of lists. The explorer shows the lists of a group together.
    pub fn group(mut self, name: &str) -> Self {
        self.served.group = Some(name.to_owned().into());
        self
    }

    /// A table that is known only at run time: its list and, if it has a key, its records. Everyone may read them. It is served
    /// under this path segment.
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
        let index = ListHandler::new(move |state: S, request: Request| {
            let message = Arc::clone(&message);
            answer(
                move || async move { handlers::table_index(entity, &message, &state, request).await },
            )
        });
        let message: Arc<str> = titles.message(Operation::Show).into();
        let show = move |state: State<S>, id: PathId, request: Request| {
            answer(move || async move {
                handlers::table_show(entity, &message, state, id, request).await
            })
        };
        let mut list = none.with_index(index);
        list.serve_numbers(addresses);
        match has_key {
            true => list.with_methods(Operation::Show, get(show)),
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
                Operation::Import => ("POST", format!("{path}/_import")),
                Operation::Restore => ("POST", format!("{path}/{{id}}/restore")),
                Operation::History => ("GET", format!("{path}/{{id}}/_history")),
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
