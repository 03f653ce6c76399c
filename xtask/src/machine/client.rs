//! A blocking HTTP client that tells apart what can go wrong.

use std::fmt::Write as _;
use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

/// Longer than the service lets any request take.
const PATIENCE: Duration = Duration::from_secs(30);

/// A connection that is kept for the next request while it lives.
pub(crate) struct Client {
    address: SocketAddr,
    patience: Duration,
    stream: Option<TcpStream>,
}

/// What came back.
pub(crate) enum Answer {
    Whole {
        status: u16,
        /// The status line and the headers, whose names are in lower case.
        head: String,
        body: Vec<u8>,
    },
    /// Nobody listens, or the connection ended before an answer began.
    None,
    /// The answer broke off.
    Cut,
}

impl Answer {
    /// What a header says; its name is given in lower case.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let Self::Whole { head, .. } = self else {
            return None;
        };
        let mut headers = head.lines().filter_map(|line| line.split_once(':'));
        let (_, value) = headers.find(|(header, _)| *header == name)?;
        Some(value.trim())
    }
}

impl Client {
    pub(crate) fn new(address: SocketAddr) -> Self {
        Self::with_patience(address, PATIENCE)
    }

    /// One that waits no longer than this for a connection, and for more of an answer.
    pub(crate) fn with_patience(address: SocketAddr, patience: Duration) -> Self {
        Self {
            address,
            patience,
            stream: None,
        }
    }

    pub(crate) fn get(&mut self, target: &str) -> Answer {
        self.send("GET", target, &[], "")
    }

    pub(crate) fn post(&mut self, target: &str, body: &str) -> Answer {
        self.send("POST", target, &[], body)
    }

    /// A request with more headers, and with a body of JSON unless it is empty.
    pub(crate) fn send(
        &mut self,
        method: &str,
        target: &str,
        headers: &[(&str, &str)],
        body: &str,
    ) -> Answer {
        let mut request = format!("{method} {target} HTTP/1.1\r\nhost: faults\r\n");
        for (name, value) in headers {
            let _ = write!(request, "{name}: {value}\r\n");
        }
        if !body.is_empty() {
            let length = body.len();
            let _ = write!(
                request,
                "content-type: application/json\r\ncontent-length: {length}\r\n"
            );
        }
        let _ = write!(request, "\r\n{body}");
        self.ask(&request)
    }

    fn ask(&mut self, request: &str) -> Answer {
        let mut read = Vec::new();
        match self.try_ask(request, &mut read) {
            Ok((head, length)) => Answer::Whole {
                status: head.status,
                body: read[head.end..head.end + length].to_vec(),
                head: head.text,
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

    /// The head of the answer and the length of its body.
    fn try_ask(&mut self, request: &str, read: &mut Vec<u8>) -> io::Result<(Head, usize)> {
        let stream = match &mut self.stream {
            Some(stream) => stream,
            none => {
                let stream = TcpStream::connect_timeout(&self.address, self.patience)?;
                stream.set_read_timeout(Some(self.patience))?;
                stream.set_nodelay(true)?;
                none.insert(stream)
            }
        };
        stream.write_all(request.as_bytes())?;
        let mut buffer = [0; 16 * 1024];
        loop {
            let head = Head::read(read);
            if let Some(head) = &head
                && let Some(length) = head.length
                && read.len() >= head.end + length
            {
                let head = head.clone();
                return Ok((head, length));
            }
            match (stream.read(&mut buffer)?, head) {
                // Without a length, the end of the connection is the end of the body.
                (0, Some(head)) if head.length.is_none() => {
                    self.stream = None;
                    let length = read.len() - head.end;
                    return Ok((head, length));
                }
                (0, _) => return Err(io::ErrorKind::UnexpectedEof.into()),
                (bytes, _) => read.extend_from_slice(&buffer[..bytes]),
            }
        }
    }
}

#[derive(Clone)]
struct Head {
    status: u16,
    text: String,
    /// Where the body begins.
    end: usize,
    /// How long the body is, if the head says so.
    length: Option<usize>,
}

impl Head {
    /// Once all of it is there.
    fn read(bytes: &[u8]) -> Option<Self> {
        let end = bytes.windows(4).position(|window| window == b"\r\n\r\n")? + 4;
        let mut text = String::new();
        for (number, line) in std::str::from_utf8(&bytes[..end]).ok()?.lines().enumerate() {
            match line.split_once(':') {
                Some((name, value)) if number > 0 => {
                    let _ = writeln!(text, "{}:{value}", name.to_ascii_lowercase());
                }
                _ => {
                    let _ = writeln!(text, "{line}");
                }
            }
        }
        let status = text.split(' ').nth(1)?.parse().ok()?;
        let length = text.split_once("\ncontent-length:").and_then(|(_, rest)| {
            let (length, _) = rest.split_once('\n')?;
            length.trim().parse().ok()
        });
        Some(Self {
            status,
            text,
            end,
            length,
        })
    }
}

#[cfg(test)]
mod tests {
    use std::net::TcpListener;
    use std::thread;

    use super::*;

    /// What a client makes of these bytes, after which the connection ends.
    fn answer(bytes: &'static str) -> Answer {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        thread::spawn(move || {
            let (mut client, _) = listener.accept().unwrap();
            let _ = client.read(&mut [0; 1024]);
            client.write_all(bytes.as_bytes()).unwrap();
        });
        Client::new(address).get("/")
    }

    #[test]
    fn an_answer_is_whole_by_its_length_or_by_the_end_of_the_connection() {
        let with_length =
            "HTTP/1.1 200 OK\r\nListing-Position: Aa 1\r\ncontent-length: 2\r\n\r\n{}";
        let whole = answer(with_length);
        assert_eq!(whole.header("listing-position"), Some("Aa 1"));
        assert_eq!(whole.header("retry-after"), None);
        assert!(matches!(whole, Answer::Whole { status: 200, body, .. } if body == b"{}"));
        let without = answer("HTTP/1.0 503 Unavailable\r\nServer: a\r\n\r\n{\"a\":1}");
        assert!(matches!(without, Answer::Whole { status: 503, body, .. } if body == b"{\"a\":1}"));
        let broken = answer("HTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\n{}");
        assert!(matches!(broken, Answer::Cut));
        assert!(matches!(answer(""), Answer::None));
    }
}
