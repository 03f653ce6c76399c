//! Makes requests for the pages that follow a given number of rows, by cursor.

use std::net::SocketAddr;

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use crate::client::{Connection, get};

/// The largest page, to get there quickly.
const STRIDE: u64 = 100;

/// How many pages are requested.
const PAGES: usize = 20;

/// Walks from cursor to cursor: there is no other way to get one.
pub(crate) async fn targets(address: SocketAddr, rows_before: u64) -> Result<Vec<String>> {
    let mut connection = Connection::open(address).await?;
    let mut cursor = String::new();
    for _ in 0..rows_before / STRIDE {
        cursor = next(&mut connection, &target(&cursor, Some(STRIDE))).await?;
    }
    let mut targets = Vec::with_capacity(PAGES);
    for _ in 0..PAGES {
        let target = target(&cursor, None);
        cursor = next(&mut connection, &target).await?;
        targets.push(target);
    }
    Ok(targets)
}

fn target(cursor: &str, size: Option<u64>) -> String {
    let size = size.map_or_else(String::new, |size| format!("&pagination[pageSize]={size}"));
    format!("/api/articles?pagination[cursor]={cursor}{size}")
}

async fn next(connection: &mut Connection, target: &str) -> Result<String> {
    let reply = connection.ask(&get(target)).await?;
    let body: Value = serde_json::from_slice(connection.body(&reply))?;
    ensure!(reply.status == 200, "{target}: {body}");
    let next = &body["meta"]["pagination"]["nextCursor"];
    Ok(next
        .as_str()
        .context("the rows ended too early")?
        .to_owned())
}
