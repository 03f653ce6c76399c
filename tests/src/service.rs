//! The reference service on one engine, with the demo data, called without a network.

use std::collections::HashMap;
use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Arc, LazyLock, Mutex};

use axum::body::Body;
use axum::http::Request;
use blog::migration::Migrator;
use listing::{Context, Listings, ReadPool, Settings};
use listing_axum::{App, BuiltApi, Config, Jwt, Observer, WithDefaults, with_observer};
use sea_orm::DatabaseConnection;
use sea_orm_migration::MigratorTrait;
use tokio::runtime::Runtime;

use crate::engine::of_service;
use crate::{Client, Engine, Reply, fresh_database, reads};

// Connections belong to the runtime that opened them, so all tests share one.
static RUNTIME: LazyLock<Runtime> = LazyLock::new(|| {
    // What the service says about a failure is shown with the failing test.
    let _ = tracing_subscriber::fmt()
        .with_env_filter(std::env::var("RUST_LOG").unwrap_or_else(|_| "error".to_owned()))
        .with_test_writer()
        .try_init();
    Runtime::new().unwrap()
});

/// Runs a future on the runtime that all tests of a program share.
pub fn run<T>(future: impl Future<Output = T>) -> T {
    RUNTIME.block_on(future)
}

/// Tries something on the demo data of each database. The data is shared: it must not be written to.
pub fn on_each_database(test: impl AsyncFn(&Service)) {
    static SHARED: LazyLock<Mutex<HashMap<Engine, Arc<Service>>>> = LazyLock::new(Mutex::default);
    on_each(|engine| run(test(&shared(&SHARED, engine))));
}

/// Tries something on a database that tests write to together: a test may only look at what it wrote itself, under
/// names that no other test uses.
pub fn on_each_written_database(test: impl AsyncFn(&Service)) {
    static WRITTEN: LazyLock<Mutex<HashMap<Engine, Arc<Service>>>> = LazyLock::new(Mutex::default);
    on_each(|engine| run(test(&shared(&WRITTEN, engine))));
}

/// Tries something on demo data of its own in each database: it may be written to.
pub fn on_each_fresh_database(test: impl AsyncFn(&Service)) {
    on_each(|engine| run(async { test(&Service::fresh(engine).await).await }));
}

/// The service of that engine, made by the first test that asks.
fn shared(services: &Mutex<HashMap<Engine, Arc<Service>>>, engine: Engine) -> Arc<Service> {
    services
        .lock()
        .unwrap_or_else(std::sync::PoisonError::into_inner)
        .entry(engine)
        .or_insert_with(|| Arc::new(run(Service::fresh(engine))))
        .clone()
}

/// Tries something with each engine, and tells which one a failure was on.
pub fn on_each(test: impl Fn(Engine)) {
    for engine in Engine::ALL {
        if let Err(failure) = catch_unwind(AssertUnwindSafe(|| test(engine))) {
            eprintln!("the failure above was on {engine}");
            resume_unwind(failure);
        }
    }
}

/// The default settings, with time enough for numbers on a machine that does much else.
#[must_use]
pub fn patient() -> Settings {
    let mut settings = Settings::default();
    settings.numbers_timeout_ms = 60_000;
    settings
}

/// The reference service.
#[derive(Debug, Clone)]
pub struct Service {
    /// Which database it is on.
    pub engine: Engine,
    /// The database.
    pub db: DatabaseConnection,
    /// The same, as the service writes to it.
    writes: DatabaseConnection,
    /// The same, to read from.
    pub reads: ReadPool,
    /// What clients may ask.
    pub listings: Listings,
    api: BuiltApi<App>,
    config: Config,
    context: Context,
    jwt: Jwt,
}

impl Service {
    /// The service on a database of its own, with the demo data.
    pub async fn fresh(engine: Engine) -> Self {
        let db = fresh_database(engine).await;
        Migrator::up(&db, None).await.unwrap();
        blog::data::load_demo(&db).await.unwrap();
        Self::on(engine, db, patient()).await
    }

