//! Verifies the token in the `Authorization` header and reads its claims (d64).

mod keys;

use std::sync::Arc;

use axum::http::{HeaderMap, header};
use jsonwebtoken::errors::ErrorKind;
use jsonwebtoken::{decode, decode_header};
use listing::observe::Watch;
use serde_json::{Map, Value};

use self::keys::VerifyingKey;
use super::JwtConfig;
use crate::http::ApiError;

pub use self::keys::JwtError;

/// Verifies JSON Web Tokens, as an application's own extractor asks it to; see [`identify`](crate::identify).
/// Cheap to clone.
///
/// ```
/// use axum::http::{HeaderMap, header};
/// use listing_axum::{Config, Jwt};
///
/// let text = "[jwt]\nsecret = \"a secret of at least 32 characters\"\naudience = \"blog\"";
/// let config = Config::from_parts("listing.toml", text, [])?;
/// let jwt = Jwt::new(&config.jwt)?;
///
/// let mut headers = HeaderMap::new();
/// assert!(jwt.verify(&headers).is_ok_and(|claims| claims.is_none())); // no token
/// headers.insert(header::AUTHORIZATION, "Bearer forged".parse()?);
/// assert!(jwt.verify(&headers).is_err()); // 401
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Default)]
pub struct Jwt {
    keys: Arc<[VerifyingKey]>,
}

/// The claims of a token.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Claims(pub Map<String, Value>);

impl Claims {
    /// Whom the token is about.
    #[must_use]
    pub fn subject(&self) -> Option<&str> {
        self.0.get("sub")?.as_str()
    }
}

impl Jwt {
    /// A verifier as configured. Without a secret, a key or a key set it looks at no token.
    ///
    /// # Errors
    /// When a key cannot be read, or the configuration contradicts itself.
    pub fn new(config: &JwtConfig) -> Result<Self, JwtError> {
        let keys = keys::of(config)?.into();
        Ok(Self { keys })
    }

    /// Whether a key is configured, so that tokens are checked.
    #[must_use]
    pub fn is_enabled(&self) -> bool {
        !self.keys.is_empty()
    }

    /// The claims of a request's token; `None` if it has no token, or if tokens are not checked. Schemes other than `Bearer`
    /// are ignored.
    ///
    /// # Errors
    /// 401 when there is a token and it is not valid.
    pub fn verify(&self, headers: &HeaderMap) -> Result<Option<Claims>, ApiError> {
        if self.keys.is_empty() {
            return Ok(None);
        }
        let mut sent = headers.get_all(header::AUTHORIZATION).iter();
        let Some(value) = sent.next() else {
            return Ok(None);
        };
        // If there are two identities, a proxy may have checked the other one.
        if sent.next().is_some() {
            return Err(ApiError::InvalidToken);
        }
        let value = value.as_bytes();
        let scheme = value.split(|byte| *byte == b' ').next();
        let scheme = scheme.unwrap_or_default();
        if !scheme.eq_ignore_ascii_case(b"bearer") {
            return Ok(None);
        }
        let claims = self.claims(value[scheme.len()..].trim_ascii());
        let claims = claims.map_err(|error| {
            tracing::debug!(%error, "a token was refused");
            ApiError::InvalidToken
        })?;
        let claims = Claims(claims);
        if let (Some(watch), Some(subject)) = (Watch::current(), claims.subject()) {
            watch.set_caller(subject);
        }
        Ok(Some(claims))
    }

    fn claims(&self, token: &[u8]) -> jsonwebtoken::errors::Result<Map<String, Value>> {
        let header = decode_header(token)?;
        // Its extensions must be understood, and we understand none (RFC 7515, 4.1.11).
        if header.crit.is_some() {
            return Err(ErrorKind::InvalidToken.into());
        }
        let id = header.kid;
        // A token that names its key is held against that key; one that does not, against every key.
        let named = |key: &&VerifyingKey| id.is_none() || key.id.is_none() || key.id == id;
        let mut result = Err(ErrorKind::InvalidToken.into());
        for key in self.keys.iter().filter(named) {
            result = decode(token, &key.key, &key.validation).map(|data| data.claims);
            if result.is_ok() {
                break;
            }
        }
        result
    }
}

impl std::fmt::Debug for Jwt {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Jwt")
            .field("keys", &self.keys.len())
            .finish()
    }
}
