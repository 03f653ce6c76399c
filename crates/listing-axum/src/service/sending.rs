//! A connection that notices whether its client receives data, and ends when it has not for too long (b452).
//!
//! A response is in memory until its client has taken it, and hyper has no limit for that time. By hand, because the same
//! place says whether a connection is idle: one that is still sending is not closed to make room for others.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Sleep, sleep};

use super::connections::{Busy, Open};

/// The stream of a connection.
pub(super) struct Sending<'o, S> {
    stream: S,
    open: &'o Open,
    /// How long a client may go without reading.
    limit: Duration,
    /// Since the client takes nothing more.
    stalled: Option<Stalled>,
}

struct Stalled {
    over: Pin<Box<Sleep>>,
    #[expect(dead_code, reason = "held, not read")]
    busy: Busy,
}

impl<'o, S: AsyncWrite + Unpin> Sending<'o, S> {
    pub(super) fn new(stream: S, open: &'o Open, limit: Duration) -> Self {
        Self {
            stream,
            open,
            limit,
            stalled: None,
        }
    }

    /// The result of sending something, unless it has to wait for too long.
    fn sent<T>(
        &mut self,
        context: &mut Context<'_>,
        sent: Poll<io::Result<T>>,
    ) -> Poll<io::Result<T>> {
        if sent.is_ready() {
            self.stalled = None;
            return sent;
        }
        let (open, limit) = (self.open, self.limit);
        let stalled = self.stalled.get_or_insert_with(|| Stalled {
            over: Box::pin(sleep(limit)),
            busy: open.busy(),
        });
        ready!(stalled.over.as_mut().poll(context));
        let reason = "the client does not take its response";
        Poll::Ready(Err(io::Error::new(io::ErrorKind::TimedOut, reason)))
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Sending<'_, S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let sent = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.sent(context, sent)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let sent = Pin::new(&mut self.stream).poll_write_vectored(context, parts);
        self.sent(context, sent)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let sent = Pin::new(&mut self.stream).poll_flush(context);
        self.sent(context, sent)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let sent = Pin::new(&mut self.stream).poll_shutdown(context);
        self.sent(context, sent)
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Sending<'_, S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}
