//! Encrypts connections to PostgreSQL by rustls, in the way that SeaORM's driver does.
//!
//! Written by hand on tokio-rustls, because it must accept and refuse the same servers as sqlx: modes, files and the system's
//! roots are handled as there, and read again for each connection, so that files can be replaced.

use std::future::Future;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use rustls::client::WebPkiServerVerifier;
use rustls::crypto::ring::default_provider;
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName};
use rustls::{ClientConfig, RootCertStore};
use sqlx::postgres::{PgConnectOptions, PgSslMode};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio_postgres::Socket;
use tokio_postgres::tls::{ChannelBinding, MakeTlsConnect, TlsConnect, TlsStream};
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream as RustlsStream;

use super::super::error::ReadPoolError;
use super::super::server::{bare, parameter};
use super::channel_binding;
use super::verify::{AnyCertificate, AnyName};

/// The TLS settings in the server's options.
#[derive(Debug, Clone)]
pub(super) struct Encryption {
    mode: PgSslMode,
    root: Option<String>,
    certificate: Option<String>,
    key: Option<String>,
}

impl Encryption {
    #[expect(clippy::unnecessary_wraps, reason = "without the feature it can fail")]
    pub(super) fn of(server: &PgConnectOptions) -> Result<Self, ReadPoolError> {
        let bare = bare(server);
        Ok(Self {
            mode: server.get_ssl_mode(),
            root: parameter(&bare, "sslrootcert"),
            certificate: parameter(&bare, "sslcert"),
            key: parameter(&bare, "sslkey"),
        })
    }

    pub(super) fn mode(&self) -> PgSslMode {
        self.mode
    }

    /// Reads the files, and the roots of the system where they count.
    pub(super) async fn connector(&self) -> io::Result<Connector> {
        if matches!(self.mode, PgSslMode::Disable) {
            return Ok(Connector(None));
        }
        let encryption = self.clone();
        let config = tokio::task::spawn_blocking(move || encryption.client_config());
        let config = config.await.map_err(io::Error::other)??;
        Ok(Connector(Some(Arc::new(config))))
    }

    fn client_config(&self) -> io::Result<ClientConfig> {
        let provider = Arc::new(default_provider());
        let config = ClientConfig::builder_with_provider(Arc::clone(&provider))
            .with_safe_default_protocol_versions()
            .map_err(io::Error::other)?
            .dangerous();
        let config = match self.mode {
            PgSslMode::Disable | PgSslMode::Allow | PgSslMode::Prefer | PgSslMode::Require => {
                config.with_custom_certificate_verifier(Arc::new(AnyCertificate::new(provider)))
            }
            PgSslMode::VerifyCa | PgSslMode::VerifyFull => {
                let roots = Arc::new(self.roots()?);
                let verifier = WebPkiServerVerifier::builder_with_provider(roots, provider);
                let verifier = verifier.build().map_err(io::Error::other)?;
                if matches!(self.mode, PgSslMode::VerifyFull) {
                    config.with_custom_certificate_verifier(verifier)
                } else {
                    config.with_custom_certificate_verifier(Arc::new(AnyName(verifier)))
                }
            }
        };
        match (&self.certificate, &self.key) {
            (Some(certificate), Some(key)) => {
                let chain = certificates(certificate)?;
                let key = PrivateKeyDer::from_pem_slice(&pem(key)?);
                let key = key.map_err(|error| io::Error::other(format!("`sslkey`: {error}")))?;
                config
                    .with_client_auth_cert(chain, key)
                    .map_err(io::Error::other)
            }
            (None, None) => Ok(config.with_no_client_auth()),
            _ => Err(io::Error::other(
                "`sslcert` and `sslkey` must be given together",
            )),
        }
    }

    /// The system's roots and `sslrootcert`.
    fn roots(&self) -> io::Result<RootCertStore> {
        let mut roots = RootCertStore::empty();
        let system = rustls_native_certs::load_native_certs();
        for error in system.errors {
            tracing::warn!(%error, "a root certificate of the system cannot be read");
        }
        roots.add_parsable_certificates(system.certs);
        if let Some(root) = &self.root {
            for certificate in certificates(root)? {
                roots.add(certificate).map_err(io::Error::other)?;
            }
        }
        Ok(roots)
    }
}

fn certificates(input: &str) -> io::Result<Vec<CertificateDer<'static>>> {
    let read: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(&pem(input)?).collect();
    read.map_err(|error| io::Error::other(format!("a certificate in PEM cannot be read: {error}")))
}

/// The options write a file as `file: …`, and a text in PEM as it is.
fn pem(input: &str) -> io::Result<Vec<u8>> {
    match input.strip_prefix("file: ") {
        Some(file) => std::fs::read(file)
            .map_err(|error| io::Error::new(error.kind(), format!("`{file}`: {error}"))),
        None => Ok(input.as_bytes().to_vec()),
    }
}

/// Encrypts if there is a configuration.
#[derive(Clone)]
pub(super) struct Connector(Option<Arc<ClientConfig>>);

impl MakeTlsConnect<Socket> for Connector {
    type Stream = Encrypted;
    type TlsConnect = Handshake;
    type Error = io::Error;

    fn make_tls_connect(&mut self, host: &str) -> io::Result<Handshake> {
        // A socket in the file system has no name, and is not encrypted.
        let name = ServerName::try_from(host.to_owned()).ok();
        Ok(Handshake(self.0.clone().zip(name)))
    }
}

/// A handshake that is about to begin.
pub(super) struct Handshake(Option<(Arc<ClientConfig>, ServerName<'static>)>);

impl TlsConnect<Socket> for Handshake {
    type Stream = Encrypted;
    type Error = io::Error;
    type Future = Pin<Box<dyn Future<Output = io::Result<Encrypted>> + Send>>;

    fn connect(self, stream: Socket) -> Self::Future {
        Box::pin(async move {
            let Some((config, name)) = self.0 else {
                return Err(io::Error::other(
                    "the host's name cannot be that of a certificate",
                ));
            };
            let connected = TlsConnector::from(config).connect(name, stream).await?;
            Ok(Encrypted(Box::new(connected)))
        })
    }
}

/// An encrypted connection.
pub(super) struct Encrypted(Box<RustlsStream<Socket>>);

impl TlsStream for Encrypted {
    fn channel_binding(&self) -> ChannelBinding {
        let (_, session) = self.0.get_ref();
        let certificate = session.peer_certificates().and_then(<[_]>::first);
        match certificate.and_then(|certificate| channel_binding::end_point(certificate)) {
            Some(hash) => ChannelBinding::tls_server_end_point(hash),
            None => ChannelBinding::none(),
        }
    }
}

impl AsyncRead for Encrypted {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_read(context, buffer)
    }
}

impl AsyncWrite for Encrypted {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.0).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_shutdown(context)
    }
}
