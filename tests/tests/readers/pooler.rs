//! PostgreSQL through a pooler in transaction mode: everything works, and nothing stays in the sessions that it lends.

use std::time::Duration;

use listing::{ExecuteError, ReadOptions, ReadPool, ReadPoolError};
use listing_tests::{Engine, Service, fresh_database, run};
use sea_orm::sqlx::postgres::{PgConnectOptions, PgConnection, PgPoolOptions, PgRow};
use sea_orm::sqlx::{AssertSqlSafe, Connection as _, Row as _, raw_sql};
use sea_orm::{DatabaseConnection, SqlxPostgresConnector};
use serde_json::json;
use tokio::task::JoinSet;

use crate::base::{rows, value};
use crate::pgbouncer::{PgBouncer, keeps_none};

const LISTS: [&str; 4] = [
    "/api/articles?populate=author,comments,tags,seo&pagination[pageSize]=7",
    "/api/authors?filters[country][$eq]=DE&sort=name",
    "/api/comments?pagination[page]=3",
    "/api/tags?pagination[withCount]=false",
];

const EXPORTS: [&str; 3] = [
    "/api/articles.csv?sort=id&fields=*&populate=author&labels=true",
    "/api/articles.ndjson?populate=author,comments,tags,seo&sort=id",
    "/api/articles.xlsx?sort=id",
];

/// What a session was told, as anybody sees it who is lent it next.
const TOLD: &str = "SELECT current_setting('default_transaction_read_only') || ' ' \
     || current_setting('statement_timeout') || ' ' || current_setting('jit') || ' ' \
     || current_setting('max_parallel_workers_per_gather') || ' ' || current_setting('plan_cache_mode') || ' ' \
     || (SELECT count(*) FROM pg_prepared_statements WHERE name NOT LIKE 'PGBOUNCER%')";

async fn connect(url: &str) -> PgConnection {
    let options: PgConnectOptions = url.parse().unwrap();
    let options = options.extra_float_digits(None);
    PgConnection::connect_with(&options).await.unwrap()
}

async fn told(connection: &mut PgConnection) -> String {
    let row: PgRow = raw_sql(TOLD).fetch_one(connection).await.unwrap();
    row.get(0)
}

/// What every session of the pooler was told: each is lent to a transaction of its own at the same time.
async fn told_to_all(bouncer: &PgBouncer, sessions: u32) -> Vec<String> {
    let mut all = Vec::new();
    let mut held = Vec::new();
    for _ in 0..sessions {
        let mut plain = connect(&bouncer.url).await;
        raw_sql("BEGIN").execute(&mut plain).await.unwrap();
        all.push(told(&mut plain).await);
        let written = raw_sql("CREATE TABLE plain (id int)").execute(&mut plain);
        written.await.unwrap();
        raw_sql("ROLLBACK").execute(&mut plain).await.unwrap();
        raw_sql("BEGIN").execute(&mut plain).await.unwrap();
        held.push(plain);
    }
    all
}

async fn through(bouncer: &PgBouncer, connections: u32) -> DatabaseConnection {
    blog::connect::connect(&bouncer.url, connections)
        .await
        .unwrap()
}

/// Rules d112, b590, b592.
#[test]
fn everything_works_through_a_pooler_and_nothing_stays_in_its_sessions() {
    // As it is by itself, and without prepared statements: Debian 12's has none.
    let kinds = ["", keeps_none()];
    let kinds = if keeps_none().is_empty() {
        &kinds[..1]
    } else {
        &kinds[..]
    };
    for kind in kinds {
        run(works_and_leaves_nothing(kind));
    }
}

async fn works_and_leaves_nothing(kind: &str) {
    let direct = Service::fresh(Engine::Postgres).await;
    let own = connect(&url_of(&direct.db)).await;
    let bouncer = PgBouncer::start(&direct.db, 3, kind);
    let db = through(&bouncer, 5).await;
    let pooled = Service::on(Engine::Postgres, db, listing::Settings::default()).await;
    if !format!("{:?}", pooled.reads).contains("SeaORM") {
        assert!(format!("{:?}", pooled.reads).contains("pooler"));
    }
    for list in LISTS {
        let expected = direct.get(list).await.ok().text();
        assert_eq!(pooled.get(list).await.ok().text(), expected, "{list}");
    }
    for export in EXPORTS {
        let expected = direct.get(export).await.ok();
        let found = pooled.get(export).await.ok();
        assert!(found.bytes == expected.bytes, "{export}");
    }

    // Readers and writers on the same sessions, at the same time.
    let mut all = JoinSet::new();
    for number in 0..40 {
        let pooled = pooled.clone();
        all.spawn(async move {
            let list = LISTS[number % LISTS.len()];
            assert_eq!(pooled.get(list).await.status, 200, "{list}");
            let slug = format!("pooled-{number}");
            let mut article = json!({ "title": "Pooled", "slug": slug, "is_active": true });
            let id = pooled.post("/api/articles", &article).await.created();
            let path = format!("/api/articles/{id}");
            assert_eq!(pooled.get(&path).await.ok().json()["data"]["slug"], slug);
            // A write that is refused, in the middle of its transaction.
            pooled.post("/api/articles", &article).await.invalid();
            article["title"] = json!("Changed");
            assert_eq!(pooled.put(&path, &article).await.status, 200);
            let shown = pooled.get(&path).await.ok().json();
            assert_eq!(shown["data"]["title"], "Changed");
            assert_eq!(pooled.delete(&path).await.status, 200);
            assert_eq!(pooled.get(&path).await.error_code(404), "not_found");
        });
    }
    while let Some(done) = all.join_next().await {
        done.unwrap();
    }

    let mut own = own;
    let expected = told(&mut own).await;
    assert!(expected.starts_with("off 0 "), "{expected}");
    for found in told_to_all(&bouncer, 3).await {
        assert_eq!(found, expected);
    }
}

