//! Serves HTTP within limits: for how long a client may take, how many may be connected, and how long stopping may take.
//!
//! Written by hand on hyper, because `axum::serve` waits forever: for the head of a request, for the next one on a connection,
//! and for the last client when it is asked to stop.

use std::convert::Infallible;
use std::fmt;
use std::future::{Future, poll_fn};
use std::io;
use std::net::SocketAddr;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use axum::body::Body;
use axum::extract::{ConnectInfo, Request};
use axum::response::Response;
use hyper::body::Incoming;
use hyper::server::conn::http1;
#[cfg(feature = "https")]
use hyper::server::conn::http2;
use hyper::service::service_fn;
#[cfg(feature = "https")]
use hyper_util::rt::TokioExecutor;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::{JoinHandle, yield_now};
use tokio::time::{sleep, timeout};
use tower::{Service, ServiceExt as _};

use super::Config;
use super::connections::{Connections, Open};
use super::https::Https;
use super::sending::Sending;
use super::under_way::UnderWay;

/// When the system has no more room for a connection, the next try is a little later.
const ROOM_AFTER: Duration = Duration::from_millis(50);

/// Over HTTP/2 the path counts as a header. There is room for every allowed query string, and the service itself refuses one that
/// is too long, as over HTTP/1.1 (b525).
#[cfg(feature = "https")]
const MOST_HEADER_BYTES: u32 = 128 * 1024;

/// Serves until `stop` is done, and then until requests that are under way are answered, for at most
/// `shutdown_timeout_seconds`: [`Server::new`] and [`Server::serve`] in one.
///
/// ```no_run
/// # async fn example(router: axum::Router) -> Result<(), Box<dyn std::error::Error>> {
/// use listing_axum::{Config, serve, with_defaults};
///
/// let config = Config::default();
/// let listener = tokio::net::TcpListener::bind(&config.bind).await?;
/// let interrupted = async { drop(tokio::signal::ctrl_c().await) };
/// serve(listener, with_defaults(router, &config), &config, interrupted).await?;
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// When the certificate cannot be used, before anything is served.
pub async fn serve<S>(
    listener: TcpListener,
    service: S,
    config: &Config,
    stop: impl Future<Output = ()>,
) -> io::Result<()>
where
    S: Service<Request, Response = Response, Error = Infallible> + Clone + Send + Sync + 'static,
    S::Future: Send,
{
    Server::new(listener, config)?.serve(service, stop).await;
    Ok(())
}

/// A server that is ready: from here on, nothing can fail.
///
/// A connection is closed when the head of a request does not arrive within `http.header_timeout_seconds`, which holds for idle
/// ones too, and when its client takes nothing of a response for `http.send_timeout_seconds`. If there are
/// `http.max_connections`, the one that has been open for longest without a request or a response under way makes room for a
/// new one. Requests know the address of their client by `ConnectInfo`.
///
/// With `http.tls_certificate` and the feature `https`, clients are served by HTTPS, in HTTP/2 where they can. The files are
/// read again at SIGHUP.
///
/// ```no_run
/// # async fn example(router: axum::Router) -> Result<(), Box<dyn std::error::Error>> {
/// use listing_axum::{Config, Server, with_defaults};
///
/// let config = Config::default();
/// let listener = tokio::net::TcpListener::bind(&config.bind).await?;
/// let server = Server::new(listener, &config)?;
/// println!("Listening on {}", server.url());
/// let interrupted = async { drop(tokio::signal::ctrl_c().await) };
/// server.serve(with_defaults(router, &config), interrupted).await;
/// # Ok(())
/// # }
/// ```
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    https: Option<Https>,
    reloading: Option<JoinHandle<()>>,
    connections: Arc<Connections>,
    header_timeout: Duration,
    send_timeout: Duration,
    shutdown_timeout: Duration,
}

impl fmt::Debug for Server {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Server").field(&self.url()).finish()
    }
}

