//! Connects to a target: to an address that was checked, encrypted if its URL says so (d130).

use std::io;
use std::net::SocketAddr;
use std::path::Path;
use std::pin::Pin;
use std::sync::Arc;

use rustls::crypto::ring::default_provider;
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, RootCertStore};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpStream, lookup_host};
use tokio::time::timeout;
use tokio_rustls::TlsConnector;

use super::address::is_public;
use super::target::Target;

/// A connection, encrypted or not.
pub(super) trait Stream: AsyncRead + AsyncWrite + Send {}

impl<S: AsyncRead + AsyncWrite + Send> Stream for S {}

/// Resolves the host once, and connects only to addresses that were just resolved and are allowed.
pub(super) async fn connect(target: &Target) -> Result<Pin<Box<dyn Stream>>, String> {
    let found = lookup_host((&*target.url.host, target.url.port)).await;
    let found: Vec<_> = found
        .map_err(|error| format!("the host was not found: {error}"))?
        .collect();
    let stream = connect_to_any(&allowed(target, found)?, target).await?;
    // Messages are small, and sent one at a time.
    let _ = stream.set_nodelay(true);
    let Some(config) = &target.encryption else {
        return Ok(Box::pin(stream));
    };
    let name = ServerName::try_from(target.url.host.clone());
    let name = name.map_err(|_| "the host's name cannot be that of a certificate".to_owned())?;
    let connector = TlsConnector::from(Arc::clone(config));
    let encrypted = connector.connect(name, stream).await;
    let encrypted = encrypted.map_err(|error| format!("no encryption: {}", told(&error)))?;
    Ok(Box::pin(encrypted))
}

/// Describes a TLS error without host names.
fn told(error: &io::Error) -> String {
    use rustls::CertificateError::{NotValidForName, NotValidForNameContext};
    use rustls::Error::InvalidCertificate;
    let inner = error.get_ref().and_then(|inner| inner.downcast_ref());
    match inner {
        Some(InvalidCertificate(NotValidForName | NotValidForNameContext { .. })) => {
            "the certificate is for another host".to_owned()
        }
        _ => error.to_string(),
    }
}

/// The addresses that may be connected to. Addresses that are not public are skipped.
fn allowed(target: &Target, found: Vec<SocketAddr>) -> Result<Vec<SocketAddr>, String> {
    let may = |address: &SocketAddr| target.allow_private || is_public(address.ip());
    let allowed: Vec<_> = found.into_iter().filter(may).collect();
    match allowed.is_empty() {
        true => Err("the host has no public address, and `allow_private` is off".to_owned()),
        false => Ok(allowed),
    }
}

/// Connects to the first address that answers. Each gets a share of the time.
async fn connect_to_any(addresses: &[SocketAddr], target: &Target) -> Result<TcpStream, String> {
    let share = target.timeout / u32::try_from(addresses.len()).unwrap_or(u32::MAX);
    let mut failed = io::Error::from(io::ErrorKind::AddrNotAvailable);
    for address in addresses {
        match timeout(share, TcpStream::connect(address)).await {
            Ok(Ok(stream)) => return Ok(stream),
            Ok(Err(error)) => failed = error,
            Err(_) => failed = io::Error::from(io::ErrorKind::TimedOut),
        }
    }
    Err(format!("no connection: {failed}"))
}

/// Trusts the system's certificates and those in the file, if one is configured.
pub(super) fn encryption(ca_file: &str) -> Result<Arc<ClientConfig>, String> {
    let mut roots = RootCertStore::empty();
    let system = rustls_native_certs::load_native_certs();
    for error in system.errors {
        tracing::warn!(%error, "a root certificate of the system cannot be read");
    }
    roots.add_parsable_certificates(system.certs);
    if !ca_file.is_empty() {
        let wrong = |error: &dyn std::fmt::Display| format!("{ca_file}: {error}");
        let mut certificates = CertificateDer::pem_file_iter(Path::new(ca_file))
            .map_err(|error| wrong(&error))?
            .peekable();
        if certificates.peek().is_none() {
            return Err(wrong(&"there is no certificate in it"));
        }
        for certificate in certificates {
            let certificate = certificate.map_err(|error| wrong(&error))?;
            roots.add(certificate).map_err(|error| wrong(&error))?;
        }
    }
    let config = ClientConfig::builder_with_provider(Arc::new(default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(|error| error.to_string())?
        .with_root_certificates(roots)
        .with_no_client_auth();
    Ok(Arc::new(config))
}
