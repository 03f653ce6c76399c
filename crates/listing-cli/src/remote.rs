//! Asks a service that runs, by HTTP or HTTPS.

use std::sync::Arc;

use anyhow::{Context, Result, anyhow, bail};
use axum::body::Bytes;
use axum::http::header::{ACCEPT, AUTHORIZATION, HOST, LOCATION};
use axum::http::uri::{PathAndQuery, Scheme};
use axum::http::{HeaderMap, HeaderValue, Request, StatusCode, Uri};
use http_body_util::{BodyExt, Empty, Limited};
use hyper::body::Incoming;
use hyper::client::conn::http1;
use hyper_util::rt::TokioIo;
use rustls::pki_types::ServerName;
use rustls::{ClientConfig, RootCertStore};
use serde_json::Value;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;

/// The environment variable that holds a token, which a command line would show to other users of the machine.
pub(crate) const TOKEN: &str = "API_TOKEN";

/// The token that was given, or that of the environment.
pub(crate) fn token(given: Option<&String>) -> Option<String> {
    let token = given.cloned().or_else(|| std::env::var(TOKEN).ok());
    token.filter(|token| !token.is_empty())
}

/// The address of something that a service answers.
#[derive(Debug)]
pub(crate) struct Address {
    uri: Uri,
    host: String,
    is_https: bool,
}

/// An answer whose body has not been read yet. The connection ends with it.
pub(crate) struct Reply {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Incoming,
}

impl Reply {
    /// The whole body.
    pub(crate) async fn read(self, most: usize) -> Result<Bytes> {
        let body = Limited::new(self.body, most).collect().await;
        let body = body.map_err(|error| anyhow!("cannot read the answer: {error}"))?;
        Ok(body.to_bytes())
    }
}

impl std::fmt::Display for Address {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "`{}`", self.uri)
    }
}

impl Address {
    /// An address below that of a service or of its API; `target` has the path and the query string of the address, from the path
    /// of the API.
    pub(crate) fn of(from: &str, target: impl FnOnce(&str) -> String) -> Result<Self> {
        let wrong = || {
            anyhow!(
                "`{from}` is not the address of a service; give one such as `http://127.0.0.1:8080` or `https://example.com/api`"
            )
        };
        let uri: Uri = from.parse().map_err(|_| wrong())?;
        let is_https = match uri.scheme() {
            Some(scheme) if *scheme == Scheme::HTTPS => true,
            Some(scheme) if *scheme == Scheme::HTTP => false,
            _ => return Err(wrong()),
        };
        let host = uri.host().ok_or_else(wrong)?;
        // An IPv6 address is written in brackets, which are not part of its name.
        let host = host
            .trim_start_matches('[')
            .trim_end_matches(']')
            .to_owned();
        let target = target(match uri.path().trim_end_matches('/') {
            "" => "/api",
            path => path,
        });
        let mut parts = uri.into_parts();
        parts.path_and_query = Some(PathAndQuery::try_from(target)?);
        Ok(Self {
            uri: Uri::from_parts(parts)?,
            host,
            is_https,
        })
    }

    fn port(&self) -> u16 {
        let usual = if self.is_https { 443 } else { 80 };
        self.uri.port_u16().unwrap_or(usual)
    }

    /// Requests an existing resource.
    pub(crate) async fn get(&self, accept: &str, token: Option<&str>) -> Result<Reply> {
        let stream = TcpStream::connect((self.host.as_str(), self.port())).await;
        let stream = stream.with_context(|| {
            format!("no service can be reached at {self}; does it run, and is the address right?")
        })?;
        let request = self.request(accept, token)?;
        if !self.is_https {
            return self.send(stream, request).await;
        }
        let name = ServerName::try_from(self.host.clone());
        let name = name.with_context(|| format!("`{}` is not a name of a host", self.host))?;
        let stream = TlsConnector::from(tls()?).connect(name, stream).await;
        let stream =
            stream.with_context(|| format!("cannot open an HTTPS connection to {self}"))?;
        self.send(stream, request).await
    }

