//! Compresses a response while it is written, in little memory (d116, d118).

use std::io::{self, Write};
use std::pin::Pin;
use std::task::{Context, Poll};

use axum::BoxError;
use axum::body::Body;
use axum::http::{HeaderValue, header};
use axum::response::Response;
use bytes::Bytes;
use http_body::Frame;

use super::compress::Encoding;

/// Limits how much earlier text each encoder remembers: 128 KiB, as an exponent of 2.
const WINDOW: u32 = 17;

/// The response in this encoding. If its body breaks off, the encoded one does too.
pub(super) fn streamed(encoding: Encoding, response: Response) -> Response {
    let Ok(encoder) = Encoder::new(encoding) else {
        return response;
    };
    let (mut parts, body) = response.into_parts();
    let name = HeaderValue::from_static(encoding.name());
    parts.headers.insert(header::CONTENT_ENCODING, name);
    let body = Encoded {
        body,
        encoder: Some(encoder),
    };
    Response::from_parts(parts, Body::new(body))
}

/// A body that is encoded while it is sent.
struct Encoded {
    body: Body,
    /// Until the end of the body.
    encoder: Option<Encoder>,
}

impl http_body::Body for Encoded {
    type Data = Bytes;
    type Error = BoxError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, BoxError>>> {
        loop {
            let Poll::Ready(frame) = Pin::new(&mut self.body).poll_frame(context) else {
                return Poll::Pending;
            };
            let encoded = match frame {
                Some(Err(error)) => return Poll::Ready(Some(Err(error.into()))),
                Some(Ok(frame)) => match (frame.into_data(), &mut self.encoder) {
                    (Ok(bytes), Some(encoder)) => encoder.encode(&bytes),
                    _ => continue,
                },
                None => match self.encoder.take() {
                    Some(encoder) => encoder.finish(),
                    None => return Poll::Ready(None),
                },
            };
            match encoded {
                // The encoder waits for more.
                Ok(bytes) if bytes.is_empty() => {}
                Ok(bytes) => return Poll::Ready(Some(Ok(Frame::data(bytes.into())))),
                Err(error) => return Poll::Ready(Some(Err(error.into()))),
            }
        }
    }
}

enum Encoder {
    Gzip(flate2::write::GzEncoder<Vec<u8>>),
    Brotli(Box<brotli::CompressorWriter<Vec<u8>>>),
    Zstd(zstd::stream::write::Encoder<'static, Vec<u8>>),
}

impl Encoder {
    /// At the levels of whole bodies (b97).
    fn new(encoding: Encoding) -> io::Result<Self> {
        Ok(match encoding {
            Encoding::Gzip => {
                let level = flate2::Compression::new(4);
                Self::Gzip(flate2::write::GzEncoder::new(Vec::new(), level))
            }
            Encoding::Brotli => {
                let buffer = 4096;
                let writer = brotli::CompressorWriter::new(Vec::new(), buffer, 3, WINDOW);
                Self::Brotli(Box::new(writer))
            }
            Encoding::Zstd => {
                let mut encoder = zstd::stream::write::Encoder::new(Vec::new(), 3)?;
                encoder.window_log(WINDOW)?;
                Self::Zstd(encoder)
            }
        })
    }

    /// The compressed bytes that can be sent after these.
    fn encode(&mut self, bytes: &[u8]) -> io::Result<Vec<u8>> {
        let written = match self {
            Self::Gzip(encoder) => {
                encoder.write_all(bytes)?;
                encoder.get_mut()
            }
            Self::Brotli(encoder) => {
                encoder.write_all(bytes)?;
                encoder.get_mut()
            }
            Self::Zstd(encoder) => {
                encoder.write_all(bytes)?;
                encoder.get_mut()
            }
        };
        Ok(std::mem::take(written))
    }

    /// The rest to send.
    fn finish(self) -> io::Result<Vec<u8>> {
        match self {
            Self::Gzip(encoder) => encoder.finish(),
            Self::Brotli(encoder) => Ok(encoder.into_inner()),
            Self::Zstd(encoder) => encoder.finish(),
        }
    }
}
