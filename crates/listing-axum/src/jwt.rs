//! In: a request's `Authorization` header. Out: the claims of its token, if it is signed by who it should be (d64).

use std::fs;
use std::sync::Arc;

use axum::http::{HeaderMap, header};
use jsonwebtoken::jwk::{AlgorithmParameters, EllipticCurve, Jwk, JwkSet};
use jsonwebtoken::{Algorithm, DecodingKey, Validation, decode, decode_header};
use serde_json::{Map, Value};

use crate::{ApiError, Denied, JwtConfig};

/// Verifies JSON Web Tokens. Cheap to clone.
#[derive(Clone, Default)]
pub struct Jwt {
    keys: Arc<[VerifyingKey]>,
}

struct VerifyingKey {
    /// The name that a token's header uses for it.
    id: Option<String>,
    key: DecodingKey,
    validation: Validation,
}

/// What a token says.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Claims(pub Map<String, Value>);

impl Claims {
    /// Whom the token is about.
    #[must_use]
    pub fn subject(&self) -> Option<&str> {
        self.0.get("sub")?.as_str()
    }
}

/// What is wrong with the configuration of tokens.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum JwtError {
    /// A file cannot be read.
    #[error("{file}: {error}")]
    Unreadable {
        /// The file.
        file: String,
        /// Why.
        error: std::io::Error,
    },
    /// A file is not what it should be.
    #[error("{file}: {problem}")]
    Unusable {
        /// The file.
        file: String,
        /// Why.
        problem: String,
    },
    /// The keys of `listing.toml` contradict each other.
    #[error("{0}")]
    Contradiction(&'static str),
}

impl Jwt {
    /// A verifier as configured. Without a secret, a key or a key set it looks at no token.
    ///
    /// # Errors
    /// When a key cannot be read, or the configuration contradicts itself.
    pub fn new(config: &JwtConfig) -> Result<Self, JwtError> {
        let given = [&config.secret, &config.public_key_file, &config.jwks_file];
        if given.iter().filter(|given| !given.is_empty()).count() > 1 {
            return Err(JwtError::Contradiction(
                "give one of `jwt.secret`, `jwt.public_key_file` and `jwt.jwks_file`, not several",
            ));
        }
        let keys = if !config.secret.is_empty() {
            vec![secret(config)?]
        } else if !config.public_key_file.is_empty() {
            vec![public_key(config)?]
        } else if !config.jwks_file.is_empty() {
            key_set(config)?
        } else {
            Vec::new()
        };
        Ok(Self { keys: keys.into() })
    }

    /// The claims of a request's token; none where it has no token, or where tokens are not looked at.
    ///
    /// # Errors
    /// 401 when there is a token and it is not valid.
    pub fn verify(&self, headers: &HeaderMap) -> Result<Option<Claims>, ApiError> {
        let Some(sent) = headers
            .get(header::AUTHORIZATION)
            .filter(|_| !self.keys.is_empty())
        else {
            return Ok(None);
        };
        let sent = sent.to_str().map_err(|_| Denied::Unauthenticated)?;
        let Some((scheme, token)) = sent.split_once(' ') else {
            return Err(Denied::Unauthenticated.into());
        };
        if !scheme.eq_ignore_ascii_case("bearer") {
            return Ok(None);
        }
        let claims = self.claims(token.trim()).map_err(|error| {
            tracing::debug!(%error, "a token was refused");
            Denied::Unauthenticated
        })?;
        Ok(Some(Claims(claims)))
    }