    /// The service on a database that has its tables.
    pub async fn on(engine: Engine, db: DatabaseConnection, settings: Settings) -> Self {
        let reads = reads(&db).await;
        let writes = of_service(&db).await;
        Self {
            writes,
            ..Self::of(engine, db, reads, settings)
        }
    }

    /// The service on a database that may not be there yet: lists are read through SeaORM's own connections.
    pub fn through_sea_orm(engine: Engine, db: DatabaseConnection, settings: Settings) -> Self {
        Self::of(engine, db.clone(), db.into(), settings)
    }

    fn of(engine: Engine, db: DatabaseConnection, reads: ReadPool, settings: Settings) -> Self {
        let api = blog::resources::api(settings.clone()).unwrap();
        let mut config = Config::default();
        config.settings = settings;
        Self {
            engine,
            reads,
            writes: db.clone(),
            db,
            listings: api.listings.clone(),
            api,
            config,
            context: Context::new(),
            jwt: Jwt::default(),
        }
    }

    /// The same data under other settings.
    #[must_use]
    pub fn with_settings(&self, change: impl FnOnce(&mut Settings)) -> Self {
        let mut settings = self.config.settings.clone();
        change(&mut settings);
        Self {
            context: self.context.clone(),
            jwt: self.jwt.clone(),
            writes: self.writes.clone(),
            ..Self::of(self.engine, self.db.clone(), self.reads.clone(), settings)
        }
    }

    /// The same data, served in another way.
    #[must_use]
    pub fn with_config(&self, change: impl FnOnce(&mut Config)) -> Self {
        let mut service = self.clone();
        change(&mut service.config);
        service
    }

    /// The same data, read and written through the test's own connections of SeaORM.
    #[must_use]
    pub fn through_seaorm(&self) -> Self {
        Self {
            reads: self.db.clone().into(),
            writes: self.db.clone(),
            ..self.clone()
        }
    }

    /// The same data, for a signed-in caller.
    #[must_use]
    pub fn with_context(&self, context: Context) -> Self {
        Self {
            context,
            ..self.clone()
        }
    }

    /// The same data, for callers with tokens.
    #[must_use]
    pub fn with_jwt(&self, jwt: Jwt) -> Self {
        Self {
            jwt,
            ..self.clone()
        }
    }

    /// The reference service's routes, with everything around them.
    pub fn app(&self) -> RunningApp {
        self.observed(&Observer::new(&self.config))
    }

    /// An observer as the reference service has it.
    pub fn observer(&self) -> Observer {
        Observer::new(&self.config)
            .routes(&self.api.routes)
            .pool(&self.db)
            .reads(&self.reads)
    }

    /// The same, watched by an observer.
    pub fn observed(&self, observer: &Observer) -> RunningApp {
        let context = self.context.clone();
        let (db, reads) = (self.writes.clone(), self.reads.clone());
        let app = App::new(db, reads, self.listings.clone(), ()).with_jwt(self.jwt.clone());
        let router = blog::service().router(self.api.clone(), app, &self.config);
        with_observer(
            router.layer(axum::Extension(context)),
            &self.config,
            observer,
        )
    }

    /// A client of it.
    pub fn client(&self) -> Client {
        Client::at(self.app())
    }

    /// `GET`, with the path and query unescaped, brackets included.
    pub async fn get(&self, path_and_query: &str) -> Reply {
        self.client().get(path_and_query).await
    }

    /// `DELETE`
    pub async fn delete(&self, path: &str) -> Reply {
        self.client().delete(path).await
    }

    /// `POST` with a JSON body.
    pub async fn post(&self, path: &str, body: &serde_json::Value) -> Reply {
        self.client().post(path, body).await
    }

    /// `PUT` with a JSON body.
    pub async fn put(&self, path: &str, body: &serde_json::Value) -> Reply {
        self.client().put(path, body).await
    }

    /// `POST …/query` with a JSON body.
    pub async fn post_query(&self, path: &str, body: &serde_json::Value) -> Reply {
        self.client().post(&format!("{path}/query"), body).await
    }

    /// Any request.
    pub async fn send(&self, request: Request<Body>) -> Reply {
        self.client().send(request).await
    }
}

/// A router whose paths are normalised first.
pub type RunningApp = tower_http::normalize_path::NormalizePath<WithDefaults>;
