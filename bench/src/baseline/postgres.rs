//! The endpoint on PostgreSQL through tokio-postgres, with all statements of a request on one connection.
//!
//! A connection serves many requests at once: their statements are sent one after another, without waiting for results.

use std::collections::HashMap;
use std::error::Error;
use std::pin::pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

use anyhow::Result;
use axum::Router;
use axum::extract::{Query, State};
use axum::response::Response;
use axum::routing::get;
use futures_util::TryStreamExt;
use tokio_postgres::types::{FromSql, ToSql, Type};
use tokio_postgres::{Client, NoTls, Row, RowStream, Statement};

use super::asked::{Asked, PAGE_SIZE};
use super::body::{Applied, Body, Rest, integer, moment, text};
use super::{Failure, PATH, json};

const COLUMNS: &str = r#"SELECT "articles"."id", "articles"."title", "articles"."slug", "articles"."is_active", "articles"."views", "articles"."created_at""#;
const ROWS: &str = r#" FROM "articles" WHERE "articles"."deleted_at" IS NULL"#;
const OF_AUTHOR: &str = r#" AND "articles"."author_id" = $1"#;
const ORDER: &str = r#" ORDER BY "articles"."created_at" DESC, "articles"."id" DESC"#;
const NAME: &str =
    r#"SELECT "authors"."id", "authors"."name" FROM "authors" WHERE "authors"."id" = $1"#;
const AUTHORS: &str = r#"SELECT "authors"."id", "authors"."name", "authors"."country" FROM "authors" WHERE "authors"."id" = ANY($1)"#;
const COMMENTS: &str = r#"SELECT "children".* FROM unnest($1::int8[]) AS "parents" ("k") CROSS JOIN LATERAL (SELECT "comments"."article_id" AS "k", "comments"."id", "comments"."author_name", "comments"."body", "comments"."created_at" FROM "comments" WHERE "comments"."is_hidden" = $2 AND "comments"."article_id" = "parents"."k" ORDER BY "comments"."id" DESC LIMIT 11) AS "children""#;
const COMMENTS_SHOWN: usize = 10;

/// More connections are not faster on a few processors: each is a process of the server.
const CONNECTIONS: usize = 4;

pub(super) async fn router(database: &str) -> Result<Router> {
    let mut clients = Vec::new();
    for _ in 0..CONNECTIONS {
        let (client, connection) = tokio_postgres::connect(database, NoTls).await?;
        tokio::spawn(connection);
        clients.push(Connection {
            client,
            statements: RwLock::default(),
        });
    }
    let pool = Arc::new(Pool {
        clients,
        next: AtomicUsize::new(0),
    });
    Ok(Router::new().route(PATH, get(list)).with_state(pool))
}

struct Pool {
    clients: Vec<Connection>,
    next: AtomicUsize,
}

impl Pool {
    fn connection(&self) -> &Connection {
        &self.clients[self.next.fetch_add(1, Ordering::Relaxed) % self.clients.len()]
    }
}

struct Connection {
    client: Client,
    statements: RwLock<HashMap<String, Statement>>,
}

impl Connection {
    async fn query(&self, sql: &str, values: &[&(dyn ToSql + Sync)]) -> Result<RowStream> {
        let known = self
            .statements
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .get(sql)
            .cloned();
        let statement = match known {
            Some(statement) => statement,
            None => {
                let statement = self.client.prepare(sql).await?;
                self.statements
                    .write()
                    .unwrap_or_else(PoisonError::into_inner)
                    .insert(sql.to_owned(), statement.clone());
                statement
            }
        };
        Ok(self
            .client
            .query_raw(&statement, values.iter().copied())
            .await?)
    }
}

async fn list(
    State(pool): State<Arc<Pool>>,
    Query(asked): Query<Asked>,
) -> Result<Response, Failure> {
    let connection = pool.connection();
    let body = match (asked.author_id, &asked.populate) {
        (Some(author), _) => page_and_count(connection, &asked, author).await?,
        (None, Some(_)) => page_and_relations(connection, &asked).await?,
        (None, None) => page(connection, &asked).await?,
    };
    Ok(json(body))
}

async fn page(connection: &Connection, asked: &Asked) -> Result<Vec<u8>> {
    let sql = [COLUMNS, ROWS, ORDER, &asked.limit()].concat();
    let mut rows = pin!(connection.query(&sql, &[]).await?);
    let mut body = Body::new();
    let mut more = false;
    while let Some(row) = rows.try_next().await? {
        if body.has_room() {
            article(&mut body, &row)?;
            body.bytes.push(b'}');
        } else {
            more = true;
        }
    }
    Ok(body.finish(asked, None, &Rest::More(more), None))
}

async fn page_and_count(connection: &Connection, asked: &Asked, author: i64) -> Result<Vec<u8>> {
    let page_sql = [COLUMNS, ROWS, OF_AUTHOR, ORDER, &asked.limit()].concat();
    let count_sql = ["SELECT COUNT(*)", ROWS, OF_AUTHOR].concat();
    let page = async {
        let mut rows = pin!(connection.query(&page_sql, &[&author]).await?);
        let mut body = Body::new();
        while let Some(row) = rows.try_next().await? {
            article(&mut body, &row)?;
            body.bytes.push(b'}');
        }
        anyhow::Ok(body)
    };
    let (body, count, name) = tokio::try_join!(
        page,
        one(connection, &count_sql, author),
        one(connection, NAME, author)
    )?;
    let total: i64 = count.as_ref().map_or(Ok(0), |row| row.try_get(0))?;
    let fallback = author.to_string();
    let label = name.as_ref().map_or(Ok(&*fallback), |row| row.try_get(1))?;
    let applied = Applied {
        key: "author_id",
        value: author,
        label,
    };
    let rest = Rest::Total(total.unsigned_abs());
    Ok(body.finish(asked, Some(applied), &rest, None))
}

