//! Pages in the order of the authors' names, read from the authors' side.

use std::pin::pin;
use std::sync::PoisonError;

use anyhow::{Context, Result};
use futures_util::TryStreamExt;

use super::pool::{Connection, Places};
use super::rows::{columns, whole_article};
use crate::baseline::asked::{Asked, PAGE_SIZE, Window};
use crate::baseline::body::{Body, Rest};

/// Articles without an author come last, and no page that is measured has one.
macro_rules! with_author {
    () => {
        r#" FROM "articles" INNER JOIN "authors" ON "authors"."id" = "articles"."author_id" WHERE "articles"."deleted_at" IS NULL"#
    };
}
macro_rules! by_name {
    () => {
        r#" ORDER BY "authors"."name", "articles"."id""#
    };
}
const FIRST: &str = concat!(columns!(), with_author!(), by_name!());
const AFTER: &str = concat!(
    columns!(),
    with_author!(),
    r#" AND "authors"."name" >= $1 AND ("authors"."name" > $1 OR "articles"."id" > $2)"#,
    by_name!()
);
const PLACE: &str = concat!(
    r#"SELECT "authors"."name", "articles"."id""#,
    with_author!(),
    by_name!()
);

pub(super) async fn first(connection: &Connection, asked: &Asked) -> Result<Vec<u8>> {
    let mut rows = pin!(connection.window(FIRST, asked.window(), &[]).await?);
    let mut body = Body::new();
    let mut more = false;
    while let Some(row) = rows.try_next().await? {
        if body.has_room() {
            whole_article(&mut body, &row)?;
        } else {
            more = true;
        }
    }
    Ok(body.finish(asked.page, &[], &Rest::More(more), &[]))
}

/// The page after so many rows, found by the row before it as a client with a cursor would.
pub(super) async fn after(connection: &Connection, places: &Places, after: u64) -> Result<Vec<u8>> {
    let lock = || places.lock().unwrap_or_else(PoisonError::into_inner);
    let known = lock().get(&after).cloned();
    let (name, id) = match known {
        Some(place) => place,
        None => {
            let window = Window {
                limit: 1,
                offset: after - 1,
            };
            let rows = connection.window(PLACE, window, &[]).await?;
            let rows: Vec<_> = rows.try_collect().await?;
            let row = rows.first().context("so many rows there are not")?;
            let place: (String, i64) = (row.try_get(0)?, row.try_get(1)?);
            lock().insert(after, place.clone());
            place
        }
    };
    let window = Window {
        limit: PAGE_SIZE + 1,
        offset: 0,
    };
    let mut rows = pin!(connection.window(AFTER, window, &[&name, &id]).await?);
    let mut body = Body::new();
    let mut more = false;
    while let Some(row) = rows.try_next().await? {
        if body.has_room() {
            whole_article(&mut body, &row)?;
        } else {
            more = true;
        }
    }
    Ok(body.finish(1, &[], &Rest::More(more), &[]))
}
