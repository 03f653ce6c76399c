//! The order in which a service starts.

use std::time::Duration;

use axum::Router;
use listing::{ReadOptions, ReadPool};
use sea_orm::DatabaseConnection;
use tokio::net::TcpListener;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use super::builder::{Service, Source, Step};
use super::{App, ServiceError, log, signals};
use crate::records::{ApiInfo, BuiltApi};
#[cfg(feature = "jwt")]
use crate::service::Jwt;
use crate::service::{Config, Dispatcher, Observer, Server, connect_within, with_observer};

impl<T: Send + Sync + 'static> Service<T> {
    /// Starts, and serves until Ctrl-C or the signal that service managers send. Requests that are under way are answered
    /// first.
    ///
    /// # Errors
    /// Whatever keeps it from starting.
    pub async fn run(mut self) -> Result<(), ServiceError> {
        let config = match self.config {
            Source::File(file) => Config::load(&file)?,
            Source::Given(config) => *config,
        };
        log::start(config.log.format)?;
        // Definitions first: a mistake in them should not wait for a database.
        let api = described(
            (self.api)(config.settings.clone())?,
            self.info,
            &self.served,
        );
        #[cfg(feature = "console")]
        if crate::service::console(&config, &api.listings, &api.routes)
            .map_err(|error| ServiceError::failed("cannot answer the `listing` command", error))?
        {
            return Ok(());
        }
        #[cfg(feature = "jwt")]
        let jwt = Jwt::new(&config.jwt)
            .map_err(|error| ServiceError::failed("cannot verify tokens", error))?;
        let db = open(&config).await?;
        prepare(self.steps, &db).await?;
        if self.only_prepare {
            return Ok(());
        }
        // Warns of filters and sorts that no index serves on a large table.
        let inspected = api.listings.inspect_indexes(&db).await;
        inspected.map_err(|error| ServiceError::failed("cannot inspect the indexes", error))?;
        let listener = listen(&config.bind, "; set LISTING_BIND to another address").await?;
        let reads = readers(&db, config.read_options()).await?;
        let observer = Observer::new(&config).routes(&api.routes);
        #[cfg(feature = "metrics")]
        let observer = observer.pool(&db);
        let app = App::new(db.clone(), reads, api.listings.clone(), self.own);
        #[cfg(feature = "jwt")]
        let app = app.with_jwt(jwt);
        let dispatcher = match self.on_event {
            Some(on_event) => Some(dispatcher(on_event(app.clone(), db)).await?),
            None => None,
        };
        let router = self.served.router(api, app, &config);
        let service = with_observer(router, &config, &observer);
        #[cfg(feature = "metrics")]
        if !config.metrics_bind.is_empty() {
            let listener = listen(&config.metrics_bind, "").await?;
            tokio::spawn(observer.serve_metrics_on(listener));
        }
        // Reads the certificate, if there is one: whatever can fail has succeeded.
        let server = Server::new(listener, &config)
            .map_err(|error| ServiceError::failed("cannot serve", error))?;
        let url = server.url();
        match self.ready.take() {
            Some(say) => say(&url),
            None => println!("Listening on {url}"),
        }
        let dispatching = dispatcher.map(Dispatching::start);
        server.serve(service, signals::stopped()).await;
        if let Some(dispatching) = dispatching {
            dispatching.end().await;
        }
        tracing::info!("stopped");
        Ok(())
    }

    /// Everything that it serves on that database, once it is prepared, without a network and without the limits around it:
    /// for tests.
    ///
    /// ```
    /// # async fn example() -> Result<(), Box<dyn std::error::Error>> {
    /// use listing_axum::{Config, Service};
    /// use listing_axum::database::connect;
    ///
    /// let db = connect("sqlite::memory:", 1).await?;
    /// let router = Service::new(blog::resources::api).on(db, &Config::default()).await?;
    /// # let _: axum::Router = router;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// Whatever keeps it from starting.
    pub async fn on(self, db: DatabaseConnection, config: &Config) -> Result<Router, ServiceError> {
        let api = (self.api)(config.settings.clone())?;
        let api = described(api, self.info, &self.served);
        prepare(self.steps, &db).await?;
        let reads = readers(&db, ReadOptions::new()).await?;
        let app = App::new(db, reads, api.listings.clone(), self.own);
        Ok(self.served.router(api, app, config))
    }

    /// The same for definitions and a state that are there already.
    pub fn router(self, api: BuiltApi<App<T>>, app: App<T>, config: &Config) -> Router {
        self.served.router(api, app, config)
    }
}

/// The API with its description, which pages for people are made from.
fn described<T: Send + Sync + 'static>(
    api: BuiltApi<App<T>>,
    info: Option<ApiInfo>,
    served: &super::served::Served<T>,
) -> BuiltApi<App<T>> {
    match info {
        Some(info) => api.describe(info),
        None if served.explorer.is_some() && api.routes.info.is_none() => {
            api.describe(ApiInfo::new("API", ""))
        }
        None => api,
    }
}

async fn prepare(steps: Vec<Step>, db: &DatabaseConnection) -> Result<(), ServiceError> {
    for Step { failure, run } in steps {
        let done = run(db.clone()).await;
        done.map_err(|error| ServiceError::failed(failure, error))?;
    }
    Ok(())
}

/// The database, which may still be starting.
async fn open(config: &Config) -> Result<DatabaseConnection, ServiceError> {
    let wait = Duration::from_secs(config.database_wait_seconds);
    let (url, connections) = (config.database.expose(), config.database_connections);
    let opened = connect_within(url, connections, wait).await;
    opened.map_err(|error| {
        let shown = config.database.as_shown_url();
        ServiceError::failed(format!("cannot open the database `{shown}`"), error)
    })
}

async fn readers(db: &DatabaseConnection, options: ReadOptions) -> Result<ReadPool, ServiceError> {
    let reads = ReadPool::alongside(db, options).await;
    reads.map_err(|error| ServiceError::failed("cannot open connections to read from", error))
}

/// The dispatcher, once it is certain that there are events to read.
async fn dispatcher(dispatcher: Dispatcher) -> Result<Dispatcher, ServiceError> {
    let ready = dispatcher.check().await;
    ready.map_err(|error| {
        let remedy = "create its tables in a migration, by `listing_axum::events::create_tables`";
        ServiceError::failed(format!("cannot read the events; {remedy}"), error)
    })?;
    Ok(dispatcher)
}

/// A dispatcher that runs next to the server.
struct Dispatching {
    task: JoinHandle<()>,
    stop: oneshot::Sender<()>,
}

impl Dispatching {
    fn start(dispatcher: Dispatcher) -> Self {
        let (stop, stopped) = oneshot::channel();
        let task = tokio::spawn(async move {
            let stopped = async { _ = stopped.await };
            if let Err(error) = dispatcher.run(stopped).await {
                tracing::error!(%error, "no events are handed over");
            }
        });
        Self { task, stop }
    }

    /// Ends after the event that is being handed over.
    async fn end(self) {
        _ = self.stop.send(());
        _ = self.task.await;
    }
}

async fn listen(address: &str, remedy: &str) -> Result<TcpListener, ServiceError> {
    let listener = TcpListener::bind(address).await;
    listener
        .map_err(|error| ServiceError::failed(format!("cannot listen on {address}{remedy}"), error))
}
