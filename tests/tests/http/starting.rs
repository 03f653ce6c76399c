//! A database that comes up after the service, and a disk that does not take what is written.

use std::time::Duration;

use blog::connect::connect;
use blog::migration::Migrator;
use listing_axum::database::connect_within;
use listing_tests::{Engine, Service, fresh_database, on_each_database, run};
use sea_orm::sqlx::Connection as _;
use sea_orm::{ConnectionTrait, DatabaseConnection, DbBackend, TransactionTrait};
use sea_orm_migration::MigratorTrait;
use serde_json::json;
use tokio::net::{TcpListener, TcpStream};
use tokio::time::timeout;

/// Rule b340.
#[test]
fn a_service_waits_for_a_database_that_is_still_starting() {
    run(async {
        let url = std::env::var("LISTING_TEST_POSTGRES_URL").unwrap();
        let (_, rest) = url.split_once('@').unwrap();
        let server = rest.split('/').next().unwrap().to_owned();
        // A port that was free a moment ago.
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        drop(listener);
        let url = url.replace(&server, &address.to_string());

        let at_once = connect_within(&url, 1, Duration::ZERO).await;
        assert!(at_once.unwrap_err().to_string().contains("refused"));

        let mut waits = Box::pin(connect_within(&url, 1, Duration::from_secs(60)));
        let first = timeout(Duration::from_millis(300), &mut waits).await;
        assert!(first.is_err(), "it has not given up: {first:?}");
        let listener = TcpListener::bind(address).await.unwrap();
        tokio::spawn(async move {
            while let Ok((mut client, _)) = listener.accept().await {
                let mut server = TcpStream::connect(&server).await.unwrap();
                tokio::spawn(async move {
                    let _ = tokio::io::copy_bidirectional(&mut client, &mut server).await;
                });
            }
        });
        waits.await.unwrap();
        // What will never work is told at once.
        for wrong in ["oracle://host", "sqlite:not/there/at/all.sqlite"] {
            let told = connect_within(wrong, 1, Duration::from_secs(3_600));
            let told = timeout(Duration::from_secs(30), told).await;
            assert!(told.expect("told at once").is_err(), "{wrong}");
        }
    });
}

/// Rule b705.
#[test]
fn a_service_tells_of_its_definitions_before_it_looks_for_a_database() {
    run(async {
        let mut config = listing_axum::Config::default();
        config.database = "sqlite:not/there/at/all.sqlite".into();
        let mistaken = |mut settings: listing::Settings| {
            settings.relation_limit = 0;
            blog::resources::api(settings)
        };
        let service = listing_axum::Service::new(mistaken).config(config.clone());
        let refused = service.run().await.unwrap_err();
        let said = format!("{refused:?}");
        assert!(
            said.starts_with("1 mistake in listing definitions:"),
            "{said}"
        );
        let refused = blog::service().config(config).run().await.unwrap_err();
        let said = format!("{refused:?}");
        assert!(said.starts_with("cannot open the database `"), "{said}");
        assert!(said.contains("`\n\nCaused by:\n    "), "{said}");
    });
}

