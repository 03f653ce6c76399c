//! Compresses a response with the best encoding that the client accepts, if it is worthwhile (b96–b98).
//!
//! Bodies are single buffers, so they are compressed in one go. A streaming layer would lose their length, know only one level
//! for all encodings, and refuse (406) a client that accepts no encoding after its record was written.

use std::io::{self, Write};

use axum::body::{Body, HttpBody};
use axum::extract::Request;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use http_body_util::BodyExt;

use super::HttpConfig;
use super::compress_stream::streamed;
use crate::http::{ApiError, Streamed};

/// Compresses responses of at least a certain size.
#[derive(Debug, Clone, Copy)]
pub(super) struct Compression {
    least: u64,
}

impl Compression {
    pub(super) fn of(config: &HttpConfig) -> Option<Self> {
        let least = config.compression.then_some(config.compression_min_bytes);
        least.map(|least| Self { least })
    }

    /// What to do with the response to this request.
    pub(super) fn accepted(self, request: &Request) -> Accepted {
        Accepted {
            encoding: Encoding::accepted(request.headers()),
            least: self.least,
        }
    }
}

/// The encoding that a client prefers, if any.
#[derive(Debug, Clone, Copy)]
pub(super) struct Accepted {
    encoding: Option<Encoding>,
    least: u64,
}

impl Accepted {
    /// The response, compressed if that is worthwhile.
    pub(super) async fn encode(self, mut response: Response) -> Response {
        let vary = HeaderValue::from_static("accept-encoding");
        response.headers_mut().append(header::VARY, vary);
        let Some(encoding) = self.encoding else {
            return response;
        };
        weaken_tag(response.headers_mut());
        if response.extensions().get::<Streamed>().is_some() {
            return streamed(encoding, response);
        }
        if !pays(&response, self.least) {
            return response;
        }
        let (mut parts, body) = response.into_parts();
        let body = match body.collect().await {
            Ok(body) => body.to_bytes(),
            Err(error) => return ApiError::internal(error).into_response(),
        };
        match encoding.encode(&body) {
            Ok(encoded) if encoded.len() < body.len() => {
                let name = HeaderValue::from_static(encoding.name());
                parts.headers.insert(header::CONTENT_ENCODING, name);
                let length = HeaderValue::from(encoded.len());
                parts.headers.insert(header::CONTENT_LENGTH, length);
                Response::from_parts(parts, Body::from(encoded))
            }
            _ => Response::from_parts(parts, Body::from(body)),
        }
    }
}

/// Makes tags weak in every response to a client that accepts an encoding. This includes 304, where it is not known which body
/// the tag belongs to.
fn weaken_tag(headers: &mut HeaderMap) {
    let Some(tag) = headers.get(header::ETAG).and_then(|tag| tag.to_str().ok()) else {
        return;
    };
    if !tag.starts_with("W/")
        && let Ok(weak) = HeaderValue::from_str(&format!("W/{tag}"))
    {
        headers.insert(header::ETAG, weak);
    }
}

/// Whether a body is text, complete, large enough, and not encoded yet.
fn pays(response: &Response, least: u64) -> bool {
    let headers = response.headers();
    let is = |name, test: fn(&str) -> bool| {
        let value: Option<&HeaderValue> = headers.get(name);
        value
            .and_then(|value| value.to_str().ok())
            .is_some_and(test)
    };
    let size = response.body().size_hint().exact();
    size.is_some_and(|size| size >= least)
        && is(header::CONTENT_TYPE, is_text)
        && !is(header::CACHE_CONTROL, |value| {
            value.contains("no-transform")
        })
        && !headers.contains_key(header::CONTENT_ENCODING)
        && !headers.contains_key(header::CONTENT_RANGE)
}

