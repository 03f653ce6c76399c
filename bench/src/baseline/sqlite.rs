//! The endpoint on a SQLite file through rusqlite, on threads that only read.
//!
//! Each connection has its own thread: a pool of blocking threads would cost a fifth of the speed.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, Sender};
use std::thread;

use anyhow::{Context, Result};
use axum::Router;
use axum::extract::{Query, State};
use axum::response::Response;
use axum::routing::get;
use rusqlite::{Connection, OpenFlags, Row, params};
use tokio::sync::oneshot;

use super::asked::Asked;
use super::body::{Applied, Body, Rest};
use super::{Failure, PATH, json};

const COLUMNS: &str = r#"SELECT "articles"."id", "articles"."title", "articles"."slug", "articles"."is_active", "articles"."views", "articles"."created_at""#;
const ROWS: &str = r#" FROM "articles" WHERE "articles"."deleted_at" IS NULL"#;
const OF_AUTHOR: &str = r#" AND "articles"."author_id" = ?"#;
const ORDER: &str = r#" ORDER BY "articles"."created_at" DESC, "articles"."id" DESC"#;
const NAME: &str =
    r#"SELECT "authors"."id", "authors"."name" FROM "authors" WHERE "authors"."id" = ?"#;

struct Job {
    asked: Asked,
    answer: oneshot::Sender<Result<Vec<u8>>>,
}

struct Readers {
    threads: Vec<Sender<Job>>,
    next: AtomicUsize,
}

pub(super) fn router(database: &str) -> Result<Router> {
    let file = database
        .trim_start_matches("sqlite:")
        .split('?')
        .next()
        .unwrap_or_default();
    let mut threads = Vec::new();
    for _ in 0..thread::available_parallelism()?.get() {
        let connection = open(file)?;
        let (jobs, received) = mpsc::channel::<Job>();
        thread::spawn(move || {
            while let Ok(Job { asked, answer }) = received.recv() {
                // The client may have disconnected.
                let _ = answer.send(read(&connection, &asked));
            }
        });
        threads.push(jobs);
    }
    let readers = Arc::new(Readers {
        threads,
        next: AtomicUsize::new(0),
    });
    Ok(Router::new().route(PATH, get(list)).with_state(readers))
}

/// With the settings that the blog gives its own connections.
fn open(file: &str) -> Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(file, flags)?;
    connection.pragma_update(None, "mmap_size", 268_435_456)?;
    connection.pragma_update(None, "cache_size", -16_384)?;
    connection.set_prepared_statement_cache_capacity(100);
    Ok(connection)
}

async fn list(
    State(readers): State<Arc<Readers>>,
    Query(asked): Query<Asked>,
) -> Result<Response, Failure> {
    let (answer, answered) = oneshot::channel();
    let thread = readers.next.fetch_add(1, Ordering::Relaxed) % readers.threads.len();
    readers.threads[thread]
        .send(Job { asked, answer })
        .map_err(|_| anyhow::anyhow!("a reader is gone"))?;
    Ok(json(answered.await??))
}

fn read(connection: &Connection, asked: &Asked) -> Result<Vec<u8>> {
    let Some(author) = asked.author_id else {
        let sql = [COLUMNS, ROWS, ORDER, &asked.limit()].concat();
        let (body, more) = page(connection, &sql, params![])?;
        return Ok(body.finish(asked.page, &[], &Rest::More(more), &[]));
    };
    let sql = [COLUMNS, ROWS, OF_AUTHOR, ORDER, &asked.limit()].concat();
    let (body, _) = page(connection, &sql, params![author])?;
    let sql = ["SELECT COUNT(*)", ROWS, OF_AUTHOR].concat();
    let total: i64 = connection
        .prepare_cached(&sql)?
        .query_row([author], |row| row.get(0))?;
    let mut name = connection.prepare_cached(NAME)?;
    let mut names = name.query([author])?;
    let name = names.next()?;
    let value = author.to_string();
    let label = match name {
        Some(row) => row.get_ref(1)?.as_str()?,
        None => &value,
    };
    let applied = Applied {
        key: "author_id",
        value: &value,
        label,
        operator: "$eq",
        path: None,
    };
    let rest = Rest::Total(total.unsigned_abs());
    Ok(body.finish(asked.page, &[applied], &rest, &[]))
}

fn page(
    connection: &Connection,
    sql: &str,
    values: &[&dyn rusqlite::ToSql],
) -> Result<(Body, bool)> {
    let mut statement = connection.prepare_cached(sql)?;
    let mut rows = statement.query(values)?;
    let mut body = Body::new();
    let mut more = false;
    while let Some(row) = rows.next()? {
        if body.has_room() {
            article(&mut body, row)?;
        } else {
            more = true;
        }
    }
    Ok((body, more))
}

fn article(body: &mut Body, row: &Row<'_>) -> Result<()> {
    let out = body.article(
        row.get(0)?,
        row.get_ref(1)?.as_str()?,
        row.get_ref(2)?.as_str()?,
        row.get(3)?,
        row.get(4)?,
    );
    moment(out, row.get_ref(5)?.as_str()?)?;
    out.push(b'}');
    Ok(())
}

/// The text in the column is RFC 3339 in UTC with as much fraction as it needs; six digits and a `Z` go out.
fn moment(out: &mut Vec<u8>, stored: &str) -> Result<()> {
    let (seconds, rest) = stored
        .as_bytes()
        .split_at_checked(19)
        .context("a moment is too short")?;
    let fraction = match rest.strip_prefix(b".") {
        Some(digits) => &digits[..digits.iter().take_while(|d| d.is_ascii_digit()).count()],
        None => b"",
    };
    out.push(b'"');
    out.extend_from_slice(seconds);
    // The driver that wrote it may have put a space there.
    let separator = out.len() - 9;
    out[separator] = b'T';
    out.push(b'.');
    let kept = fraction.len().min(6);
    out.extend_from_slice(&fraction[..kept]);
    out.extend_from_slice(&b"000000"[kept..]);
    out.extend_from_slice(b"Z\"");
    Ok(())
}