/// Rule b705.
#[test]
fn a_service_has_places_for_routes_layers_and_a_state_of_its_own() {
    use axum::extract::State;
    use axum::http::Request;
    use blog::entity::{article, author, comment, tag};
    use listing_axum::{Api, App, Config, PublicRead};
    use tower::ServiceExt as _;

    struct Greeting(&'static str);

    run(async {
        let api = |settings| {
            Api::new("/api")
                .listing::<article::Entity>()
                .listing::<author::Entity>()
                .listing::<comment::Entity>()
                .read::<PublicRead<tag::Entity>>()
                .build(settings)
        };
        let greet = async |State(app): State<App<Greeting>>| app.own().0;
        let routes = axum::Router::new().route("/own", axum::routing::get(greet));
        let db = connect("sqlite::memory:", 1).await.unwrap();
        let router = listing_axum::Service::with_state(Greeting("hello"), api)
            .migrations::<Migrator>()
            .prepare(async |db| blog::data::load_demo(&db).await)
            .routes(routes)
            .layer(|routes, _| routes.layer(axum::Extension(listing::Context::new())))
            .explorer()
            .on(db, &Config::default())
            .await
            .unwrap();
        for (path, begins) in [
            ("/own", "hello"),
            ("/healthz", "ok"),
            ("/readyz", "ready"),
            ("/explorer", "<!doctype html>"),
            (
                "/api/tags",
                "{\"message\":\"Tags retrieved.\",\"data\":[{\"id\":",
            ),
            ("/api/_describe", "{"),
        ] {
            let request = Request::get(path).body(axum::body::Body::empty()).unwrap();
            let reply = router.clone().oneshot(request).await.unwrap();
            assert_eq!(reply.status(), 200, "{path}");
            let body = axum::body::to_bytes(reply.into_body(), usize::MAX).await;
            let body = String::from_utf8(body.unwrap().to_vec()).unwrap();
            assert!(body.starts_with(begins), "{path}: {body}");
        }
    });
}

/// Rule b625.
#[test]
fn statements_of_the_driver_are_logged_for_those_who_debug_however_slow_they_are() {
    on_each_database(async |service| {
        let db = &service.db;
        let options = match db.get_database_backend() {
            DbBackend::Postgres => {
                format!("{:?}", db.get_postgres_connection_pool().connect_options())
            }
            DbBackend::MySql => format!("{:?}", db.get_mysql_connection_pool().connect_options()),
            _ => format!("{:?}", db.get_sqlite_connection_pool().connect_options()),
        };
        for level in ["statements_level: Debug", "slow_statements_level: Debug"] {
            assert!(options.contains(level), "`{level}` is not in {options}");
        }
    });
}

async fn pragma(db: &DatabaseConnection, name: &str) -> i64 {
    let statement =
        sea_orm::Statement::from_string(db.get_database_backend(), format!("PRAGMA {name}"));
    let row = db.query_one_raw(statement).await.unwrap().unwrap();
    row.try_get_by_index(0).unwrap()
}

/// A file of its own, without a query string.
fn file(name: &str) -> String {
    let file = std::env::temp_dir().join(format!("listing-{name}-{}.sqlite", std::process::id()));
    for suffix in ["", "-wal", "-shm"] {
        let _ = std::fs::remove_file(format!("{}{suffix}", file.display()));
    }
    format!("sqlite:{}", file.display())
}

/// Rule b341.
#[test]
fn what_is_written_to_sqlite_is_on_the_disk_before_it_is_acknowledged() {
    run(async {
        let url = file("synchronous");
        for (options, synchronous) in [
            ("", 2),
            ("?mode=rwc", 2),
            ("?synchronous=normal", 1),
            ("?mode=rwc&synchronous=normal", 1),
            ("?synchronous=normal&mode=rwc", 1),
        ] {
            let db = connect(&format!("{url}{options}"), 1).await.unwrap();
            assert_eq!(pragma(&db, "synchronous").await, synchronous, "{options}");
            db.close().await.unwrap();
        }
    });
}

/// Rule b342.
#[test]
fn a_disk_that_is_full_or_read_only_is_503_for_writes_and_lists_go_on() {
    run(async {
        let db = connect(&file("full"), 1).await.unwrap();
        Migrator::up(&db, None).await.unwrap();
        blog::data::load_demo(&db).await.unwrap();
        let service = Service::on(Engine::Sqlite, db.clone(), listing::Settings::default()).await;
        let write = async |slug: &str| {
            let body = "x".repeat(500_000);
            let article = json!({ "title": "t", "slug": slug, "body": body, "is_active": true });
            service.post("/api/articles", &article).await
        };
        assert_eq!(write("fits").await.status, 201);
        let pages = pragma(&db, "page_count").await;
        pragma(&db, &format!("max_page_count = {pages}")).await;
        let full = write("does-not-fit").await;
        assert_eq!(full.error_code(503), "unavailable");
        assert_eq!(full.header("retry-after"), Some("1"));
        pragma(&db, "max_page_count = 1000000").await;
        db.execute_unprepared("PRAGMA query_only = ON")
            .await
            .unwrap();
        assert_eq!(write("not-now").await.error_code(503), "unavailable");
        assert_eq!(service.get("/api/articles").await.ids().len(), 25);
        db.execute_unprepared("PRAGMA query_only = OFF")
            .await
            .unwrap();
        assert_eq!(write("fits-again").await.status, 201);
    });
}

/// Rule b346.
#[test]
fn a_transaction_that_sqlite_ended_by_itself_is_not_gone_on_with() {
    run(async {
        let db = connect(&file("ended"), 1).await.unwrap();
        let ended = db.begin().await.unwrap();
        // As SQLite does itself when the disk is full.
        ended.execute_unprepared("ROLLBACK").await.unwrap();
        drop(ended);
        let connection = db.get_sqlite_connection_pool().acquire().await.unwrap();
        assert!(!connection.is_in_transaction());
    });
}

/// Rule b1120.
#[test]
fn copies_that_start_together_prepare_the_database_one_after_another() {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use listing_axum::Config;
    use sea_orm::DbErr;

    run(async {
        let config = Config::default();
        for engine in [Engine::Postgres, Engine::Mysql] {
            let db = fresh_database(engine).await;
            // How many copies are at it now, and how many there were at most.
            let (now, most) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
            let copy = || {
                let (now, most) = (Arc::clone(&now), Arc::clone(&most));
                blog::service()
                    .migrations::<Migrator>()
                    .prepare(async move |db| {
                        most.fetch_max(now.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                        blog::data::load_demo_if_empty(&db).await?;
                        now.fetch_sub(1, Ordering::SeqCst);
                        Ok::<_, DbErr>(())
                    })
                    .on(db.clone(), &config)
            };
            let started = tokio::join!(copy(), copy(), copy());
            for started in [started.0, started.1, started.2] {
                assert!(started.is_ok(), "{engine}: {:?}", started.err());
            }
            assert_eq!(most.load(Ordering::SeqCst), 1, "{engine}");
            db.close().await.unwrap();
        }
    });
}
