//! Sets up the application's tables and routes on an engine, with clients that call it as different users.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use axum::Router;
use axum::extract::{FromRef, OptionalFromRequestParts};
use axum::http::request::Parts;
use listing::{Context, Listings, ReadPool, Settings};
use listing_axum::routes::RouteTable;
use listing_axum::{Api, ApiError, Config, Operation, identify};
use listing_tests::{Client, Engine, fresh_database, on_each, reads, run};
use sea_orm::sea_query::{
    ColumnDef, ForeignKey, ForeignKeyAction, Index, Table, TableCreateStatement,
};
use sea_orm::{ConnectionTrait, DatabaseConnection, DbBackend};

use super::entity::{folder, mark, note};
use super::{Folders, Marks, Notes};

/// Tries something on each engine. The tables are shared: a test asks as users that no other test has.
pub fn on_each_own(test: impl AsyncFn(&Own)) {
    static OWN: LazyLock<Mutex<HashMap<Engine, Arc<Own>>>> = LazyLock::new(Mutex::default);
    on_each(|engine| {
        let own = OWN
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .entry(engine)
            .or_insert_with(|| Arc::new(run(Own::fresh(engine))))
            .clone();
        run(test(&own));
    });
}

/// The same on tables of their own, for one test at a time: what one test locks, and the connections that it takes for
/// that, are in no other's way.
pub fn on_each_own_alone(test: impl AsyncFn(&Own)) {
    static ALONE: LazyLock<Mutex<HashMap<Engine, Own>>> = LazyLock::new(Mutex::default);
    on_each(|engine| {
        let mut alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
        let own = alone
            .entry(engine)
            .or_insert_with(|| run(Own::fresh(engine)));
        run(test(own));
    });
}

/// The caller: the header `x-user`.
#[derive(Debug, Clone)]
pub struct User {
    pub name: String,
}

impl<S: Sync> OptionalFromRequestParts<S> for User {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Option<Self>, ApiError> {
        let name = parts.headers.get("x-user");
        Ok(name.map(|name| Self {
            name: name.to_str().unwrap().to_owned(),
        }))
    }
}

/// What the hooks were given.
#[derive(Debug, Clone, Default)]
pub struct Diary(Arc<Mutex<Vec<Entry>>>);

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    pub operation: Operation,
    pub user: String,
    /// The title of the record.
    pub record: Option<String>,
}

impl Diary {
    pub fn write(&self, entry: Entry) {
        self.0.lock().unwrap().push(entry);
    }

    pub fn take(&self) -> Vec<Entry> {
        std::mem::take(&mut self.0.lock().unwrap())
    }
}

/// The application.
#[derive(Debug, Clone)]
pub struct Own {
    pub engine: Engine,
    pub state: App,
}

#[derive(Debug, Clone, FromRef)]
pub struct App {
    pub db: DatabaseConnection,
    pub reads: ReadPool,
    pub listings: Listings,
}

impl Own {
    async fn fresh(engine: Engine) -> Self {
        let db = fresh_database(engine).await;
        let backend = db.get_database_backend();
        for table in [folders(backend), notes(backend), marks(backend)] {
            db.execute(&table).await.unwrap();
        }
        for index in [("one_place_each", ["place", "owner"])] {
            let (name, columns) = index;
            let mut index = Index::create().name(name).table("notes").unique().take();
            for column in columns {
                index.col(column);
            }
            db.execute(&index).await.unwrap();
        }
        let listings = Listings::builder(Settings::default())
            .add::<folder::Entity>()
            .add::<note::Entity>()
            .add::<mark::Entity>()
            .build()
            .unwrap();
        listings.inspect_indexes(&db).await.unwrap();
        Self {
            engine,
            state: App {
                reads: reads(&db).await,
                db,
                listings,
            },
        }
    }

    pub fn db(&self) -> &DatabaseConnection {
        &self.state.db
    }

    pub fn api() -> (Router<App>, RouteTable) {
        Api::new("/api")
            .crud::<Folders>()
            .crud::<Notes>()
            .crud::<Marks>()
            .finish()
            .unwrap()
    }

    /// A client of other routes than the whole set.
    pub fn client_of(&self, router: Router<App>, context: &Context) -> Client {
        let identify = identify::<User, App>(self.state.clone());
        let router = router.layer(identify).with_state(self.state.clone());
        Client::of(router, context, &Config::default())
    }

    /// Nobody.
    pub fn nobody(&self) -> Client {
        self.client_of(Self::api().0, &Context::new())
    }

    /// A user.
    pub fn user(&self, name: &str) -> Client {
        self.nobody().with_header("x-user", name)
    }

    /// A user whose hooks keep a diary.
    pub fn observed(&self, name: &str) -> (Client, Diary) {
        let diary = Diary::default();
        let context = Context::new().with(diary.clone());
        let client = self.client_of(Self::api().0, &context);
        (client.with_header("x-user", name), diary)
    }
}

fn folders(backend: DbBackend) -> TableCreateStatement {
    table(backend, "folders")
        .col(key())
        .col(text("owner"))
        .col(text("name"))
        .col(moment(backend, "deleted_at"))
        .take()
}

fn notes(backend: DbBackend) -> TableCreateStatement {
    table(backend, "notes")
        .col(key())
        .col(text("owner"))
        .col(ColumnDef::new("editor").string_len(50))
        .col(text("title"))
        .col(ColumnDef::new("place").integer().not_null())
        .col(text("code").unique_key())
        .col(ColumnDef::new("isbn").string_len(50).unique_key())
        .col(ColumnDef::new("pinned").boolean().not_null())
        .col(ColumnDef::new("folder_id").big_integer())
        .col(moment(backend, "created_at").not_null())
        .col(moment(backend, "updated_at").not_null())
        .col(moment(backend, "deleted_at"))
        .foreign_key(
            ForeignKey::create()
                .from("notes", "folder_id")
                .to("folders", "id")
                .on_delete(ForeignKeyAction::Restrict),
        )
        .take()
}

/// Its constraints are in no definition.
fn marks(backend: DbBackend) -> TableCreateStatement {
    let id = match backend {
        DbBackend::MySql => ColumnDef::new("id").binary_len(16).take(),
        _ => ColumnDef::new("id").uuid().take(),
    };
    table(backend, "marks")
        .col(id.clone().not_null().primary_key())
        .col(text("name").default("unnamed").unique_key())
        .col(ColumnDef::new("note_id").big_integer().not_null())
        .foreign_key(
            ForeignKey::create()
                .name("mark_of_note_id")
                .from("marks", "note_id")
                .to("notes", "id")
                .on_delete(ForeignKeyAction::Restrict),
        )
        .take()
}

fn table(backend: DbBackend, name: &'static str) -> TableCreateStatement {
    let mut table = Table::create().table(name).take();
    if backend == DbBackend::MySql {
        table.character_set("utf8mb4").collate("utf8mb4_bin");
    }
    table
}

fn key() -> ColumnDef {
    ColumnDef::new("id")
        .big_integer()
        .not_null()
        .auto_increment()
        .primary_key()
        .take()
}

fn text(name: &'static str) -> ColumnDef {
    ColumnDef::new(name).string_len(50).not_null().take()
}

fn moment(backend: DbBackend, name: &'static str) -> ColumnDef {
    let mut column = ColumnDef::new(name);
    match backend {
        DbBackend::MySql => column.custom("datetime(6)"),
        _ => column.timestamp_with_time_zone(),
    };
    column
}
