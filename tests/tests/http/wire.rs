//! Puts an application on a real socket, and sends and receives raw bytes.
//!
//! By hand, because a proper client would refuse to send half of what these tests send.

use std::future::Future;
use std::net::{Shutdown, SocketAddr};
use std::time::Duration;

use listing_axum::{Config, serve};
use listing_tests::RunningApp;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tokio::time::timeout;

/// A server that takes longer has failed.
const PATIENCE: Duration = Duration::from_secs(30);

/// A server on a port of its own.
pub(crate) struct Server {
    pub(crate) address: SocketAddr,
    stop: oneshot::Sender<()>,
    ended: JoinHandle<()>,
}

impl Server {
    /// Serves as the reference service does.
    pub(crate) async fn start(app: RunningApp) -> Self {
        Self::start_with(app, Config::default()).await
    }

    /// The same, with other limits.
    pub(crate) async fn start_with(app: RunningApp, config: Config) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (stop, stopped) = oneshot::channel();
        let ended = tokio::spawn(async move {
            let stopped = async { stopped.await.unwrap_or_default() };
            serve(listener, app, &config, stopped).await.unwrap();
        });
        Self {
            address,
            stop,
            ended,
        }
    }

    pub(crate) async fn connect(&self) -> Connection {
        Connection::to(self.address).await
    }

    /// One request on a connection of its own.
    pub(crate) async fn ask(&self, request: impl AsRef<[u8]>) -> WireReply {
        let mut connection = self.connect().await;
        connection.send(request).await;
        connection.reply().await
    }

    /// Tells the server to stop; what comes back is done when it has.
    pub(crate) fn stop(self) -> impl Future<Output = ()> {
        self.stop.send(()).unwrap();
        async {
            let ended = timeout(PATIENCE, self.ended).await;
            ended.expect("the server does not stop").unwrap();
        }
    }
}

/// One request on a connection of its own, to whoever listens there.
pub(crate) async fn ask_at(address: SocketAddr, request: impl AsRef<[u8]>) -> WireReply {
    let mut connection = Connection::to(address).await;
    connection.send(request).await;
    connection.reply().await
}

pub(crate) struct Connection {
    stream: TcpStream,
    unread: Vec<u8>,
}

/// An answer as it came.
#[derive(Debug)]
pub(crate) struct WireReply {
    pub(crate) status: u16,
    /// Names in lower case.
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

impl WireReply {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let (_, value) = self.headers.iter().find(|(known, _)| known == name)?;
        Some(value)
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    #[track_caller]
    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error} in {self:?}"))
    }
}

impl Connection {
    pub(crate) async fn to(address: SocketAddr) -> Self {
        Self {
            stream: TcpStream::connect(address).await.unwrap(),
            unread: Vec::new(),
        }
    }

    pub(crate) async fn send(&mut self, bytes: impl AsRef<[u8]>) {
        let mut bytes = bytes.as_ref();
        while !bytes.is_empty() {
            self.stream.writable().await.unwrap();
            match self.stream.try_write(bytes) {
                Ok(written) => bytes = &bytes[written..],
                Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => {}
                // A server that has refused already need not read the rest.
                Err(_) => return,
            }
        }
    }

    /// Says that nothing more will be sent.
    pub(crate) fn finish_sending(self) -> Self {
        let stream = self.stream.into_std().unwrap();
        stream.shutdown(Shutdown::Write).unwrap();
        Self {
            stream: TcpStream::from_std(stream).unwrap(),
            ..self
        }
    }

    /// The next answer.
    pub(crate) async fn reply(&mut self) -> WireReply {
        self.reply_to("GET").await
    }

    /// The next answer, to a request by that method: an answer to `HEAD` has no body, whatever its length says.
    pub(crate) async fn reply_to(&mut self, method: &str) -> WireReply {
        let head = loop {
            if let Some(end) = find(&self.unread, b"\r\n\r\n") {
                let head = self.unread.drain(..end + 4).collect::<Vec<_>>();
                break String::from_utf8(head).unwrap();
            }
            assert!(self.read().await, "the connection ended: {:?}", self.unread);
        };
        let mut lines = head.split("\r\n");
        let status_line = lines.next().unwrap();
        let status = status_line.split(' ').nth(1).unwrap().parse().unwrap();
        let headers: Vec<_> = lines
            .filter_map(|line| line.split_once(": "))
            .map(|(name, value)| (name.to_ascii_lowercase(), value.to_owned()))
            .collect();
        let mut reply = WireReply {
            status,
            headers,
            body: Vec::new(),
        };
        assert_eq!(reply.header("transfer-encoding"), None, "{reply:?}");
        if method != "HEAD" {
            let length = reply
                .header("content-length")
                .map_or(0, |length| length.parse().unwrap());
            while self.unread.len() < length {
                assert!(self.read().await, "the body ended early");
            }
            reply.body = self.unread.drain(..length).collect();
        }
        reply
    }

    /// Whether the server has closed the connection, without anything more to say.
    pub(crate) async fn is_at_end(&mut self) -> bool {
        !self.read().await && self.unread.is_empty()
    }

    /// Reads until the server closes the connection, and says how many bytes there were.
    pub(crate) async fn read_to_end(&mut self) -> usize {
        while self.read().await {}
        self.unread.len()
    }

    /// Waits for more; false at the end.
    async fn read(&mut self) -> bool {
        let mut more = [0; 16 * 1024];
        loop {
            let readable = timeout(PATIENCE, self.stream.readable()).await;
            readable.expect("the server says nothing").unwrap();
            match self.stream.try_read(&mut more) {
                Ok(0) => return false,
                Ok(read) => {
                    self.unread.extend_from_slice(&more[..read]);
                    return true;
                }
                Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => {}
                Err(_) => return false,
            }
        }
    }
}

fn find(bytes: &[u8], sought: &[u8]) -> Option<usize> {
    bytes
        .windows(sought.len())
        .position(|window| window == sought)
}
