//! A minimal HTTP client that keeps its connection open.
//!
//! Written by hand because client and server share the machine: the work of a client library would be measured too.

use std::io;
use std::net::SocketAddr;
use std::ops::Range;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// A `GET`, ready to be sent.
#[must_use]
pub fn get(target: &str) -> Vec<u8> {
    format!("GET {target} HTTP/1.1\r\nhost: bench\r\n\r\n").into_bytes()
}

/// A request with a JSON body, ready to be sent; `headers` are whole lines.
#[must_use]
pub fn send_json(method: &str, target: &str, headers: &str, body: &str) -> Vec<u8> {
    let length = body.len();
    format!(
        "{method} {target} HTTP/1.1\r\nhost: bench\r\ncontent-type: application/json\r\n{headers}content-length: {length}\r\n\r\n{body}"
    )
    .into_bytes()
}

/// A connection that sends a request and waits for the response.
#[derive(Debug)]
pub struct Connection {
    stream: TcpStream,
    buffer: Vec<u8>,
}

/// Where an answer is in the buffer of its connection.
#[derive(Debug, Clone)]
pub struct Reply {
    /// Its status.
    pub status: u16,
    body: Range<usize>,
}

impl Reply {
    /// The length of its body.
    #[must_use]
    pub fn len(&self) -> usize {
        self.body.len()
    }

    /// Whether it has no body.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.body.is_empty()
    }
}

impl Connection {
    /// Opens a connection.
    ///
    /// # Errors
    /// When nothing listens there.
    pub async fn open(address: SocketAddr) -> io::Result<Self> {
        let stream = TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        Ok(Self {
            stream,
            buffer: Vec::with_capacity(64 * 1024),
        })
    }

    /// Sends bytes and reads one answer.
    ///
    /// # Errors
    /// When the connection breaks, or the answer is not one of HTTP/1.1 with a length.
    pub async fn ask(&mut self, request: &[u8]) -> io::Result<Reply> {
        self.send(request).await?;
        self.buffer.clear();
        let head = loop {
            if let Some(end) = end_of_head(&self.buffer) {
                break end;
            }
            self.read_more().await?;
        };
        let (status, length) =
            status_and_length(&self.buffer[..head]).ok_or_else(|| broken("no HTTP answer"))?;
        let end = head + length;
        while self.buffer.len() < end {
            self.read_more().await?;
        }
        if self.buffer.len() > end {
            return Err(broken("more bytes than the answer has"));
        }
        Ok(Reply {
            status,
            body: head..end,
        })
    }

    /// The body of the last answer.
    #[must_use]
    pub fn body(&self, reply: &Reply) -> &[u8] {
        &self.buffer[reply.body.clone()]
    }

    /// The value of a header of the last answer.
    #[must_use]
    pub fn header(&self, reply: &Reply, name: &str) -> Option<&str> {
        let head = std::str::from_utf8(&self.buffer[..reply.body.start]).ok()?;
        let mut lines = head.lines().filter_map(|line| line.split_once(": "));
        let (_, value) = lines.find(|(known, _)| known.eq_ignore_ascii_case(name))?;
        Some(value)
    }

    /// Sends bytes.
    ///
    /// # Errors
    /// When the connection breaks.
    pub async fn send(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.stream.write_all(bytes).await
    }

    /// Reads at least this many bytes of a response.
    ///
    /// # Errors
    /// When the connection breaks or ends.
    pub async fn read_at_least(&mut self, bytes: usize) -> io::Result<()> {
        self.buffer.clear();
        while self.buffer.len() < bytes {
            self.read_more().await?;
        }
        Ok(())
    }

    async fn read_more(&mut self) -> io::Result<()> {
        match self.stream.read_buf(&mut self.buffer).await? {
            0 => Err(broken("the server closed the connection")),
            _ => Ok(()),
        }
    }
}

fn end_of_head(bytes: &[u8]) -> Option<usize> {
    bytes
        .windows(4)
        .position(|window| window == b"\r\n\r\n")
        .map(|at| at + 4)
}

fn status_and_length(head: &[u8]) -> Option<(u16, usize)> {
    let head = std::str::from_utf8(head).ok()?;
    let status = head.strip_prefix("HTTP/1.1 ")?.get(..3)?.parse().ok()?;
    let (_, length) = head.split_once("\r\ncontent-length: ")?;
    let (length, _) = length.split_once("\r\n")?;
    Some((status, length.parse().ok()?))
}

fn broken(problem: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, problem)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_head_tells_status_and_length() {
        let head = b"HTTP/1.1 200 OK\r\ndate: now\r\ncontent-length: 17\r\n\r\n{";
        assert_eq!(end_of_head(head), Some(head.len() - 1));
        assert_eq!(status_and_length(head), Some((200, 17)));
        assert_eq!(status_and_length(b"HTTP/1.1 200 OK\r\n\r\n"), None);
    }
}
