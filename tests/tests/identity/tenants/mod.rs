//! An application that two companies share without knowing about each other.

mod data;
pub(crate) mod project;
pub(crate) mod tag;
pub(crate) mod task;
pub(crate) mod task_tag;

pub(crate) use data::{A, B, MISSING, Rows, rows};

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use axum::Router;
use axum::extract::{FromRef, OptionalFromRequestParts};
use axum::http::request::Parts;
use listing::{Context, Listings, ReadPool, Scope, Settings};
use listing_axum::{Api, ApiError, Config, identify};
use listing_tests::{Client, Engine, Reply, fresh_database, on_each, reads, run};
use sea_orm::{ColumnTrait, DatabaseConnection};

/// The caller, and their company.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Member {
    pub(crate) tenant: i64,
}

#[derive(Debug, Clone, FromRef)]
struct App {
    db: DatabaseConnection,
    reads: ReadPool,
    listings: Listings,
}

impl OptionalFromRequestParts<App> for Member {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &App) -> Result<Option<Self>, ApiError> {
        let tenant = parts.headers.get("x-tenant");
        let tenant = tenant.and_then(|tenant| tenant.to_str().ok()?.parse().ok());
        Ok(tenant.map(|tenant| Self { tenant }))
    }
}

/// The rows of the asker's company; nobody has none. Written once, used by every listing.
pub(crate) fn own_rows(context: &Context, tenant: impl ColumnTrait) -> Scope {
    match context.get::<Member>() {
        Some(member) => Scope::rows(tenant.eq(member.tenant)),
        None => Scope::nothing(),
    }
}

/// The application, asked by its three kinds of users.
pub(crate) struct Tenants {
    pub(crate) db: DatabaseConnection,
    pub(crate) a: Client,
    pub(crate) b: Client,
    pub(crate) nobody: Client,
    statements: Arc<AtomicUsize>,
}

impl Tenants {
    /// On a database of its own, with these rows.
    pub(crate) async fn fresh(engine: Engine, rows: &Rows) -> Self {
        let mut db = fresh_database(engine).await;
        let statements = Arc::new(AtomicUsize::new(0));
        let count = statements.clone();
        db.set_metric_callback(move |_| {
            count.fetch_add(1, Ordering::Relaxed);
        });
        data::create(&db).await;
        data::insert(&db, rows).await;
        let listings = Listings::builder(Settings::default())
            .add::<project::Entity>()
            .add::<task::Entity>()
            .add::<tag::Entity>()
            .build()
            .unwrap();
        let app = App {
            db: db.clone(),
            reads: reads(&db).await,
            listings,
        };
        let (api, _) = Api::<App>::new("/api")
            .crud::<project::Projects>()
            .crud::<task::Tasks>()
            .read::<tag::Tags>()
            .finish()
            .unwrap();
        let router: Router = api
            .layer(identify::<Member, App>(app.clone()))
            .with_state(app);
        let nobody = Client::of(router, &Context::new(), &Config::default());
        Self {
            db,
            a: nobody.with_header("x-tenant", &A.to_string()),
            b: nobody.with_header("x-tenant", &B.to_string()),
            nobody,
            statements,
        }
    }

    /// How many statements have run on the connection that writes, since the last call.
    pub(crate) fn statements(&self) -> usize {
        self.statements.swap(0, Ordering::Relaxed)
    }
}

/// Tries something on each database, with the usual rows. They are shared: they must not be written to.
pub(crate) fn on_each_tenants(test: impl AsyncFn(&Tenants)) {
    static SHARED: LazyLock<Mutex<HashMap<Engine, Arc<Tenants>>>> = LazyLock::new(Mutex::default);
    on_each(|engine| {
        let tenants = SHARED
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .entry(engine)
            .or_insert_with(|| Arc::new(run(Tenants::fresh(engine, &rows()))))
            .clone();
        run(test(&tenants));
    });
}

/// Tries something on each database, with the usual rows of its own: they may be written to.
pub(crate) fn on_each_fresh_tenants(test: impl AsyncFn(&Tenants)) {
    on_each(|engine| run(async { test(&Tenants::fresh(engine, &rows()).await).await }));
}

/// Everything that a client can see of a reply, but for its own number and the clock.
pub(crate) fn seen(reply: &Reply) -> (u16, Vec<(String, Vec<u8>)>, String) {
    let headers = reply.headers.iter();
    let mut headers: Vec<_> = headers
        .filter(|(name, _)| *name != "x-request-id" && *name != "date")
        .map(|(name, value)| (name.to_string(), value.as_bytes().to_vec()))
        .collect();
    headers.sort();
    (reply.status.as_u16(), headers, reply.text())
}
