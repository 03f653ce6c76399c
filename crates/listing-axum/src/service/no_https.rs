//! Takes the place of encryption for clients when the feature `https` is off.

use std::io;

use tokio::net::TcpStream;

use super::HttpConfig;

/// None.
#[derive(Clone)]
pub(super) enum Https {}

impl Https {
    /// # Errors
    /// When the configuration asks for it.
    pub(super) fn of(config: &HttpConfig) -> io::Result<Option<Self>> {
        if config.tls_certificate.is_empty() && config.tls_key.is_empty() {
            return Ok(None);
        }
        Err(io::Error::other(
            "a certificate is configured, and this program was built without HTTPS: turn on the feature `https` of the crate \
             `listing-axum`",
        ))
    }

    #[expect(clippy::unused_async, reason = "with the feature it shakes hands")]
    pub(super) async fn accept(&self, _: TcpStream) -> io::Result<(TcpStream, bool)> {
        match *self {}
    }

    pub(super) fn reload_when_told(self) -> io::Result<std::future::Ready<()>> {
        match self {}
    }
}
