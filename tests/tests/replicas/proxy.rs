//! Stands between the service and a server, and can be shut, or keep silent.

use std::net::SocketAddr;
use std::sync::Arc;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Way {
    Open,
    /// New connections are closed at once, and so are those that are open.
    Shut,
    /// Everything is taken, and nothing is answered.
    Silent,
}

pub(crate) struct Proxy {
    pub(crate) url: String,
    pub(crate) way: Arc<watch::Sender<Way>>,
}

impl Proxy {
    /// In front of the server of a URL without a password.
    pub(crate) async fn to(url: &str) -> Self {
        let (start, rest) = url.split_once("://").unwrap();
        let (authority, end) = rest.split_at(rest.find(['/', '?']).unwrap());
        let (user, server) = authority.rsplit_once('@').unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address: SocketAddr = listener.local_addr().unwrap();
        let way = Arc::new(watch::channel(Way::Open).0);
        let (told, server) = (Arc::clone(&way), server.to_owned());
        tokio::spawn(async move {
            loop {
                let (client, _) = listener.accept().await.unwrap();
                if *told.borrow() == Way::Shut {
                    continue;
                }
                let server = TcpStream::connect(&server).await.unwrap();
                let (from_client, to_client) = client.into_split();
                let (from_server, to_server) = server.into_split();
                tokio::spawn(pass_on(from_client, to_server, told.subscribe()));
                tokio::spawn(pass_on(from_server, to_client, told.subscribe()));
            }
        });
        Self {
            url: format!("{start}://{user}@{address}{end}"),
            way,
        }
    }

    pub(crate) fn set(&self, way: Way) {
        self.way.send_replace(way);
    }
}

async fn pass_on(mut from: OwnedReadHalf, mut to: OwnedWriteHalf, mut way: watch::Receiver<Way>) {
    let mut bytes = vec![0; 65_536];
    loop {
        let mut shut = way.clone();
        let length = tokio::select! {
            read = from.read(&mut bytes) => match read {
                Ok(length @ 1..) => length,
                _ => return,
            },
            _ = shut.wait_for(|way| *way == Way::Shut) => return,
        };
        let Ok(now) = way
            .wait_for(|way| *way != Way::Silent)
            .await
            .map(|way| *way)
        else {
            return;
        };
        if now == Way::Shut || to.write_all(&bytes[..length]).await.is_err() {
            return;
        }
    }
}
