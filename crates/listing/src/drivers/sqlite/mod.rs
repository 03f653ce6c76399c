//! Reads SQLite files through rusqlite, and rows that came through SeaORM.

mod reader;
mod row;
mod sqlx_row;
mod value;

pub(super) use reader::{SqliteReader, file};
