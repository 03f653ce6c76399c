//! Returns a whole list as a file, which is written while it is sent (d116 to d118).

use std::future::Future;
use std::io::{self, ErrorKind};
use std::pin::Pin;
use std::task::{Context, Poll};

use axum::body::Body;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::Response;
use bytes::Bytes;
use chrono::Utc;
use futures_util::stream::{empty, try_unfold};
use listing::replicas::Visit;
use listing::{Error, ExecuteError, Format, Now};
use tokio::io::AsyncWrite;
use tokio::sync::mpsc::error::SendError;
use tokio::sync::mpsc::{OwnedPermit, Receiver, Sender, channel};
use tokio::task::JoinHandle;
use tracing::Instrument as _;

use crate::http::{ApiError, Streamed};

/// A response whose body is written by `write`. Its headers are sent with the first bytes. An error before that is returned like
/// any other. A later error breaks the connection, so that no client takes the file for complete.
///
/// `write` is dropped as soon as the client has gone, whatever it is waiting for.
pub(crate) async fn file<F>(
    headers: HeaderMap,
    write: impl FnOnce(FileWriter) -> F,
) -> Result<Response, ApiError>
where
    F: Future<Output = Result<u64, Error>> + Send + 'static,
{
    let (sender, mut receiver) = channel(1);
    let client = sender.clone();
    let write = write(FileWriter(Pipe::Ready(sender))).in_current_span();
    let visit = Visit::current();
    let task = tokio::spawn(async move {
        let write = async move {
            match visit {
                Some(visit) => visit.around(write).await,
                None => write.await,
            }
        };
        tokio::select! {
            done = write => done,
            () = client.closed() => Err(Error::Execute(gone())),
        }
    });
    let first = receiver.recv().await;
    let mut file = SentFile {
        first,
        receiver,
        task,
    };
    if file.first.is_none() {
        match (&mut file.task).await {
            Ok(Ok(_)) => return Ok(response(headers, Body::empty())),
            Ok(Err(Error::Execute(ExecuteError::TooManyExports))) => {
                return Err(ApiError::Overloaded);
            }
            Ok(Err(error)) => return Err(error.into()),
            Err(error) => return Err(ApiError::internal(error)),
        }
    }
    let body = Body::from_stream(try_unfold(file, SentFile::next));
    Ok(response(headers, body))
}

/// The answer to `HEAD`, in which the length of the file is unknown.
pub(crate) fn file_head(headers: HeaderMap) -> Response {
    response(headers, Body::from_stream(empty::<io::Result<Bytes>>()))
}

fn response(headers: HeaderMap, body: Body) -> Response {
    let mut response = Response::new(body);
    *response.headers_mut() = headers;
    response.extensions_mut().insert(Streamed);
    response
}

/// The headers of a file.
pub(crate) fn file_headers(name: &str, format: Format, context: &listing::Context) -> HeaderMap {
    let now = context.get::<Now>().map_or_else(Utc::now, |now| now.0);
    let (day, extension) = (now.format("%Y-%m-%d"), format.extension());
    // A path segment can contain characters that a header cannot.
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "-_.".contains(letter);
    let name: String = name.chars().filter(|letter| is_plain(*letter)).collect();
    let disposition = format!("attachment; filename=\"{name}-{day}.{extension}\"");
    let mut headers = HeaderMap::new();
    let content_type = HeaderValue::from_static(format.content_type());
    headers.insert(header::CONTENT_TYPE, content_type);
    if let Ok(disposition) = HeaderValue::from_str(&disposition) {
        headers.insert(header::CONTENT_DISPOSITION, disposition);
    }
    let no_store = HeaderValue::from_static("no-store");
    headers.insert(header::CACHE_CONTROL, no_store);
    headers
}

fn gone() -> ExecuteError {
    let error = io::Error::from(ErrorKind::BrokenPipe);
    ExecuteError::Write(std::sync::Arc::new(error))
}

/// A file that is being sent to a client.
struct SentFile {
    first: Option<Bytes>,
    receiver: Receiver<Bytes>,
    task: JoinHandle<Result<u64, Error>>,
}

impl SentFile {
    /// The next piece. The file is complete only if the writing task says so.
    async fn next(mut self) -> io::Result<Option<(Bytes, Self)>> {
        if let Some(first) = self.first.take() {
            return Ok(Some((first, self)));
        }
        if let Some(bytes) = self.receiver.recv().await {
            return Ok(Some((bytes, self)));
        }
        match self.task.await {
            Ok(Ok(_)) => Ok(None),
            Ok(Err(error)) => {
                tracing::error!(%error, "an export broke off");
                Err(io::Error::other("the export broke off"))
            }
            Err(error) => Err(io::Error::other(error)),
        }
    }
}

