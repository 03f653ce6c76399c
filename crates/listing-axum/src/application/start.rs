//! Starts a service, step by step.

use std::borrow::Cow;
use std::time::Duration;

use axum::Router;
use listing::{CursorKey, ReadOptions, ReadPool};
use sea_orm::{DatabaseConnection, DbBackend};
use tokio::net::TcpListener;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use super::builder::{Service, Source};
use super::prepare::prepare;
use super::{App, ServiceError, log};
use crate::records::{ApiInfo, BuiltApi};
#[cfg(feature = "jwt")]
use crate::service::Jwt;
#[cfg(feature = "webhooks")]
use crate::service::Webhooks;
use crate::service::{Config, Dispatcher, Observer, Server, connect_within, with_observer};

impl<T: Send + Sync + 'static> Service<T> {
    /// Starts the service, and serves until Ctrl-C or the signal that service managers send. Requests in progress are still
    /// answered.
    ///
    /// # Errors
    /// When anything prevents the start.
    pub async fn run(mut self) -> Result<(), ServiceError> {
        let config = match self.config {
            Source::File(file) => Config::load(&file)?,
            Source::Given(config) => *config,
        };
        log::start(config.log.format)?;
        // Definitions come first: a mistake in them should not have to wait for a database.
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
        #[cfg(feature = "webhooks")]
        let webhooks = Webhooks::new(&config, &api.routes)
            .map_err(|error| ServiceError::failed("cannot deliver to webhooks", error))?;
        let db = open(&config).await?;
        warn_of_own_key(&db, &config);
        prepare(self.steps, &db).await?;
        if self.only_prepare {
            return Ok(());
        }
        // Warns about filters and sorts without an index on large tables.
        let inspected = api.listings.inspect_indexes(&db).await;
        inspected.map_err(|error| ServiceError::failed("cannot inspect the indexes", error))?;
        let listener = listen(&config.bind, "; set LISTING_BIND to another address").await?;
        let reads = readers(&db, &config, config.read_options()).await?;
        let observer = Observer::new(&config).routes(&api.routes);
        #[cfg(feature = "metrics")]
        let observer = observer.pool(&db).reads(&reads);
        let app = App::new(db.clone(), reads, api.listings.clone(), self.own);
        #[cfg(feature = "jwt")]
        let app = app.with_jwt(jwt);
        let on_event = self.on_event;
        let dispatcher = on_event.map(|on_event| on_event(app.clone(), db.clone()));
        #[cfg(feature = "webhooks")]
        let dispatcher = with_webhooks(dispatcher, webhooks, db).await?;
        if let Some(dispatcher) = &dispatcher {
            check(dispatcher).await?;
        }
        let leaving = self.served.leaving.clone();
        let router = self.served.router(api, app, &config);
        let service = with_observer(router, &config, &observer);
        #[cfg(feature = "metrics")]
        if !config.metrics_bind.is_empty() {
            let listener = listen(&config.metrics_bind, "").await?;
            tokio::spawn(observer.serve_metrics_on(listener));
        }
        // Reads the certificate, if there is one. From here on, nothing can fail.
        let server = Server::new(listener, &config)
            .map_err(|error| ServiceError::failed("cannot serve", error))?;
        let url = server.url();
        match self.ready.take() {
            Some(say) => say(&url),
            None => println!("Listening on {url}"),
        }
        let dispatching = dispatcher.map(Dispatching::start);
        let delay = Duration::from_secs(config.shutdown_delay_seconds);
        server.serve(service, leaving.stopped(delay)).await;
        if let Some(dispatching) = dispatching {
            dispatching.end().await;
        }
        tracing::info!("stopped");
        Ok(())
    }

    /// Everything that it serves with this database, without a network and without the limits around it. The database is prepared
    /// first. For tests.
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
    /// When anything prevents the start.
    pub async fn on(self, db: DatabaseConnection, config: &Config) -> Result<Router, ServiceError> {
        let api = (self.api)(config.settings.clone())?;
        let api = described(api, self.info, &self.served);
        prepare(self.steps, &db).await?;
        let reads = readers(&db, config, ReadOptions::new()).await?;
        let app = App::new(db, reads, api.listings.clone(), self.own);
        Ok(self.served.router(api, app, config))
    }

    /// The same for existing definitions and an existing state.
    pub fn router(self, api: BuiltApi<App<T>>, app: App<T>, config: &Config) -> Router {
        self.served.router(api, app, config)
    }
}

/// The API with its description, from which the pages are built.
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

/// Connects to the database, which may still be starting.
async fn open(config: &Config) -> Result<DatabaseConnection, ServiceError> {
    let wait = Duration::from_secs(config.database_wait_seconds);
    let url = config.database.expose();
    let opened = connect_within(
        &with_sync_wait(url, config),
        config.database_connections,
        wait,
    )
    .await;
    opened.map_err(|error| {
        let shown = config.database.as_shown_url();
        ServiceError::failed(format!("cannot open the database `{shown}`"), error)
    })
}

/// The URL with the setting for Galera as a parameter.
fn with_sync_wait<'u>(url: &'u str, config: &Config) -> Cow<'u, str> {
    if !config.galera_sync_wait {
        return Cow::Borrowed(url);
    }
    let separator = if url.contains('?') { '&' } else { '?' };
    Cow::Owned(format!("{url}{separator}galera_sync_wait=true"))
}

/// Warns about a key that other copies of the service do not know.
fn warn_of_own_key(db: &DatabaseConnection, config: &Config) {
    let is_shared = db.get_database_backend() != DbBackend::Sqlite;
    if is_shared && config.settings.cursor_key == CursorKey::default() {
        tracing::warn!(
            "`cursor_key` is not set: cursors of this copy of the service end with it, and other copies refuse them"
        );
    }
}

async fn readers(
    db: &DatabaseConnection,
    config: &Config,
    options: ReadOptions,
) -> Result<ReadPool, ServiceError> {
    let reads = ReadPool::alongside(db, options).await;
    let reads = reads
        .map_err(|error| ServiceError::failed("cannot open connections to read from", error))?;
    let Some(replicas) = config.replicas() else {
        return Ok(reads);
    };
    let reads = reads.with_replicas(replicas).await;
    reads.map_err(|error| ServiceError::failed("cannot read from `database_replicas`", error))
}

/// Checks that the events can be read.
async fn check(dispatcher: &Dispatcher) -> Result<(), ServiceError> {
    dispatcher.check().await.map_err(|error| {
        let remedy = "create its tables in a migration, by `listing_axum::events::create_tables`";
        ServiceError::failed(format!("cannot read the events; {remedy}"), error)
    })
}

/// The dispatcher with the configured targets, if there are any. An application without a dispatcher gets one just for them.
#[cfg(feature = "webhooks")]
async fn with_webhooks(
    dispatcher: Option<Dispatcher>,
    webhooks: Webhooks,
    db: DatabaseConnection,
) -> Result<Option<Dispatcher>, ServiceError> {
    if webhooks.is_empty() {
        return Ok(dispatcher);
    }
    webhooks.check(db.clone()).await.map_err(|error| {
        let remedy = "create its table in a migration, by `listing_axum::webhooks::create_table`";
        ServiceError::failed(format!("cannot read the deliveries; {remedy}"), error)
    })?;
    let nothing = async |_| Ok::<_, std::convert::Infallible>(());
    let dispatcher = dispatcher.unwrap_or_else(|| Dispatcher::new(db, nothing));
    Ok(Some(dispatcher.webhooks(webhooks)))
}

/// A dispatcher that runs alongside the server.
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

    /// Waits for the event that is being handed over.
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
