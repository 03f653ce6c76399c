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
pub(crate) async fn targets(
    address: SocketAddr,
    rows_before: u64,
    sort: &str,
) -> Result<Vec<String>> {
    let mut connection = Connection::open(address).await?;
    let mut cursor = String::new();
    for _ in 0..rows_before / STRIDE {
        cursor = next(&mut connection, &target(&cursor, Some(STRIDE), sort)).await?;
    }
    let mut targets = Vec::with_capacity(PAGES);
    for _ in 0..PAGES {
        let target = target(&cursor, None, sort);
        cursor = next(&mut connection, &target).await?;
        targets.push(target);
    }
    Ok(targets)
}

/// The same places for a baseline, which finds them by the number of rows before them.
pub(crate) fn places(rows_before: u64) -> Vec<String> {
    (0..PAGES)
        .map(|page| rows_before / STRIDE * STRIDE + 25 * page as u64)
        .map(|after| format!("/api/articles?after={after}"))
        .collect()
}

fn target(cursor: &str, size: Option<u64>, sort: &str) -> String {
    let size = size.map_or_else(String::new, |size| format!("&pagination[pageSize]={size}"));
    let sort = if sort.is_empty() {
        String::new()
    } else {
        format!("&sort={sort}")
    };
    format!("/api/articles?pagination[cursor]={cursor}{size}{sort}")
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
