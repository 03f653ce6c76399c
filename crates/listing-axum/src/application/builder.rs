//! The builder of a service.

use std::error::Error;
use std::fmt;
use std::path::{Path, PathBuf};
use std::pin::Pin;

use axum::Router;
use axum::extract::OptionalFromRequestParts;
use listing::{DefinitionErrors, Settings};
use sea_orm::DatabaseConnection;

use super::served::Served;
use super::{App, ServiceError};
use crate::pages::Explorer;
use crate::records::{Api, ApiInfo, BuiltApi, Event};
use crate::service::{Config, Dispatcher, identify};

/// A complete service: it reads `listing.toml`, starts the log, verifies every definition, answers the `listing` command, waits
/// for the database and prepares it, and serves until it is asked to stop.
///
/// ```no_run
/// use blog::listings::CurrentUser;
/// use blog::resources::api;
/// use listing_axum::{Service, ServiceError};
///
/// #[tokio::main]
/// async fn main() -> Result<(), ServiceError> {
///     Service::new(api)
///         .identify::<CurrentUser>()
///         .explorer()
///         .run()
///         .await
/// }
/// ```
///
/// It is made of parts that are public, and an application that needs another order uses those:
/// [`Config`], [`connect_within`](crate::database::connect_within), [`identify`], [`Explorer`], [`Observer`](crate::Observer),
/// [`with_observer`](crate::with_observer) and [`Server`](crate::Server).
#[must_use = "nothing is served until it is run"]
pub struct Service<T = ()> {
    pub(super) api: Definitions<T>,
    pub(super) own: T,
    pub(super) config: Source,
    pub(super) info: Option<ApiInfo>,
    /// The steps that run on the database before it is served, in this order.
    pub(super) steps: Vec<Step>,
    pub(super) only_prepare: bool,
    pub(super) served: Served<T>,
    pub(super) ready: Option<Announce>,
    pub(super) on_event: Option<OnEvent<T>>,
}

type Definitions<T> = Box<dyn FnOnce(Settings) -> Result<BuiltApi<App<T>>, DefinitionErrors>>;
type Announce = Box<dyn FnOnce(&str)>;
type Failure = Box<dyn Error + Send + Sync>;
pub(super) type OnEvent<T> = Box<dyn FnOnce(App<T>, DatabaseConnection) -> Dispatcher>;
type Prepared = Pin<Box<dyn Future<Output = Result<(), Failure>>>>;

/// One step of the preparation, with the message for a failure.
pub(super) struct Step {
    pub(super) failure: &'static str,
    pub(super) run: Box<dyn FnOnce(DatabaseConnection) -> Prepared>,
}

/// The source of the configuration.
pub(super) enum Source {
    File(PathBuf),
    Given(Box<Config>),
}

impl Service {
    /// A service with these definitions: what [`Api::build`] makes of the project's settings.
    pub fn new(
        api: impl FnOnce(Settings) -> Result<BuiltApi<App>, DefinitionErrors> + 'static,
    ) -> Self {
        Self::with_state((), api)
    }

    /// The same for an existing [`Api`].
    ///
    /// ```no_run
    /// # async fn example() -> Result<(), listing_axum::ServiceError> {
    /// use blog::entity::{article, author};
    /// use listing_axum::{Api, PublicRead, Service};
    ///
    /// let api = Api::new("/api").crud::<article::Entity>().read::<PublicRead<author::Entity>>();
    /// Service::of(api).run().await
    /// # }
    /// ```
    pub fn of(api: Api<App>) -> Self {
        Self::new(|settings| api.build(settings))
    }
}

