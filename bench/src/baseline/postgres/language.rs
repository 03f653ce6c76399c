//! Groups, filters through relations, nested relations and search, each with the SQL that is best for that one request.

use std::collections::HashMap;
use std::pin::pin;

use anyhow::Result;
use futures_util::TryStreamExt;
use tokio_postgres::types::ToSql;

use super::pages::{self, NAME};
use super::pool::Connection;
use super::rows::{Moment, article, articles, columns, newest, whole_article};
use crate::baseline::asked::Asked;
use crate::baseline::body::{Applied, Body, Rest, Shown, integer, moment, text};

/// Counts rows, and stops where the service does.
macro_rules! up_to_10_000 {
    ($($rows:expr),*) => {
        concat!("SELECT COUNT(*) FROM (SELECT 1", $($rows),*, " LIMIT 10001) AS \"counted\"")
    };
}
macro_rules! by_or_read {
    () => {
        r#" AND ("articles"."author_id" = $1 OR "articles"."views" >= $2)"#
    };
}
const OR_GROUP: &str = concat!(columns!(), articles!(), by_or_read!(), newest!());
const COUNT_OR_GROUP: &str = up_to_10_000!(articles!(), by_or_read!());

/// A join is as good as a sub-query here: an article has one author at most.
macro_rules! from_country {
    () => {
        r#" FROM "articles" INNER JOIN "authors" ON "authors"."id" = "articles"."author_id" WHERE "articles"."deleted_at" IS NULL AND "authors"."country" = $1"#
    };
}
const FROM_COUNTRY: &str = concat!(columns!(), from_country!(), newest!());
const COUNT_FROM_COUNTRY: &str = up_to_10_000!(from_country!());

macro_rules! found {
    () => {
        r#" FROM "articles", plainto_tsquery('simple', $1) AS "wanted" WHERE "articles"."deleted_at" IS NULL AND "articles"."search_vector" @@ "wanted""#
    };
}
const FOUND: &str = concat!(
    columns!(),
    found!(),
    r#" ORDER BY -ts_rank("articles"."search_vector", "wanted"), "articles"."id""#
);
const COUNT_FOUND: &str = up_to_10_000!(found!());

const FEW_COMMENTS: &str = r#"SELECT "children".* FROM unnest($1::int8[]) AS "parents" ("k") CROSS JOIN LATERAL (SELECT "comments"."article_id" AS "k", "comments"."id", "comments"."author_name", "comments"."body", "comments"."created_at" FROM "comments" WHERE "comments"."is_hidden" = $2 AND "comments"."article_id" = "parents"."k" ORDER BY "comments"."id" DESC LIMIT 6) AS "children""#;
const NEWEST_OF_AUTHORS: &str = r#"SELECT "children".* FROM unnest($1::int8[]) AS "parents" ("k") CROSS JOIN LATERAL (SELECT "articles"."author_id" AS "k", "articles"."id", "articles"."title", "articles"."slug", "articles"."is_active", "articles"."views", "articles"."created_at" FROM "articles" WHERE "articles"."deleted_at" IS NULL AND "articles"."author_id" = "parents"."k" ORDER BY "articles"."created_at" DESC, "articles"."id" DESC LIMIT 6) AS "children""#;
const FEW: usize = 5;

/// One author's articles, and those that very many have read.
pub(super) async fn or_group(
    connection: &Connection,
    asked: &Asked,
    author: i64,
) -> Result<Vec<u8>> {
    let views = asked.or_views;
    let values: &[&(dyn ToSql + Sync)] = &[&author, &views];
    let (body, total, name) = tokio::try_join!(
        plain(connection, asked, OR_GROUP, values),
        connection.number(COUNT_OR_GROUP, values),
        connection.one(NAME, &values[..1])
    )?;
    let (author, views) = (author.to_string(), views.to_string());
    let label = name.as_ref().map_or(Ok(&*author), |row| row.try_get(1))?;
    let filters = [
        Applied {
            key: "author_id",
            value: &author,
            label,
            operator: "$eq",
            path: Some("$or.0"),
        },
        Applied {
            key: "views",
            value: &views,
            label: &views,
            operator: "$gte",
            path: Some("$or.1"),
        },
    ];
    Ok(body.finish(asked.page, &filters, &Rest::Total(total), &[]))
}

