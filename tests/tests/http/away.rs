//! A database that is away, busy or broken: what the client is told, and what it is not (d53).

use std::net::TcpListener;
use std::time::Duration;

use axum::http::header;
use listing::{ReadOptions, ReadPool};
use listing_tests::{Engine, Reply, Service, on_each_fresh_database, run};
use sea_orm::sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use sea_orm::sqlx::{mysql::MySqlPoolOptions, sqlite::SqlitePoolOptions};
use sea_orm::{
    ConnectionTrait, DatabaseConnection, SqlxMySqlConnector, SqlxPostgresConnector,
    SqlxSqliteConnector, TransactionTrait,
};
use serde_json::json;

use crate::errors::assert_layout;

const LISTS: [&str; 4] = [
    "/api/articles",
    "/api/authors?populate=articles",
    "/api/comments",
    "/api/tags?pagination[withCount]=false",
];

/// The whole body: there is no room in it for the database's text.
const AWAY: &str = concat!(
    r#"{"data":null,"message":"The database is not available; try again later.","#,
    r#""error":{"status":503,"name":"ServiceUnavailable","code":"unavailable","#,
    r#""message":"The database is not available; try again later."},"#,
    r#""meta":{"code":503,"message":"The database is not available; try again later."}}"#
);

const BROKEN: &str = concat!(
    r#"{"data":null,"message":"Something went wrong on our side.","#,
    r#""error":{"status":500,"name":"InternalServerError","code":"internal_error","#,
    r#""message":"Something went wrong on our side."},"#,
    r#""meta":{"code":500,"message":"Something went wrong on our side."}}"#
);

#[track_caller]
fn assert_away(reply: &Reply) {
    assert_layout(reply);
    assert_eq!(
        (reply.status.as_u16(), reply.text()),
        (503, AWAY.to_owned())
    );
    assert_eq!(reply.headers[header::RETRY_AFTER], "1");
}

/// Rules d53, b63, b76.
#[test]
fn a_closed_database_is_503_with_retry_after() {
    on_each_fresh_database(async |service| {
        assert_eq!(service.get("/readyz").await.ok().text(), "ready");
        service.db.clone().close().await.unwrap();
        for list in LISTS {
            assert_away(&service.get(list).await);
        }
        assert_away(&service.get("/readyz").await);
        // The process itself is well, and what needs no database goes on.
        assert_eq!(service.get("/healthz").await.ok().text(), "ok");
        let refused = service.get("/api/articles?pagination[page]=0").await;
        assert_eq!(refused.error_code(400), "bad_number");
        assert_eq!(
            service.get("/nothing").await.error_code(404),
            "route_not_found"
        );
    });
}

/// Rule d53.
#[test]
fn a_server_that_nobody_listens_for_is_503() {
    // A port that was free a moment ago.
    let port = TcpListener::bind("127.0.0.1:0")
        .and_then(|listener| listener.local_addr())
        .unwrap()
        .port();
    let nobody = PgConnectOptions::new_without_pgpass()
        .host("127.0.0.1")
        .port(port)
        .username("listing")
        .password("s3cret");
    run(async {
        let pool = PgPoolOptions::new()
            .acquire_timeout(Duration::from_millis(50))
            .connect_lazy_with(nobody);
        let db = SqlxPostgresConnector::from_sqlx_postgres_pool(pool);
        // Readers are set up as the application's connections are, which cannot be known yet (b131).
        let readers = ReadPool::alongside(&db, ReadOptions::new()).await;
        assert!(readers.is_err());
        let settings = listing::Settings::default();
        let service = Service::through_sea_orm(Engine::Postgres, db, settings);
        for list in LISTS {
            assert_away(&service.get(list).await);
        }
        assert_away(&service.get("/readyz").await);
    });
}

/// A pool of one connection to the same database, for which nobody waits long.
fn one_connection(db: &DatabaseConnection, engine: Engine) -> DatabaseConnection {
    let short = Duration::from_secs(1);
    match engine {
        Engine::Sqlite => SqlxSqliteConnector::from_sqlx_sqlite_pool(
            SqlitePoolOptions::new()
                .max_connections(1)
                .acquire_timeout(short)
                .connect_lazy_with((*db.get_sqlite_connection_pool().connect_options()).clone()),
        ),
        Engine::Postgres => SqlxPostgresConnector::from_sqlx_postgres_pool(
            PgPoolOptions::new()
                .max_connections(1)
                .acquire_timeout(short)
                .connect_lazy_with((*db.get_postgres_connection_pool().connect_options()).clone()),
        ),
        Engine::Mysql => SqlxMySqlConnector::from_sqlx_mysql_pool(
            MySqlPoolOptions::new()
                .max_connections(1)
                .acquire_timeout(short)
                .connect_lazy_with((*db.get_mysql_connection_pool().connect_options()).clone()),
        ),
    }
}