async fn page_and_relations(connection: &Connection, asked: &Asked) -> Result<Vec<u8>> {
    let sql = [
        COLUMNS,
        r#", "articles"."author_id""#,
        ROWS,
        ORDER,
        &asked.limit(),
    ]
    .concat();
    let mut rows: Vec<Row> = connection.query(&sql, &[]).await?.try_collect().await?;
    let size = usize::try_from(PAGE_SIZE)?;
    let more = rows.len() > size;
    rows.truncate(size);
    let mut places = HashMap::with_capacity(size);
    let mut ids: Vec<i64> = Vec::with_capacity(size);
    let mut author_ids: Vec<i64> = Vec::with_capacity(size);
    for (place, row) in rows.iter().enumerate() {
        let id = row.try_get(0)?;
        places.insert(id, place);
        ids.push(id);
        author_ids.extend(row.try_get::<_, Option<i64>>(6)?);
    }
    author_ids.sort_unstable();
    author_ids.dedup();

    let authors = async {
        let mut rows = pin!(connection.query(AUTHORS, &[&author_ids]).await?);
        let mut authors = HashMap::with_capacity(author_ids.len());
        while let Some(row) = rows.try_next().await? {
            authors.insert(row.try_get::<_, i64>(0)?, row);
        }
        anyhow::Ok(authors)
    };
    let comments = async {
        let mut rows = pin!(connection.query(COMMENTS, &[&ids, &false]).await?);
        let mut comments: Vec<(usize, Vec<u8>)> = vec![(0, Vec::new()); ids.len()];
        let mut truncated = false;
        while let Some(row) = rows.try_next().await? {
            let Some(place) = places.get(&row.try_get::<_, i64>(0)?) else {
                continue;
            };
            let (count, out) = &mut comments[*place];
            if *count == COMMENTS_SHOWN {
                truncated = true;
                continue;
            }
            if *count > 0 {
                out.push(b',');
            }
            *count += 1;
            comment(out, &row)?;
        }
        anyhow::Ok((comments, truncated))
    };
    let (authors, (comments, truncated)) = tokio::try_join!(authors, comments)?;

    let mut body = Body::new();
    for (row, (_, comments)) in rows.iter().zip(&comments) {
        article(&mut body, row)?;
        let out = &mut body.bytes;
        out.extend_from_slice(b",\"author\":");
        let author: Option<i64> = row.try_get(6)?;
        match author.and_then(|id| authors.get(&id)) {
            Some(author) => {
                out.extend_from_slice(b"{\"id\":");
                integer(out, author.try_get::<_, i64>(0)?);
                out.extend_from_slice(b",\"name\":");
                text(out, author.try_get(1)?);
                out.extend_from_slice(b",\"country\":");
                text(out, author.try_get(2)?);
                out.push(b'}');
            }
            None => out.extend_from_slice(b"null"),
        }
        out.extend_from_slice(b",\"comments\":[");
        out.extend_from_slice(comments);
        out.extend_from_slice(b"]}");
    }
    Ok(body.finish(asked, None, &Rest::More(more), Some(truncated)))
}

async fn one(connection: &Connection, sql: &str, value: i64) -> Result<Option<Row>> {
    let mut rows = pin!(connection.query(sql, &[&value]).await?);
    let row = rows.try_next().await?;
    // To the end of the result, so that the stream is not left half read.
    while rows.try_next().await?.is_some() {}
    Ok(row)
}

fn article(body: &mut Body, row: &Row) -> Result<()> {
    let out = body.article(
        row.try_get(0)?,
        row.try_get(1)?,
        row.try_get(2)?,
        row.try_get(3)?,
        row.try_get(4)?,
    );
    moment(out, row.try_get::<_, Moment>(5)?.0);
    Ok(())
}

fn comment(out: &mut Vec<u8>, row: &Row) -> Result<()> {
    out.extend_from_slice(b"{\"id\":");
    integer(out, row.try_get::<_, i64>(1)?);
    out.extend_from_slice(b",\"author_name\":");
    text(out, row.try_get(2)?);
    out.extend_from_slice(b",\"body\":");
    text(out, row.try_get(3)?);
    out.extend_from_slice(b",\"created_at\":");
    moment(out, row.try_get::<_, Moment>(4)?.0);
    out.push(b'}');
    Ok(())
}

/// Microseconds since 1970, as they are on the wire but for the epoch.
struct Moment(i64);

impl<'a> FromSql<'a> for Moment {
    fn from_sql(_: &Type, raw: &'a [u8]) -> Result<Self, Box<dyn Error + Sync + Send>> {
        /// 2000-01-01, from which PostgreSQL counts.
        const EPOCH: i64 = 946_684_800_000_000;
        Ok(Self(i64::from_be_bytes(raw.try_into()?) + EPOCH))
    }

    fn accepts(kind: &Type) -> bool {
        *kind == Type::TIMESTAMPTZ
    }
}
