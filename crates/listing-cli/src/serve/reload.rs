//! Serves the tables as they are now: when a client asks for the description, a schema that has changed is read again.

use std::sync::Arc;

use anyhow::Result;
use axum::Router;
use axum::extract::Request;
use axum::response::Response;
use sea_orm::{ConnectionTrait, DbBackend, DbErr, Statement};
use tokio::sync::{Mutex, RwLock};
use tower::ServiceExt as _;

use super::Source;
use crate::terminal;

/// The served router, and the schema that it was built from.
pub(super) struct Reloading {
    source: Source,
    router: RwLock<Router>,
    /// The fingerprint of the schema when it was read. It is locked while the schema is checked, so that a change is read once.
    seen: Mutex<String>,
}

impl Reloading {
    /// Serves this router until the schema changes.
    pub(super) fn new(source: Source, router: Router, seen: String) -> Self {
        Self {
            source,
            router: RwLock::new(router),
            seen: Mutex::new(seen),
        }
    }

    /// Answers every request by the router of the time.
    pub(super) fn into_router(self) -> Router {
        let reloading = Arc::new(self);
        Router::new().fallback(move |request: Request| {
            let reloading = Arc::clone(&reloading);
            async move { reloading.answer(request).await }
        })
    }

    async fn answer(&self, request: Request) -> Response {
        if request.uri().path().ends_with("/_describe")
            && let Err(error) = self.look().await
        {
            // The earlier schema is still served.
            tracing::warn!("the schema could not be read again: {error:#}");
        }
        let router = self.router.read().await.clone();
        match router.oneshot(request).await {
            Ok(response) => response,
            Err(never) => match never {},
        }
    }

    /// Reads the schema again if it has changed.
    async fn look(&self) -> Result<()> {
        let mut seen = self.seen.lock().await;
        let now = fingerprint(self.source.connection()).await?;
        if *seen != now {
            let tables = self.source.read().await?;
            *self.router.write().await = tables.router;
            *seen = now;
            terminal::line("The schema has changed: the tables were read again.");
        }
        Ok(())
    }
}

/// A text that is another one when a table or a column has changed.
pub(super) async fn fingerprint(db: &impl ConnectionTrait) -> Result<String, DbErr> {
    let backend = db.get_database_backend();
    let question = match backend {
        DbBackend::Postgres => {
            "SELECT CAST(count(*) AS text) || '.' || coalesce(md5(string_agg(concat_ws('.', c.oid, c.relname, a.attname, \
             a.atttypid, a.atttypmod, a.attnotnull), ',' ORDER BY c.oid, a.attnum)), '') \
             FROM pg_catalog.pg_attribute a \
             JOIN pg_catalog.pg_class c ON c.oid = a.attrelid \
             JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace \
             WHERE a.attnum > 0 AND NOT a.attisdropped AND c.relkind IN ('r', 'v', 'm', 'f', 'p') \
             AND n.nspname NOT LIKE 'pg\\_%' AND n.nspname <> 'information_schema'"
        }
        DbBackend::MySql => {
            "SELECT CAST(CONCAT_WS('.', COUNT(*), SUM(CRC32(CONCAT_WS('.', table_name, ordinal_position, column_name, \
             column_type, is_nullable, column_key)))) AS CHAR) \
             FROM information_schema.columns WHERE table_schema = DATABASE()"
        }
        _ => "SELECT CAST(schema_version AS text) FROM pragma_schema_version",
    };
    let row = db.query_one_raw(Statement::from_string(backend, question));
    let row = row.await?.ok_or_else(|| {
        DbErr::RecordNotFound("the database says nothing of its schema".to_owned())
    })?;
    row.try_get_by_index(0)
}
