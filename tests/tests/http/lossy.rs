//! A proxy between the service and its database that loses what tests tell it to lose.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use listing_tests::{Engine, Service};
use sea_orm::DatabaseConnection;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

/// What MariaDB says to one connection more than it has room for, before anything else and therefore without a SQLSTATE.
const TOO_MANY_CONNECTIONS: &[u8] = b"\x17\0\0\0\xff\x10\x04Too many connections";

/// What becomes of the next COMMIT.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lost {
    /// The database gets it, and its answer is lost.
    Answer,
    /// The database does not get it.
    Message,
}

/// A proxy that passes everything on, unless it is told otherwise.
pub(crate) struct Proxy {
    address: SocketAddr,
    control: Arc<Control>,
}

#[derive(Default)]
struct Control {
    loses_answer: AtomicBool,
    loses_message: AtomicBool,
    is_full: AtomicBool,
    resets: watch::Sender<u64>,
}

impl Proxy {
    pub(crate) async fn before(db: &DatabaseConnection, engine: Engine) -> Self {
        let (host, port) = match engine {
            Engine::Postgres => {
                let options = db.get_postgres_connection_pool().connect_options();
                (options.get_host().to_owned(), options.get_port())
            }
            _ => {
                let options = db.get_mysql_connection_pool().connect_options();
                (options.get_host().to_owned(), options.get_port())
            }
        };
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let control = Arc::new(Control::default());
        let shared = Arc::clone(&control);
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                let (control, server) = (Arc::clone(&shared), (host.clone(), port));
                tokio::spawn(async move {
                    let _ = pass(client, server, &control).await;
                });
            }
        });
        Self { address, control }
    }

    /// The service, whose connections go through here.
    pub(crate) async fn service(&self, direct: &Service) -> Service {
        let (ip, port) = (self.address.ip(), self.address.port());
        let url = match direct.engine {
            Engine::Postgres => {
                let options = direct.db.get_postgres_connection_pool().connect_options();
                let (user, name) = (options.get_username(), options.get_database().unwrap());
                format!("postgres://{user}@{ip}:{port}/{name}?sslmode=disable")
            }
            _ => {
                let options = direct.db.get_mysql_connection_pool().connect_options();
                let (user, name) = (options.get_username(), options.get_database().unwrap());
                format!("mysql://{user}@{ip}:{port}/{name}?ssl-mode=DISABLED")
            }
        };
        let db = blog::connect::connect(&url, 2).await.unwrap();
        Service::on(direct.engine, db, listing::Settings::default()).await
    }

    /// Ends the connection with the next COMMIT.
    pub(crate) fn lose_commit(&self, lost: Lost) {
        let control = &self.control;
        match lost {
            Lost::Answer => control.loses_answer.store(true, Ordering::SeqCst),
            Lost::Message => control.loses_message.store(true, Ordering::SeqCst),
        }
    }

    /// Ends all connections, and answers new ones as a server of MariaDB does that has no room.
    pub(crate) fn fill(&self) {
        self.control.is_full.store(true, Ordering::SeqCst);
        self.control.resets.send_modify(|number| *number += 1);
    }

    /// There is room again.
    pub(crate) fn make_room(&self) {
        self.control.is_full.store(false, Ordering::SeqCst);
    }
}

/// Whether a message is the statement alone, as each of the two protocols sends it.
fn is_commit(bytes: &[u8]) -> bool {
    bytes.ends_with(b"COMMIT\0") || bytes.ends_with(b"\x03COMMIT")
}

async fn pass(
    mut client: TcpStream,
    server: (String, u16),
    control: &Control,
) -> std::io::Result<()> {
    if control.is_full.load(Ordering::SeqCst) {
        return client.write_all(TOO_MANY_CONNECTIONS).await;
    }
    let mut reset = control.resets.subscribe();
    let mut server = TcpStream::connect(server).await?;
    let (mut sent, mut said) = ([0; 16 * 1024], [0; 16 * 1024]);
    loop {
        tokio::select! {
            read = client.read(&mut sent) => {
                let bytes = &sent[..read?];
                if bytes.is_empty() {
                    return Ok(());
                }
                let is_commit = is_commit(bytes);
                if is_commit && control.loses_message.swap(false, Ordering::SeqCst) {
                    return Ok(());
                }
                server.write_all(bytes).await?;
                if is_commit && control.loses_answer.swap(false, Ordering::SeqCst) {
                    // Once it has come, the transaction is over.
                    let _answer = server.read(&mut said).await?;
                    return Ok(());
                }
            }
            read = server.read(&mut said) => {
                let bytes = &said[..read?];
                if bytes.is_empty() {
                    return Ok(());
                }
                client.write_all(bytes).await?;
            }
            _ = reset.changed() => return Ok(()),
        }
    }
}
