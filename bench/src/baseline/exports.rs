//! Exports of all articles from PostgreSQL by hand: what `COPY` gives, lines of JSON from wire values, and a workbook.

use std::pin::pin;
use std::sync::Arc;

use anyhow::Result;
use axum::Router;
use axum::body::{Body as HttpBody, Bytes};
use axum::extract::{Query, State};
use axum::response::Response;
use axum::routing::get;
use futures_util::{StreamExt, TryStreamExt};
use rust_xlsxwriter::{Format, Workbook};
use serde::Deserialize;
use tokio::sync::mpsc::{Sender, channel};
use tokio_postgres::{Client, NoTls, Row, RowStream};

use super::Failure;
use super::body::Body;
use super::postgres::{Moment, whole_article};

const ROWS: &str = r#"SELECT "id", "title", "slug", "is_active", "views", "created_at" FROM "articles" WHERE "deleted_at" IS NULL ORDER BY "created_at" DESC, "id" DESC"#;

/// How many bytes are sent at once.
const PIECE: usize = 32 * 1024;

#[derive(Clone)]
struct Database(Arc<str>);

impl Database {
    /// A connection of its own: a file takes longer than anything else that a connection does.
    async fn connect(&self) -> Result<Client> {
        let (client, connection) = tokio_postgres::connect(&self.0, NoTls).await?;
        tokio::spawn(connection);
        Ok(client)
    }
}

pub(super) fn router(database: &str) -> Router {
    Router::new()
        .route("/api/articles.csv", get(csv))
        .route("/api/articles.ndjson", get(lines))
        .route("/api/articles.xlsx", get(workbook))
        .with_state(Database(database.into()))
}

#[derive(Deserialize)]
struct Asked {
    #[serde(rename = "pagination[limit]")]
    limit: Option<u64>,
}

impl Asked {
    fn rows(&self) -> String {
        let limit = self.limit.map(|limit| format!(" LIMIT {limit}"));
        [ROWS, &limit.unwrap_or_default()].concat()
    }
}

/// The bytes of the database, as they are.
async fn csv(
    State(database): State<Database>,
    Query(asked): Query<Asked>,
) -> Result<Response, Failure> {
    let client = database.connect().await?;
    let sql = format!("COPY ({}) TO STDOUT (FORMAT csv, HEADER)", asked.rows());
    let mut rows = Box::pin(client.copy_out(&sql).await?);
    let (sender, mut pieces) = channel::<Result<Bytes>>(2);
    tokio::spawn(async move {
        let _client = client;
        let mut piece = Vec::with_capacity(PIECE + 1024);
        while let Some(row) = rows.next().await {
            match row {
                Ok(row) => piece.extend_from_slice(&row),
                Err(error) => {
                    // The client may have left.
                    let _ = sender.send(Err(error.into())).await;
                    return;
                }
            }
            if piece.len() >= PIECE && !send(&sender, &mut piece).await {
                return;
            }
        }
        send(&sender, &mut piece).await;
    });
    let pieces = futures_util::stream::poll_fn(move |context| pieces.poll_recv(context));
    Ok(Response::new(HttpBody::from_stream(pieces)))
}

async fn lines(
    State(database): State<Database>,
    Query(asked): Query<Asked>,
) -> Result<Response, Failure> {
    let client = database.connect().await?;
    let (sender, mut pieces) = channel::<Result<Bytes>>(2);
    tokio::spawn(async move {
        if let Err(error) = write_lines(&client, &asked, &sender).await {
            // The client may have left.
            let _ = sender.send(Err(error)).await;
        }
    });
    let pieces = futures_util::stream::poll_fn(move |context| pieces.poll_recv(context));
    Ok(Response::new(HttpBody::from_stream(pieces)))
}

async fn write_lines(client: &Client, asked: &Asked, sender: &Sender<Result<Bytes>>) -> Result<()> {
    let mut rows = pin!(rows(client, asked).await?);
    let mut piece = Vec::with_capacity(PIECE + 1024);
    while let Some(row) = rows.try_next().await? {
        let mut body = Body::line(std::mem::take(&mut piece));
        whole_article(&mut body, &row)?;
        piece = body.bytes;
        piece.push(b'\n');
        if piece.len() >= PIECE && !send(sender, &mut piece).await {
            return Ok(());
        }
    }
    send(sender, &mut piece).await;
    Ok(())
}

/// Whether somebody still takes what is sent.
async fn send(sender: &Sender<Result<Bytes>>, piece: &mut Vec<u8>) -> bool {
    let full = std::mem::replace(piece, Vec::with_capacity(PIECE + 1024));
    sender.send(Ok(full.into())).await.is_ok()
}

async fn rows(client: &Client, asked: &Asked) -> Result<RowStream> {
    let none: [i64; 0] = [];
    Ok(client.query_raw(&asked.rows(), none).await?)
}

/// How a sheet counts days.
const DAYS_BEFORE_1970: f64 = 25_569.0;
const MICROSECONDS_OF_DAY: f64 = 86_400_000_000.0;

/// What the crate takes by itself.
async fn workbook(
    State(database): State<Database>,
    Query(asked): Query<Asked>,
) -> Result<Response, Failure> {
    let client = database.connect().await?;
    let mut rows = pin!(rows(&client, &asked).await?);
    let mut book = Workbook::new();
    book.add_worksheet_with_constant_memory()?;
    let header = ["id", "title", "slug", "is_active", "views", "created_at"];
    let sheet = book.worksheet_from_index(0)?;
    for (column, name) in (0..).zip(header) {
        sheet.write_string(0, column, name)?;
    }
    let mut at = 1;
    while let Some(row) = rows.try_next().await? {
        write(&mut book, at, &row)?;
        at += 1;
    }
    let bytes = tokio::task::spawn_blocking(move || book.save_to_buffer()).await??;
    Ok(Response::new(HttpBody::from(bytes)))
}

#[expect(clippy::cast_precision_loss, reason = "ids and moments are below 2^53")]
fn write(book: &mut Workbook, at: u32, row: &Row) -> Result<()> {
    let sheet = book.worksheet_from_index(0)?;
    sheet.write_number(at, 0, row.try_get::<_, i64>(0)? as f64)?;
    sheet.write_string(at, 1, row.try_get::<_, &str>(1)?)?;
    sheet.write_string(at, 2, row.try_get::<_, &str>(2)?)?;
    sheet.write_boolean(at, 3, row.try_get(3)?)?;
    sheet.write_number(at, 4, row.try_get::<_, i32>(4)?)?;
    let days = row.try_get::<_, Moment>(5)?.0 as f64 / MICROSECONDS_OF_DAY + DAYS_BEFORE_1970;
    let format = Format::new().set_num_format("yyyy-mm-dd hh:mm:ss");
    sheet.write_number_with_format(at, 5, days, &format)?;
    Ok(())
}