/// Rule d53.
#[test]
fn a_busy_database_is_503_and_answers_when_it_is_free_again() {
    on_each_fresh_database(async |service| {
        let db = one_connection(&service.db, service.engine);
        // The fast readers have connections of their own, which nobody holds.
        let settings = listing::Settings::default();
        let service = Service::through_sea_orm(service.engine, db, settings);
        let held = loop {
            // On a machine with much else to do even the first connection can take longer.
            if let Ok(held) = service.db.begin().await {
                break held;
            }
        };
        assert_away(&service.get("/api/tags").await);
        held.rollback().await.unwrap();
        assert_eq!(service.get("/api/tags").await.ids().len(), 25);
    });
}

/// Rule d53.
#[test]
fn a_statement_that_the_database_refuses_is_500_and_its_text_stays_here() {
    on_each_fresh_database(async |service| {
        service
            .db
            .execute_unprepared("DROP TABLE seo")
            .await
            .unwrap();
        let broken = [
            "/api/articles?populate=seo",
            "/api/articles?sort=seo.meta_title&pagination[withCount]=false",
        ];
        for list in broken {
            let reply = service.get(list).await;
            assert_layout(&reply);
            assert_eq!(
                (reply.status.as_u16(), reply.text()),
                (500, BROKEN.to_owned())
            );
            assert!(reply.headers.get(header::RETRY_AFTER).is_none());
        }
        // What does not touch it goes on.
        assert_eq!(service.get("/api/articles").await.ids().len(), 25);
    });
}

/// Every way to write.
async fn writes(service: &Service, slug: &str, id: i64) -> [Reply; 3] {
    let article = |slug: String| json!({ "title": "Written", "slug": slug, "is_active": true });
    let path = format!("/api/articles/{id}");
    [
        service
            .post("/api/articles", &article(slug.to_owned()))
            .await,
        service.put(&path, &article(format!("{slug}-again"))).await,
        service.delete(&path).await,
    ]
}

/// Rule b416.
#[test]
fn a_sqlite_file_that_is_read_only_is_read_and_writes_are_503_until_it_is_writable_again() {
    run(async {
        let service = Service::fresh(Engine::Sqlite).await;
        let article = json!({ "title": "Kept", "slug": "kept", "is_active": true });
        let kept = service.post("/api/articles", &article).await.created();
        let lists = async |service: &Service| {
            let mut bodies = Vec::new();
            for list in LISTS {
                bodies.push(service.get(list).await.ok().text());
            }
            bodies.push(
                service
                    .get(&format!("/api/articles/{kept}"))
                    .await
                    .ok()
                    .text(),
            );
            bodies
        };
        let before = lists(&service).await;

        // From the start, by the URL.
        let pool = service.db.get_sqlite_connection_pool();
        let file = pool.connect_options().get_filename().to_owned();
        let url = format!("sqlite:{}?mode=ro", file.display());
        let db = blog::connect::connect(&url, 5).await.unwrap();
        let read_only = Service::on(Engine::Sqlite, db, listing::Settings::default()).await;
        assert_eq!(read_only.get("/readyz").await.ok().text(), "ready");
        for reply in writes(&read_only, "lost", kept).await {
            assert_away(&reply);
        }
        assert_eq!(lists(&read_only).await, before);

        // In the middle, as of a disk that the system makes read-only; each connection is told so by SQLite.
        let db = one_connection(&service.db, Engine::Sqlite);
        let turned = Service::on(Engine::Sqlite, db, listing::Settings::default()).await;
        let turn = async |to: &str| {
            let sql = format!("PRAGMA query_only = {to}");
            turned.db.execute_unprepared(&sql).await.unwrap();
        };
        turn("ON").await;
        for reply in writes(&turned, "lost", kept).await {
            assert_away(&reply);
        }
        assert_eq!(lists(&turned).await, before);
        turn("OFF").await;
        let written = writes(&turned, "written", kept).await;
        assert_eq!(written.map(|reply| reply.status.as_u16()), [201, 200, 200]);
    });
}
