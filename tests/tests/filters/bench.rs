//! Sets up a database with the two tables of these tests, and lists them as a service would.

use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use axum::response::IntoResponse;
use listing::{
    Context, CursorKey, HasListing, ListingRequest, Listings, NamedRelations, Reader,
    SelectListing, Settings,
};
use listing_axum::{ApiError, success};
use listing_tests::{Engine, Reply, fresh_database, run};
use sea_orm::{
    ActiveModelTrait, ConnectionTrait, DatabaseConnection, EntityTrait, IntoActiveModel, Schema,
};
use serde_json::Value;

use crate::{notes, samples};

/// A database with the tables of these tests.
pub(crate) struct Bench {
    pub(crate) engine: Engine,
    pub(crate) db: DatabaseConnection,
}

/// Tries something on each engine. The rows are shared: they must not be written to.
pub(crate) fn on_each_bench(test: impl AsyncFn(&Bench)) {
    static SHARED: LazyLock<Mutex<HashMap<Engine, Arc<Bench>>>> = LazyLock::new(Mutex::default);
    for engine in Engine::ALL {
        let mut shared = SHARED.lock().unwrap_or_else(PoisonError::into_inner);
        let bench = shared
            .entry(engine)
            .or_insert_with(|| Arc::new(run(Bench::new(engine))))
            .clone();
        drop(shared);
        if let Err(failure) = catch_unwind(AssertUnwindSafe(|| run(test(&bench)))) {
            eprintln!("the failure above was on {engine}");
            resume_unwind(failure);
        }
    }
}

impl Bench {
    async fn new(engine: Engine) -> Self {
        let db = fresh_database(engine).await;
        let schema = Schema::new(db.get_database_backend());
        for create in schema.create_enum_from_entity(samples::Entity) {
            db.execute(&create).await.unwrap();
        }
        let create = schema.create_table_from_entity(samples::Entity);
        db.execute(&create).await.unwrap();
        let create = schema.create_table_from_entity(notes::plain::Entity);
        db.execute(&create).await.unwrap();
        if engine == Engine::Mysql {
            // SeaORM's types for MySQL have no fraction of a second, and its text takes `A` for `a`.
            for alter in [
                "ALTER TABLE filter_samples MODIFY local DATETIME(6) NULL, \
                 MODIFY moment DATETIME(6) NULL, MODIFY clock TIME(6) NULL, \
                 CONVERT TO CHARACTER SET utf8mb4 COLLATE utf8mb4_bin",
                "ALTER TABLE filter_notes CONVERT TO CHARACTER SET utf8mb4 COLLATE utf8mb4_bin",
            ] {
                db.execute_unprepared(alter).await.unwrap();
            }
        }
        let rows = samples::rows().into_iter();
        insert::<samples::Entity, _>(&db, rows.map(|row| row.into_active_model().reset_all()))
            .await;
        if engine == Engine::Mysql {
            // The driver sends a moment in UTC as a TIMESTAMP, which has no such years.
            for (id, moment) in [(3, "1000-01-01"), (4, "9999-12-31 23:59:59.999999")] {
                let update =
                    format!("UPDATE filter_samples SET moment = '{moment}' WHERE id = {id}");
                db.execute_unprepared(&update).await.unwrap();
            }
        }
        let rows = notes::rows().into_iter();
        insert::<notes::plain::Entity, _>(&db, rows.map(|row| row.into_active_model().reset_all()))
            .await;
        Self { engine, db }
    }

    /// The list of an entity, asked with a query string by nobody in particular.
    pub(crate) async fn get<E: HasListing + NamedRelations>(&self, query: &str) -> Reply {
        self.get_as::<E>(query, Context::new()).await
    }

    /// The same, by somebody.
    pub(crate) async fn get_as<E>(&self, query: &str, context: Context) -> Reply
    where
        E: HasListing + NamedRelations,
    {
        let request = ListingRequest::from_query(&listings::<E>(), query);
        let request = request.map(|request| request.with_context(context));
        answer::<E>(&self.db, request).await
    }

    /// The same with a JSON body of these filters.
    pub(crate) async fn post<E: HasListing + NamedRelations>(&self, filters: &Value) -> Reply {
        answer::<E>(&self.db, posted::<E>(filters)).await
    }

    /// The same on a reader of one's own.
    pub(crate) async fn post_on<E>(reader: &impl Reader, filters: &Value) -> Reply
    where
        E: HasListing + NamedRelations,
    {
        answer::<E>(reader, posted::<E>(filters)).await
    }
}

type Asked = Result<ListingRequest, listing::request::RequestError>;

fn posted<E: HasListing + NamedRelations>(filters: &Value) -> Asked {
    let body = serde_json::json!({ "filters": filters, "sort": ["id"] });
    ListingRequest::from_json(&listings::<E>(), body.to_string().as_bytes())
}

fn listings<E: HasListing + NamedRelations>() -> Listings {
    let mut settings = Settings::default();
    // For cursors from one request to the next.
    settings.cursor_key = CursorKey::new("the key of these tests").unwrap();
    Listings::builder(settings).add::<E>().build().unwrap()
}

/// What a handler does, status and all.
async fn answer<E: HasListing>(reader: &impl Reader, request: Asked) -> Reply {
    let response = match request {
        Err(error) => ApiError::from(error).into_response(),
        Ok(request) => match E::find().listing(&request).listing_paginate(reader).await {
            Err(error) => ApiError::from(error).into_response(),
            Ok(page) => success("Retrieved.", page, true),
        },
    };
    Reply::of(response).await
}

async fn insert<E, A>(db: &DatabaseConnection, rows: impl Iterator<Item = A>)
where
    E: EntityTrait,
    A: ActiveModelTrait<Entity = E>,
{
    E::insert_many(rows)
        .exec_without_returning(db)
        .await
        .unwrap();
}
