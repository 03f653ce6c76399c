//! The statements that write articles on PostgreSQL, each of which does everything that one request needs.

use std::pin::pin;
use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::{Context, Result};
use axum::body::Bytes;
use futures_util::SinkExt;
use tokio_postgres::{Client, NoTls, Statement};

use super::writes::{Article, Title, event, line};

/// As many as the service has for writes.
const CONNECTIONS: usize = 10;

const CREATE: &str = "WITH a AS (INSERT INTO articles (title, slug, body, is_active, created_at, updated_at) \
     VALUES ($1, $2, $3, $4, now(), now()) RETURNING id), \
     h AS (INSERT INTO listing_history (record, edge, written_at, names, body) \
     SELECT 'articles/' || id, 1, extract(epoch FROM now())::bigint, ',*,', $5 FROM a), \
     e AS (INSERT INTO listing_events (resource, record, body) SELECT 'articles', id::text, $6 FROM a) \
     SELECT id FROM a";

const UPDATE: &str = "WITH a AS (UPDATE articles SET title = $2, slug = $3, body = $4, is_active = $5, updated_at = clock_timestamp() \
     WHERE id = $1 AND deleted_at IS NULL AND ($8::bigint IS NULL OR (extract(epoch FROM updated_at) * 1000000)::bigint = $8) \
     RETURNING id, (extract(epoch FROM updated_at) * 1000000)::bigint AS tag), \
     h AS (INSERT INTO listing_history (record, edge, written_at, names, body) \
     SELECT 'articles/' || id, 0, extract(epoch FROM now())::bigint, ',*,', $6 FROM a), \
     e AS (INSERT INTO listing_events (resource, record, body) SELECT 'articles', id::text, $7 FROM a) \
     SELECT tag FROM a";

const PATCH: &str = "WITH a AS (UPDATE articles SET title = $2, updated_at = clock_timestamp() \
     WHERE id = $1 AND deleted_at IS NULL \
     RETURNING id, (extract(epoch FROM updated_at) * 1000000)::bigint AS tag), \
     h AS (INSERT INTO listing_history (record, edge, written_at, names, body) \
     SELECT 'articles/' || id, 0, extract(epoch FROM now())::bigint, ',*,', $3 FROM a), \
     e AS (INSERT INTO listing_events (resource, record, body) SELECT 'articles', id::text, $4 FROM a) \
     SELECT tag FROM a";

const BULK: &str = "WITH a AS (INSERT INTO articles (title, slug, body, is_active, created_at, updated_at) \
     SELECT t, s, b, i, now(), now() FROM unnest($1::text[], $2::text[], $3::text[], $4::boolean[]) AS u (t, s, b, i) \
     RETURNING id, slug), \
     h AS (INSERT INTO listing_history (record, edge, written_at, names, body) \
     SELECT 'articles/' || a.id, 1, extract(epoch FROM now())::bigint, ',*,', l.line FROM a \
     JOIN unnest($2::text[], $5::text[]) AS l (slug, line) ON l.slug = a.slug), \
     e AS (INSERT INTO listing_events (resource, record, body) SELECT 'articles', id::text, $6 FROM a) \
     SELECT id FROM a";

const COPY: &str = "COPY articles (title, slug, body, is_active) FROM STDIN (FORMAT csv, HEADER)";

pub(super) struct Postgres {
    connections: Vec<Connection>,
    next: AtomicUsize,
}

struct Connection {
    client: Client,
    create: Statement,
    update: Statement,
    patch: Statement,
    bulk: Statement,
}

impl Postgres {
    pub(super) async fn open(database: &str) -> Result<Self> {
        let mut connections = Vec::new();
        for _ in 0..CONNECTIONS {
            let (client, connection) = tokio_postgres::connect(database, NoTls).await?;
            tokio::spawn(connection);
            connections.push(Connection {
                create: client.prepare(CREATE).await?,
                update: client.prepare(UPDATE).await?,
                patch: client.prepare(PATCH).await?,
                bulk: client.prepare(BULK).await?,
                client,
            });
        }
        Ok(Self {
            connections,
            next: AtomicUsize::new(0),
        })
    }

    fn connection(&self) -> &Connection {
        &self.connections[self.next.fetch_add(1, Ordering::Relaxed) % self.connections.len()]
    }

    pub(super) async fn create(&self, article: &Article) -> Result<i64> {
        let Connection { client, create, .. } = self.connection();
        let Article { title, slug, .. } = article;
        let (body, active) = (&article.body, &article.is_active);
        let (line, event) = (line("store", article)?, event("store"));
        let row = client
            .query_one(create, &[title, slug, body, active, &line, &event])
            .await?;
        Ok(row.try_get(0)?)
    }

    pub(super) async fn update(
        &self,
        id: i64,
        article: &Article,
        tag: Option<i64>,
    ) -> Result<Option<i64>> {
        let Connection { client, update, .. } = self.connection();
        let Article { title, slug, .. } = article;
        let (body, active) = (&article.body, &article.is_active);
        let (line, event) = (line("update", article)?, event("update"));
        let row = client
            .query_opt(
                update,
                &[&id, title, slug, body, active, &line, &event, &tag],
            )
            .await?;
        Ok(row.map(|row| row.try_get(0)).transpose()?)
    }

    pub(super) async fn patch(&self, id: i64, title: &Title) -> Result<Option<i64>> {
        let Connection { client, patch, .. } = self.connection();
        let (line, event) = (line("update", &title.title)?, event("update"));
        let row = client
            .query_opt(patch, &[&id, &title.title, &line, &event])
            .await?;
        Ok(row.map(|row| row.try_get(0)).transpose()?)
    }

    pub(super) async fn bulk(&self, articles: &[Article]) -> Result<Vec<i64>> {
        let Connection { client, bulk, .. } = self.connection();
        let titles: Vec<_> = articles.iter().map(|article| &article.title).collect();
        let slugs: Vec<_> = articles.iter().map(|article| &article.slug).collect();
        let bodies: Vec<_> = articles.iter().map(|article| &article.body).collect();
        let active: Vec<_> = articles.iter().map(|article| article.is_active).collect();
        let lines = articles.iter().map(|article| line("store", article));
        let lines = lines.collect::<Result<Vec<_>>>()?;
        let rows = client
            .query(
                bulk,
                &[&titles, &slugs, &bodies, &active, &lines, &event("store")],
            )
            .await?;
        rows.iter().map(|row| Ok(row.try_get(0)?)).collect()
    }

    /// The table fills in what the file does not have.
    pub(super) async fn copy(&self, file: Bytes) -> Result<u64> {
        let defaults = "ALTER TABLE articles ALTER created_at SET DEFAULT now(), ALTER updated_at SET DEFAULT now()";
        self.connection().client.batch_execute(defaults).await?;
        let sink = self.connection().client.copy_in::<_, Bytes>(COPY).await?;
        let mut sink = pin!(sink);
        sink.send(file).await?;
        sink.finish().await.context("the file")
    }

    pub(super) async fn dispatch(&self) -> Result<()> {
        let sql = "DELETE FROM listing_events RETURNING id, body";
        self.connection().client.query(sql, &[]).await?;
        Ok(())
    }
}