/// Sends what is written to the response body, in pieces.
pub(crate) struct FileWriter(Pipe);

enum Pipe {
    Ready(Sender<Bytes>),
    /// Waits until the previous piece has been taken.
    Waits(Pin<Box<dyn Future<Output = Permit> + Send>>),
    Closed,
}

type Permit = Result<OwnedPermit<Bytes>, SendError<()>>;

impl AsyncWrite for FileWriter {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let mut waits = match std::mem::replace(&mut self.0, Pipe::Closed) {
            Pipe::Ready(sender) => Box::pin(sender.reserve_owned()) as _,
            Pipe::Waits(waits) => waits,
            Pipe::Closed => return Poll::Ready(Err(ErrorKind::BrokenPipe.into())),
        };
        let Poll::Ready(permit) = waits.as_mut().poll(context) else {
            self.0 = Pipe::Waits(waits);
            return Poll::Pending;
        };
        let Ok(permit) = permit else {
            return Poll::Ready(Err(ErrorKind::BrokenPipe.into()));
        };
        let sender = permit.send(Bytes::copy_from_slice(bytes));
        self.0 = Pipe::Ready(sender);
        Poll::Ready(Ok(bytes.len()))
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}

#[cfg(test)]
mod tests {
    use axum::Router;
    use axum::routing::get;
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    use tokio::net::{TcpListener, TcpStream};

    use super::*;

    /// The bytes that a client receives over a connection, for a file that is complete or breaks off.
    async fn sent(is_whole: bool) -> Vec<u8> {
        let answer = move || async move {
            let headers = HeaderMap::new();
            let written = file(headers, |mut writer| async move {
                let failed = |_| Error::Execute(gone());
                writer.write_all(b"id\r\n").await.map_err(failed)?;
                writer.write_all(b"1\r\n").await.map_err(failed)?;
                match is_whole {
                    true => Ok(1),
                    false => Err(Error::Execute(gone())),
                }
            });
            written.await
        };
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let router = Router::new().route("/", get(answer));
        let server = tokio::spawn(async move { axum::serve(listener, router).await });
        let mut client = TcpStream::connect(address).await.unwrap();
        let request = b"GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n";
        client.write_all(request).await.unwrap();
        let mut sent = Vec::new();
        // A connection that is reset is broken, too.
        let _ = client.read_to_end(&mut sent).await;
        server.abort();
        sent
    }

    /// Rule d117.
    #[tokio::test]
    async fn a_file_that_breaks_off_has_no_end() {
        const END: &[u8] = b"0\r\n\r\n";
        let whole = sent(true).await;
        assert!(whole.starts_with(b"HTTP/1.1 200"), "{whole:?}");
        assert!(whole.ends_with(END));
        let broken = sent(false).await;
        assert!(broken.starts_with(b"HTTP/1.1 200"), "{broken:?}");
        assert!(!broken.ends_with(END));
    }

    /// Rule d116.
    #[tokio::test]
    async fn what_writes_a_file_is_dropped_when_its_client_leaves() {
        let (alive, mut gone) = tokio::sync::oneshot::channel::<()>();
        let response = file(HeaderMap::new(), |mut writer| async move {
            let _alive = alive;
            let written = writer.write_all(b"id\r\n").await;
            written.map_err(|_| Error::Execute(super::gone()))?;
            std::future::pending().await
        });
        let response = response.await.unwrap();
        assert!(gone.try_recv().is_err());
        drop(response);
        assert!((&mut gone).await.is_err());
    }

    /// Rule d117.
    #[tokio::test]
    async fn an_error_before_the_first_byte_is_answered_as_any_other() {
        let most = 5;
        let refused = file(HeaderMap::new(), |_| async move {
            Err(Error::Execute(ExecuteError::TooManyRows { most }))
        });
        let error = refused.await.unwrap_err();
        assert!(matches!(
            error,
            ApiError::List(Error::Execute(ExecuteError::TooManyRows { .. }))
        ));
        let busy = file(HeaderMap::new(), |_| async {
            Err(Error::Execute(ExecuteError::TooManyExports))
        });
        assert!(matches!(busy.await.unwrap_err(), ApiError::Overloaded));
    }
}