/// The articles of authors from one country.
pub(super) async fn from_country(
    connection: &Connection,
    asked: &Asked,
    country: &str,
) -> Result<Vec<u8>> {
    let values: &[&(dyn ToSql + Sync)] = &[&country];
    let (body, total) = tokio::try_join!(
        plain(connection, asked, FROM_COUNTRY, values),
        connection.number(COUNT_FROM_COUNTRY, values)
    )?;
    let applied = Applied {
        key: "country",
        value: country,
        label: blog::data::country_name(country).unwrap_or(country),
        operator: "$eq",
        path: Some("author"),
    };
    Ok(body.finish(asked.page, &[applied], &Rest::Total(total), &[]))
}

/// The articles that have all these words, the best first.
pub(super) async fn found(connection: &Connection, asked: &Asked, words: &str) -> Result<Vec<u8>> {
    let values: &[&(dyn ToSql + Sync)] = &[&words];
    let (body, total) = tokio::try_join!(
        plain(connection, asked, FOUND, values),
        connection.number(COUNT_FOUND, values)
    )?;
    let applied = Applied {
        key: "search",
        value: words,
        label: words,
        operator: "$search",
        path: None,
    };
    Ok(body.finish(asked.page, &[applied], &Rest::Total(total), &[]))
}

/// Articles with their author, the author's newest articles, and their newest comments.
///
/// The author's articles are found by what the page says of its authors, without waiting for the authors.
pub(super) async fn nested(connection: &Connection, asked: &Asked) -> Result<Vec<u8>> {
    let rows = pages::with_author(connection, asked).await?;
    let (authors, (comments, more_comments), (newest, more_articles)) = tokio::try_join!(
        pages::authors(connection, &rows),
        pages::comments(connection, &rows, FEW_COMMENTS, FEW),
        newest_of(connection, &rows.author_ids)
    )?;
    let mut body = Body::new();
    for (row, (_, comments)) in rows.shown.iter().zip(&comments) {
        article(&mut body, row)?;
        let out = &mut body.bytes;
        out.extend_from_slice(b",\"author\":");
        let author: Option<i64> = row.try_get(6)?;
        match author.and_then(|id| Some((authors.get(&id)?, newest.get(&id)))) {
            Some((author, newest)) => {
                pages::author(out, author)?;
                out.extend_from_slice(b",\"articles\":[");
                out.extend_from_slice(newest.map_or(b"", |(_, newest)| newest));
                out.extend_from_slice(b"]}");
            }
            None => out.extend_from_slice(b"null"),
        }
        out.extend_from_slice(b",\"comments\":[");
        out.extend_from_slice(comments);
        out.extend_from_slice(b"]}");
    }
    let shown = |path, truncated| Shown {
        path,
        limit: FEW,
        truncated,
    };
    let relations = [
        shown("author.articles", more_articles),
        shown("comments", more_comments),
    ];
    Ok(body.finish(asked.page, &[], &Rest::More(rows.more), &relations))
}

/// The newest articles of each author, and whether any has more.
async fn newest_of(
    connection: &Connection,
    authors: &Vec<i64>,
) -> Result<(HashMap<i64, (usize, Vec<u8>)>, bool)> {
    let mut rows = pin!(connection.query(NEWEST_OF_AUTHORS, &[authors]).await?);
    let mut newest: HashMap<i64, (usize, Vec<u8>)> = HashMap::with_capacity(authors.len());
    let mut truncated = false;
    while let Some(row) = rows.try_next().await? {
        let (count, out) = newest.entry(row.try_get(0)?).or_default();
        if *count == FEW {
            truncated = true;
            continue;
        }
        out.extend_from_slice(if *count == 0 {
            b"{\"id\":"
        } else {
            b",{\"id\":"
        });
        *count += 1;
        integer(out, row.try_get::<_, i64>(1)?);
        out.extend_from_slice(b",\"title\":");
        text(out, row.try_get(2)?);
        out.extend_from_slice(b",\"slug\":");
        text(out, row.try_get(3)?);
        out.extend_from_slice(if row.try_get(4)? {
            b",\"is_active\":true,\"views\":"
        } else {
            b",\"is_active\":false,\"views\":"
        });
        integer(out, row.try_get::<_, i32>(5)?);
        out.extend_from_slice(b",\"created_at\":");
        moment(out, row.try_get::<_, Moment>(6)?.0);
        out.push(b'}');
    }
    Ok((newest, truncated))
}

/// The articles of a page that has nothing else in it.
async fn plain(
    connection: &Connection,
    asked: &Asked,
    sql: &'static str,
    values: &[&(dyn ToSql + Sync)],
) -> Result<Body> {
    let mut rows = pin!(connection.window(sql, asked.window(), values).await?);
    let mut body = Body::new();
    while let Some(row) = rows.try_next().await? {
        whole_article(&mut body, &row)?;
    }
    Ok(body)
}
