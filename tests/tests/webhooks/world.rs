//! Notes, whose changes are events with a value and a caller, on databases of a test's own.

use std::sync::Arc;

use axum::extract::FromRef;
use listing::{Context, Listings, ReadPool, Settings};
use listing_axum::events::{Dispatcher, Events};
use listing_axum::routes::RouteTable;
use listing_axum::{Api, ApiError, Change, Config, PublicRead, events, webhooks};
use listing_tests::{Client, Engine, Reply, fresh_database, on_each, reads, run};
use sea_orm::{ConnectionTrait, DatabaseConnection, Schema, Statement};
use serde_json::{Value, json};
use tokio::sync::Notify;

pub(crate) mod note {
    use listing::Listing;
    use sea_orm::entity::prelude::*;

    #[sea_orm::model]
    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel, Listing)]
    #[sea_orm(table_name = "notes")]
    #[listing(
        authorize = |_| listing_axum::policy::allow_all(),
        events = super::announced(),
        after_update = super::refuse
    )]
    pub struct Model {
        #[sea_orm(primary_key)]
        #[listing(sort)]
        pub id: i64,
        #[sea_orm(unique)]
        #[listing(default, write)]
        pub name: String,
    }

    impl ActiveModelBehavior for ActiveModel {}
}

pub(crate) const PATH: &str = "/api/notes";

fn announced() -> Events<note::Entity> {
    let events = Events::new().values([note::Column::Name]);
    events.caller(|_: &Context| Some("ada".to_owned()))
}

/// What is called `refused` is refused once it is written.
async fn refuse(change: &mut Change<'_, note::Entity>) -> Result<(), ApiError> {
    match &*change.stored().await?.name {
        "refused" => Err(ApiError::refused("Not this one.")),
        _ => Ok(()),
    }
}

/// The application on one database.
#[derive(Debug, Clone, FromRef)]
pub(crate) struct World {
    db: DatabaseConnection,
    reads: ReadPool,
    listings: Listings,
}

/// Tries something on each engine: a dispatcher takes every event that there is.
pub(crate) fn on_each_fresh(test: impl AsyncFn(&World)) {
    on_each(|engine| run(async { test(&World::fresh(engine).await).await }));
}

/// A list with events, and one without.
fn api() -> Api<World> {
    let api = Api::new("/api").crud::<note::Entity>();
    api.read::<PublicRead<blog::entity::tag::Entity>>()
}

pub(crate) fn routes() -> RouteTable {
    api().finish().unwrap().1
}

impl World {
    pub(crate) async fn fresh(engine: Engine) -> Self {
        let db = fresh_database(engine).await;
        let table = Schema::new(db.get_database_backend()).create_table_from_entity(note::Entity);
        db.execute(&table).await.unwrap();
        events::create_tables(&db).await.unwrap();
        // A migration that runs again finds it.
        for _ in 0..2 {
            webhooks::create_table(&db).await.unwrap();
        }
        let listings = Listings::builder(Settings::default()).add::<note::Entity>();
        Self {
            reads: reads(&db).await,
            db,
            listings: listings.build().unwrap(),
        }
    }

    pub(crate) fn db(&self) -> &DatabaseConnection {
        &self.db
    }

    pub(crate) fn client(&self) -> Client {
        let router = api().finish().unwrap().0.with_state(self.clone());
        Client::of(router, &Context::new(), &Config::default())
    }

    /// The number of rows of a table.
    pub(crate) async fn count(&self, table: &str) -> i64 {
        let sql = format!("SELECT COUNT(*) FROM {table}");
        let count = Statement::from_string(self.db.get_database_backend(), sql);
        let row = self.db.query_one_raw(count).await.unwrap().unwrap();
        row.try_get_by_index(0).unwrap()
    }

    /// One column of the deliveries that are there, in their order.
    pub(crate) async fn deliveries<T: sea_orm::TryGetable>(&self, column: &str) -> Vec<T> {
        let sql = format!("SELECT {column} FROM listing_deliveries ORDER BY id");
        let asked = Statement::from_string(self.db.get_database_backend(), sql);
        let rows = self.db.query_all_raw(asked).await.unwrap();
        rows.iter()
            .map(|row| row.try_get_by_index(0).unwrap())
            .collect()
    }
}

/// New notes.
pub(crate) async fn create(client: &Client, names: &[&str]) -> Vec<i64> {
    let mut ids = Vec::new();
    for name in names {
        ids.push(client.post(PATH, &note(name)).await.created());
    }
    ids
}

pub(crate) fn note(name: &str) -> Value {
    json!({ "name": name })
}

/// Gives a note another name.
pub(crate) async fn rename(client: &Client, id: i64, name: &str) -> Reply {
    let path = format!("{PATH}/{id}");
    client.put(&path, &note(name)).await
}

/// A dispatcher that runs until it is told to stop.
pub(crate) struct Running {
    pub(crate) task: tokio::task::JoinHandle<()>,
    stop: Arc<Notify>,
}

impl Running {
    pub(crate) fn start(dispatcher: Dispatcher) -> Self {
        let stop = Arc::new(Notify::new());
        let told = Arc::clone(&stop);
        let task = tokio::spawn(async move {
            let stopped = async move { told.notified().await };
            dispatcher.run(stopped).await.unwrap();
        });
        Self { task, stop }
    }

    pub(crate) async fn end(self) {
        self.stop.notify_one();
        self.task.await.unwrap();
    }
}
