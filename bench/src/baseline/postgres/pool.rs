//! A few connections that all requests share, each with the statements that it has prepared.
//!
//! A connection serves many requests at once: their statements are sent one after another, without waiting for results.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::pin::pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError, RwLock};

use anyhow::Result;
use futures_util::TryStreamExt;
use tokio_postgres::types::{ToSql, Type};
use tokio_postgres::{Client, NoTls, Row, RowStream, Statement};

use crate::baseline::asked::Window;

/// More connections are not faster on a few processors: each is a process of the server.
const CONNECTIONS: usize = 4;

pub(super) struct Pool {
    connections: Vec<Connection>,
    next: AtomicUsize,
    /// What clients would remember of the last row of the page before.
    pub(super) places: Places,
}

/// The author's name and the article's id of a row, by the number of rows up to it.
pub(super) type Places = Mutex<HashMap<u64, (String, i64)>>;

impl Pool {
    pub(super) async fn open(database: &str) -> Result<Self> {
        let mut connections = Vec::new();
        for _ in 0..CONNECTIONS {
            let (client, connection) = tokio_postgres::connect(database, NoTls).await?;
            tokio::spawn(connection);
            connections.push(Connection {
                client,
                statements: RwLock::default(),
            });
        }
        Ok(Self {
            connections,
            next: AtomicUsize::new(0),
            places: Mutex::default(),
        })
    }

    pub(super) fn connection(&self) -> &Connection {
        &self.connections[self.next.fetch_add(1, Ordering::Relaxed) % self.connections.len()]
    }
}

pub(super) struct Connection {
    client: Client,
    /// By their text, which is always the same place in the program, and the part that is written as literals.
    statements: RwLock<HashMap<(usize, Window), Statement>>,
}

impl Connection {
    /// Sends a statement that reads everything.
    pub(super) async fn query(
        &self,
        sql: &'static str,
        values: &[&(dyn ToSql + Sync)],
    ) -> Result<RowStream> {
        self.window(sql, Window::default(), values).await
    }

    /// Sends a statement that reads a part, with ` LIMIT … OFFSET …` as literals: PostgreSQL plans a statement with a
    /// bound limit again each time.
    pub(super) async fn window(
        &self,
        sql: &'static str,
        window: Window,
        values: &[&(dyn ToSql + Sync)],
    ) -> Result<RowStream> {
        // Planned for its values: a plan for all of them takes the range for a third of the table.
        if sql.contains(">= $2") && sql.contains("\"views\"") {
            let types = [Type::INT8, Type::INT4];
            let values = values.iter().copied().zip(types);
            return Ok(self
                .client
                .query_typed_raw(&text(sql, window), values)
                .await?);
        }
        let key = (sql.as_ptr() as usize, window);
        let known = self
            .statements
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .get(&key)
            .cloned();
        let statement = match known {
            Some(statement) => statement,
            None => {
                let statement = self.client.prepare(&text(sql, window)).await?;
                self.statements
                    .write()
                    .unwrap_or_else(PoisonError::into_inner)
                    .insert(key, statement.clone());
                statement
            }
        };
        Ok(self
            .client
            .query_raw(&statement, values.iter().copied())
            .await?)
    }

    /// The one row of a statement.
    pub(super) async fn one(
        &self,
        sql: &'static str,
        values: &[&(dyn ToSql + Sync)],
    ) -> Result<Option<Row>> {
        let mut rows = pin!(self.query(sql, values).await?);
        let row = rows.try_next().await?;
        // To the end of the result, so that the stream is not left half read.
        while rows.try_next().await?.is_some() {}
        Ok(row)
    }

    /// The number that a statement gives.
    pub(super) async fn number(
        &self,
        sql: &'static str,
        values: &[&(dyn ToSql + Sync)],
    ) -> Result<u64> {
        let row = self.one(sql, values).await?;
        let number: i64 = row.as_ref().map_or(Ok(0), |row| row.try_get(0))?;
        Ok(number.unsigned_abs())
    }
}

fn text(sql: &str, window: Window) -> String {
    let mut text = sql.to_owned();
    // Writing to a string cannot fail.
    if window.limit > 0 {
        let _ = write!(text, " LIMIT {}", window.limit);
    }
    if window.offset > 0 {
        let _ = write!(text, " OFFSET {}", window.offset);
    }
    text
}
