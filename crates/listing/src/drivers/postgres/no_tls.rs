//! Takes the place of encryption when the feature `tls` is off.

use sqlx::postgres::{PgConnectOptions, PgSslMode};
pub(super) use tokio_postgres::NoTls as Connector;

use super::super::error::ReadPoolError;

/// No encryption.
#[derive(Debug, Clone)]
pub(super) struct Encryption;

impl Encryption {
    /// # Errors
    /// When the server's options ask for encryption.
    pub(super) fn of(server: &PgConnectOptions) -> Result<Self, ReadPoolError> {
        match server.get_ssl_mode() {
            PgSslMode::Disable | PgSslMode::Allow | PgSslMode::Prefer => Ok(Self),
            PgSslMode::Require | PgSslMode::VerifyCa | PgSslMode::VerifyFull => {
                Err(ReadPoolError::NoTls)
            }
        }
    }

    pub(super) fn mode(&self) -> PgSslMode {
        PgSslMode::Disable
    }

    #[expect(clippy::unused_async, reason = "with the feature it reads files")]
    pub(super) async fn connector(&self) -> std::io::Result<Connector> {
        Ok(Connector)
    }
}
