//! The statements that write articles on SQLite, on the one thread that writes.

use std::sync::mpsc::{self, Sender};
use std::thread;

use anyhow::{Context, Result};
use rusqlite::{Connection, OptionalExtension, TransactionBehavior, params};
use tokio::sync::oneshot;

use super::writes::{Article, Title, event, line};

const INSERT: &str = "INSERT INTO articles (title, slug, body, is_active, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?) RETURNING id";
const HISTORY: &str = "INSERT INTO listing_history (record, edge, written_at, names, body) VALUES (?, ?, ?, ',*,', ?)";
const EVENT: &str = "INSERT INTO listing_events (resource, record, body) VALUES ('articles', ?, ?)";
const UPDATE: &str = "UPDATE articles SET title = ?, slug = ?, body = ?, is_active = ?, updated_at = ? WHERE id = ? AND deleted_at IS NULL AND (?7 IS NULL OR updated_at = ?8) RETURNING id";
const PATCH: &str = "UPDATE articles SET title = ?, updated_at = ? WHERE id = ? AND deleted_at IS NULL RETURNING id";

type Job = Box<dyn FnOnce(&mut Connection) + Send>;

pub(super) struct Sqlite {
    jobs: Sender<Job>,
}

/// A moment as the service writes it, from microseconds since 1970, which are the tag.
fn text_of(microseconds: i64) -> String {
    let moment = chrono::DateTime::from_timestamp_micros(microseconds).unwrap_or_default();
    moment.format("%Y-%m-%dT%H:%M:%S%.6f+00:00").to_string()
}

fn now() -> i64 {
    chrono::Utc::now().timestamp_micros()
}

impl Sqlite {
    /// With the settings that the blog gives its own connections.
    pub(super) fn open(database: &str) -> Result<Self> {
        let file = database.trim_start_matches("sqlite:").split('?').next();
        let mut connection = Connection::open(file.unwrap_or_default())?;
        connection.pragma_update(None, "journal_mode", "wal")?;
        connection.pragma_update(None, "synchronous", "full")?;
        connection.pragma_update(None, "foreign_keys", true)?;
        connection.pragma_update(None, "mmap_size", 268_435_456)?;
        connection.pragma_update(None, "cache_size", -16_384)?;
        connection.busy_timeout(std::time::Duration::from_secs(5))?;
        let (jobs, received) = mpsc::channel::<Job>();
        thread::spawn(move || {
            while let Ok(job) = received.recv() {
                job(&mut connection);
            }
        });
        Ok(Self { jobs })
    }

    /// Runs this in a transaction.
    async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let (answer, answered) = oneshot::channel();
        let job: Job = Box::new(move |connection| {
            let done = (|| {
                let transaction =
                    connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
                let done = work(&transaction)?;
                transaction.commit()?;
                Ok(done)
            })();
            // The client may have disconnected.
            let _ = answer.send(done);
        });
        self.jobs.send(job).ok().context("the writer is gone")?;
        answered.await?
    }

    pub(super) async fn create(&self, article: Article) -> Result<i64> {
        self.run(move |connection| insert(connection, &article))
            .await
    }

    pub(super) async fn bulk(&self, articles: Vec<Article>) -> Result<Vec<i64>> {
        self.run(move |connection| {
            let insert = |article| insert(connection, article);
            articles.iter().map(insert).collect()
        })
        .await
    }

    pub(super) async fn update(
        &self,
        id: i64,
        article: Article,
        tag: Option<i64>,
    ) -> Result<Option<i64>> {
        self.run(move |connection| {
            let (new, old) = (now(), tag.map(text_of));
            let values = params![
                article.title,
                article.slug,
                article.body,
                article.is_active,
                text_of(new),
                id,
                old,
                old
            ];
            let mut update = connection.prepare_cached(UPDATE)?;
            let known: Option<i64> = update.query_row(values, |row| row.get(0)).optional()?;
            written(connection, known, 0, "update", &line("update", &article)?)?;
            Ok(known.map(|_| new))
        })
        .await
    }

    pub(super) async fn patch(&self, id: i64, title: Title) -> Result<Option<i64>> {
        self.run(move |connection| {
            let new = now();
            let mut update = connection.prepare_cached(PATCH)?;
            let known: Option<i64> = update
                .query_row(params![title.title, text_of(new), id], |row| row.get(0))
                .optional()?;
            let line = line("update", &title.title)?;
            written(connection, known, 0, "update", &line)?;
            Ok(known.map(|_| new))
        })
        .await
    }

    pub(super) async fn dispatch(&self) -> Result<()> {
        self.run(|connection| {
            connection.execute("DELETE FROM listing_events", ())?;
            Ok(())
        })
        .await
    }
}

fn insert(connection: &Connection, article: &Article) -> Result<i64> {
    let moment = text_of(now());
    let mut insert = connection.prepare_cached(INSERT)?;
    let Article {
        title,
        slug,
        body,
        is_active,
    } = article;
    let values = params![title, slug, body, is_active, moment, moment];
    let id = insert.query_row(values, |row| row.get(0))?;
    written(connection, Some(id), 1, "store", &line("store", article)?)?;
    Ok(id)
}

/// Leaves what others are told.
fn written(
    connection: &Connection,
    id: Option<i64>,
    edge: i32,
    operation: &str,
    line: &str,
) -> Result<()> {
    let Some(id) = id else { return Ok(()) };
    let mut history = connection.prepare_cached(HISTORY)?;
    history.execute(params![
        format!("articles/{id}"),
        edge,
        now() / 1_000_000,
        line
    ])?;
    let mut insert = connection.prepare_cached(EVENT)?;
    insert.execute(params![id.to_string(), event(operation)])?;
    Ok(())
}