/// Rule b592.
#[test]
fn a_pooler_that_forgets_statements_is_named_where_they_would_be_kept() {
    run(async {
        let direct = fresh_database(Engine::Postgres).await;
        // The second ignores what the first refuses.
        for more in [
            "",
            "ignore_startup_parameters = options, extra_float_digits",
        ] {
            let bouncer = PgBouncer::start(&direct, 2, more);
            let keeping: PgConnectOptions = bouncer.url.parse().unwrap();
            let keeping = keeping.extra_float_digits(None);
            let pool = PgPoolOptions::new().connect_lazy_with(keeping.clone());
            let db = SqlxPostgresConnector::from_sqlx_postgres_pool(pool);
            let refused = ReadPool::alongside(&db, ReadOptions::new()).await;
            let Err(error @ ReadPoolError::Pooler) = refused else {
                panic!("{refused:?}");
            };
            let error = error.to_string();
            assert!(error.contains("PgBouncer"), "{error}");
            assert!(error.contains("statement-cache-capacity=0"), "{error}");

            let forgetting = keeping.statement_cache_capacity(0);
            let pool = PgPoolOptions::new().connect_lazy_with(forgetting);
            let db = SqlxPostgresConnector::from_sqlx_postgres_pool(pool);
            let reads = ReadPool::alongside(&db, ReadOptions::new()).await.unwrap();
            assert_eq!(value(&reads, "SELECT 42").await, "42");
            let reads = ReadPool::connect(&bouncer.url, ReadOptions::new()).await;
            assert_eq!(value(&reads.unwrap(), "SELECT 42").await, "42");
        }
    });
}

/// Rule b590.
#[test]
fn a_statement_through_a_pooler_only_reads_and_ends_in_time() {
    run(async {
        let direct = fresh_database(Engine::Postgres).await;
        let bouncer = PgBouncer::start(&direct, 1, "");
        let options = ReadOptions::new().statement_timeout(Duration::from_millis(100));
        let reads = ReadPool::connect(&bouncer.url, options).await.unwrap();
        let slow = rows(&reads, 1, "SELECT pg_sleep(60)::text", Vec::new()).await;
        assert!(matches!(slow, Err(ExecuteError::OverTime(_))), "{slow:?}");
        let write = "CREATE TABLE written (id int)";
        let write = rows(&reads, 0, write, Vec::new()).await;
        assert!(matches!(write, Err(ExecuteError::Refused(_))), "{write:?}");
        // An enumeration's labels are known without a statement that stays.
        let mut own = connect(&url_of(&direct)).await;
        let made = raw_sql("CREATE TYPE mood AS ENUM ('calm', 'keen')").execute(&mut own);
        made.await.unwrap();
        for _ in 0..3 {
            assert_eq!(value(&reads, "SELECT 'keen'::mood").await, "keen");
        }
        let expected = told(&mut own).await;
        assert_eq!(told_to_all(&bouncer, 1).await, [expected]);
    });
}

/// Rule b591.
#[test]
fn a_statement_that_nobody_waits_for_is_cancelled_through_a_pooler() {
    run(async {
        let direct = fresh_database(Engine::Postgres).await;
        let bouncer = PgBouncer::start(&direct, 4, "");
        let reads = ReadPool::connect(&bouncer.url, ReadOptions::new()).await;
        let reads = reads.unwrap();
        // The session in which it runs, or none.
        let running = "SELECT coalesce(max(pid)::text, '') FROM pg_stat_activity \
             WHERE datname = current_database() AND state = 'active' AND query LIKE '%pg_sleep(61)%' \
             AND pid <> pg_backend_pid()";
        let mut own = connect(&url_of(&direct)).await;
        let abandoned = {
            let reads = reads.clone();
            tokio::spawn(
                async move { rows(&reads, 1, "SELECT pg_sleep(61)::text", Vec::new()).await },
            )
        };
        let session = loop {
            let found = text(&mut own, running).await;
            if !found.is_empty() {
                break found;
            }
        };
        // Another client's statement goes on.
        let mut other = connect(&bouncer.url).await;
        let other = tokio::spawn(async move {
            let slept = raw_sql("SELECT pg_sleep(0.5)::text").execute(&mut other);
            slept.await.map(drop)
        });
        abandoned.abort();
        assert!(abandoned.await.is_err());
        while !text(&mut own, running).await.is_empty() {}
        // One that is given up and not cancelled ends together with its session.
        let kept = format!("SELECT count(*)::text FROM pg_stat_activity WHERE pid = {session}");
        assert_eq!(text(&mut own, &kept).await, "1");
        other.await.unwrap().unwrap();
        assert_eq!(value(&reads, "SELECT 42").await, "42");
    });
}

async fn text(connection: &mut PgConnection, sql: &str) -> String {
    let sql = raw_sql(AssertSqlSafe(sql.to_owned()));
    let row: PgRow = sql.fetch_one(connection).await.unwrap();
    row.get(0)
}

/// The URL of the server itself.
fn url_of(db: &DatabaseConnection) -> String {
    use sea_orm::sqlx::ConnectOptions as _;
    let options = db.get_postgres_connection_pool().connect_options();
    options.to_url_lossy().to_string()
}
