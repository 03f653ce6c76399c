//! Encrypts connections of clients, with a certificate that can be replaced while the service runs.

use std::future::Future;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};

use rustls::ServerConfig;
use rustls::crypto::ring::default_provider;
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::server::{ClientHello, ResolvesServerCert};
use rustls::sign::CertifiedKey;
use tokio::net::TcpStream;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::server::TlsStream;

use super::HttpConfig;

/// The name of HTTP/2 in a handshake.
const HTTP2: &[u8] = b"h2";

/// Encrypts by the certificate that was read last.
#[derive(Clone)]
pub(super) struct Https {
    acceptor: TlsAcceptor,
    certificate: Arc<Replaceable>,
    files: (PathBuf, PathBuf),
}

#[derive(Debug)]
struct Replaceable(RwLock<Arc<CertifiedKey>>);

impl ResolvesServerCert for Replaceable {
    fn resolve(&self, _: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        let current = self.0.read().unwrap_or_else(PoisonError::into_inner);
        Some(Arc::clone(&current))
    }
}

impl Https {
    /// Returns `None` if the configuration names no certificate.
    pub(super) fn of(config: &HttpConfig) -> io::Result<Option<Self>> {
        let (certificate, key) = (&config.tls_certificate, &config.tls_key);
        if certificate.is_empty() && key.is_empty() {
            return Ok(None);
        }
        if certificate.is_empty() || key.is_empty() {
            return Err(io::Error::other(
                "`http.tls_certificate` and `http.tls_key` must be set together",
            ));
        }
        let files = (PathBuf::from(certificate), PathBuf::from(key));
        let current = Arc::new(Replaceable(RwLock::new(Arc::new(read(&files)?))));
        let resolver: Arc<dyn ResolvesServerCert> = Arc::<Replaceable>::clone(&current);
        let mut config = ServerConfig::builder_with_provider(Arc::new(default_provider()))
            .with_safe_default_protocol_versions()
            .map_err(io::Error::other)?
            .with_no_client_auth()
            .with_cert_resolver(resolver);
        config.alpn_protocols = vec![HTTP2.to_vec(), b"http/1.1".to_vec()];
        Ok(Some(Self {
            acceptor: TlsAcceptor::from(Arc::new(config)),
            certificate: current,
            files,
        }))
    }

    /// A connection, and whether its client wants HTTP/2.
    pub(super) async fn accept(
        &self,
        stream: TcpStream,
    ) -> io::Result<(TlsStream<TcpStream>, bool)> {
        let stream = self.acceptor.accept(stream).await?;
        let (_, session) = stream.get_ref();
        let is_http2 = session.alpn_protocol() == Some(HTTP2);
        Ok((stream, is_http2))
    }

    /// From now on, reloads the files on each SIGHUP. If they are invalid, the previous ones stay in use.
    pub(super) fn reload_when_told(self) -> io::Result<impl Future<Output = ()>> {
        #[cfg(unix)]
        let mut told = {
            use tokio::signal::unix::{SignalKind, signal};
            signal(SignalKind::hangup())?
        };
        Ok(async move {
            #[cfg(unix)]
            while told.recv().await.is_some() {
                match self.reload() {
                    Ok(()) => tracing::info!("the certificate was read again"),
                    Err(error) => tracing::error!(%error, "the certificate was not replaced"),
                }
            }
        })
    }

    fn reload(&self) -> io::Result<()> {
        let key = Arc::new(read(&self.files)?);
        let current = &self.certificate.0;
        *current.write().unwrap_or_else(PoisonError::into_inner) = key;
        Ok(())
    }
}

fn read((certificate, key): &(PathBuf, PathBuf)) -> io::Result<CertifiedKey> {
    let wrong = |file: &Path, error: &dyn std::fmt::Display| {
        io::Error::other(format!("{}: {error}", file.display()))
    };
    let chain: Result<Vec<_>, _> = CertificateDer::pem_file_iter(certificate)
        .map_err(|error| wrong(certificate, &error))?
        .collect();
    let chain = chain.map_err(|error| wrong(certificate, &error))?;
    let private = PrivateKeyDer::from_pem_file(key).map_err(|error| wrong(key, &error))?;
    let read = CertifiedKey::from_der(chain, private, &default_provider());
    read.map_err(|error| wrong(key, &error))
}
