//! Servers that stop answering without a word: nobody waits for them for long, and no answer goes astray.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use listing::{ReadOptions, ReadPool};
use listing_tests::run;
use sea_orm::ConnectionTrait;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::time::{sleep, timeout};

use crate::base::{rows, value};

const POSTGRES: &str = "LISTING_TEST_POSTGRES_URL";
const MYSQL: &str = "LISTING_TEST_MYSQL_URL";

/// Stands between a program and its database, and can keep answers back.
struct Proxy {
    url: String,
    /// Answers on the connections with lower numbers are kept back.
    kept_back: watch::Sender<usize>,
    opened: Arc<AtomicUsize>,
}

impl Proxy {
    async fn to(variable: &str) -> Self {
        let url = std::env::var(variable).unwrap();
        let (start, rest) = url.split_once("://").unwrap();
        let (authority, end) = rest.split_at(rest.find(['/', '?']).unwrap_or(rest.len()));
        let (user, server) = authority.rsplit_once('@').unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address: SocketAddr = listener.local_addr().unwrap();
        let (kept_back, told) = watch::channel(0);
        let (opened, server) = (Arc::<AtomicUsize>::default(), server.to_owned());
        let counted = Arc::clone(&opened);
        tokio::spawn(async move {
            loop {
                let (client, _) = listener.accept().await.unwrap();
                let number = counted.fetch_add(1, Ordering::Relaxed);
                let server = TcpStream::connect(&server).await.unwrap();
                let (from_client, to_client) = client.into_split();
                let (from_server, to_server) = server.into_split();
                let (_, always) = watch::channel(0);
                tokio::spawn(pass_on(from_client, to_server, number, always));
                tokio::spawn(pass_on(from_server, to_client, number, told.clone()));
            }
        });
        Self {
            url: format!("{start}://{user}@{address}{end}"),
            kept_back,
            opened,
        }
    }

    /// Nothing is heard any more of the connections that are open.
    fn vanish(&self) {
        let opened = self.opened.load(Ordering::Relaxed);
        self.kept_back.send(opened).unwrap();
    }
}

async fn pass_on(
    mut from: OwnedReadHalf,
    mut to: OwnedWriteHalf,
    number: usize,
    mut kept_back: watch::Receiver<usize>,
) {
    let mut bytes = vec![0; 65_536];
    while let Ok(length @ 1..) = from.read(&mut bytes).await {
        // Where nobody can keep them back any more, they go on.
        let _ = kept_back.wait_for(|below| number >= *below).await;
        if to.write_all(&bytes[..length]).await.is_err() {
            return;
        }
    }
}

/// Rule b523.
#[test]
fn an_answer_that_nobody_waits_for_is_not_given_to_the_next_statement() {
    run(async {
        let proxy = Proxy::to(MYSQL).await;
        let options = ReadOptions::new().connections(1);
        let reads = ReadPool::connect(&proxy.url, options).await.unwrap();
        // Nothing is heard of the one connection while a request waits, and then its client leaves.
        assert_eq!(value(&reads, "SELECT 1").await, "1");
        proxy.vanish();
        let left = timeout(Duration::from_millis(300), value(&reads, "SELECT 0")).await;
        assert!(left.is_err());
        proxy.kept_back.send(0).unwrap();
        for wanted in ["1", "2", "3"] {
            let found = rows(&reads, 1, &format!("SELECT {wanted}"), Vec::new()).await;
            assert_eq!(found.unwrap(), [[wanted]]);
        }
    });
}

/// Rule b524.
#[test]
fn a_server_that_vanishes_does_not_hold_connections_for_writing() {
    async fn comes_back(variable: &str, wait: &str) {
        let proxy = Proxy::to(variable).await;
        let db = listing_axum::database::connect(&proxy.url, 1)
            .await
            .unwrap();
        let left = timeout(Duration::from_millis(100), db.execute_unprepared(wait)).await;
        assert!(left.is_err());
        proxy.vanish();
        sleep(Duration::from_millis(15_500)).await;
        db.execute_unprepared("SELECT 1").await.unwrap();
    }
    run(async {
        tokio::join!(
            comes_back(POSTGRES, "SELECT pg_sleep(3)"),
            comes_back(MYSQL, "SELECT SLEEP(3)")
        );
    });
}
