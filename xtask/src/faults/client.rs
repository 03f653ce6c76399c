//! A blocking HTTP client that tells apart what can go wrong.

use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

/// Longer than the service lets any request take.
const PATIENCE: Duration = Duration::from_secs(30);

/// A connection that is kept for the next request while it lives.
pub(super) struct Client {
    address: SocketAddr,
    stream: Option<TcpStream>,
}

/// What came back.
pub(super) enum Answer {
    Whole {
        status: u16,
        body: Vec<u8>,
    },
    /// Nobody listens, or the connection ended before an answer began.
    None,
    /// The answer broke off.
    Cut,
}

impl Client {
    pub(super) fn new(address: SocketAddr) -> Self {
        Self {
            address,
            stream: None,
        }
    }

    pub(super) fn get(&mut self, target: &str) -> Answer {
        self.ask(&format!("GET {target} HTTP/1.1\r\nhost: faults\r\n\r\n"))
    }

    pub(super) fn post(&mut self, target: &str, body: &str) -> Answer {
        let length = body.len();
        self.ask(&format!(
            "POST {target} HTTP/1.1\r\nhost: faults\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n\r\n{body}"
        ))
    }

    fn ask(&mut self, request: &str) -> Answer {
        let mut read = Vec::new();
        match self.try_ask(request, &mut read) {
            Ok((status, head, length)) => Answer::Whole {
                status,
                body: read[head..head + length].to_vec(),
            },
            Err(_) => {
                self.stream = None;
                if read.is_empty() {
                    Answer::None
                } else {
                    Answer::Cut
                }
            }
        }
    }

    fn try_ask(&mut self, request: &str, read: &mut Vec<u8>) -> io::Result<(u16, usize, usize)> {
        let stream = match &mut self.stream {
            Some(stream) => stream,
            none => {
                let stream = TcpStream::connect_timeout(&self.address, PATIENCE)?;
                stream.set_read_timeout(Some(PATIENCE))?;
                stream.set_nodelay(true)?;
                none.insert(stream)
            }
        };
        stream.write_all(request.as_bytes())?;
        let mut buffer = [0; 16 * 1024];
        loop {
            if let Some((status, head, length)) = parsed(read)
                && read.len() >= head + length
            {
                return Ok((status, head, length));
            }
            match stream.read(&mut buffer)? {
                0 => return Err(io::ErrorKind::UnexpectedEof.into()),
                bytes => read.extend_from_slice(&buffer[..bytes]),
            }
        }
    }
}

/// Status, length of the head and length of the body, once the head is there.
fn parsed(bytes: &[u8]) -> Option<(u16, usize, usize)> {
    let head = bytes.windows(4).position(|window| window == b"\r\n\r\n")? + 4;
    let text = std::str::from_utf8(&bytes[..head])
        .ok()?
        .to_ascii_lowercase();
    let status = text.split(' ').nth(1)?.parse().ok()?;
    let (_, length) = text.split_once("\r\ncontent-length: ")?;
    Some((status, head, length.split("\r\n").next()?.parse().ok()?))
}
