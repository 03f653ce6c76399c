//! Asks a running service for its description.

use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result, anyhow, bail};
use axum::body::Bytes;
use axum::http::header::{ACCEPT, AUTHORIZATION, HOST, LOCATION};
use axum::http::uri::{PathAndQuery, Scheme};
use axum::http::{HeaderMap, HeaderValue, Request, StatusCode, Uri};
use http_body_util::{BodyExt, Empty, Limited};
use hyper::client::conn::http1;
use hyper_util::rt::TokioIo;
use listing_axum::describe::ApiDescription;
use rustls::pki_types::ServerName;
use rustls::{ClientConfig, RootCertStore};
use serde_json::Value;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;

/// The environment variable that holds a token, which a command line would show to other users of the machine.
pub(super) const TOKEN: &str = "API_TOKEN";

/// The largest description that is read.
const MOST_BYTES: usize = 256 * 1024 * 1024;

/// What the service at that address tells this caller.
pub(super) fn description(from: &str, token: Option<&str>, seconds: u64) -> Result<ApiDescription> {
    let place = Place::of(from)?;
    let token = token.filter(|token| !token.is_empty());
    let asked = async {
        let limit = Duration::from_secs(seconds);
        let reply = tokio::time::timeout(limit, place.ask(token)).await;
        reply.with_context(|| format!("{place} did not answer within {seconds} seconds"))?
    };
    let reply = crate::wait::wait_for(asked)?;
    let body = place.body_of(reply, token.is_some())?;
    place.read(&body, token.is_some())
}

/// A status, headers and a body.
struct Reply {
    status: StatusCode,
    headers: HeaderMap,
    body: Bytes,
}

/// Where a description is.
#[derive(Debug)]
struct Place {
    uri: Uri,
    host: String,
    is_https: bool,
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "`{}`", self.uri)
    }
}

impl Place {
    /// The description of the service, of its API, or the description itself.
    fn of(from: &str) -> Result<Self> {
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
        let path = match uri.path().trim_end_matches('/') {
            "" => "/api/_describe".to_owned(),
            path if path.ends_with("/_describe") => path.to_owned(),
            path => format!("{path}/_describe"),
        };
        let mut parts = uri.into_parts();
        parts.path_and_query = Some(PathAndQuery::try_from(path)?);
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

    async fn ask(&self, token: Option<&str>) -> Result<Reply> {
        let stream = TcpStream::connect((self.host.as_str(), self.port())).await;
        let stream = stream.with_context(|| {
            format!("no service can be reached at {self}; does it run, and is the address right?")
        })?;
        if !self.is_https {
            return self.send(stream, token).await;
        }
        let name = ServerName::try_from(self.host.clone());
        let name = name.with_context(|| format!("`{}` is not a name of a host", self.host))?;
        let stream = TlsConnector::from(tls()?).connect(name, stream).await;
        let stream =
            stream.with_context(|| format!("cannot open an HTTPS connection to {self}"))?;
        self.send(stream, token).await
    }

    async fn send<S>(&self, stream: S, token: Option<&str>) -> Result<Reply>
    where
        S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    {
        let broken = || format!("{self} did not answer in HTTP");
        let (mut sender, connection) = http1::handshake(TokioIo::new(stream))
            .await
            .with_context(broken)?;
        let task = tokio::spawn(connection);
        let request = self.request(token)?;
        let reply = sender.send_request(request).await.with_context(broken)?;
        let (head, body) = reply.into_parts();
        let body = Limited::new(body, MOST_BYTES).collect().await;
        let body = body.map_err(|error| anyhow!("cannot read what {self} sends: {error}"))?;
        task.abort();
        Ok(Reply {
            status: head.status,
            headers: head.headers,
            body: body.to_bytes(),
        })
    }

    fn request(&self, token: Option<&str>) -> Result<Request<Empty<Bytes>>> {
        let target = self.uri.path_and_query().map_or("/", |path| path.as_str());
        let authority = self.uri.authority().map_or("", |known| known.as_str());
        // What stands before an `@` is for us, and not part of the host's name.
        let host = authority
            .rsplit_once('@')
            .map_or(authority, |(_, host)| host);
        let mut request = Request::get(target)
            .header(HOST, host)
            .header(ACCEPT, "application/json");
        if let Some(token) = token {
            let mut value = HeaderValue::try_from(format!("Bearer {token}"))
                .context("the token has letters that a header cannot hold")?;
            value.set_sensitive(true);
            request = request.header(AUTHORIZATION, value);
        }
        Ok(request.body(Empty::new())?)
    }

    /// The body of a success; everything else is an error that names its cause.
    fn body_of(&self, reply: Reply, has_token: bool) -> Result<Bytes> {
        let status = reply.status;
        match status.as_u16() {
            200..=299 => Ok(reply.body),
            300..=399 => {
                let location = reply.headers.get(LOCATION);
                let location = location.and_then(|location| location.to_str().ok());
                let location = location.unwrap_or("another address");
                bail!("{self} leads to `{location}` ({status}); give that address")
            }
            401 | 403 if has_token => bail!("{self} does not accept the token ({status})"),
            401 | 403 => bail!("{self} asks for a caller ({status}); {}", how_to_send()),
            404 => bail!(
                "there is no description at {self} ({status}); give the address of the API, such as \
                 `http://127.0.0.1:8080/api`. An application describes its API if it calls `describe`"
            ),
            _ => bail!("{self} answers with {status}{}", said(&reply.body)),
        }
    }

    fn read(&self, body: &[u8], has_token: bool) -> Result<ApiDescription> {
        let Ok(json) = serde_json::from_slice::<Value>(body) else {
            bail!("what {self} sends is not a description of an API: it is not JSON");
        };
        if !["listings", "operators", "settings"]
            .iter()
            .all(|key| json.get(key).is_some())
        {
            bail!("what {self} sends is not a description of an API");
        }
        let description: ApiDescription = serde_json::from_value(json).with_context(|| {
            format!(
                "this command ({}) does not understand the description at {self}; \
                 use the `listing` of the version that the service was built with",
                env!("CARGO_PKG_VERSION")
            )
        })?;
        if description
            .listings
            .iter()
            .all(|known| known.path.is_none())
        {
            match has_token {
                true => bail!("{self} describes no list that the caller of this token may read"),
                false => bail!(
                    "{self} describes no list that everybody may read; {}",
                    how_to_send()
                ),
            }
        }
        Ok(description)
    }
}

fn how_to_send() -> String {
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
    fn the_address_of_a_service_of_its_api_or_of_its_description_will_do() {
        for (from, uri, port) in [
            (
                "http://127.0.0.1:8080",
                "http://127.0.0.1:8080/api/_describe",
                8080,
            ),
            ("http://localhost/", "http://localhost/api/_describe", 80),
            (
                "https://example.com/v2/",
                "https://example.com/v2/_describe",
                443,
            ),
            (
                "http://[::1]:80/api/_describe",
                "http://[::1]:80/api/_describe",
                80,
            ),
        ] {
            let place = Place::of(from).unwrap();
            assert_eq!((place.uri.to_string().as_str(), place.port()), (uri, port));
        }
        assert_eq!(Place::of("http://[::1]:80").unwrap().host, "::1");
        for wrong in ["localhost:8080", "ftp://example.com", "/api", "", "http://"] {
            let error = Place::of(wrong).unwrap_err().to_string();
            assert!(error.contains("is not the address of a service"), "{error}");
        }
    }
}
