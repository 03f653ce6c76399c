//! The pages that everybody reads: plain, filtered with a count, and with relations.

use std::collections::HashMap;
use std::pin::pin;

use anyhow::Result;
use futures_util::TryStreamExt;
use tokio_postgres::Row;
use tokio_postgres::types::ToSql;

use super::pool::Connection;
use super::rows::{article, articles, columns, comment, newest, whole_article};
use crate::baseline::asked::{Asked, PAGE_SIZE};
use crate::baseline::body::{Applied, Body, Rest, Shown, integer, text};

const PAGE: &str = concat!(columns!(), articles!(), newest!());
const OF_AUTHOR: &str = concat!(
    columns!(),
    articles!(),
    r#" AND "articles"."author_id" = $1"#,
    newest!()
);
const COUNT_OF_AUTHOR: &str = concat!(
    "SELECT COUNT(*)",
    articles!(),
    r#" AND "articles"."author_id" = $1"#
);
const WITH_AUTHOR: &str = concat!(
    columns!(),
    r#", "articles"."author_id""#,
    articles!(),
    newest!()
);
pub(super) const NAME: &str =
    r#"SELECT "authors"."id", "authors"."name" FROM "authors" WHERE "authors"."id" = $1"#;
const AUTHORS: &str = r#"SELECT "authors"."id", "authors"."name", "authors"."country" FROM "authors" WHERE "authors"."id" = ANY($1)"#;
const COMMENTS: &str = r#"SELECT "children".* FROM unnest($1::int8[]) AS "parents" ("k") CROSS JOIN LATERAL (SELECT "comments"."article_id" AS "k", "comments"."id", "comments"."author_name", "comments"."body", "comments"."created_at" FROM "comments" WHERE "comments"."is_hidden" = $2 AND "comments"."article_id" = "parents"."k" ORDER BY "comments"."id" DESC LIMIT 11) AS "children""#;
const COMMENTS_SHOWN: usize = 10;

pub(super) async fn page(connection: &Connection, asked: &Asked) -> Result<Vec<u8>> {
    let mut rows = pin!(connection.window(PAGE, asked.window(), &[]).await?);
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

pub(super) async fn page_and_count(
    connection: &Connection,
    asked: &Asked,
    author: i64,
) -> Result<Vec<u8>> {
    let values: &[&(dyn ToSql + Sync)] = &[&author];
    let page = async {
        let mut rows = pin!(connection.window(OF_AUTHOR, asked.window(), values).await?);
        let mut body = Body::new();
        while let Some(row) = rows.try_next().await? {
            whole_article(&mut body, &row)?;
        }
        anyhow::Ok(body)
    };
    let (body, total, name) = tokio::try_join!(
        page,
        connection.number(COUNT_OF_AUTHOR, values),
        connection.one(NAME, values)
    )?;
    let value = author.to_string();
    let label = name.as_ref().map_or(Ok(&*value), |row| row.try_get(1))?;
    let applied = Applied {
        key: "author_id",
        value: &value,
        label,
        operator: "$eq",
        path: None,
    };
    Ok(body.finish(asked.page, &[applied], &Rest::Total(total), &[]))
}

pub(super) async fn page_and_relations(connection: &Connection, asked: &Asked) -> Result<Vec<u8>> {
    let rows = with_author(connection, asked).await?;
    let (authors, (comments, truncated)) = tokio::try_join!(
        authors(connection, &rows),
        comments(connection, &rows, COMMENTS, COMMENTS_SHOWN)
    )?;
    let mut body = Body::new();
    for (row, (_, comments)) in rows.shown.iter().zip(&comments) {
        article(&mut body, row)?;
        let out = &mut body.bytes;
        out.extend_from_slice(b",\"author\":");
        match row
            .try_get::<_, Option<i64>>(6)?
            .and_then(|id| authors.get(&id))
        {
            Some(row) => {
                author(out, row)?;
                out.push(b'}');
            }
            None => out.extend_from_slice(b"null"),
        }
        out.extend_from_slice(b",\"comments\":[");
        out.extend_from_slice(comments);
        out.extend_from_slice(b"]}");
    }
    let shown = Shown {
        path: "comments",
        limit: COMMENTS_SHOWN,
        truncated,
    };
    Ok(body.finish(asked.page, &[], &Rest::More(rows.more), &[shown]))
}

/// The rows of a page, with what is needed to find what belongs to them.
pub(super) struct Articles {
    pub(super) shown: Vec<Row>,
    pub(super) more: bool,
    ids: Vec<i64>,
    pub(super) author_ids: Vec<i64>,
}

pub(super) async fn with_author(connection: &Connection, asked: &Asked) -> Result<Articles> {
    let rows = connection.window(WITH_AUTHOR, asked.window(), &[]).await?;
    let mut shown: Vec<Row> = rows.try_collect().await?;
    let size = usize::try_from(PAGE_SIZE)?;
    let more = shown.len() > size;
    shown.truncate(size);
    let mut ids: Vec<i64> = Vec::with_capacity(size);
    let mut author_ids: Vec<i64> = Vec::with_capacity(size);
    for row in &shown {
        ids.push(row.try_get(0)?);
        author_ids.extend(row.try_get::<_, Option<i64>>(6)?);
    }
    author_ids.sort_unstable();
    author_ids.dedup();
    Ok(Articles {
        shown,
        more,
        ids,
        author_ids,
    })
}

pub(super) async fn authors(
    connection: &Connection,
    articles: &Articles,
) -> Result<HashMap<i64, Row>> {
    let ids = &articles.author_ids;
    let mut rows = pin!(connection.query(AUTHORS, &[ids]).await?);
    let mut authors = HashMap::with_capacity(ids.len());
    while let Some(row) = rows.try_next().await? {
        authors.insert(row.try_get::<_, i64>(0)?, row);
    }
    Ok(authors)
}

/// An author, without the closing brace.
pub(super) fn author(out: &mut Vec<u8>, row: &Row) -> Result<()> {
    out.extend_from_slice(b"{\"id\":");
    integer(out, row.try_get::<_, i64>(0)?);
    out.extend_from_slice(b",\"name\":");
    text(out, row.try_get(1)?);
    out.extend_from_slice(b",\"country\":");
    text(out, row.try_get(2)?);
    Ok(())
}

/// The comments of each article, at most so many, and whether any has more.
pub(super) async fn comments(
    connection: &Connection,
    articles: &Articles,
    sql: &'static str,
    most: usize,
) -> Result<(Vec<(usize, Vec<u8>)>, bool)> {
    let ids = &articles.ids;
    let places: HashMap<_, _> = ids
        .iter()
        .zip(0..)
        .map(|(id, place)| (*id, place))
        .collect();
    let mut rows = pin!(connection.query(sql, &[ids, &false]).await?);
    let mut comments: Vec<(usize, Vec<u8>)> = vec![(0, Vec::new()); ids.len()];
    let mut truncated = false;
    while let Some(row) = rows.try_next().await? {
        let place: Option<&usize> = places.get(&row.try_get::<_, i64>(0)?);
        let Some(place) = place else {
            continue;
        };
        let (count, out) = &mut comments[*place];
        if *count == most {
            truncated = true;
            continue;
        }
        if *count > 0 {
            out.push(b',');
        }
        *count += 1;
        comment(out, &row)?;
    }
    Ok((comments, truncated))
}
