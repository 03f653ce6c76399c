//! Reads PostgreSQL through tokio-postgres, and rows that came through SeaORM.

mod plans;
mod reader;
mod row;
mod session;
mod sqlx_row;
mod value;

pub(super) use reader::PostgresReader;
