//! List endpoints written by hand, which the service is measured against.
//!
//! Each is written as by somebody who knows the driver well and needs only this endpoint: statements stay prepared,
//! independent statements are sent together, and values go straight into the bytes of the response.

mod alone;
mod asked;
mod body;
mod exports;
mod mysql;
mod postgres;
mod seaorm;
mod sqlite;
mod sqlx_structs;
mod writes;
mod writes_postgres;
mod writes_sqlite;

use anyhow::Result;
use axum::Router;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use clap::ValueEnum;

/// A way to write the endpoint by hand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, ValueEnum)]
pub enum Baseline {
    /// tokio-postgres, wire values into bytes.
    Postgres,
    /// rusqlite on threads of its own, values into bytes.
    Sqlite,
    /// sqlx on MariaDB, values into bytes.
    Mysql,
    /// sqlx on PostgreSQL, rows as structs, written by serde_json.
    SqlxStructs,
    /// SeaORM on PostgreSQL, rows as JSON values.
    Seaorm,
    /// Exports from PostgreSQL, as fast as its driver gives them.
    Exports,
    /// Writes to PostgreSQL or SQLite, one statement for each request.
    Writes,
    /// The layer itself on PostgreSQL, where each request counts for itself.
    Alone,
}

impl Baseline {
    /// The router, on a database.
    ///
    /// # Errors
    /// When the database cannot be opened.
    pub async fn router(self, database: &str, connections: u32) -> Result<Router> {
        match self {
            Self::Postgres => postgres::router(database).await,
            Self::Sqlite => sqlite::router(database),
            Self::Mysql => mysql::router(database, connections).await,
            Self::SqlxStructs => sqlx_structs::router(database, connections).await,
            Self::Exports => Ok(exports::router(database)),
            Self::Writes => writes::router(database).await,
            Self::Seaorm => seaorm::router(database, connections).await,
            Self::Alone => alone::router(database, connections).await,
        }
    }
}

const PATH: &str = "/api/articles";

fn json(body: Vec<u8>) -> Response {
    ([(header::CONTENT_TYPE, "application/json")], body).into_response()
}

/// Any error is a 500: no request of a measurement may fail.
struct Failure(anyhow::Error);

impl<E: Into<anyhow::Error>> From<E> for Failure {
    fn from(error: E) -> Self {
        Self(error.into())
    }
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        tracing::error!(error = ?self.0, "baseline");
        StatusCode::INTERNAL_SERVER_ERROR.into_response()
    }
}