impl Server {
    /// A server on that listener, with the limits and the certificate of the configuration.
    ///
    /// # Errors
    /// When the certificate cannot be used, or the listener has no address.
    pub fn new(listener: TcpListener, config: &Config) -> io::Result<Self> {
        let https = Https::of(&config.http)?;
        let reloading = https.clone().map(Https::reload_when_told).transpose()?;
        Ok(Self {
            https,
            reloading: reloading.map(tokio::spawn),
            ..Self::without_encryption(listener, config)?
        })
    }

    /// The same, by plain HTTP whatever the configuration says.
    pub(super) fn without_encryption(listener: TcpListener, config: &Config) -> io::Result<Self> {
        Ok(Self {
            address: listener.local_addr()?,
            listener,
            https: None,
            reloading: None,
            connections: Arc::new(Connections::new(config.http.max_connections)),
            header_timeout: Duration::from_secs(config.http.header_timeout_seconds),
            send_timeout: Duration::from_secs(config.http.send_timeout_seconds),
            shutdown_timeout: Duration::from_secs(config.shutdown_timeout_seconds),
        })
    }

    /// The address that it listens on, such as `http://127.0.0.1:8080`.
    #[must_use]
    pub fn url(&self) -> String {
        let scheme = match self.https {
            Some(_) => "https",
            None => "http",
        };
        format!("{scheme}://{}", self.address)
    }

    /// Serves until `stop` is done, and then until requests that are under way are answered, for at most
    /// `shutdown_timeout_seconds`. Connections without one are closed at once.
    pub async fn serve<S>(self, service: S, stop: impl Future<Output = ()>)
    where
        S: Service<Request, Response = Response, Error = Infallible>
            + Clone
            + Send
            + Sync
            + 'static,
        S::Future: Send,
    {
        tracing::info!("listening on {}", self.url());
        self.run(service, stop).await;
    }

    /// The same, without a line in the log.
    pub(super) async fn run<S>(self, service: S, stop: impl Future<Output = ()>)
    where
        S: Service<Request, Response = Response, Error = Infallible>
            + Clone
            + Send
            + Sync
            + 'static,
        S::Future: Send,
    {
        let mut stop = pin!(stop);
        loop {
            let accepted = tokio::select! {
                accepted = self.listener.accept() => accepted,
                () = &mut stop => break,
            };
            match accepted {
                Ok((stream, address)) => self.accept(stream, address, service.clone()),
                Err(error) => no_room(&error, &self.connections).await,
            }
        }
        drop(self.listener);
        if let Some(reloading) = self.reloading {
            reloading.abort();
        }
        let stopped = timeout(self.shutdown_timeout, self.connections.stop_all());
        if stopped.await.is_err() {
            let open = self.connections.close_all();
            tracing::warn!(open, "connections were closed before they ended");
        }
    }

    /// Serves one connection in its own task.
    fn accept<S>(&self, stream: TcpStream, address: SocketAddr, service: S)
    where
        S: Service<Request, Response = Response, Error = Infallible>
            + Clone
            + Send
            + Sync
            + 'static,
        S::Future: Send,
    {
        let client = Client {
            address,
            header_timeout: self.header_timeout,
            send_timeout: self.send_timeout,
            open: self.connections.open(),
        };
        let https = self.https.clone();
        tokio::spawn(async move {
            // Small responses are one packet, which should not wait for others.
            let _ = stream.set_nodelay(true);
            client.serve(stream, https, service).await;
        });
    }
}

/// One connection.
struct Client {
    address: SocketAddr,
    header_timeout: Duration,
    send_timeout: Duration,
    open: Open,
}