    async fn send<S>(&self, stream: S, request: Request<Empty<Bytes>>) -> Result<Reply>
    where
        S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    {
        let broken = || format!("{self} did not answer in HTTP");
        let (mut sender, connection) = http1::handshake(TokioIo::new(stream))
            .await
            .with_context(broken)?;
        // It ends when the body has been read, or with the runtime.
        tokio::spawn(connection);
        let reply = sender.send_request(request).await.with_context(broken)?;
        let (head, body) = reply.into_parts();
        Ok(Reply {
            status: head.status,
            headers: head.headers,
            body,
        })
    }

    fn request(&self, accept: &str, token: Option<&str>) -> Result<Request<Empty<Bytes>>> {
        let target = self.uri.path_and_query().map_or("/", |path| path.as_str());
        let authority = self.uri.authority().map_or("", |known| known.as_str());
        // The text before an `@` is for us, and not part of the host's name.
        let host = authority
            .rsplit_once('@')
            .map_or(authority, |(_, host)| host);
        let mut request = Request::get(target)
            .header(HOST, host)
            .header(ACCEPT, accept);
        if let Some(token) = token {
            let mut value = HeaderValue::try_from(format!("Bearer {token}"))
                .context("the token has letters that a header cannot hold")?;
            value.set_sensitive(true);
            request = request.header(AUTHORIZATION, value);
        }
        Ok(request.body(Empty::new())?)
    }

    /// Fails unless the answer is a success. `what` is the requested thing, and `remedy` says what to do if it does not exist.
    pub(crate) async fn success(
        &self,
        reply: Reply,
        has_token: bool,
        what: &str,
        remedy: &str,
    ) -> Result<Reply> {
        /// The largest body of an error that is read.
        const MOST_BYTES: usize = 1024 * 1024;
        let status = reply.status;
        match status.as_u16() {
            200..=299 => Ok(reply),
            300..=399 => {
                let location = reply.headers.get(LOCATION);
                let location = location.and_then(|location| location.to_str().ok());
                let location = location.unwrap_or("another address");
                bail!("{self} leads to `{location}` ({status}); give that address")
            }
            401 | 403 if has_token => bail!("{self} does not accept the token ({status})"),
            401 | 403 => bail!("{self} asks for a caller ({status}); {}", how_to_send()),
            404 => bail!("there is no {what} at {self} ({status}); {remedy}"),
            _ => {
                let body = reply.read(MOST_BYTES).await.unwrap_or_default();
                bail!("{self} answers with {status}{}", said(&body))
            }
        }
    }
}

/// How a token is given.
pub(crate) fn how_to_send() -> String {
    format!("set {TOKEN} to a token, or pass `--token`")
}

/// The message of an error body.
fn said(body: &[u8]) -> String {
    let json: Option<Value> = serde_json::from_slice(body).ok();
    let message = json.as_ref().and_then(|json| json["message"].as_str());
    message.map_or_else(String::new, |message| format!(": {message}"))
}

/// HTTPS as this machine trusts it.
fn tls() -> Result<Arc<ClientConfig>> {
    let mut roots = RootCertStore::empty();
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()?
        .with_root_certificates(roots)
        .with_no_client_auth();
    Ok(Arc::new(config))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rule b640.
    #[test]
    fn the_address_of_a_service_or_of_its_api_will_do() {
        let below = |path: &str| format!("{path}/x");
        for (from, uri, port) in [
            ("http://127.0.0.1:8080", "http://127.0.0.1:8080/api/x", 8080),
            ("http://localhost/", "http://localhost/api/x", 80),
            ("https://example.com/v2/", "https://example.com/v2/x", 443),
            ("http://[::1]:80/api", "http://[::1]:80/api/x", 80),
        ] {
            let address = Address::of(from, below).unwrap();
            assert_eq!(
                (address.uri.to_string().as_str(), address.port()),
                (uri, port)
            );
        }
        assert_eq!(Address::of("http://[::1]:80", below).unwrap().host, "::1");
        for wrong in ["localhost:8080", "ftp://example.com", "/api", "", "http://"] {
            let error = Address::of(wrong, below).unwrap_err().to_string();
            assert!(error.contains("is not the address of a service"), "{error}");
        }
    }
}