impl<T: Send + Sync + 'static> Service<T> {
    /// The same with a state of the application's own, which handlers find in [`App::own`].
    pub fn with_state(
        own: T,
        api: impl FnOnce(Settings) -> Result<BuiltApi<App<T>>, DefinitionErrors> + 'static,
    ) -> Self {
        Self {
            api: Box::new(api),
            own,
            config: Source::File(PathBuf::from("listing.toml")),
            info: None,
            steps: Vec::new(),
            only_prepare: false,
            served: Served::default(),
            ready: None,
            on_event: None,
        }
    }

    /// The same, configured by that file instead of `listing.toml`.
    pub fn config_file(mut self, file: &Path) -> Self {
        self.config = Source::File(file.to_owned());
        self
    }

    /// The same, configured by this.
    pub fn config(mut self, config: Config) -> Self {
        self.config = Source::Given(Box::new(config));
        self
    }

    /// The same with a description of the API, which the [`explorer`](Self::explorer) and generated clients are made from.
    pub fn describe(mut self, info: ApiInfo) -> Self {
        self.info = Some(info);
        self
    }

    /// Brings the schema up to date before anything is served.
    #[cfg(feature = "migrations")]
    pub fn migrations<M: sea_orm_migration::MigratorTrait>(self) -> Self {
        self.step("cannot create the tables", async |db| {
            M::up(&db, None).await
        })
    }

    /// Adds a step that runs on the database before anything is served, after the earlier steps.
    ///
    /// ```
    /// # use listing_axum::Service;
    /// # use sea_orm::{ConnectionTrait, DatabaseConnection, DbErr};
    /// async fn analyze(db: DatabaseConnection) -> Result<(), DbErr> {
    ///     db.execute_unprepared("ANALYZE").await?;
    ///     Ok(())
    /// }
    ///
    /// let service = Service::new(blog::resources::api).prepare(analyze);
    /// # let _ = service;
    /// ```
    pub fn prepare<E: Into<Failure>>(
        self,
        step: impl AsyncFnOnce(DatabaseConnection) -> Result<(), E> + 'static,
    ) -> Self {
        self.step("cannot prepare the database", step)
    }

    fn step<E: Into<Failure>>(
        mut self,
        failure: &'static str,
        step: impl AsyncFnOnce(DatabaseConnection) -> Result<(), E> + 'static,
    ) -> Self {
        let run =
            move |db| -> Prepared { Box::pin(async move { step(db).await.map_err(Into::into) }) };
        self.steps.push(Step {
            failure,
            run: Box::new(run),
        });
        self
    }

    /// Ends when the database is prepared, if `only` is true.
    pub fn only_prepare(mut self, only: bool) -> Self {
        self.only_prepare = only;
        self
    }

    /// Puts the current user into the context of every request, by the application's own extractor; see [`identify`].
    pub fn identify<U>(self) -> Self
    where
        U: OptionalFromRequestParts<App<T>> + Clone + Send + Sync + 'static,
    {
        self.layer(|routes, app| routes.layer(identify::<U, App<T>>(app.clone())))
    }

    /// Routes of the application's own, next to those of the API and inside the same layers.
    pub fn routes(mut self, routes: Router<App<T>>) -> Self {
        self.served.routes = self.served.routes.merge(routes);
        self
    }

    /// Puts layers of the application's own around the routes, outside of those that were said before.
    ///
    /// ```
    /// # use listing_axum::Service;
    /// use axum::Extension;
    ///
    /// let service = Service::new(blog::resources::api).layer(|routes, _app| routes.layer(Extension("mine")));
    /// # let _ = service;
    /// ```
    pub fn layer(
        mut self,
        layer: impl FnOnce(Router<App<T>>, &App<T>) -> Router<App<T>> + 'static,
    ) -> Self {
        self.served.layers.push(Box::new(layer));
        self
    }

    /// Pages for people: the [`Explorer`] at `/explorer` and, with the feature `docs`, the API reference at `/docs`.
    /// `explorer = false` in `listing.toml` turns them off.
    pub fn explorer(self) -> Self {
        self.explorer_with(|explorer| explorer)
    }

    /// The same, changed: `explorer_with(Explorer::without_home)`.
    pub fn explorer_with(mut self, change: impl FnOnce(Explorer) -> Explorer + 'static) -> Self {
        self.served.explorer = Some(Box::new(change));
        self
    }

    /// The same without `/healthz` and `/readyz`, for an application that has its own.
    pub fn without_health(mut self) -> Self {
        self.served.health = false;
        self
    }

    /// Says something when everything that can fail has succeeded, instead of `Listening on` and the address.
    pub fn ready(mut self, say: impl FnOnce(&str) + 'static) -> Self {
        self.ready = Some(Box::new(say));
        self
    }

    /// Hands every event to this function, at least once and those of a record in their order, while the service runs; see
    /// [`Dispatcher`].
    ///
    /// ```
    /// use listing_axum::events::Event;
    /// use listing_axum::{App, Service};
    ///
    /// async fn notify(event: Event, _app: App) -> Result<(), std::io::Error> {
    ///     println!("{} {} of {}", event.operation.name(), event.record, event.resource);
    ///     Ok(())
    /// }
    ///
    /// let service = Service::new(blog::resources::api).on_event(notify);
    /// # let _ = service;
    /// ```
    pub fn on_event<F, E>(
        mut self,
        handler: impl Fn(Event, App<T>) -> F + Send + Sync + 'static,
    ) -> Self
    where
        F: Future<Output = Result<(), E>> + Send + 'static,
        E: Into<Failure>,
    {
        self.on_event = Some(Box::new(|app, db| {
            Dispatcher::new(db, move |event| handler(event, app.clone()))
        }));
        self
    }

    /// Reads the arguments of the program: `migrate` prepares the database and ends, and any other one is an error.
    ///
    /// # Errors
    /// When there is another argument.
    pub fn arguments(self) -> Result<Self, ServiceError> {
        match std::env::args().nth(1).as_deref() {
            None => Ok(self),
            Some("migrate") => Ok(self.only_prepare(true)),
            Some(other) => Err(ServiceError::UnknownArgument(other.to_owned())),
        }
    }
}

impl<T> fmt::Debug for Service<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Service").finish_non_exhaustive()
    }
}