impl Client {
    /// Serves it to its end.
    async fn serve<S>(self, stream: TcpStream, https: Option<Https>, service: S)
    where
        S: Service<Request, Response = Response, Error = Infallible> + Clone + Send + 'static,
        S::Future: Send,
    {
        let Some(https) = https else {
            return self.http(stream, false, service).await;
        };
        let accepted = tokio::select! {
            accepted = timeout(self.header_timeout, https.accept(stream)) => accepted,
            () = self.open.stopped() => return,
        };
        match accepted {
            Ok(Ok((stream, is_http2))) => self.http(stream, is_http2, service).await,
            Ok(Err(error)) => self.broke_off(&error),
            Err(error) => self.broke_off(&error),
        }
    }

    async fn http<S>(
        self,
        stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static,
        is_http2: bool,
        service: S,
    ) where
        S: Service<Request, Response = Response, Error = Infallible> + Clone + Send + 'static,
        S::Future: Send,
    {
        let stream = TokioIo::new(Sending::new(stream, &self.open, self.send_timeout));
        let (address, open) = (self.address, &self.open);
        let answer = service_fn(|request: Request<Incoming>| {
            let mut request = request.map(Body::new);
            request.extensions_mut().insert(ConnectInfo(address));
            let busy = open.busy();
            let answer = service.clone().oneshot(request);
            async move {
                let answered = answer.await?;
                Ok::<_, Infallible>(answered.map(|body| UnderWay::new(body, busy)))
            }
        });
        #[cfg(feature = "https")]
        if is_http2 {
            let served = http2::Builder::new(TokioExecutor::new())
                .timer(TokioTimer::new())
                .keep_alive_interval(self.header_timeout)
                .max_header_list_size(MOST_HEADER_BYTES)
                .serve_connection(stream, answer);
            return self.ends(served, |served| served.graceful_shutdown()).await;
        }
        debug_assert!(!is_http2, "only encrypted connections choose");
        let served = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(self.header_timeout)
            .serve_connection(stream, answer);
        self.ends(served, |served| served.graceful_shutdown()).await;
    }

    /// Waits for the end of a connection: it ends normally, after its last answer when the service stops, or at once when it has
    /// to make room.
    async fn ends<C>(&self, served: C, stop: impl FnOnce(Pin<&mut C>))
    where
        C: Future<Output = hyper::Result<()>>,
    {
        let mut served = pin!(served);
        let ended = tokio::select! {
            biased;
            ended = &mut served => ended,
            () = self.open.stopped() => {
                stop(served.as_mut());
                self.last_answers(served).await
            }
        };
        if let Err(error) = ended {
            self.broke_off(&error);
        }
    }

    /// The end of a connection that has been told to stop: at once if no request is under way, such as when only half of a head
    /// has arrived (b622).
    async fn last_answers<C>(&self, mut served: Pin<&mut C>) -> hyper::Result<()>
    where
        C: Future<Output = hyper::Result<()>>,
    {
        // A request that has arrived by now is read, and answered.
        tokio::select! {
            biased;
            ended = &mut served => return ended,
            () = yield_now() => {}
        }
        let answered = poll_fn(|context| {
            let was_idle = !self.open.is_busy();
            let ended = served.as_mut().poll(context);
            if ended.is_ready() || self.open.is_busy() {
                return ended;
            }
            if was_idle {
                return Poll::Ready(Ok(()));
            }
            // The end of the last answer may not be sent yet.
            context.waker().wake_by_ref();
            Poll::Pending
        });
        tokio::select! {
            ended = answered => ended,
            () = self.open.closed() => Ok(()),
        }
    }

    /// A client that leaves, is too slow or does not speak HTTP.
    fn broke_off(&self, error: &dyn std::error::Error) {
        tracing::debug!(%error, address = %self.address, "a connection broke off");
    }
}

/// A connection that could not be taken: because its client is gone already, or because the system has no room.
async fn no_room(error: &io::Error, connections: &Connections) {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    if matches!(
        error.kind(),
        ConnectionAborted | ConnectionRefused | ConnectionReset
    ) {
        return;
    }
    tracing::warn!(%error, "failed to accept a connection");
    connections.make_room();
    sleep(ROOM_AFTER).await;
}
