//! What several copies of a service need of each other, and of the load balancer in front of them.

use std::process::{Command, id};
use std::time::Duration;

use blog::migration::Migrator;
use listing_axum::Config;
use listing_tests::{Engine, fresh_database, run, warnings_of};
use sea_orm::DatabaseConnection;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::sync::oneshot;
use tokio::time::{sleep, timeout};

use crate::server::PATIENCE;

/// A configuration for an empty database of PostgreSQL.
fn config(db: &DatabaseConnection) -> Config {
    let server = db.get_postgres_connection_pool().connect_options();
    let (host, port) = (server.get_host(), server.get_port());
    let (user, name) = (server.get_username(), server.get_database().unwrap());
    let mut config = Config::default();
    config.database = format!("postgres://{user}@{host}:{port}/{name}?sslmode=disable").into();
    config.bind = "127.0.0.1:0".to_owned();
    config
}

/// The status that a running service answers.
async fn status(url: &str, path: &str) -> u16 {
    let address = url.strip_prefix("http://").unwrap();
    let mut stream = TcpStream::connect(address).await.unwrap();
    let request = format!("GET {path} HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut reply = String::new();
    stream.read_to_string(&mut reply).await.unwrap();
    reply.split(' ').nth(1).unwrap().parse().unwrap()
}

fn terminate() {
    let told = Command::new("kill")
        .args(["-TERM", &id().to_string()])
        .status();
    assert!(told.unwrap().success());
}

/// Rule b1155.
#[test]
fn a_copy_that_is_told_to_stop_is_not_ready_and_goes_on_for_a_while() {
    run(async {
        let db = fresh_database(Engine::Postgres).await;
        let mut config = config(&db);
        config.shutdown_delay_seconds = 3_600;
        let (listens, url) = oneshot::channel();
        let served = blog::service()
            .migrations::<Migrator>()
            .config(config)
            .ready(move |url| listens.send(url.to_owned()).unwrap())
            .run();
        let asked = async {
            let url = url.await.unwrap();
            assert_eq!(status(&url, "/readyz").await, 200);
            terminate();
            while status(&url, "/readyz").await != 503 {
                sleep(Duration::from_millis(10)).await;
            }
            assert_eq!(status(&url, "/healthz").await, 200);
            assert_eq!(status(&url, "/api/articles").await, 200);
            terminate();
        };
        let ended = timeout(PATIENCE, async { tokio::join!(served, asked) });
        ended.await.unwrap().0.unwrap();
    });
}

/// Rule b1156.
#[test]
fn a_service_on_a_server_without_a_key_that_copies_share_says_so() {
    run(async {
        let db = fresh_database(Engine::Postgres).await;
        let warned = async |config: Config| {
            let prepared = blog::service()
                .migrations::<Migrator>()
                .config(config)
                .only_prepare(true)
                .run();
            let (prepared, warnings) = warnings_of(prepared).await;
            prepared.unwrap();
            warnings.contains("`cursor_key` is not set")
        };
        assert!(warned(config(&db)).await);
        let mut shared = config(&db);
        shared.settings.cursor_key = listing::CursorKey::new("a key that all copies have").unwrap();
        assert!(!warned(shared).await);
        let file = std::env::temp_dir().join(format!("listing-alone-{}.sqlite", id()));
        let mut alone = Config::default();
        alone.database = format!("sqlite:{}", file.display()).into();
        assert!(!warned(alone).await);
        std::fs::remove_file(file).unwrap();
    });
}