    fn claims(&self, token: &str) -> jsonwebtoken::errors::Result<Map<String, Value>> {
        let id = decode_header(token)?.kid;
        // A token that names its key is held against that key; one that does not, against every key.
        let named = |key: &&VerifyingKey| id.is_none() || key.id.is_none() || key.id == id;
        let mut result = Err(jsonwebtoken::errors::ErrorKind::InvalidToken.into());
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

fn secret(config: &JwtConfig) -> Result<VerifyingKey, JwtError> {
    if !["", "HS256"].contains(&config.algorithm.as_str()) {
        return Err(JwtError::Contradiction(
            "`jwt.secret` goes with `jwt.algorithm = \"HS256\"`",
        ));
    }
    // A shorter secret than the hash can be guessed.
    if config.secret.len() < 32 {
        return Err(JwtError::Contradiction(
            "`jwt.secret` must have at least 32 characters",
        ));
    }
    let key = DecodingKey::from_secret(config.secret.as_bytes());
    Ok(VerifyingKey {
        id: None,
        key,
        validation: validation(Algorithm::HS256, config),
    })
}

fn public_key(config: &JwtConfig) -> Result<VerifyingKey, JwtError> {
    let file = &config.public_key_file;
    let pem = read(file)?;
    let (algorithm, key) = match config.algorithm.as_str() {
        "RS256" => (Algorithm::RS256, DecodingKey::from_rsa_pem(&pem)),
        "ES256" => (Algorithm::ES256, DecodingKey::from_ec_pem(&pem)),
        "EdDSA" => (Algorithm::EdDSA, DecodingKey::from_ed_pem(&pem)),
        _ => {
            return Err(JwtError::Contradiction(
                "`jwt.public_key_file` needs `jwt.algorithm`: `RS256`, `ES256` or `EdDSA`",
            ));
        }
    };
    let key = key.map_err(|error| unusable(file, error))?;
    Ok(VerifyingKey {
        id: None,
        key,
        validation: validation(algorithm, config),
    })
}

fn key_set(config: &JwtConfig) -> Result<Vec<VerifyingKey>, JwtError> {
    let file = &config.jwks_file;
    let set: JwkSet =
        serde_json::from_slice(&read(file)?).map_err(|error| unusable(file, error))?;
    let mut keys = Vec::with_capacity(set.keys.len());
    for jwk in &set.keys {
        // Keys for other purposes may stand in the same set.
        let Some(algorithm) = algorithm_of(jwk) else {
            continue;
        };
        let key = DecodingKey::from_jwk(jwk).map_err(|error| unusable(file, error))?;
        let id = jwk.common.key_id.clone();
        keys.push(VerifyingKey {
            id,
            key,
            validation: validation(algorithm, config),
        });
    }
    if keys.is_empty() {
        return Err(unusable(file, "it has no key for RS256, ES256 or EdDSA"));
    }
    Ok(keys)
}

/// The algorithm that a key's own type allows; never the token's word for it.
fn algorithm_of(jwk: &Jwk) -> Option<Algorithm> {
    let by_type = match &jwk.algorithm {
        AlgorithmParameters::RSA(_) => Algorithm::RS256,
        AlgorithmParameters::EllipticCurve(ec) if ec.curve == EllipticCurve::P256 => {
            Algorithm::ES256
        }
        AlgorithmParameters::OctetKeyPair(_) => Algorithm::EdDSA,
        _ => return None,
    };
    match jwk.common.key_algorithm {
        None => Some(by_type),
        Some(said) => (said.to_string() == format!("{by_type:?}")).then_some(by_type),
    }
}

fn validation(algorithm: Algorithm, config: &JwtConfig) -> Validation {
    let mut validation = Validation::new(algorithm);
    validation.leeway = config.leeway_seconds;
    validation.validate_nbf = true;
    if config.issuer.is_empty() {
        validation.iss = None;
    } else {
        validation.set_issuer(&[&config.issuer]);
        validation.required_spec_claims.insert("iss".to_owned());
    }
    if config.audience.is_empty() {
        validation.validate_aud = false;
    } else {
        validation.set_audience(&[&config.audience]);
        validation.required_spec_claims.insert("aud".to_owned());
    }
    validation
}

fn read(file: &str) -> Result<Vec<u8>, JwtError> {
    fs::read(file).map_err(|error| JwtError::Unreadable {
        file: file.to_owned(),
        error,
    })
}

fn unusable(file: &str, problem: impl ToString) -> JwtError {
    JwtError::Unusable {
        file: file.to_owned(),
        problem: problem.to_string(),
    }
}