fn is_text(content_type: &str) -> bool {
    let essence = content_type.split(';').next().unwrap_or_default().trim();
    essence.starts_with("text/")
        || essence.ends_with("+json")
        || essence.ends_with("+xml")
        || ["application/json", "application/javascript"].contains(&essence)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Encoding {
    Gzip,
    Brotli,
    Zstd,
}

impl Encoding {
    /// The best comes last: it makes pages smallest for the time that it takes.
    const ALL: [Self; 3] = [Self::Gzip, Self::Brotli, Self::Zstd];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Gzip => "gzip",
            Self::Brotli => "br",
            Self::Zstd => "zstd",
        }
    }

    /// The encoding that the client prefers; `None` for an uncompressed body, which a client that accepts nothing gets as well.
    fn accepted(headers: &HeaderMap) -> Option<Self> {
        let accepted: Vec<(&str, f32)> = headers
            .get_all(header::ACCEPT_ENCODING)
            .iter()
            .filter_map(|value| value.to_str().ok())
            .flat_map(|value| value.split(','))
            .filter_map(weighed)
            .collect();
        let listed = |name: &str| {
            let found = accepted
                .iter()
                .find(|(one, _)| one.eq_ignore_ascii_case(name));
            found.map(|(_, weight)| *weight)
        };
        let any = listed("*").unwrap_or_default();
        let weight = |encoding: Self| listed(encoding.name()).unwrap_or(any);
        let best = Self::ALL
            .into_iter()
            .max_by(|a, b| weight(*a).total_cmp(&weight(*b)))?;
        let as_it_is = listed("identity").unwrap_or_default();
        (weight(best) > 0.0 && weight(best) >= as_it_is).then_some(best)
    }

    /// At higher levels, the time grows faster than the bytes shrink, measured on pages of 25 articles (b97).
    fn encode(self, body: &[u8]) -> io::Result<Vec<u8>> {
        match self {
            Self::Gzip => {
                let encoded = Vec::with_capacity(body.len() / 4);
                let level = flate2::Compression::new(4);
                let mut encoder = flate2::write::GzEncoder::new(encoded, level);
                encoder.write_all(body)?;
                encoder.finish()
            }
            Self::Brotli => {
                let mut encoded = Vec::with_capacity(body.len() / 4);
                let parameters = brotli::enc::BrotliEncoderParams {
                    quality: 3,
                    lgwin: 18,
                    size_hint: body.len(),
                    ..Default::default()
                };
                brotli::BrotliCompress(&mut &*body, &mut encoded, &parameters)?;
                Ok(encoded)
            }
            Self::Zstd => zstd::bulk::compress(body, 3),
        }
    }
}

/// A coding with its weight: `gzip;q=0.5`. Codings with an invalid weight are skipped.
fn weighed(element: &str) -> Option<(&str, f32)> {
    let mut parts = element.split(';').map(str::trim);
    let name = parts.next().filter(|name| !name.is_empty())?;
    let weight = parts.find_map(|part| {
        let (key, value) = part.split_once('=')?;
        key.trim().eq_ignore_ascii_case("q").then_some(value)
    });
    let weight = match weight {
        None => 1.0,
        Some(text) => {
            let weight: Option<f32> = text.trim().parse().ok();
            weight.filter(|weight| (0.0..=1.0).contains(weight))?
        }
    };
    // An old name of gzip.
    Some((
        if name.eq_ignore_ascii_case("x-gzip") {
            "gzip"
        } else {
            name
        },
        weight,
    ))
}

#[cfg(test)]
mod tests {
    use axum::http::{HeaderMap, HeaderValue, header};

    use super::Encoding;

    /// Rule b96.
    #[test]
    fn the_encoding_is_the_one_that_the_client_likes_best() {
        for (sent, encoding) in [
            (&[][..], None),
            (&[""], None),
            (&["identity"], None),
            (&["gzip"], Some("gzip")),
            (&["GZIP"], Some("gzip")),
            (&["x-gzip"], Some("gzip")),
            (&["deflate"], None),
            // As browsers send it.
            (&["gzip, deflate, br, zstd"], Some("zstd")),
            (&["gzip, deflate, br"], Some("br")),
            (&["gzip", "br"], Some("br")),
            (&["br;q=0.5, gzip;q=0.8"], Some("gzip")),
            (&["zstd;q=0, br ; q=0.1"], Some("br")),
            (&["*"], Some("zstd")),
            (&["zstd;q=0, *;q=0.5"], Some("br")),
            (&["gzip;q=0.5, identity"], None),
            (&["gzip;q=0.5, identity;q=0.5"], Some("gzip")),
            (&["gzip;q=0"], None),
            (&["*;q=0"], None),
            (&["identity;q=0, *;q=0"], None),
            // A coding with an invalid weight is not used.
            (&["gzip;q=2"], None),
            (&["gzip;q=NaN, br;q=x"], None),
            (&["gzip;level=9"], Some("gzip")),
            (&[";;;,,,=;q"], None),
        ] {
            let mut headers = HeaderMap::new();
            for one in sent {
                headers.append(header::ACCEPT_ENCODING, HeaderValue::from_static(one));
            }
            let found = Encoding::accepted(&headers).map(Encoding::name);
            assert_eq!(found, encoding, "{sent:?}");
        }
    }
}
